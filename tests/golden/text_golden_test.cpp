// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/look.h"
#include "core/present/series_selection.h"
#include "core/present/text/audit_text.h"
#include "core/present/text/incident_text.h"
#include "core/present/text/look_text.h"
#include "core/present/text/series_text.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/incident_example.h"

using namespace firstbad::core;
using firstbad::test::checkGolden;
using firstbad::test::incidentExample;

namespace {

const TextStyle kPlain{Palette::None, true, 80};
const TextStyle kAscii{Palette::None, false, 80};

}  // namespace

TEST_CASE("look prints the example as agreed", "[golden]")
{
    const Look look = makeLook(incidentExample(), {"run/"});
    checkGolden("tests/golden/text/look.txt", render(lookText(look, kPlain, false), kPlain));
    checkGolden("tests/golden/text/look_ascii.txt", render(lookText(look, kAscii, false), kAscii));
}

TEST_CASE("one incident is plotted and reasoned as agreed", "[golden]")
{
    const Assessment assessment = incidentExample();
    const PlacedIncident worst = incidentsInOrder(assessment).front();
    checkGolden("tests/golden/text/incident.txt", render(incidentText(worst, kPlain), kPlain));
    checkGolden(
        "tests/golden/text/incident_ascii.txt", render(incidentText(worst, kAscii), kAscii));
}

TEST_CASE("series and audit print the example as agreed", "[golden]")
{
    const Assessment assessment = incidentExample();
    const auto entries = selectSeries(*assessment.dataset, {});
    checkGolden(
        "tests/golden/text/series.txt", render(seriesTableText(entries, kPlain, false), kPlain));
    checkGolden(
        "tests/golden/text/audit.txt", render(auditText(assessment, kPlain, false), kPlain));
}
