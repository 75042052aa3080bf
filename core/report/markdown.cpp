// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/report/markup.h"
#include "core/report/report.h"

#include <fmt/format.h>

namespace firstbad::core {
namespace {

class MarkdownWriter
{
public:
    MarkdownWriter(const Report& report, ReportLanguage language)
        : m_report(report)
        , m_language(language)
    { }

    std::string write()
    {
        m_text = fmt::format("# {}\n\n{} {} · {} {}\n\n**{}** {}\n\n", md(m_report.title),
            word(ReportPhrase::IncidentWord), md(m_report.incident.id), word(ReportPhrase::RunWord),
            md(m_report.run), word(ReportPhrase::InShort), md(m_report.inShort));
        for (const ReportFact& fact : m_report.facts)
            m_text += fmt::format("- {}: **{}**\n", word(fact.label), md(fact.value));
        questions();
        replay();
        saves();
        bullets(ReportPhrase::Against, m_report.against);
        unknowns();
        bullets(ReportPhrase::Limits, m_report.limits);
        checklist();
        others();
        evidence();
        foot();
        return std::move(m_text);
    }

private:
    [[nodiscard]] static std::string md(std::string_view text) { return markdownEscaped(text); }
    [[nodiscard]] std::string_view word(ReportPhrase which) const
    {
        return phrase(which, m_language);
    }
    void heading(ReportPhrase which) { m_text += fmt::format("\n## {}\n\n", word(which)); }

    void open(const Unknown& unknown)
    {
        m_text += fmt::format("*{}: {}* {} {}\n\n", word(ReportPhrase::UnknownWord),
            md(unknown.question), word(ReportPhrase::SettledBy), md(unknown.settleBy));
    }

    void questions()
    {
        heading(ReportPhrase::FiveQuestionsWord);
        for (std::size_t i = 0; i < kQuestionPhrases.size(); ++i) {
            const ReportAnswer& answer = m_report.answers.at(i);
            m_text
                += fmt::format("### {}. {}\n\n**{}** {}\n\n", i + 1, word(kQuestionPhrases.at(i)),
                    md(answer.question.answer), fmt::join(answer.evidence, " "));
            for (const std::string& detail : answer.question.details)
                m_text += fmt::format("{}\n\n", md(detail));
            for (const Unknown& unknown : answer.question.unknown)
                open(unknown);
        }
    }

    void replay()
    {
        if (!m_report.replay)
            return;
        heading(ReportPhrase::WhereItAppears);
        if (m_report.replay->firstBad)
            m_text += fmt::format("{}: `{}` ({}, {})\n\n", word(ReportPhrase::FirstBad),
                m_report.replay->firstBad->locus, m_report.replay->firstBad->lane,
                m_report.replay->firstBad->kind);
        heading(ReportPhrase::Fidelity);
        for (const FidelityItem& item : m_report.replay->fidelity)
            m_text += fmt::format("- {}: {} {}\n", md(item.what), md(item.state), md(item.detail));
    }

    void saves()
    {
        if (m_report.saves.empty())
            return;
        heading(ReportPhrase::Checkpoints);
        for (const ReportSave& save : m_report.saves)
            m_text += fmt::format("- {}{} {}: {}\n", save.isPicked ? "✓ " : "", md(save.name),
                md(save.status), md(save.because));
    }

    void bullets(ReportPhrase title, const std::vector<std::string>& lines)
    {
        if (lines.empty())
            return;
        heading(title);
        for (const std::string& line : lines)
            m_text += fmt::format("- {}\n", md(line));
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
        for (const ReportCheck& check : m_report.checklist) {
            const bool shown = check.state == ReportCheck::State::Shown;
            m_text += fmt::format("- [{}] {} ({}: {})\n", shown ? 'x' : ' ', word(check.item),
                word(phraseOf(check.state)), md(check.note));
        }
    }

    void others()
    {
        if (m_report.others.empty())
            return;
        heading(ReportPhrase::OtherIncidents);
        for (const ReportOther& other : m_report.others)
            m_text += fmt::format("- {} {} {} {}: {} ({})\n", md(other.id), md(other.kind),
                md(other.attempt), groupedInteger(other.onset), md(other.title), md(other.verdict));
    }

    void evidence()
    {
        heading(ReportPhrase::EvidenceWord);
        for (const ReportEvidence& piece : m_report.evidence)
            m_text += fmt::format("- **{}** {} — {}{}\n", piece.id, md(piece.place), md(piece.what),
                piece.sha256.empty() ? std::string() : fmt::format(" `sha256 {}`", piece.sha256));
    }

    void foot()
    {
        m_text += fmt::format("\n---\n\nfirstbad {}", FIRSTBAD_VERSION);
        if (!m_report.sourcesUpTo.empty())
            m_text
                += fmt::format(" · {} {}", word(ReportPhrase::SourcesUpTo), m_report.sourcesUpTo);
        if (m_report.redacted)
            m_text += fmt::format(" · {}", word(ReportPhrase::Redacted));
        m_text += '\n';
    }

    const Report& m_report;
    ReportLanguage m_language;
    std::string m_text;
};

}  // namespace

std::string reportMarkdown(const Report& report, ReportLanguage language)
{
    return MarkdownWriter(report, language).write();
}

}  // namespace firstbad::core
