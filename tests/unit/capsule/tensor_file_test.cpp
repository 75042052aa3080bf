// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/value_kind.h"
#include "core/capsule/element_value.h"
#include "core/capsule/tensor_file.h"
#include "tests/support/capsule_example.h"
#include "tests/support/catch.h"

using namespace firstbad::core;
using namespace firstbad::test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("tensors are found by name and read in parts", "[core][capsule]")
{
    const TempFolder folder;
    const auto path = folder.write("t.safetensors",
        safetensorsBytes({exampleTensor<std::int64_t>("ids", "I64", {2, 2}, {1, 2, 3, -4}),
            exampleTensor<float>("x", "F32", {1}, {0.5F})}));
    const auto file = TensorFile::open(path, "t.safetensors");
    REQUIRE(file);
    const TensorEntry* ids = file->find("ids");
    REQUIRE(ids != nullptr);
    CHECK(ids->shape == std::vector<std::int64_t>{2, 2});
    CHECK(ids->type == ElementType::Int64);
    std::array<char, 8> last{};
    REQUIRE(file->read(*ids, 24, last));
    CHECK(integerElement(ElementType::Int64, last.data()) == -4);
    CHECK_FALSE(file->read(*ids, 28, last));
    CHECK(file->find("y") == nullptr);
}

TEST_CASE("a safetensors header that lies is Malformed", "[core][capsule]")
{
    const TempFolder folder;
    const std::string good
        = safetensorsBytes({exampleTensor<float>("x", "F32", {2}, {1.0F, 2.0F})});
    const auto c = GENERATE_COPY(values<std::pair<std::string, const char*>>({
        {good.substr(0, 5), "longer than the file"},
        {good.substr(0, 20), "longer than the file"},
        {std::string(8, '\xFF'), "longer than the file"},
        {good.substr(0, good.size() - 1), "outside the file"},
        {safetensorsBytes({{"x", "F32", {3}, "12345678"}}), "does not fit"},
        {safetensorsBytes({{"x", "F99", {2}, "12345678"}}), "unknown"},
        {safetensorsBytes({{"x", "F32", {-2}, "12345678"}}), "negative"},
        {safetensorsBytes({{"x", "F32", {1L << 40, 1L << 40}, "12345678"}}), "too large"},
    }));
    const auto file = TensorFile::open(folder.write("t.safetensors", c.first), "t.safetensors");
    REQUIRE_FALSE(file);
    CHECK(file.error().code == ErrorCode::Malformed);
    CHECK_THAT(file.error().message, ContainsSubstring(c.second));
}

TEST_CASE("elements of every float type have their value", "[core][capsule]")
{
    struct Case {
        ElementType type;
        std::uint16_t bits;
        double value;
    };
    // by the definition of each type: sign, exponent - bias, fraction
    const auto c = GENERATE(values<Case>({
        {ElementType::Float16, 0x3C00, 1.0},
        {ElementType::Float16, 0x7BFF, 65504.0},
        {ElementType::Float16, 0x0001, 5.9604644775390625e-8},
        {ElementType::Float16, 0xC000, -2.0},
        {ElementType::BFloat16, 0x4380, 256.0},
        {ElementType::Float8E4M3FN, 0x7E, 448.0},
        {ElementType::Float8E5M2, 0x7B, 57344.0},
        {ElementType::UInt8, 0xFF, 255.0},
    }));
    CAPTURE(c.bits);
    std::array<char, 2> bytes{};
    std::memcpy(bytes.data(), &c.bits, 2);
    CHECK(elementValue(c.type, bytes.data()) == c.value);
}

TEST_CASE("non-finite elements keep their kind", "[core][capsule]")
{
    const auto kindOf = [](ElementType type, std::uint16_t bits) {
        std::array<char, 2> bytes{};
        std::memcpy(bytes.data(), &bits, 2);
        return classify(*elementValue(type, bytes.data()));
    };
    CHECK(kindOf(ElementType::Float16, 0x7C00) == ValueKind::PlusInfinity);
    CHECK(kindOf(ElementType::Float16, 0xFC00) == ValueKind::MinusInfinity);
    CHECK(kindOf(ElementType::Float16, 0x7C01) == ValueKind::NotANumber);
    CHECK(kindOf(ElementType::BFloat16, 0x7F80) == ValueKind::PlusInfinity);
    CHECK(kindOf(ElementType::Float8E4M3FN, 0x7F) == ValueKind::NotANumber);
    CHECK(kindOf(ElementType::Float8E5M2, 0x7C) == ValueKind::PlusInfinity);
}
