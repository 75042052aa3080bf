// SPDX-License-Identifier: GPL-3.0-or-later
// Every tensor of the clean capsules against references that other programs computed, at the
// tolerances that the fixtures' README states.
#include "core/base/compare.h"
#include "core/base/file.h"
#include "core/capsule/tensor_file.h"
#include "replay/engine/replay_engine.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"
#include "tests/worker/capsule_key.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <map>

namespace {

using namespace firstbad;
using test::Tally;

using Values = std::vector<double>;

double fromHalf(std::uint16_t bits, int mantissaBits)
{
    const int exponentBits = 15 - mantissaBits;
    const int bias = (1 << (exponentBits - 1)) - 1;
    const int exponent = (bits & 0x7FFF) >> mantissaBits;
    const int mantissa = bits & ((1 << mantissaBits) - 1);
    const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
    if (exponent == (1 << exponentBits) - 1)
        return mantissa != 0 ? std::nan("") : sign * HUGE_VAL;
    const double fraction = exponent == 0 ? mantissa : mantissa + (1 << mantissaBits);
    return sign * std::ldexp(fraction, std::max(exponent, 1) - bias - mantissaBits);
}

template <class T> Values widened(const std::string& bytes)
{
    std::vector<T> raw(bytes.size() / sizeof(T));
    std::memcpy(raw.data(), bytes.data(), bytes.size());
    return {raw.begin(), raw.end()};
}

Values valuesOf(const core::TensorFile& file, const core::TensorEntry& entry)
{
    std::string bytes(entry.bytes, '\0');
    REQUIRE(file.read(entry, 0, bytes));
    if (entry.type == core::ElementType::Float64)
        return widened<double>(bytes);
    if (entry.type == core::ElementType::Float32)
        return widened<float>(bytes);
    REQUIRE(entry.bytes == 2 * entry.elements);
    const int mantissa = entry.type == core::ElementType::Float16 ? 10 : 7;
    Values out(entry.elements);
    for (std::size_t i = 0; i < out.size(); ++i) {
        std::uint16_t half = 0;
        std::memcpy(&half, bytes.data() + 2 * i, 2);
        out[i] = fromHalf(half, mantissa);
    }
    return out;
}

struct Dumped {
    core::ReplayResult result;
    std::map<std::string, Values> tensors;  ///< param lane under param_after/
};

Dumped swept(const test::KeyedCapsule& keyed, const std::string& precision)
{
    const test::TempFolder folder;
    core::JobContext job;
    auto engine = replay::ReplayEngine::open(keyed.capsule, 0, job);
    REQUIRE(engine);
    core::ReplayRequest request;
    request.precision = precision;
    request.dump = (folder.path() / "dump.safetensors").string();
    auto result = engine->sweep(request, {}, job);
    REQUIRE(result);
    Dumped out;
    out.result = std::move(*result);
    const auto file = core::TensorFile::open(request.dump, "dump");
    REQUIRE(file);
    for (const auto& entry : file->tensors()) {
        const bool after = entry.name.starts_with("param/");
        out.tensors.emplace(
            after ? "param_after/" + entry.name.substr(6) : entry.name, valuesOf(*file, entry));
    }
    return out;
}

double norm(const Values& values)
{
    double sum = 0.0;
    for (const double value : values)
        sum += core::isFinite(value) ? value * value : 0.0;
    return std::sqrt(sum);
}

double relativeDistance(const Values& a, const Values& b)
{
    Values difference(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        difference[i] = a[i] - b[i];
    const double scale = norm(b);
    return scale > 0.0 ? norm(difference) / scale : norm(difference);
}

double limitOf(const std::string& name, bool fp64)
{
    if (fp64)
        return name.starts_with("param_after/") ? 1e-9 : 1e-12;
    return name.starts_with("forward/") ? 5e-6 : 1e-5;
}

/// Each element within the stated bound; after a first step of Adam also within two steps where
/// the gradient is noise.
bool paramWithin(const Values& got, const Values& want, const Values& gradient, bool first)
{
    double largest = 0.0;
    for (const double value : gradient)
        largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < want.size(); ++i) {
        const double limit = (first ? 2e-6 : 2e-7) + 1e-6 * std::abs(want[i]);
        const bool noise = first && std::abs(gradient[i]) <= 1e-5 * largest;
        if (!core::within(got[i], want[i], noise ? 2e-3 : limit))
            return false;
    }
    return true;
}

template <class Check> void eachClean(Check check)
{
    int count = 0;
    for (const auto& folder : test::corpusCapsules()) {
        if (!std::filesystem::exists(folder / "digests.json"))
            continue;
        check(test::readKeyed(folder), folder);
        ++count;
    }
    REQUIRE(count > 0);
}

struct Tolerance {
    double l2;
    double mean;
    double largest;
};

Tolerance digestTolerance(const std::string& name, bool bf16)
{
    const bool forward = name.starts_with("forward/") || name.starts_with("param_after/");
    if (bf16)
        return forward ? Tolerance{4e-3, 4e-3, 2.5e-2} : Tolerance{3e-2, 3e-2, 8e-2};
    return forward ? Tolerance{5e-4, 5e-4, 3e-3} : Tolerance{4e-3, 4e-3, 8e-3};
}

std::array<double, 3> digest(const Values& values)
{
    double largest = 0.0;
    double sum = 0.0;
    std::size_t finite = 0;
    for (const double value : values) {
        if (!core::isFinite(value))
            continue;
        largest = std::max(largest, std::abs(value));
        sum += std::abs(value);
        ++finite;
    }
    return {largest, finite > 0 ? sum / static_cast<double>(finite) : 0.0, norm(values)};
}

}  // namespace

TEST_CASE("fp64 and fp32 agree with the references at every place", "[corpus]")
{
    Tally tally("references");
    const std::string precision = GENERATE("fp64", "fp32");
    eachClean([&](const test::KeyedCapsule& keyed, const std::filesystem::path& folder) {
        const auto got = swept(keyed, precision);
        const auto file
            = core::TensorFile::open(folder / ("reference." + precision + ".safetensors"), "ref");
        REQUIRE(file);
        for (const auto& entry : file->tensors()) {
            const auto want = valuesOf(*file, entry);
            const auto found = got.tensors.find(entry.name);
            const std::string what = fmt::format("{} {} {}", keyed.name, precision, entry.name);
            if (found == got.tensors.end() || found->second.size() != want.size()) {
                tally.check(false, what + " is missing or of another size");
                continue;
            }
            if (precision == "fp32" && entry.name.starts_with("param_after/")) {
                const auto gradient = got.tensors.find("grad/" + entry.name.substr(12));
                tally.check(paramWithin(found->second, want, gradient->second,
                                keyed.capsule.optimizer->step == 0),
                    what);
                continue;
            }
            const double distance = relativeDistance(found->second, want);
            tally.check(core::within(distance, 0.0, limitOf(entry.name, precision == "fp64")),
                fmt::format("{}: {:.2e}", what, distance));
        }
        const auto& reference = *keyed.key.find("reference")->find(precision);
        const double limit = precision == "fp64" ? 1e-12 : 5e-6;
        const double loss = *reference.find("loss")->asNumber();
        tally.check(core::within(*got.result.loss, loss, limit * loss), keyed.name + " loss");
        const double gradNorm = *reference.find("grad_norm")->asNumber();
        tally.check(core::within(*got.result.gradNorm, gradNorm, 2 * limit * gradNorm),
            keyed.name + " norm");
    });
    CHECK(tally.failed() == 0);
}

TEST_CASE("half precisions agree with the digests of the rounding rules", "[corpus]")
{
    const std::string precision = GENERATE("fp16", "bf16", "mixed-fp16", "mixed-bf16");
    Tally tally("digests " + precision);
    const bool bf16 = precision.ends_with("bf16");
    eachClean([&](const test::KeyedCapsule& keyed, const std::filesystem::path& folder) {
        const auto text = core::readWholeFile(folder / "digests.json", 16U << 20U);
        REQUIRE(text);
        const auto all = core::parseJson(*text);
        REQUIRE(all);
        const auto& table = *all->find(precision)->find("table");
        const auto got = swept(keyed, precision);
        const auto last = keyed.capsule.batches.size() - 1;
        std::map<std::string, std::array<double, 3>> largest;  // of each column in each lane
        const auto laneOf = [](const std::string& name) { return name.substr(0, name.find('/')); };
        for (const auto& [name, row] : table.members) {
            for (std::size_t c = 0; c < 3; ++c)
                largest[laneOf(name)][c]
                    = std::max(largest[laneOf(name)][c], row.items[c].asNumber().value_or(0.0));
        }
        for (const auto& [name, row] : table.members) {
            const auto at = name.find('@');
            if (at != std::string::npos && name.substr(at + 1) != std::to_string(last))
                continue;
            // The first step of Adam is nearly the sign of the gradient: where that is rounding
            // noise, above all in biases, a whole step is noise too.
            if (name.starts_with("param_after/") && name.ends_with("bias")
                && keyed.capsule.optimizer->step == 0)
                continue;
            const auto found = got.tensors.find(name.substr(0, at));
            if (found == got.tensors.end()) {
                tally.check(false, keyed.name + " " + name + " is missing");
                continue;
            }
            const auto seen = digest(found->second);
            const Tolerance limits = digestTolerance(name, bf16);
            const std::array<double, 3> factor{limits.largest, limits.mean, limits.l2};
            for (std::size_t c = 0; c < 3; ++c) {
                const double want = row.items[c].asNumber().value_or(0.0);
                const double limit = factor[c] * (std::abs(want) + 1e-3 * largest[laneOf(name)][c]);
                tally.check(core::within(seen[c], want, limit),
                    fmt::format("{} {} column {}: {}, key {}", keyed.name, name, c, seen[c], want));
            }
        }
        const double loss = *all->find(precision)->find("loss")->asNumber();
        tally.check(core::within(*got.result.loss, loss, (bf16 ? 2.5e-3 : 2e-4) * loss),
            fmt::format("{} loss {}, key {}", keyed.name, *got.result.loss, loss));
        const double gradNorm = *all->find(precision)->find("grad_norm")->asNumber();
        tally.check(core::within(*got.result.gradNorm, gradNorm, (bf16 ? 8e-3 : 1e-3) * gradNorm),
            fmt::format("{} norm {}, key {}", keyed.name, *got.result.gradNorm, gradNorm));
    });
    CHECK(tally.failed() == 0);
}
