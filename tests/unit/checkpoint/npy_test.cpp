// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint_reader.h"
#include "core/checkpoint/numpy/npy_header.h"
#include "core/checkpoint/numpy/python_literal.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/checkpoint/pickle_builder.h"

using namespace firstbad;
using namespace firstbad::core;
using namespace firstbad::test;

namespace {

std::string npy(const std::string& descr, const std::string& shape, const std::string& data,
    bool fortran = false, std::size_t alignment = 64)
{
    std::string header = "{'descr': " + descr + ", 'fortran_order': " + (fortran ? "True" : "False")
        + ", 'shape': " + shape + ", }";
    while ((10 + header.size() + 1) % alignment != 0)
        header += ' ';
    header += '\n';
    return "\x93NUMPY" + little(1, 1) + little(0, 1) + little(header.size(), 2) + header + data;
}

Checkpoint open(const std::string& name, const std::string& bytes)
{
    const TempFolder folder;
    JobContext job;
    auto checkpoint = openCheckpoint(folder.write(name, bytes), name, job);
    REQUIRE(checkpoint);
    return std::move(*checkpoint);
}

std::string tensorBytes(const std::string& name, const std::string& bytes, std::size_t index = 0)
{
    const TempFolder folder;
    JobContext job;
    const auto checkpoint = openCheckpoint(folder.write(name, bytes), name, job);
    REQUIRE(checkpoint);
    const auto read = readTensor(*checkpoint, checkpoint->tensors.at(index), 10'000, job);
    REQUIRE(read);
    return {read->begin(), read->end()};
}

std::string floats(const std::vector<float>& values)
{
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

}  // namespace

TEST_CASE("headers are read as literals, whatever their blanks and quotes", "[npy]")
{
    const auto literal
        = parsePythonLiteral("{'descr': [('w', '<f4', (3,)), (\"s\", '<f2')], 'n': (1, -2L)}");
    REQUIRE(literal);
    const PythonLiteral* descr = literal->find("descr");
    REQUIRE(descr != nullptr);
    CHECK(descr->items.size() == 2);
    CHECK(descr->items[0].items[2].items.at(0).integer == 3);
    CHECK(literal->find("n")->items.at(1).integer == -2);
    for (const char* bad : {"{", "{'a' 1}", "(1", "'x", "open('x')", "1 2", "{'a': __import__}"})
        CHECK_FALSE(parsePythonLiteral(bad));
    CHECK_FALSE(parsePythonLiteral(std::string(100'000, '(')));
}

TEST_CASE("an array keeps its name, type and shape, and its bytes are read in order", "[npy]")
{
    const std::string data = floats({0, 1, 2, 3, 4, 5});
    const Checkpoint c = open("w.npy", npy("'<f4'", "(2, 3)", data));
    CHECK(c.format == "npy");
    CHECK(c.damage.empty());
    REQUIRE(c.tensors.size() == 1);
    CHECK(c.tensors[0].name == "w");
    CHECK(c.tensors[0].type == ElementType::Float32);
    CHECK(c.tensors[0].shape == std::vector<std::int64_t>{2, 3});
    CHECK(tensorBytes("w.npy", npy("'<f4'", "(2, 3)", data)) == data);
    CHECK(tensorBytes("w.npy", npy("'<f4'", "(2, 3)", floats({0, 3, 1, 4, 2, 5}), true)) == data);
    CHECK(tensorBytes("w.npy", npy("'<f4'", "()", floats({7}), false, 16)) == floats({7}));
}

TEST_CASE("big-endian arrays are swapped, halves of complex numbers apart", "[npy]")
{
    CHECK(tensorBytes("h.npy", npy("'>f2'", "(2,)", "\x3c\x01\x7e\x02")) == "\x01\x3c\x02\x7e");
    CHECK(tensorBytes("c.npy", npy("'>c8'", "(1,)", "abcdefgh")) == "dcbahgfe");
}

TEST_CASE("fields of records are arrays of their own", "[npy]")
{
    const std::string data = "AAAABBBBxxCCCCDDDDyy";
    const std::string bytes = npy("[('w', '<f4', (2,)), ('s', '<f2')]", "(2,)", data);
    const Checkpoint c = open("r.npy", bytes);
    REQUIRE(c.tensors.size() == 2);
    CHECK(c.tensors[0].name == "r.w");
    CHECK(c.tensors[0].shape == std::vector<std::int64_t>{2, 2});
    CHECK(c.tensors[1].shape == std::vector<std::int64_t>{2});
    CHECK(tensorBytes("r.npy", bytes, 0) == "AAAABBBBCCCCDDDD");
    CHECK(tensorBytes("r.npy", bytes, 1) == "xxyy");
}

TEST_CASE("an array of objects is a pickle that is described", "[npy]")
{
    const Checkpoint c = open("o.npy",
        npy("'|O'", "(1,)",
            pickle(pickledDict({{"lr", "G\x7f\xf8" + std::string(6, '\0')},
                {"x", "cos\nsystem\n(" + pickledText("true") + "tR"}}))));
    REQUIRE(c.scalars.size() == 1);
    CHECK(c.scalars[0].name == "o.lr");
    REQUIRE(c.damage.size() == 1);
    CHECK(c.damage[0].error == "dangerous-global");
}

TEST_CASE("damage of an array is named with its numbers", "[npy]")
{
    struct Case {
        const char* error;
        std::string bytes;
    };
    const std::string data = floats({0, 1, 2, 3});
    const auto c = GENERATE_COPY(values<Case>({
        {"truncated", npy("'<f4'", "(5,)", data)},
        {"trailing-bytes", npy("'<f4'", "(3,)", data)},
        {"negative-size", npy("'<f4'", "(-3,)", data)},
        {"size-overflow", npy("'<f4'", "(4294967296, 4294967296)", data)},
        {"size-overflow", npy("'<f8'", "(1152921504606846976,)", data)},
        {"bad-header", npy("'<f4'", "'x'", data)},
        {"bad-header", npy("'<f4", "(4,)", data)},
        {"truncated", npy("'<f4'", "(4,)", data).substr(0, 40)},
        {"header-too-large",
            "\x93NUMPY" + little(2, 1) + little(0, 1) + little(0x7FFFFFFF, 4) + "{}"},
    }));
    CAPTURE(c.error);
    const Checkpoint checkpoint = open("d.npy", c.bytes);
    REQUIRE(checkpoint.damage.size() == 1);
    CHECK(checkpoint.damage[0].error == c.error);
    CHECK(checkpoint.damage[0].member == "d.npy");
    CHECK(checkpoint.reason == checkpoint.damage[0].text);
}

TEST_CASE("a type that holds no numbers is not refused but noted", "[npy]")
{
    const Checkpoint c = open("t.npy", npy("'<U3'", "(1,)", std::string(12, 'x')));
    CHECK(c.damage.empty());
    REQUIRE(c.warnings.size() == 1);
    CHECK(c.warnings[0].code == "not-scanned");
    CHECK(c.tensors.size() == 1);
    CHECK(c.tensors[0].pieces.empty());
    CHECK_FALSE(open("q.npy", npy("'<q3'", "(1,)", "x")).supported);
}

TEST_CASE("archives of arrays give one tensor a member, stored or deflated", "[npy]")
{
    const bool deflate = GENERATE(false, true);
    const std::string data = floats({0, 1, 2, 3});
    const std::string member = npy("'<f4'", "(4,)", data);
    ZipBuilder zip;
    zip.add(deflate ? deflatedItem("w.npy", member) : plainItem("w.npy", member))
        .add(plainItem("b.npy", npy("'<f4'", "(1,)", floats({9}))));
    const Checkpoint c = open("a.npz", zip.bytes());
    CHECK(c.format == "npz");
    CHECK(c.damage.empty());
    REQUIRE(c.tensors.size() == 2);
    CHECK(c.tensors[0].name == "w");
    CHECK(c.storages[0].crc32 == crcOf(member));
    CHECK(tensorBytes("a.npz", zip.bytes(), 0) == data);
    CHECK(tensorBytes("a.npz", zip.bytes(), 1) == floats({9}));
}

TEST_CASE("an archive of arrays that was cut off keeps the arrays that are whole", "[npy]")
{
    ZipBuilder zip;
    zip.add(plainItem("w.npy", npy("'<f4'", "(4,)", floats({0, 1, 2, 3}))))
        .add(plainItem("b.npy", npy("'<f4'", "(2,)", floats({8, 9}))));
    const std::string& whole = zip.records();
    const Checkpoint c = open("a.npz", whole.substr(0, whole.size() - 20));
    REQUIRE_FALSE(c.damage.empty());
    CHECK(c.damage[0].error == "truncated");
    REQUIRE(c.tensors.size() == 2);
    CHECK(c.lost == std::vector<std::string>{"b"});
}
