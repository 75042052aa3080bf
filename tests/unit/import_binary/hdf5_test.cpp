// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/import/binary/hdf5_importer.h"
#include "tests/support/catch.h"
#include "tests/unit/import_binary/event_bytes.h"

#include <algorithm>
#include <hdf5.h>

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

SourceData readFile(const std::filesystem::path& path)
{
    JobContext job;
    auto read = readHdf5({path, "table.h5", ""}, {}, job);
    REQUIRE(read);
    REQUIRE(read->size() == 1);
    return std::move(read->front());
}

void writeDataset(hid_t file, const char* name, hid_t type, const void* data, hsize_t rows)
{
    const hid_t space = H5Screate_simple(1, &rows, nullptr);
    const hid_t dataset
        = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    REQUIRE(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    H5Dclose(dataset);
    H5Sclose(space);
}

struct Record {
    std::int32_t step;
    float loss;
    double norm;
};

/// Steps, losses and a compound table; the last loss of each is not finite.
std::filesystem::path writeTables(const TemporaryFolder& folder)
{
    const auto path = folder.path() / "table.h5";
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const std::vector<std::int64_t> steps{10, 20, 30};
    const std::vector<double> loss{2.5, 2.25, kNotANumber};
    writeDataset(file, "step", H5T_NATIVE_INT64, steps.data(), 3);
    writeDataset(file, "loss", H5T_NATIVE_DOUBLE, loss.data(), 3);
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(Record));
    H5Tinsert(type, "iteration", offsetof(Record, step), H5T_NATIVE_INT32);
    H5Tinsert(type, "loss", offsetof(Record, loss), H5T_NATIVE_FLOAT);
    H5Tinsert(type, "norm", offsetof(Record, norm), H5T_NATIVE_DOUBLE);
    const std::vector<Record> records{{7, 1.5F, 0.25}, {8, -kInf, 0.5}};
    writeDataset(file, "table", type, records.data(), 2);
    H5Tclose(type);
    H5Lcreate_external("/etc/hostname", "/x", file, "outside", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    return path;
}

const RawColumn& columnOf(const SourceData& data, std::string_view name)
{
    const auto found = std::find_if(data.columns.begin(), data.columns.end(),
        [&](const RawColumn& column) { return column.name == name; });
    REQUIRE(found != data.columns.end());
    return *found;
}

}  // namespace

TEST_CASE("1-D datasets and compound tables become series on their step column", "[import][hdf5]")
{
    const TemporaryFolder folder;
    const auto data = readFile(writeTables(folder));
    CHECK(data.info.state == SourceState::Read);
    CHECK(data.columns.size() == 3);
    const ColumnBuilder& loss = columnOf(data, "loss").points;
    REQUIRE(loss.size() == 3);
    CHECK(loss.stepAt(1) == 20);
    CHECK(loss.valueAt(1) == 2.25);
    CHECK(classify(loss.valueAt(2)) == ValueKind::NotANumber);
    const ColumnBuilder& table = columnOf(data, "table/loss").points;
    CHECK(table.stepAt(1) == 8);
    CHECK(classify(table.valueAt(1)) == ValueKind::MinusInfinity);
    CHECK(columnOf(data, "table/norm").points.valueAt(0) == 0.25);
    CHECK(std::any_of(data.events.begin(), data.events.end(), [](const LogEvent& event) {
        return event.text.find("links to other places") != std::string::npos;
    }));
}

TEST_CASE("An HDF5 file cut anywhere gives an answer and never ends the program", "[import][hdf5]")
{
    const TemporaryFolder folder;
    const auto whole = readWholeFile(writeTables(folder), 1U << 24U);
    REQUIRE(whole);
    for (std::size_t length = 8; length < whole->size(); length += 509) {
        const auto data = readFile(folder.write("cut.h5", whole->substr(0, length)));
        CAPTURE(length);
        CHECK((data.info.state == SourceState::Damaged || !data.info.skipped.empty()));
    }
}

TEST_CASE("HDF5 files with flipped bytes never end the program", "[import][hdf5]")
{
    const TemporaryFolder folder;
    auto bytes = readWholeFile(writeTables(folder), 1U << 24U);
    REQUIRE(bytes);
    for (std::size_t at = 8; at < bytes->size(); at += 61) {
        std::string damaged = *bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ 0xff);
        const auto data = readFile(folder.write("flipped.h5", damaged));
        CHECK(data.info.format == "hdf5");
    }
}

TEST_CASE("An HDF5 signature is found behind a user block", "[import][hdf5]")
{
    const std::string magic = "\x89HDF\r\n\x1a\n";
    const auto sniff = [](const std::string& bytes) {
        return sniffHdf5({"x", false, bytes.size(), bytes, {}});
    };
    CHECK(sniff(magic) > 90);
    CHECK(sniff(std::string(512, ' ') + magic) > 90);
    CHECK(sniff(std::string(2048, ' ') + magic) > 90);
    CHECK(sniff(std::string(100, ' ') + magic) == 0);
}
