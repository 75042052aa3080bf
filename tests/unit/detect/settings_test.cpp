// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/finding.h"
#include "core/detect/settings.h"
#include "tests/support/catch.h"

#include <limits>
#include <set>

using namespace firstbad::core;

TEST_CASE("every setting has a text and a default within its limits", "[core][detect]")
{
    std::set<std::string_view> ids;
    for (const SettingInfo& setting : settingTable()) {
        CAPTURE(setting.id);
        CHECK(ids.insert(setting.id).second);
        CHECK_FALSE(setting.text.empty());
        CHECK(setting.low <= setting.fallback);
        CHECK(setting.fallback <= setting.high);
        CHECK(Settings().get(setting.id) == setting.fallback);
    }
}

TEST_CASE("a setting outside its limits is refused and keeps the old value", "[core][detect]")
{
    Settings settings;
    const double before = settings.get("spike.window");
    CHECK_FALSE(settings.set("spike.window", -1.0));
    CHECK_FALSE(settings.set("spike.window", std::numeric_limits<double>::quiet_NaN()));
    CHECK(settings.get("spike.window") == before);
    CHECK(settings.set("spike.window", 64.0));
    CHECK(settings.get("spike.window") == 64.0);
    CHECK(settings.set("no.such", 1.0).error().code == ErrorCode::InvalidArgument);
}

TEST_CASE("kinds and classes are spelled as in the contracts", "[core][detect]")
{
    CHECK(toString(IncidentKind::NonfiniteLoss) == "nonfinite-loss");
    CHECK(toString(IncidentKind::ScaleProbe) == "scale-probe");
    CHECK(toString(IncidentKind::DisplayArtefact) == "display-artefact");
    CHECK(toString(IncidentKind::None) == "none");
    CHECK(defaultClass(IncidentKind::ScaleProbe) == IncidentClass::Benign);
    CHECK(defaultClass(IncidentKind::GradSpike) == IncidentClass::Unknown);
    CHECK(defaultClass(IncidentKind::ScaleRunaway) == IncidentClass::Fault);
    CHECK(toString(IncidentClass::Unknown) == "unknown");
}
