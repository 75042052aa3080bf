// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/self_test.h"

#include "core/base/json_writer.h"
#include "core/base/number.h"
#include "core/base/value_kind.h"
#include "core/series/column.h"

#include <fmt/format.h>
#include <limits>

namespace firstbad::cli {
namespace {

using core::ValueKind;

Check checkArithmetic()
{
    // volatile: the values must be made at run time, by the code that was really built.
    volatile double zero = 0.0;
    volatile double huge = std::numeric_limits<double>::max();
    const double nan = zero / zero;
    const double infinity = huge * 2.0;
    const bool passed = core::classify(nan) == ValueKind::NotANumber
        && core::classify(infinity) == ValueKind::PlusInfinity
        && core::classify(-infinity) == ValueKind::MinusInfinity
        && core::classify(infinity - infinity) == ValueKind::NotANumber
        && core::classify(huge) == ValueKind::Finite;
    return {"0/0, overflow and Inf - Inf are told apart", passed,
        fmt::format("0/0 is {}, 2 x max is {}", toString(core::classify(nan)),
            toString(core::classify(infinity)))};
}

Check checkReading()
{
    const auto nan = core::parseNumber("nan");
    const auto large = core::parseNumber("1e400");
    const bool passed = nan && core::classify(nan->value) == ValueKind::NotANumber && large
        && core::classify(large->value) == ValueKind::PlusInfinity && large->overflowed
        && core::parseNumber("-inf") && !core::parseNumber("nano");
    return {"nan, -inf and 1e400 are read from text", passed,
        nan ? fmt::format("nan reads as {}", toString(core::classify(nan->value)))
            : "nan is refused"};
}

Check checkCounting()
{
    core::Column column;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    column.steps = {1, 2, 3, 4};
    column.values = {1.5, nan, std::numeric_limits<double>::infinity(), 2.5};
    const core::ColumnSummary summary = core::summarise(column);
    const bool passed = summary.counts.nan == 1 && summary.counts.posInf == 1
        && summary.firstNonfiniteStep == 2 && summary.sumFinite == 4.0;
    return {"statistics leave non-finite values out and count them", passed,
        fmt::format("{} non-finite of 4, sum of the others {}", summary.counts.nonfinite(),
            summary.sumFinite)};
}

Check checkWriting()
{
    core::JsonWriter json;
    json.beginArray();
    json.value(std::numeric_limits<double>::quiet_NaN());
    json.value(-std::numeric_limits<double>::infinity());
    json.endArray();
    const std::string text = json.take();
    return {"JSON holds NaN and infinities as words", text == R"(["NaN","-Infinity"])", text};
}

}  // namespace

std::vector<Check> runSelfTest()
{
    return {checkArithmetic(), checkReading(), checkCounting(), checkWriting()};
}

}  // namespace firstbad::cli
