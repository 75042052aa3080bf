// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/braille_plot.h"

#include "core/present/text/plot_raster.h"
#include "tests/support/catch.h"

#include <limits>

using namespace firstbad::core;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

struct Curve {
    std::vector<std::int64_t> steps;
    std::vector<double> values;
    std::vector<std::int64_t> missing;

    Plot plot(PlotScale scale = PlotScale::Linear) const
    {
        PlotPanel panel;
        panel.label = "loss";
        panel.scale = scale;
        panel.segments = {{steps, values, missing}};
        Plot plot;
        plot.fromStep = steps.front();
        plot.toStep = steps.back();
        plot.panels.push_back(panel);
        return plot;
    }
};

Curve flat(std::int64_t count)
{
    Curve curve;
    for (std::int64_t step = 1; step <= count; ++step) {
        curve.steps.push_back(step);
        curve.values.push_back(2.0);
    }
    return curve;
}

std::string drawn(const Plot& plot, bool unicode = true)
{
    return render(drawPlot(plot, {Palette::None, unicode, 80}), {Palette::None, unicode, 80});
}

std::size_t count(const std::string& text, const std::string& part)
{
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

}  // namespace

TEST_CASE("one NaN among 100,000 points is marked wherever it stands", "[present][plot]")
{
    const auto position = GENERATE(as<std::size_t>{}, 0, 1, 777, 49'999, 50'000, 99'998, 99'999);
    Curve curve = flat(100'000);
    REQUIRE(count(drawn(curve.plot()), "×") == 0);
    curve.values[position] = kNan;
    CAPTURE(position);
    CHECK(count(drawn(curve.plot()), "×") == 1);
}

TEST_CASE(
    "infinities have their own marks, and both in one place are told apart", "[present][plot]")
{
    Curve curve = flat(100'000);
    curve.values[10'000] = kInf;
    curve.values[40'000] = -kInf;
    curve.values[80'000] = kInf;
    curve.values[80'001] = kNan;
    const std::string text = drawn(curve.plot());
    CHECK(count(text, "▲") == 1);
    CHECK(count(text, "▼") == 1);
    CHECK(count(text, "◆") == 1);
    const std::string ascii = drawn(curve.plot(), false);
    CHECK(count(ascii, "@") == 1);
    for (const char c : ascii)
        CHECK(static_cast<unsigned char>(c) < 0x80);
}

TEST_CASE("a spike of one sample among 100,000 changes the top row", "[present][plot]")
{
    Curve curve = flat(100'000);
    curve.values[54'321] = 9.0;
    const StepScale steps(1, 100'000, 60);
    DotRaster raster(60, 4);
    tracePanel(curve.plot().panels[0], steps, PlotAxis(PlotScale::Linear, {2.0, 9.0}), raster);
    for (int character = 0; character < 60; ++character) {
        CAPTURE(character);
        const bool inked = raster.letter(character, 0, true) != " ";
        CHECK(inked == (character == steps.character(54'322)));
    }
}

TEST_CASE("a line is not drawn across a gap, a NaN or a missing value", "[present][plot]")
{
    struct Case {
        const char* name;
        Curve curve;
        bool gap;
    };
    const auto c = GENERATE(values<Case>({
        {"neighbours are joined", {{0, 50, 100}, {1.0, 1.0, 1.0}, {}}, false},
        {"steps left out", {{0, 10, 90, 100}, {1.0, 1.0, 1.0, 1.0}, {}}, true},
        {"NaN between", {{0, 50, 100}, {1.0, kNan, 1.0}, {}}, true},
        {"missing between", {{0, 50, 100}, {1.0, 1.0, 1.0}, {25}}, true},
    }));
    CAPTURE(c.name);
    const StepScale steps(0, 100, 60);
    const Plot plot = c.curve.plot();
    DotRaster raster(60, 1);
    tracePanel(plot.panels[0], steps, PlotAxis(PlotScale::Linear, {0.0, 2.0}), raster);
    const int quarter = steps.character(30);
    CHECK((raster.letter(quarter, 0, false) == " ") == (c.gap));
}

TEST_CASE("zero on a log axis is marked, not moved", "[present][plot]")
{
    Curve curve{{0, 1, 2, 3}, {0.5, 0.0, 0.5, 4.0}, {}};
    const PlotPanel panel = curve.plot(PlotScale::Log10).panels[0];
    const auto rail = railOf(panel, StepScale(0, 3, 4), PlotAxis(PlotScale::Log10, {0.5, 4.0}));
    CHECK(std::count(rail.begin(), rail.end(), std::optional(Mark::Zero)) == 1);
}

TEST_CASE("axes round outwards and keep every value inside", "[present][plot]")
{
    const auto scale = GENERATE(PlotScale::Linear, PlotScale::Log2, PlotScale::Log10);
    const auto range = GENERATE(values<ValueRange>(
        {{1.9, 7.83}, {128, 65536}, {0.31, 21.0}, {2.0, 2.0}, {1e-30, 1e30}, {1e300, 1.7e308}}));
    const PlotAxis axis(scale, range);
    CAPTURE(range.low, range.high);
    REQUIRE(axis.position(range.low));
    REQUIRE(axis.position(range.high));
    CHECK(*axis.position(range.low) >= 0.0);
    CHECK(*axis.position(range.high) <= 1.0);
    CHECK(*axis.position(range.low) <= *axis.position(range.high));
}

TEST_CASE("labels below the axis do not overlap and the first bad step is always there",
    "[present][plot]")
{
    Curve curve = flat(1000);
    Plot plot = curve.plot();
    plot.labels
        = {{500, "loss leaves", false}, {505, "first bad", true}, {900, "NaN again", false}};
    const std::string text = drawn(plot);
    CHECK(text.find("▌505") != std::string::npos);
    CHECK(text.find("loss leaves") == std::string::npos);
    CHECK(text.find("NaN again") != std::string::npos);
}

TEST_CASE("no line is wider than the terminal", "[present][plot]")
{
    const int columns = GENERATE(40, 60, 80, 132);
    Curve curve = flat(1000);
    curve.values[500] = kNan;
    Plot plot = curve.plot();
    plot.labels = {{1000, "the last step of all", false}};
    for (const StyledLine& line : drawPlot(plot, {Palette::None, false, columns}))
        CHECK(plainText(line).size() <= static_cast<std::size_t>(columns));
}
