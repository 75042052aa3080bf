// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/unit/checkpoint/zip_builder.h"
#include "tests/unit/checkpoint_shards/safetensors_bytes.h"

#include <fstream>
#include <hdf5.h>

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

/// An HDF5 file with one float32 dataset vars/0 of three numbers.
std::string weightsFile(const TempFolder& folder)
{
    const auto path = folder.path() / "w.h5";
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Gclose(H5Gcreate2(file, "vars", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    hsize_t size = 3;
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t set
        = H5Dcreate2(file, "vars/0", H5T_IEEE_F32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const std::vector<float> values{1.0F, 2.0F, 3.0F};
    H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(set);
    H5Sclose(space);
    H5Fclose(file);
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("weights of a .keras archive are read where they lie", "[checkpoint][hdf5]")
{
    const TempFolder folder;
    ZipBuilder zip;
    zip.add(plainItem("metadata.json", R"({"keras_version":"3.4.1"})"));
    zip.add(plainItem("model.weights.h5", weightsFile(folder)));

    const Checkpoint checkpoint = openPath(folder.write("m.keras", zip.bytes()));

    CHECK(checkpoint.format == "hdf5");
    CHECK(checkpoint.damage.empty());
    REQUIRE(checkpoint.tensors.size() == 1);
    CHECK(checkpoint.tensors[0].name == "vars.0");
    CHECK(bytesOfTensor(checkpoint, checkpoint.tensors[0])
        == floatBytes(std::vector<float>{1.0F, 2.0F, 3.0F}));
    REQUIRE_FALSE(checkpoint.texts.empty());
    CHECK(checkpoint.texts[0].value == "3.4.1");
}

TEST_CASE("a .keras archive without weights is damaged", "[checkpoint][hdf5]")
{
    const TempFolder folder;
    ZipBuilder zip;
    zip.add(plainItem("metadata.json", "{}"));
    const Checkpoint checkpoint = openPath(folder.write("m.keras", zip.bytes()));
    CHECK(findDamage(checkpoint, "missing-record") != nullptr);
}
