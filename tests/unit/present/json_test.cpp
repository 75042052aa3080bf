// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/json/audit_json.h"
#include "core/present/json/document_json.h"
#include "core/present/json/incident_json.h"
#include "core/present/json/look_json.h"
#include "core/present/json/series_json.h"
#include "tests/support/catch.h"
#include "tests/support/incident_example.h"

#include <limits>
#include <rapidjson/document.h>

using namespace firstbad::core;
using firstbad::test::incidentExample;

namespace {

// RapidJSON's own operator== calls itself without end under the rules of C++20.
bool is(const rapidjson::Value& value, const char* text)
{
    return value.IsString() && std::string(value.GetString()) == text;
}

bool is(const rapidjson::Value& value, double number)
{
    return value.IsNumber() && value.GetDouble() == number;
}

bool is(const rapidjson::Value& value, int number)
{
    return is(value, static_cast<double>(number));
}

bool is(const rapidjson::Value& value, bool flag)
{
    return value.IsBool() && value.GetBool() == flag;
}

rapidjson::Document strict(const std::string& text)
{
    rapidjson::Document document;
    document.Parse(text.c_str(), text.size());  // refuses bare NaN and Infinity
    INFO(text.substr(0, 300));
    REQUIRE_FALSE(document.HasParseError());
    return document;
}

Dataset valuesOf(std::vector<double> values)
{
    auto column = std::make_shared<Column>();
    for (std::size_t i = 0; i < values.size(); ++i)
        column->steps.push_back(static_cast<std::int64_t>(10 * (i + 1)));
    column->values = std::move(values);
    column->missingSteps = {45};
    auto run = std::make_shared<Run>();
    run->id.value = "=cmd()";
    Attempt attempt;
    attempt.id.value = "1";
    run->attempts = {attempt};
    Series series;
    series.name = "train/loss, mean";
    series.quantity = Quantity::Loss;
    series.columns = {column};
    run->series = {series};
    Dataset dataset;
    dataset.runs = {run};
    return dataset;
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("a series entry has the fields and counts of the contract", "[present][json]")
{
    const Dataset dataset = valuesOf({2.0, kNan, kInf, -kInf, 1.5});
    const auto document = strict(seriesJson(selectSeries(dataset, {"loss", "", {}, {}}), true));
    const auto& entry = document["series"][0];
    CHECK(is(entry["name"], "train/loss, mean"));
    CHECK(is(entry["quantity"], "loss"));
    CHECK(is(entry["attempts"][0], "1"));
    CHECK(is(entry["points"], 5));
    CHECK(is(entry["first_step"], 10));
    CHECK(is(entry["last_step"], 50));
    CHECK(is(entry["nan"], 1));
    CHECK(is(entry["posinf"], 1));
    CHECK(is(entry["neginf"], 1));
    CHECK(is(entry["missing"], 1));
    CHECK(is(entry["first_nonfinite_step"], 20));
    CHECK(is(entry["sum_finite"], 3.5));
    CHECK(is(entry["min"], 1.5));
    CHECK(is(entry["max"], 2.0));
    CHECK(is(entry["values"][1], "NaN"));
    CHECK(is(entry["values"][2], "Infinity"));
    CHECK(is(entry["values"][3], "-Infinity"));
    CHECK(entry["times"][0].IsNull());
}

TEST_CASE("a step range cuts points and statistics alike", "[present][json]")
{
    const Dataset dataset = valuesOf({2.0, kNan, 3.0, 4.0, 1.5});
    const auto document = strict(seriesJson(selectSeries(dataset, {"", "", 30, 40}), true));
    const auto& entry = document["series"][0];
    CHECK(is(entry["points"], 2));
    CHECK(is(entry["nan"], 0));
    CHECK(is(entry["missing"], 0));
    CHECK(is(entry["max"], 4.0));
    CHECK(entry["steps"].Size() == 2);
    CHECK(selectSeries(dataset, {"", "2", {}, {}}).empty());
}

TEST_CASE("CSV keeps every value and never starts a formula", "[present][json]")
{
    const Dataset dataset = valuesOf({2.5, kNan, -kInf});
    CHECK(seriesCsv(selectSeries(dataset, {}))
        == "run,series,attempt,step,time,value\n"
           "'=cmd(),\"train/loss, mean\",1,10,,2.5\n"
           "'=cmd(),\"train/loss, mean\",1,20,,NaN\n"
           "'=cmd(),\"train/loss, mean\",1,30,,-Infinity\n"
           "'=cmd(),\"train/loss, mean\",1,45,,\n");
}

TEST_CASE("look holds runs, attempts, incidents, saves, sources and commands", "[present][json]")
{
    const auto document = strict(lookJson(makeLook(incidentExample(), {"run/"})));
    const auto& run = document["runs"][0];
    CHECK(is(run["id"], "glm-130b"));
    CHECK(is(run["attempts"][1]["id"], "7"));
    CHECK(is(run["attempts"][1]["ended_how"], "signal"));
    CHECK(is(run["attempts"][1]["resumed_from"]["step"], 33692));
    CHECK(is(run["attempts"][1]["parent_attempt"], "6"));
    CHECK(run["attempts"][0]["resumed_from"].IsNull());
    CHECK(run["series"].Size() == 3);
    CHECK(run["incidents"].Size() == 6);
    CHECK(is(document["checkpoints"][0]["step"], 33800));
    CHECK(is(document["checkpoints"][0]["status"], "suspect"));
    CHECK(document["checkpoints"][0]["verdict"].IsNull());
    CHECK(is(document["sources"][0]["skipped"][0]["line"], 41900));
    CHECK(document["next"].Size() >= 2);
    CHECK(document["comparisons"].Empty());
}

TEST_CASE("an incident keeps its evidence, unknowns and first bad place", "[present][json]")
{
    const auto document = strict(incidentsJson(incidentExample()));
    const auto& incident = document["incidents"][0];
    CHECK(is(incident["id"], "1"));
    CHECK(is(incident["kind"], "scale-collapse"));
    CHECK(is(incident["class"], "fault"));
    CHECK(incident["end_step"].IsNull());
    CHECK(is(incident["recovered"], false));
    CHECK(is(incident["evidence"][0]["line"], 41877));
    CHECK(incident["against"][0]["value"].IsNull());
    CHECK(is(incident["unknown"][0]["settle_by"], "a capsule of step 33,708"));
    CHECK(is(incident["first_bad"]["rank"], 462));
    CHECK(is(incident["first_bad"]["certain"], false));
    CHECK(is(incident["restore_before_step"], 33600));
}

TEST_CASE("the audit's fields are those of the contract", "[present][json]")
{
    const Assessment assessment = incidentExample();
    CHECK(holdsErrorStatement(assessment));
    const auto document = strict(auditJson(assessment));
    CHECK(is(document["clocks"]["iteration"], 33812));
    CHECK(document["clocks"]["samples"].IsNull());
    CHECK(is(document["skipped"]["total"], 25));
    CHECK(is(document["skipped"]["runs"][0]["to"], 33716));
    CHECK(is(document["scale_policy"]["best"], "megatron"));
    CHECK(is(document["scale_policy"]["first_violation"]["seen"], 64));
    CHECK(document["schedule"]["drift"].IsNull());
    CHECK(is(document["masked"][0]["series"], "lm loss"));
    CHECK(is(document["statements"][0]["severity"], "error"));
}

TEST_CASE("an error is a document with a null result and one diagnostic", "[present][json]")
{
    Error error{ErrorCode::NotFound, "There is no x.", {}, Where{"a/b", 3, {}}, "Name one."};
    const auto document = strict(errorDocumentJson("look", error));
    CHECK(document["result"].IsNull());
    CHECK(is(document["diagnostics"][0]["severity"], "error"));
    CHECK(is(document["diagnostics"][0]["code"], "not-found"));
    CHECK(is(document["diagnostics"][0]["where"]["line"], 3));
    CHECK(document["diagnostics"][0]["where"]["offset"].IsNull());
}
