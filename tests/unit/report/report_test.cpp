// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/assess.h"
#include "core/import/load.h"
#include "core/report/markup.h"
#include "core/report/report.h"
#include "core/report/svg.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <fstream>
#include <rapidjson/document.h>

using namespace firstbad;
using namespace firstbad::core;

namespace {

constexpr int kGoodSteps = 80;
constexpr std::int64_t kFirstNan = kGoodSteps + 1;

/// A run whose loss is NaN from step 81 on, read as a user's file would be.
Assessment assessed(const test::TempFolder& folder, const std::string& extraLine = {})
{
    std::ofstream log(folder.path() / "train.jsonl");
    for (int step = 1; step <= kGoodSteps; ++step)
        log << R"({"step": )" << step << R"(, "loss": )" << 3.0 - 0.01 * step << "}\n";
    log << extraLine;
    for (int step = kGoodSteps + 1; step <= kGoodSteps + 5; ++step)
        log << R"({"step": )" << step << ", \"loss\": NaN}\n";
    log.close();
    JobContext job;
    ImportOptions options;
    options.hashSources = true;
    const std::vector<std::filesystem::path> paths{folder.path()};
    const auto dataset = loadPaths(paths, options, job);
    REQUIRE(dataset);
    auto assessment = assess(*dataset, Settings(), job);
    REQUIRE(assessment);
    return std::move(*assessment);
}

Report made(const Assessment& assessment, const ReportInput& input = {})
{
    JobContext job;
    auto report = makeReport(assessment, input, job);
    REQUIRE(report);
    return std::move(*report);
}

ReplayCell cell(std::int64_t block, const char* op, CellState state)
{
    ReplayCell one;
    one.block = block;
    one.op = op;
    one.state = state;
    return one;
}

std::size_t countOf(const std::string& text, std::string_view part)
{
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

}  // namespace

TEST_CASE("a report states onset, first bad value and their line and hash", "[report]")
{
    const test::TempFolder folder;
    const Report report = made(assessed(folder));
    CHECK(report.incident.kind == IncidentKind::NonfiniteLoss);
    CHECK(report.incident.onsetStep == kFirstNan);
    CHECK(report.answers[0].question.answer.find("81") != std::string::npos);
    REQUIRE_FALSE(report.answers[0].evidence.empty());
    const std::string id = report.answers[0].evidence.front();
    const auto piece = std::find_if(report.evidence.begin(), report.evidence.end(),
        [&](const ReportEvidence& one) { return one.id == id; });
    REQUIRE(piece != report.evidence.end());
    CHECK(piece->place.find("train.jsonl:81") != std::string::npos);
    CHECK(piece->sha256.size() == 64);
}

TEST_CASE("the page is self-contained and links every claim to evidence that is there", "[report]")
{
    const test::TempFolder folder;
    const std::string html = reportHtml(made(assessed(folder)), ReportLanguage::English);
    CHECK(html.find("<script") == std::string::npos);
    CHECK(html.find("src=") == std::string::npos);
    CHECK(html.find("http://") == html.find("http://www.w3.org/2000/svg"));
    CHECK(html.find("<svg") != std::string::npos);
    for (std::size_t at = html.find("href=\"#"); at != std::string::npos;
         at = html.find("href=\"#", at + 1)) {
        const std::size_t from = at + 7;
        const std::string id = html.substr(from, html.find('"', from) - from);
        CHECK(html.find("id=\"" + id + "\"") != std::string::npos);
    }
}

TEST_CASE("NaN steps of the window are crosses in the figure", "[report]")
{
    const test::TempFolder folder;
    const Report report = made(assessed(folder));
    REQUIRE(report.figure);
    std::uint64_t marked = 0;
    for (const PanelFrame& panel : report.figure->frame.panels) {
        for (const RailMark& mark : panel.marks) {
            CHECK(mark.kind == RailMark::Kind::NotANumber);
            marked += mark.count;
        }
    }
    CHECK(marked == 5);
    CHECK(countOf(timelineSvg(*report.figure, "t"), "stroke=\"#6A1B8A\"") >= 1);
}

TEST_CASE("the same case gives the same bytes", "[report]")
{
    const test::TempFolder folder;
    const Assessment once = assessed(folder);
    const Assessment again = assessed(folder);
    CHECK(reportHtml(made(once), ReportLanguage::Chinese)
        == reportHtml(made(again), ReportLanguage::Chinese));
    CHECK(reportMarkdown(made(once), ReportLanguage::English)
        == reportMarkdown(made(again), ReportLanguage::English));
    CHECK(reportJson(made(once)) == reportJson(made(again)));
}

TEST_CASE("the three formats state the same answers", "[report]")
{
    const test::TempFolder folder;
    const Report report = made(assessed(folder));
    rapidjson::Document document;
    const std::string json = reportJson(report);
    document.Parse(json.c_str(), json.size());
    REQUIRE_FALSE(document.HasParseError());
    REQUIRE(document["questions"].Size() == 5);
    const std::string html = reportHtml(report, ReportLanguage::English);
    for (const auto& question : document["questions"].GetArray())
        CHECK(html.find(htmlEscaped(question["answer"].GetString())) != std::string::npos);
    CHECK(document["incident"]["onset_step"].GetInt64() == kFirstNan);
    CHECK(document["checklist"].Size() == 8);
}

TEST_CASE("a replay answers where and whether again, and draws the map", "[report]")
{
    const test::TempFolder folder;
    ReportInput input;
    ReplayResult replay;
    replay.precision = "fp16";
    replay.reproduced = "yes";
    replay.blocks = 4;
    replay.lanes.forward = {cell(-1, "embedding", CellState::Finite),
        cell(0, "ln_1", CellState::Finite), cell(1, "attn.scores", CellState::Inf),
        cell(1, "attn.softmax", CellState::NaN), cell(2, "ln_1", CellState::NaN)};
    ReplayPlace place;
    place.lane = "forward";
    place.block = 1;
    place.op = "attn.scores";
    place.locus = "blocks.1.attn.scores";
    place.kind = "Infinity";
    place.elementIndex = {1, 2, 7, 3};
    replay.firstBad = place;
    replay.fidelity = {{"device", "different", "cpu instead of cuda"}};
    input.replay = replay;
    const Report report = made(assessed(folder), input);
    const std::string html = reportHtml(report, ReportLanguage::English);
    CHECK(html.find("blocks.1.attn.scores") != std::string::npos);
    CHECK(html.find("element [1, 2, 7, 3]") != std::string::npos);
    CHECK(report.answers[3].question.answer.find("Yes") == 0);
    CHECK(html.find("cpu instead of cuda") != std::string::npos);
    const std::string map = blockMapSvg(replay, "map");
    CHECK(countOf(map, "fill=\"#D04A02\"") == 1);  // block 1 holds both
    CHECK(countOf(map, "fill=\"#6A1B8A\"") == 1);  // block 2 holds NaN
    CHECK(countOf(map, "fill=\"#C5DCEC\"") == 2);
    CHECK(countOf(map, "stroke=\"#0B0D10\"") == 1);  // one ring
}

TEST_CASE("redacting leaves out folders", "[report]")
{
    const test::TempFolder folder;
    ReportInput input;
    input.redact = true;
    const std::string name = folder.path().parent_path().string();
    const Report report = made(assessed(folder), input);
    const std::string html = reportHtml(report, ReportLanguage::English);
    CHECK(html.find("train.jsonl:81") != std::string::npos);
    CHECK(html.find(folder.path().string()) == std::string::npos);
    CHECK(reportHtml(made(assessed(folder)), ReportLanguage::English).find(folder.path().string())
        != std::string::npos);
}

TEST_CASE("an incident that is not there is named", "[report]")
{
    const test::TempFolder folder;
    const Assessment assessment = assessed(folder);
    JobContext job;
    ReportInput input;
    input.incidentId = "99";
    const auto report = makeReport(assessment, input, job);
    REQUIRE_FALSE(report);
    CHECK(report.error().code == ErrorCode::NotFound);
    CHECK(report.error().message.find("99") != std::string::npos);
}
