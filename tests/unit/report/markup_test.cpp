// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/markup.h"
#include "core/report/report_phrase.h"
#include "tests/support/catch.h"

using namespace firstbad::core;

TEST_CASE("text of a source can not become markup of a page", "[report]")
{
    CHECK(htmlEscaped(R"(<script>alert("x")</script> & 'y')")
        == "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;y&#39;");
    CHECK(htmlEscaped("a\x1b[2Jb").find('\x1b') == std::string::npos);
    CHECK(htmlEscaped("right\u202Eleft").find("\u202E") == std::string::npos);
    CHECK(htmlEscaped("损失 NaN") == "损失 NaN");
}

TEST_CASE("text of a source can not become a link, a heading or a table in Markdown", "[report]")
{
    CHECK(
        markdownEscaped("# [a](b) | `c` *d* <e>") == "\\# \\[a\\](b) \\| \\`c\\` \\*d\\* \\<e\\>");
    CHECK(markdownEscaped("one\n# two").find('\n') == std::string::npos);
}

TEST_CASE("every phrase has words in every language", "[report]")
{
    for (int i = 0; i <= static_cast<int>(ReportPhrase::Nothing); ++i) {
        CAPTURE(i);
        const auto which = static_cast<ReportPhrase>(i);
        CHECK_FALSE(phrase(which, ReportLanguage::English).empty());
        CHECK_FALSE(phrase(which, ReportLanguage::Chinese).empty());
        CHECK(phrase(which, ReportLanguage::English) != phrase(which, ReportLanguage::Chinese));
    }
    CHECK(phrase(ReportPhrase::CheckDrills, ReportLanguage::English).find("rehearsed")
        != std::string_view::npos);
    CHECK(phrase(ReportPhrase::Nothing, ReportLanguage::Chinese) == "无");
    CHECK(reportLanguageFrom("zh") == ReportLanguage::Chinese);
    CHECK_FALSE(reportLanguageFrom("xx"));
}
