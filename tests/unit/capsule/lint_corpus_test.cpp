// SPDX-License-Identifier: GPL-3.0-or-later
// Lint against the answer keys of the capsule corpus: the errors of each, exactly.
#include "core/base/file.h"
#include "core/base/json_members.h"
#include "core/capsule/input_place.h"
#include "core/capsule/lint.h"
#include "tests/support/catch.h"
#include "tests/support/corpus.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>

using namespace firstbad::core;

namespace {

std::vector<std::filesystem::path> capsulesOfCorpus()
{
    std::vector<std::filesystem::path> found;
    const auto root = firstbad::test::corpusFolder() / "fixtures/capsules";
    for (const auto& entry : std::filesystem::directory_iterator(root)) {
        if (std::filesystem::exists(entry.path() / "expected.json"))
            found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

JsonValue expectedOf(const std::filesystem::path& capsule)
{
    const auto text = readWholeFile(capsule / "expected.json", 1U << 26U);
    REQUIRE(text);
    const auto json = parseJson(*text);
    REQUIRE(json);
    return *json;
}

/// "code tensor @micro_step [index] value"
std::vector<std::string> expectedErrors(const JsonValue& expected)
{
    std::string problem;
    std::vector<std::string> lines;
    const JsonMembers root(expected, {}, problem);
    const auto& list = root.list("input_findings");
    for (std::size_t i = 0; i < list.size(); ++i) {
        const JsonMembers finding = root.element(list[i], "input_findings", i);
        lines.push_back(fmt::format("{} {} @{} [{}] {}", finding.text("code"),
            finding.text("tensor"), finding.integer("micro_step", -1),
            fmt::join(finding.integers("index"), ","), finding.number("value", -1.0)));
    }
    return lines;
}

std::vector<std::string> errorsOf(const LintReport& report)
{
    std::vector<std::string> lines;
    for (const auto& finding : report.findings) {
        if (finding.severity == Severity::Error)
            lines.push_back(fmt::format("{} {} @{} [{}] {}", finding.code, finding.tensor,
                finding.microStep.value_or(-1), fmt::join(finding.element, ","),
                finding.value.value_or(-1.0)));
    }
    return lines;
}

}  // namespace

TEST_CASE(
    "lint finds the errors that the keys of the corpus list, and no others", "[core][capsule]")
{
    const auto capsules = capsulesOfCorpus();
    REQUIRE_FALSE(capsules.empty());
    for (const auto& path : capsules) {
        CAPTURE(path.filename());
        const auto capsule = readCapsule(path, path.filename().string());
        REQUIRE(capsule);
        JobContext job;
        const auto report = lintCapsule(*capsule, job);
        REQUIRE(report);
        CHECK(report->diagnostics.empty());
        CHECK(errorsOf(*report) == expectedErrors(expectedOf(path)));
    }
    std::cout << "lint corpus: " << capsules.size() << " capsules\n";
}

TEST_CASE("the first bad place of the input lane is that of the keys", "[core][capsule]")
{
    for (const auto& path : capsulesOfCorpus()) {
        CAPTURE(path.filename());
        const auto expected = expectedOf(path);
        std::string problem;
        const JsonMembers place = JsonMembers(expected, {}, problem).object("first_bad");
        const auto capsule = readCapsule(path, "c");
        JobContext job;
        const auto report = lintCapsule(*capsule, job);
        REQUIRE(report);
        const auto found = inputFirstBad(*report);
        CHECK(found.has_value() == (place.text("lane") == "input"));
        if (!found || place.text("lane") != "input")
            continue;
        CHECK(found->tensor == place.text("tensor"));
        CHECK(found->kind == place.text("kind"));
        CHECK(found->elementIndex == place.integers("element_index"));
    }
}
