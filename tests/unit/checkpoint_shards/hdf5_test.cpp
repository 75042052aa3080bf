// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/unit/checkpoint_shards/safetensors_bytes.h"

#include <fstream>
#include <hdf5.h>
#include <limits>

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

/// Writes HDF5 files as Keras, h5py and others do. Closes everything at its end.
class Hdf5Maker
{
public:
    explicit Hdf5Maker(const std::filesystem::path& path)
        : m_file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT))
    { }
    ~Hdf5Maker() { H5Fclose(m_file); }
    Hdf5Maker(const Hdf5Maker&) = delete;
    Hdf5Maker& operator=(const Hdf5Maker&) = delete;

    [[nodiscard]] hid_t file() const { return m_file; }

    void group(const char* name) const
    {
        H5Gclose(H5Gcreate2(m_file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    }

    void attribute(const char* name, double value) const
    {
        const hid_t space = H5Screate(H5S_SCALAR);
        const hid_t made
            = H5Acreate2(m_file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(made, H5T_NATIVE_DOUBLE, &value);
        H5Aclose(made);
        H5Sclose(space);
    }

    enum class How { Contiguous, Chunked, Deflated, Shuffled, Compact };

    void dataset(const char* name, std::vector<hsize_t> shape, const std::vector<float>& values,
        How how = How::Contiguous, hid_t type = H5T_IEEE_F32LE) const
    {
        const hid_t space = shape.empty()
            ? H5Screate(H5S_SCALAR)
            : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
        const hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
        if (how == How::Compact)
            H5Pset_layout(plan, H5D_COMPACT);
        if (how == How::Chunked || how == How::Deflated || how == How::Shuffled) {
            std::vector<hsize_t> chunk(shape.size(), 2);
            H5Pset_chunk(plan, static_cast<int>(chunk.size()), chunk.data());
        }
        if (how == How::Shuffled)
            H5Pset_shuffle(plan);
        if (how == How::Deflated || how == How::Shuffled)
            H5Pset_deflate(plan, 4);
        const hid_t made = H5Dcreate2(m_file, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
        H5Dwrite(made, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        H5Dclose(made);
        H5Pclose(plan);
        H5Sclose(space);
    }

private:
    hid_t m_file;
};

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
const std::vector<float> kSix{1.0F, kNan, 3.0F, 4.0F, 5.0F, 6.0F};

std::vector<float> floatsOf(const Checkpoint& checkpoint, std::string_view name)
{
    const CheckpointTensor* tensor = findTensor(checkpoint, name);
    if (tensor == nullptr)
        throw std::runtime_error("no tensor " + std::string(name));
    const std::string bytes = bytesOfTensor(checkpoint, *tensor);
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

}  // namespace

TEST_CASE("datasets of an HDF5 file become tensors named by their path", "[checkpoint][hdf5]")
{
    const TempFolder folder;
    const auto path = folder.path() / "weights.h5";
    {
        const Hdf5Maker maker(path);
        maker.attribute("step", 1200.0);
        maker.group("dense");
        maker.dataset("dense/kernel:0", {2, 3}, kSix);
        maker.dataset("dense/scalar", {}, {2.5F}, Hdf5Maker::How::Compact);
        H5Lcreate_hard(
            maker.file(), "dense/kernel:0", maker.file(), "tied", H5P_DEFAULT, H5P_DEFAULT);
    }

    const Checkpoint checkpoint = openPath(path);

    CHECK(checkpoint.format == "hdf5");
    CHECK(checkpoint.damage.empty());
    CHECK(checkpoint.step == 1200);
    CHECK(tensorNames(checkpoint) == std::vector<std::string>{"dense.kernel:0", "dense.scalar"});
    const CheckpointTensor& kernel = checkpoint.tensors[0];
    CHECK(kernel.shape == std::vector<std::int64_t>{2, 3});
    CHECK(kernel.type == ElementType::Float32);
    CHECK(kernel.aliases == std::vector<std::string>{"tied"});
    CHECK(checkpoint.storages[kernel.pieces[0].storage].coding == StorageCoding::Raw);
    const auto values = floatsOf(checkpoint, "dense.kernel:0");
    REQUIRE(values.size() == 6);
    CHECK(values[2] == 3.0F);
    CHECK(floatsOf(checkpoint, "dense.scalar") == std::vector<float>{2.5F});
}

TEST_CASE(
    "chunks are read in place, deflated or not; other filters by the library", "[checkpoint][hdf5]")
{
    const TempFolder folder;
    const auto path = folder.path() / "model.h5";
    {
        const Hdf5Maker maker(path);
        maker.dataset("chunked", {3, 2}, kSix, Hdf5Maker::How::Chunked);
        maker.dataset("deflated", {3, 2}, kSix, Hdf5Maker::How::Deflated);
        maker.dataset(
            "shuffled", {3, 2}, {1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F}, Hdf5Maker::How::Shuffled);
    }

    const Checkpoint checkpoint = openPath(path);

    for (const char* name : {"chunked", "deflated"}) {
        CAPTURE(name);
        const CheckpointTensor* tensor = findTensor(checkpoint, name);
        REQUIRE(tensor != nullptr);
        REQUIRE(tensor->pieces.size() == 2);
        const TensorPiece& last = tensor->pieces[1];
        CHECK(last.offsets == std::vector<std::int64_t>{2, 0});
        CHECK(last.sizes == std::vector<std::int64_t>{1, 2});
        CHECK(last.strides == std::vector<std::int64_t>{2, 1});
        const auto first = floatsOf(checkpoint, name);
        REQUIRE(first.size() == 4);
        CHECK(first[2] == 3.0F);
    }
    const CheckpointTensor* shuffled = findTensor(checkpoint, "shuffled");
    REQUIRE(shuffled != nullptr);
    CHECK(checkpoint.storages[shuffled->pieces[0].storage].coding == StorageCoding::Hdf5);
    CHECK(
        floatsOf(checkpoint, "shuffled") == std::vector<float>{1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F});
}

TEST_CASE("big-endian and half floats keep their own type", "[checkpoint][hdf5]")
{
    const TempFolder folder;
    const auto path = folder.path() / "model.h5";
    {
        const Hdf5Maker maker(path);
        maker.dataset("big", {2, 3}, kSix, Hdf5Maker::How::Contiguous, H5T_IEEE_F32BE);
        const hid_t half = H5Tcopy(H5T_IEEE_F32LE);
        H5Tset_fields(half, 15, 10, 5, 0, 10);
        H5Tset_size(half, 2);
        H5Tset_ebias(half, 15);
        maker.dataset("half", {3}, {1.0F, 2.0F, 65504.0F}, Hdf5Maker::How::Contiguous, half);
        H5Tclose(half);
    }
    const Checkpoint checkpoint = openPath(path);
    const CheckpointTensor* big = findTensor(checkpoint, "big");
    REQUIRE(big != nullptr);
    CHECK(checkpoint.storages[big->pieces[0].storage].bigEndian);
    const CheckpointTensor* half = findTensor(checkpoint, "half");
    REQUIRE(half != nullptr);
    CHECK(half->type == ElementType::Float16);
    CHECK(bytesOfTensor(checkpoint, *half) == std::string("\x00\x3c\x00\x40\xff\x7b", 6));
}

TEST_CASE("an HDF5 file that was cut off is told from one that is broken", "[checkpoint][hdf5]")
{
    const TempFolder folder;
    const auto path = folder.path() / "weights.h5";
    {
        const Hdf5Maker maker(path);
        maker.dataset("a", {2, 3}, kSix);
    }
    std::ifstream in(path, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(in)), {});
    in.close();

    const Checkpoint cut = openPath(folder.write("cut.h5", bytes.substr(0, bytes.size() - 600)));
    CAPTURE(bytes.size(), cut.reason, cut.tensors.size());
    REQUIRE(findDamage(cut, "truncated") != nullptr);
    CHECK(findDamage(cut, "truncated")->member == "cut.h5");

    for (std::size_t i = 8; i < 96; ++i)
        bytes[i] = '\x7f';
    const Checkpoint broken = openPath(folder.write("weights2.h5", bytes));
    CHECK(findDamage(broken, "bad-header") != nullptr);
}

TEST_CASE("links and data in other files are not followed", "[checkpoint][hdf5]")
{
    const TempFolder folder;
    folder.write("secret.bin", std::string(24, '\1'));
    const auto path = folder.path() / "model.h5";
    {
        const Hdf5Maker maker(path);
        H5Lcreate_external("other.h5", "/x", maker.file(), "outside", H5P_DEFAULT, H5P_DEFAULT);
        const hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_external(plan, (folder.path() / "secret.bin").c_str(), 0, 24);
        hsize_t size = 6;
        const hid_t space = H5Screate_simple(1, &size, nullptr);
        H5Dclose(H5Dcreate2(
            maker.file(), "borrowed", H5T_IEEE_F32LE, space, H5P_DEFAULT, plan, H5P_DEFAULT));
        H5Sclose(space);
        H5Pclose(plan);
    }
    const Checkpoint checkpoint = openPath(path);
    CHECK(checkpoint.tensors.empty());
    CHECK(checkpoint.lost == std::vector<std::string>{"borrowed", "outside"});
}

TEST_CASE("HDF5 of measurements is a checkpoint only when asked for", "[checkpoint][hdf5]")
{
    const TempFolder folder;
    const auto path = folder.path() / "metrics.h5";
    {
        const Hdf5Maker maker(path);
        maker.dataset("loss", {6}, kSix);
    }
    CHECK_FALSE(isCheckpoint(path));
    CHECK(openPath(path).tensors.size() == 1);
}
