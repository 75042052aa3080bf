// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/incident/incident_list.h"
#include "core/present/incident/questions.h"
#include "core/present/timeline/timeline.h"
#include "tests/support/catch.h"
#include "tests/support/incident_example.h"

#include <algorithm>

using namespace firstbad;

namespace {

core::FiveQuestions questionsOfFirst(const core::Assessment& assessment)
{
    const auto placed = core::incidentsInOrder(assessment);
    REQUIRE_FALSE(placed.empty());
    return core::answerQuestions(assessment, placed.front());
}

}  // namespace

TEST_CASE("incidents are listed worst first, benign ones last, with a curve", "[present]")
{
    const auto example = test::incidentExample();
    core::JobContext job;
    const auto list = core::makeIncidentList(example, job);
    REQUIRE(list);
    CHECK(list->faults == 1);
    CHECK(list->unknowns == 2);
    CHECK(list->benign == 3);
    const auto& worst = list->rows.front();
    CHECK(worst.kind == core::IncidentKind::ScaleCollapse);
    CHECK(worst.attemptName == "a7");
    CHECK(worst.attempt == 1);
    CHECK(worst.onset == 33708);
    REQUIRE(worst.sparkline.places.size() == core::Sparkline::kPoints);
    CHECK(std::any_of(worst.sparkline.places.begin(), worst.sparkline.places.end(),
        [](const auto& place) { return place.isBad; }));
    CHECK(list->rows.back().verdict == core::IncidentClass::Benign);
}

TEST_CASE("attempts are listed as a tree, a restart below what it continues", "[present]")
{
    const auto rows = core::makeAttemptList(*test::incidentExample().dataset);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].depth == 0);
    CHECK(rows[0].hasChildren);
    CHECK(rows[1].name == "a7");
    CHECK(rows[1].depth == 1);
}

TEST_CASE("the first question names step and rank, and says what is not known", "[present]")
{
    const auto questions = questionsOfFirst(test::incidentExample());
    CHECK(questions[0].kind == core::AnswerKind::Bad);
    CHECK_THAT(questions[0].answer, Catch::Contains("33,708") && Catch::Contains("rank 462"));
    CHECK_FALSE(questions[0].unknown.empty());
}

TEST_CASE("what logs cannot answer is unknown, with what would settle it", "[present]")
{
    const auto questions = questionsOfFirst(test::incidentExample());
    for (const std::size_t i : {std::size_t{2}, std::size_t{3}}) {
        CHECK(questions[i].kind == core::AnswerKind::Unknown);
        REQUIRE_FALSE(questions[i].unknown.empty());
        CHECK_FALSE(questions[i].unknown.front().settleBy.empty());
    }
}

TEST_CASE("saves after the onset are suspect and the one to restore is named", "[present]")
{
    const auto example = test::incidentExample();
    const auto saves = core::savesAround(example, core::incidentsInOrder(example).front(), 4);
    REQUIRE(saves.size() == 3);
    CHECK(saves[0].step == 33800);
    CHECK_FALSE(saves[0].mayBeRestored);
    CHECK(saves[1].step == 33700);
    CHECK_FALSE(saves[1].mayBeRestored);
    CHECK(saves[2].step == 33600);
    CHECK(saves[2].mayBeRestored);
    CHECK_THAT(questionsOfFirst(example)[4].answer, Catch::Contains("33,600"));
    const auto one = core::savesAround(example, core::incidentsInOrder(example).front(), 1);
    REQUIRE(one.size() == 1);
    CHECK(one[0].step == 33600);
}

TEST_CASE("a timeline holds panels, the incident's band and the save to restore", "[present]")
{
    const auto example = test::incidentExample();
    core::JobContext job;
    const auto timeline = core::makeTimeline(example, 0, {}, job);
    REQUIRE(timeline);
    REQUIRE(timeline->panels.size() == 3);
    CHECK(timeline->panels[0].label == "loss");
    CHECK(timeline->panels[1].scale == core::PlotScale::Log2);
    REQUIRE_FALSE(timeline->bands.empty());
    CHECK(timeline->bands[0].firstBad == 33708);
    CHECK(timeline->bands[0].to == 33812);
    const auto window = core::windowAround(*timeline->run, {33708, 33812});
    CHECK(window.from < 33708);
    CHECK(window.to == 33812);
    const auto restore = std::find_if(timeline->markers.begin(), timeline->markers.end(),
        [](const auto& marker) { return marker.newestBeforeFault; });
    REQUIRE(restore != timeline->markers.end());
    CHECK(restore->step == 33600);
}

TEST_CASE("a spike names the non-finite value that followed it", "[present]")
{
    auto example = test::incidentExample();
    auto& incidents = example.runs[0].judgement.incidents;
    core::Incident spike = incidents[0];
    spike.id = std::string("9");
    spike.kind = core::IncidentKind::LossSpike;
    spike.onsetStep = 33700;
    spike.firstBad.reset();
    incidents.push_back(spike);
    const auto questions = core::answerQuestions(
        example, {&example.runs[0], &example.runs[0].judgement.incidents.back()});
    CHECK_THAT(questions[0].answer, Catch::Contains("33,708") && Catch::Contains("incident 1"));
}
