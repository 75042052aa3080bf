// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/report/markup.h"
#include "core/report/report.h"
#include "core/report/svg.h"

#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::string_view kStyle = R"css(
:root{color:#1A1D21;background:#FFFFFF}
body{font:14px/1.5 "Noto Sans","Noto Sans CJK SC","DejaVu Sans",system-ui,sans-serif;max-width:820px;margin:32px auto;padding:0 16px}
header{display:flex;justify-content:space-between;align-items:baseline;border-bottom:2px solid #1A1D21;gap:16px}
h1{font-size:24px;margin:0 0 8px}h2{font-size:15px;margin:24px 0 6px;border-bottom:1px solid #CFD5DB;padding-bottom:4px}
.muted{color:#47505A}.top{display:flex;gap:24px;align-items:flex-start;margin-top:12px}.top p{flex:3;margin:0}.top table{flex:2}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}td,th{text-align:left;padding:3px 8px;border-bottom:1px solid #E4E8EC;vertical-align:top;overflow-wrap:anywhere}
th{font-weight:600}.q{display:flex;gap:12px;border-bottom:1px solid #E4E8EC;padding:8px 0;break-inside:avoid}.q .n{color:#0A5FA8;font-weight:600;font-size:18px;width:20px}
.q .a{flex:1;overflow-wrap:anywhere}.q h3{font-size:14px;margin:0}.q p{margin:2px 0}.q .e{width:96px;font-size:12px}.open{border-left:2px dotted #7A5200;padding-left:8px;font-style:italic;color:#7A5200}
a{color:#0A5FA8;text-decoration:none}svg{width:100%;height:auto}code,.mono{font-family:"DejaVu Sans Mono",monospace;font-size:12px}
.state{display:inline-block;width:1.3em;text-align:center;font-weight:700}footer{margin-top:24px;border-top:1px solid #CFD5DB;color:#66707B;font-size:12px;display:flex;justify-content:space-between}
section{break-inside:auto}tr,figure{break-inside:avoid}figure{margin:8px 0}figcaption{color:#47505A;font-size:12px}
@page{size:A4;margin:18mm}@media print{body{margin:0;max-width:none}}
)css";

class HtmlWriter
{
public:
    HtmlWriter(const Report& report, ReportLanguage language)
        : m_report(report)
        , m_language(language)
    { }

    std::string write()
    {
        head();
        summary();
        questions();
        figures();
        fidelity();
        tried();
        saves();
        sentences(ReportPhrase::Against, m_report.against);
        unknowns();
        sentences(ReportPhrase::Limits, m_report.limits);
        checklist();
        others();
        notes();
        evidence();
        foot();
        return std::move(m_html);
    }

private:
    [[nodiscard]] std::string word(ReportPhrase which) const
    {
        return htmlEscaped(phrase(which, m_language));
    }

    void heading(ReportPhrase which) { m_html += fmt::format("<h2>{}</h2>\n", word(which)); }

    void head()
    {
        m_html += fmt::format("<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta "
                              "charset=\"utf-8\">\n<meta name=\"viewport\" "
                              "content=\"width=device-width\">\n<title>{}</title>\n<style>{}"
                              "</style>\n</head>\n<body>\n<header><h1>{}</h1><span "
                              "class=\"muted\">{} {} · {} {}</span></header>\n<main>\n",
            toString(m_language), htmlEscaped(m_report.title), kStyle, htmlEscaped(m_report.title),
            word(ReportPhrase::IncidentWord), htmlEscaped(m_report.incident.id),
            word(ReportPhrase::RunWord), htmlEscaped(m_report.run));
    }

    void summary()
    {
        m_html += fmt::format("<div class=\"top\"><p><strong>{}</strong> {}</p>\n<table>",
            word(ReportPhrase::InShort), htmlEscaped(m_report.inShort));
        for (const ReportFact& fact : m_report.facts)
            m_html += fmt::format("<tr><td class=\"muted\">{}</td><th scope=\"row\">{}</th></tr>",
                word(fact.label), htmlEscaped(fact.value));
        m_html += "</table></div>\n";
    }

    void open(const Unknown& unknown)
    {
        m_html += fmt::format("<p class=\"open\">{}: {} {} {}</p>", word(ReportPhrase::UnknownWord),
            htmlEscaped(unknown.question), word(ReportPhrase::SettledBy),
            htmlEscaped(unknown.settleBy));
    }

    void questions()
    {
        heading(ReportPhrase::FiveQuestionsWord);
        for (std::size_t i = 0; i < kQuestionPhrases.size(); ++i) {
            const ReportAnswer& answer = m_report.answers.at(i);
            m_html += fmt::format("<div class=\"q\"><span class=\"n\">{}</span><div "
                                  "class=\"a\"><h3>{}</h3><p><strong>{}</strong></p>",
                i + 1, word(kQuestionPhrases.at(i)), htmlEscaped(answer.question.answer));
            for (const std::string& detail : answer.question.details)
                m_html += fmt::format("<p>{}</p>", htmlEscaped(detail));
            for (const Unknown& unknown : answer.question.unknown)
                open(unknown);
            m_html += "</div><span class=\"e\">";
            for (const std::string& id : answer.evidence)
                m_html += fmt::format("<a href=\"#{0}\">{0}</a> ", id);
            m_html += "</span></div>\n";
        }
    }

    void figures()
    {
        if (m_report.figure) {
            heading(ReportPhrase::AroundTheOnset);
            m_html += fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n",
                timelineSvg(*m_report.figure, m_report.inShort), word(ReportPhrase::FigureCaption));
        }
        const std::string map = m_report.replay
            ? blockMapSvg(*m_report.replay, phrase(ReportPhrase::WhereItAppears, m_language))
            : std::string();
        if (map.empty())
            return;
        heading(ReportPhrase::WhereItAppears);
        m_html += fmt::format("<figure>{}<figcaption>{} · {}</figcaption></figure>\n", map,
            htmlEscaped(m_report.replay->precision),
            m_report.replay->firstBad ? htmlEscaped(m_report.replay->firstBad->locus)
                                      : word(ReportPhrase::Nothing));
    }

    void fidelity()
    {
        if (!m_report.replay || m_report.replay->fidelity.empty())
            return;
        heading(ReportPhrase::Fidelity);
        m_html += "<table>";
        for (const FidelityItem& item : m_report.replay->fidelity)
            m_html += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td></tr>",
                htmlEscaped(item.what), htmlEscaped(item.state), htmlEscaped(item.detail));
        m_html += "</table>\n";
    }

    void tried()
    {
        if (!m_report.matrix && !m_report.isolate)
            return;
        heading(ReportPhrase::WhatWasTried);
        m_html += "<table>";
        if (m_report.matrix) {
            for (const MatrixCell& cell : m_report.matrix->cells)
                m_html += fmt::format("<tr><th scope=\"row\">{} {}</th><td>{}</td><td>{}</td></tr>",
                    htmlEscaped(cell.vary), htmlEscaped(cell.value),
                    cell.fails ? "fails" : "finite",
                    cell.firstBad ? htmlEscaped(cell.firstBad->locus) : std::string());
            if (m_report.matrix->fp32Blocks)
                m_html += fmt::format(
                    "<tr><th scope=\"row\">fp32 blocks</th><td>{}</td><td></td></tr>",
                    fmt::join(*m_report.matrix->fp32Blocks, ", "));
        }
        if (m_report.isolate) {
            for (const auto& rows : m_report.isolate->minimalSets)
                m_html += fmt::format("<tr><th scope=\"row\">rows</th><td>{}</td><td></td></tr>",
                    fmt::join(rows, ", "));
        }
        m_html += "</table>\n";
    }

    void saves()
    {
        if (m_report.saves.empty())
            return;
        heading(ReportPhrase::Checkpoints);
        m_html += "<table>";
        for (const ReportSave& save : m_report.saves)
            m_html += fmt::format("<tr><th scope=\"row\">{}{}</th><td>{}</td><td>{}</td></tr>",
                save.isPicked ? "<span class=\"state\">✓</span> " : "", htmlEscaped(save.name),
                htmlEscaped(save.status), htmlEscaped(save.because));
        m_html += "</table>\n";
    }

    void sentences(ReportPhrase title, const std::vector<std::string>& lines)
    {
        if (lines.empty())
            return;
        heading(title);
        m_html += "<ul>";
        for (const std::string& line : lines)
            m_html += fmt::format("<li>{}</li>", htmlEscaped(line));
        m_html += "</ul>\n";
    }

    void unknowns()
    {
        if (m_report.unknown.empty())
            return;
        heading(ReportPhrase::WhatIsUnknown);
        for (const Unknown& unknown : m_report.unknown)
            open(unknown);
    }

    void checklist()
    {
        heading(ReportPhrase::Checklist);
        m_html += "<table>";
        for (const ReportCheck& check : m_report.checklist) {
            const bool shown = check.state == ReportCheck::State::Shown;
            const bool violated = check.state == ReportCheck::State::Violated;
            m_html += fmt::format("<tr><td><span class=\"state\">{}</span>{}</td><td>{}</td><td "
                                  "class=\"muted\">{}</td></tr>",
                shown          ? "✓"
                    : violated ? "✗"
                               : "?",
                word(phraseOf(check.state)), word(check.item), htmlEscaped(check.note));
        }
        m_html += "</table>\n";
    }

    void others()
    {
        if (m_report.others.empty())
            return;
        heading(ReportPhrase::OtherIncidents);
        m_html += "<table>";
        for (const ReportOther& other : m_report.others)
            m_html += fmt::format(
                "<tr><td>{}</td><td>{}</td><td>{} {}</td><td>{}</td><td>{}</td></tr>",
                htmlEscaped(other.id), htmlEscaped(other.kind), htmlEscaped(other.attempt),
                groupedInteger(other.onset), htmlEscaped(other.verdict), htmlEscaped(other.title));
        m_html += "</table>\n";
    }

    void notes()
    {
        if (m_report.annotations.empty())
            return;
        heading(ReportPhrase::Notes);
        m_html += "<table>";
        for (const Annotation& note : m_report.annotations) {
            if (!note.withdrawnBy && !note.withdraws)
                m_html += fmt::format("<tr><td>{}</td><td>{}</td><td class=\"muted\">{}</td></tr>",
                    htmlEscaped(note.target), htmlEscaped(note.note), htmlEscaped(note.who));
        }
        m_html += "</table>\n";
    }

    void evidence()
    {
        heading(ReportPhrase::EvidenceWord);
        m_html += "<table>";
        for (const ReportEvidence& piece : m_report.evidence)
            m_html
                += fmt::format("<tr id=\"{0}\"><th scope=\"row\">{0}</th><td>{1}</td><td>{2}</td>"
                               "<td class=\"mono\" title=\"{3}\">{4}</td></tr>",
                    piece.id, htmlEscaped(piece.place), htmlEscaped(piece.what), piece.sha256,
                    piece.sha256.empty() ? "" : "sha256 " + piece.sha256.substr(0, 12));
        m_html += "</table>\n";
    }

    void foot()
    {
        m_html += "</main>\n<footer><span>";
        m_html += fmt::format("firstbad {}", FIRSTBAD_VERSION);
        if (!m_report.caseName.empty())
            m_html += fmt::format(" · {}", htmlEscaped(m_report.caseName));
        if (!m_report.sourcesUpTo.empty())
            m_html
                += fmt::format(" · {} {}", word(ReportPhrase::SourcesUpTo), m_report.sourcesUpTo);
        m_html += "</span><span>";
        if (m_report.redacted)
            m_html += word(ReportPhrase::Redacted);
        m_html += "</span></footer>\n</body>\n</html>\n";
    }

    const Report& m_report;
    ReportLanguage m_language;
    std::string m_html;
};

}  // namespace

std::string reportHtml(const Report& report, ReportLanguage language)
{
    return HtmlWriter(report, language).write();
}

}  // namespace firstbad::core
