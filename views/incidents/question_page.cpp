// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/incidents/question_page.h"

#include "core/base/time.h"
#include "core/present/incident/questions.h"
#include "core/present/text/phrases.h"
#include "ui/bridge/text.h"
#include "ui/widgets/glyph.h"

#include <algorithm>
#include <array>
#include <QCoreApplication>

namespace firstbad::views {

namespace {

using bridge::grouped;
using bridge::qText;

constexpr qsizetype kMostEvidence = 6;

QString translated(const char* text)
{
    return QCoreApplication::translate("Incident", text);
}

constexpr std::array<const char*, 5> kTitles{
    QT_TRANSLATE_NOOP("Incident", "Where did the first non-finite value appear?"),
    QT_TRANSLATE_NOOP("Incident", "Did it reach a collective, the optimizer, a checkpoint?"),
    QT_TRANSLATE_NOOP("Incident", "Did all ranks decide alike?"),
    QT_TRANSLATE_NOOP("Incident", "Can it be reproduced?"),
    QT_TRANSLATE_NOOP("Incident", "What keeps the bad checkpoint out?"),
};

QString escaped(std::string_view text)
{
    return qText(text).toHtmlEscaped();
}

QString coloured(const QString& html, const QColor& colour)
{
    return QStringLiteral("<span style='color:%1'>%2</span>").arg(colour.name(), html);
}

QString link(const QString& target, const QString& text, const ui::Tokens& t)
{
    return QStringLiteral("<a href='%1' style='color:%2;text-decoration:none'>%3</a>")
        .arg(target.toHtmlEscaped(), t.accent.name(), text.toHtmlEscaped());
}

QColor verdictColour(core::IncidentClass verdict, const ui::Tokens& t)
{
    switch (verdict) {
    case core::IncidentClass::Fault:
        return t.fault;
    case core::IncidentClass::Unknown:
        return t.unknown;
    case core::IncidentClass::Benign:
        break;
    }
    return t.benign;
}

QString verdictWord(core::IncidentClass verdict)
{
    switch (verdict) {
    case core::IncidentClass::Fault:
        return ui::nameOf(ui::Glyph::Fault);
    case core::IncidentClass::Unknown:
        return ui::nameOf(ui::Glyph::Unknown);
    case core::IncidentClass::Benign:
        break;
    }
    return ui::nameOf(ui::Glyph::Benign);
}

/// The sentence; its step moves the cursor, its place opens the source.
QString evidenceHtml(const core::Evidence& evidence, const ui::Tokens& t)
{
    QString html = escaped(evidence.what);
    if (evidence.step)
        html += QStringLiteral(" ")
            + link(QStringLiteral("step:%1").arg(*evidence.step),
                QStringLiteral("▸ %1").arg(grouped(*evidence.step)), t);
    const std::string place = core::placeText(evidence);
    if (!place.empty() && evidence.sourceIndex)
        html += QStringLiteral(" ")
            + link(QStringLiteral("source:%1:%2")
                       .arg(*evidence.sourceIndex)
                       .arg(evidence.line.value_or(1)),
                qText(place), t);
    else if (!place.empty())
        html += QStringLiteral(" ") + coloured(escaped(place), t.text3);
    return html;
}

QString unknownHtml(const core::Unknown& unknown, const ui::Tokens& t)
{
    QString html = QStringLiteral("%1 %2").arg(
        coloured(
            QStringLiteral("<b>%1</b>").arg(translated(QT_TRANSLATE_NOOP("Incident", "Unknown"))),
            t.unknown),
        coloured(escaped(unknown.question), t.text2));
    if (!unknown.settleBy.empty())
        html += QStringLiteral(" ")
            + coloured(translated(QT_TRANSLATE_NOOP("Incident", "Settle:")), t.text3)
            + QStringLiteral(" ") + coloured(escaped(unknown.settleBy), t.text2);
    return QStringLiteral(
        "<table cellspacing=0 cellpadding=0 style='margin-top:3px'><tr><td width=2 "
        "bgcolor='%1'></td><td style='padding-left:6px;font-size:11px'>%2</td></tr></table>")
        .arg(t.unknown.name(), html);
}

QString questionBlock(std::size_t number, const core::Question& question, const ui::Tokens& t)
{
    QString html = QStringLiteral("<div>%1&nbsp; <b>%2</b></div>")
                       .arg(coloured(QStringLiteral("<b>%1</b>").arg(number + 1), t.accent),
                           translated(kTitles[number]));
    const QColor answer = question.kind == core::AnswerKind::Bad ? t.fault
        : question.kind == core::AnswerKind::Known               ? t.text
                                                                 : t.text2;
    html += QStringLiteral("<div style='margin-top:2px'>%1</div>")
                .arg(coloured(QStringLiteral("<b>%1</b>").arg(escaped(question.answer)), answer));
    for (const std::string& detail : question.details)
        html += QStringLiteral("<div>%1</div>").arg(coloured(escaped(detail), t.text2));
    qsizetype shown = 0;
    for (const core::Evidence& evidence : question.evidence) {
        if (++shown > 3)
            break;
        html += QStringLiteral("<div style='font-size:11px'>%1</div>")
                    .arg(evidenceHtml(evidence, t));
    }
    for (const core::Unknown& unknown : question.unknown)
        html += unknownHtml(unknown, t);
    return html;
}

QString evidenceRows(const std::vector<core::Evidence>& items, const QString& sign,
    const QColor& colour, const ui::Tokens& t)
{
    QString rows;
    qsizetype shown = 0;
    for (const core::Evidence& item : items) {
        if (++shown > kMostEvidence)
            break;
        rows += QStringLiteral("<tr><td width=14 valign=top>%1</td><td>%2</td></tr>")
                    .arg(coloured(QStringLiteral("<b>%1</b>").arg(sign), colour),
                        evidenceHtml(item, t));
    }
    const auto left = static_cast<qsizetype>(items.size()) - kMostEvidence;
    if (left > 0)
        rows += QStringLiteral("<tr><td></td><td>%1</td></tr>")
                    .arg(coloured(
                        translated(QT_TRANSLATE_NOOP("Incident", "%1 more of the same kind"))
                            .arg(left),
                        t.text3));
    return rows;
}

QString forAndAgainst(const core::Incident& incident, const ui::Tokens& t)
{
    QString html
        = QStringLiteral("<div><b>%1</b></div><table cellspacing=0 cellpadding=1>")
              .arg(translated(QT_TRANSLATE_NOOP("Incident", "What speaks for it, what against")));
    html += evidenceRows(incident.evidence, QStringLiteral("+"), t.committed, t);
    html += evidenceRows(incident.against, QStringLiteral("−"), t.fault, t);
    html += QStringLiteral("</table>");
    for (const core::Unknown& unknown : incident.unknown)
        html += unknownHtml(unknown, t);
    for (const core::Hypothesis& cause : incident.hypotheses)
        html += QStringLiteral("<div>%1 %2: %3</div>")
                    .arg(coloured(translated(QT_TRANSLATE_NOOP("Incident", "Perhaps")), t.text3),
                        escaped(cause.cause), escaped(cause.evidence));
    for (const std::string& id : incident.related)
        html += QStringLiteral("<div>%1</div>")
                    .arg(link(QStringLiteral("incident:%1").arg(qText(id)),
                        translated(QT_TRANSLATE_NOOP("Incident", "see incident %1")).arg(qText(id)),
                        t));
    return html;
}

QString chip(const QString& html, const ui::Tokens& t)
{
    return QStringLiteral("<span style='background:%1'>&nbsp;%2&nbsp;</span> ")
        .arg(t.header.name(), html);
}

bool concerns(const core::Annotation& note, const core::Incident& incident)
{
    return note.target.empty() || note.target == incident.id || note.target == incident.attempt
        || note.target.rfind(incident.attempt + ":", 0) == 0;
}

QString restoreHtml(const bridge::WorkspaceSnapshot& snapshot, const core::PlacedIncident& placed,
    const ui::Tokens& t)
{
    const core::Incident& incident = *placed.incident;
    if (!incident.restoreBeforeStep)
        return {};
    QString html = coloured(QStringLiteral("✔"), t.committed) + QStringLiteral(" ")
        + translated(QT_TRANSLATE_NOOP("Incident", "Restore at or before step <b>%1</b>"))
              .arg(grouped(*incident.restoreBeforeStep));
    for (const core::SaveVerdict& save : core::savesAround(snapshot.assessment, placed, 50)) {
        if (!save.mayBeRestored)
            continue;
        html += QStringLiteral(" · ")
            + translated(QT_TRANSLATE_NOOP("Incident", "newest such save: <b>%1</b>"))
                  .arg(QStringLiteral("%1/%2").arg(escaped(save.attempt), grouped(save.step)));
        break;
    }
    return QStringLiteral("<div style='margin-top:6px'>%1</div>").arg(html);
}

}  // namespace

QString headHtml(const bridge::WorkspaceSnapshot& snapshot, const core::PlacedIncident& placed,
    const ui::Tokens& t)
{
    const core::Incident& incident = *placed.incident;
    QString html = QStringLiteral("<div style='font-size:15px'><b>%1</b></div><div "
                                  "style='margin-top:5px;font-size:11px;line-height:150%'>")
                       .arg(escaped(incident.title));
    html += chip(escaped(toString(incident.kind)), t);
    html += chip(coloured(QStringLiteral("<b>%1 %2</b>")
                              .arg(verdictWord(incident.verdict))
                              .arg(incident.confidence, 0, 'f', 1),
                     verdictColour(incident.verdict, t)),
        t);
    html += chip(translated(QT_TRANSLATE_NOOP("Incident", "attempt <b>%1</b>"))
                     .arg(escaped(incident.attempt)),
        t);
    html += chip(translated(QT_TRANSLATE_NOOP("Incident", "onset <b>%1</b>"))
                     .arg(grouped(incident.onsetStep)),
        t);
    if (incident.peakStep && *incident.peakStep != incident.onsetStep)
        html += chip(translated(QT_TRANSLATE_NOOP("Incident", "peak <b>%1</b>"))
                         .arg(grouped(*incident.peakStep)),
            t);
    if (incident.recovered)
        html += chip(*incident.recovered
                ? translated(QT_TRANSLATE_NOOP("Incident", "recovered"))
                : translated(QT_TRANSLATE_NOOP("Incident", "not recovered")),
            t);
    html += QStringLiteral("</div>");
    html += restoreHtml(snapshot, placed, t);
    return html;
}

QStringList questionHtml(const bridge::WorkspaceSnapshot& snapshot,
    const core::PlacedIncident& placed, const ui::Tokens& t)
{
    QStringList blocks;
    const auto questions = core::answerQuestions(snapshot.assessment, placed);
    for (std::size_t i = 0; i < questions.size(); ++i)
        blocks.append(questionBlock(i, questions[i], t));
    blocks.append(forAndAgainst(*placed.incident, t));
    return blocks;
}

QString notesHtml(const bridge::WorkspaceSnapshot& snapshot, const core::PlacedIncident& placed,
    const ui::Tokens& t)
{
    QString rows;
    int count = 0;
    for (const core::Annotation& note : snapshot.annotations) {
        if (note.withdraws || !concerns(note, *placed.incident))
            continue;
        ++count;
        QString text = escaped(note.note);
        const QString time = qText(core::toIso8601(note.time)).mid(5, 11).replace(u'T', u' ');
        if (note.withdrawnBy)
            text = QStringLiteral("<s>%1</s> %2")
                       .arg(text, translated(QT_TRANSLATE_NOOP("Incident", "withdrawn")));
        else
            text += QStringLiteral(" ")
                + link(QStringLiteral("withdraw:%1").arg(note.id),
                    translated(QT_TRANSLATE_NOOP("Incident", "withdraw")), t);
        rows += QStringLiteral("<div style='margin-top:2px'><b>%1</b> %2 %3</div>")
                    .arg(escaped(note.who), coloured(time + QStringLiteral("Z"), t.text3),
                        coloured(text, t.text2));
    }
    const QString head = QStringLiteral("<div><b>%1</b> %2</div>")
                             .arg(translated(QT_TRANSLATE_NOOP("Incident", "Notes")),
                                 coloured(QString::number(count), t.text3));
    if (count == 0)
        rows = coloured(
            translated(QT_TRANSLATE_NOOP("Incident", "None yet: press A to write one.")), t.text3);
    return head + rows;
}

}  // namespace firstbad::views
