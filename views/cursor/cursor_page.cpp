// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cursor/cursor_page.h"

#include "core/base/text.h"
#include "core/base/time.h"
#include "core/present/text/phrases.h"
#include "core/present/timeline/cursor.h"
#include "ui/bridge/text.h"

#include <algorithm>
#include <QCoreApplication>

namespace firstbad::views {

namespace {

using bridge::grouped;
using bridge::qText;
using core::Reading;
using core::ReadingKind;

constexpr std::size_t kMostAttempts = 3;

QString translated(const char* text)
{
    return QCoreApplication::translate("Cursor", text);
}

QString coloured(const QString& html, const QColor& colour)
{
    return QStringLiteral("<span style='color:%1'>%2</span>").arg(colour.name(), html);
}

QString numberText(double value)
{
    constexpr int kDigits = 8;
    return qText(core::shortNumber(value, kDigits)).toHtmlEscaped();
}

QString readingHtml(const Reading& reading, const ui::Tokens& t)
{
    switch (reading.kind) {
    case ReadingKind::None:
        return {};
    case ReadingKind::Missing:
        return coloured(
            QStringLiteral("▭ ") + translated(QT_TRANSLATE_NOOP("Cursor", "missing")), t.text3);
    case ReadingKind::Before:
        return coloured(QStringLiteral("%1 <small>@%2</small>")
                            .arg(numberText(reading.value), grouped(reading.step)),
            t.text3);
    case ReadingKind::Value:
        break;
    }
    switch (core::classify(reading.value)) {
    case core::ValueKind::NotANumber:
        return coloured(QStringLiteral("<b>✕ NaN</b>"), t.nan);
    case core::ValueKind::PlusInfinity:
        return coloured(QStringLiteral("<b>▲ +Inf</b>"), t.isDark ? t.inf : t.edge);
    case core::ValueKind::MinusInfinity:
        return coloured(QStringLiteral("<b>▼ −Inf</b>"), t.isDark ? t.inf : t.edge);
    case core::ValueKind::Finite:
        break;
    }
    return QStringLiteral("<b>%1</b>").arg(numberText(reading.value));
}

QColor quantityColour(core::Quantity quantity, const ui::Tokens& t)
{
    switch (quantity) {
    case core::Quantity::Loss:
        return t.loss;
    case core::Quantity::LossScale:
        return t.lossScale;
    case core::Quantity::GradNorm:
        return t.gradNorm;
    default:
        return t.rate;
    }
}

/// The attempt in focus, then the others that have the step, newest first.
std::vector<std::size_t> attemptsAt(const core::Run& run, const CursorPlace& place)
{
    std::vector<std::size_t> attempts{place.attempt};
    for (std::size_t i = run.attempts.size(); i-- > 0 && attempts.size() < kMostAttempts;) {
        const core::Attempt& attempt = run.attempts[i];
        const bool has = attempt.firstStep && attempt.lastStep && *attempt.firstStep <= place.step
            && place.step <= *attempt.lastStep;
        if (i != place.attempt && has)
            attempts.push_back(i);
    }
    return attempts;
}

QString row(const QStringList& cells)
{
    QString html = QStringLiteral("<tr>");
    for (qsizetype i = 0; i < cells.size(); ++i)
        html += i == 0
            ? QStringLiteral("<td>%1</td>").arg(cells[i])
            : QStringLiteral("<td align=right style='padding-left:12px'>%1</td>").arg(cells[i]);
    return html + QStringLiteral("</tr>");
}

QString timeText(const core::Run& run, std::size_t attempt, std::int64_t step)
{
    for (const core::Series& series : run.series) {
        const core::Column* column = series.column(attempt);
        if (column == nullptr)
            continue;
        const Reading reading = core::readColumn(*column, step);
        if (reading.kind == ReadingKind::Value && reading.time)
            return qText(core::toIso8601(*reading.time)).mid(0, 19).replace(u'T', u' ');
    }
    return {};
}

QString table(const QString& rows)
{
    return QStringLiteral("<table width='100%' cellspacing=0 cellpadding=2>%1</table>").arg(rows);
}

QString changeText(const core::SeriesReading& reading, double from, double to)
{
    const bool ratio = reading.quantity == core::Quantity::LossScale
        || reading.quantity == core::Quantity::GradNorm;
    if (ratio && from > 0.0 && to > 0.0)
        return to >= from ? QStringLiteral("× %1").arg(qText(core::shortNumber(to / from, 3)))
                          : QStringLiteral("÷ %1").arg(qText(core::shortNumber(from / to, 3)));
    const double change = to - from;
    return (change > 0 ? QStringLiteral("+") : QString()) + qText(core::shortNumber(change, 4));
}

}  // namespace

QString cursorHtml(const core::Run& run, const CursorPlace& place, const ui::Tokens& t)
{
    const auto attempts = attemptsAt(run, place);
    QStringList head{QString()};
    for (const std::size_t attempt : attempts)
        head.append(coloured(
            QStringLiteral("<b>%1</b>")
                .arg(qText(core::attemptName(run.attempts[attempt].id.value)).toHtmlEscaped()),
            t.text2));
    QString rows = row(head);
    for (const core::SeriesReading& reading : core::readCursor(run, place.step)) {
        QStringList cells{coloured(QStringLiteral("▬ "), quantityColour(reading.quantity, t))
            + qText(reading.name).toHtmlEscaped()};
        bool any = false;
        for (const std::size_t attempt : attempts) {
            cells.append(readingHtml(reading.attempts[attempt], t));
            any = any || reading.attempts[attempt].kind != ReadingKind::None;
        }
        if (any)
            rows += row(cells);
    }
    QStringList times{coloured(translated(QT_TRANSLATE_NOOP("Cursor", "wall, UTC")), t.text2)};
    bool anyTime = false;
    for (const std::size_t attempt : attempts) {
        times.append(timeText(run, attempt, place.step));
        anyTime = anyTime || !times.last().isEmpty();
    }
    if (anyTime)
        rows += row(times);
    return table(rows);
}

QString measureHtml(
    const core::Run& run, std::int64_t from, const CursorPlace& place, const ui::Tokens& t)
{
    QString rows;
    bool starred = false;
    for (const core::SeriesReading& reading : core::readCursor(run, place.step)) {
        const core::Series* series = run.find(reading.name);
        const core::Column* column = series == nullptr ? nullptr : series->column(place.attempt);
        if (column == nullptr || reading.quantity == core::Quantity::Other)
            continue;
        const Reading a = core::readFinite(*column, from);
        const Reading b = core::readFinite(*column, place.step);
        if (a.kind == ReadingKind::None || b.kind == ReadingKind::None)
            continue;
        const auto star = [&starred](const Reading& finite, std::int64_t step) {
            const bool before = finite.step != step;
            starred = starred || before;
            return numberText(finite.value) + (before ? QStringLiteral("*") : QString());
        };
        rows += row({qText(reading.name).toHtmlEscaped(),
            star(a, from) + QStringLiteral(" → ") + star(b, place.step),
            QStringLiteral("<b>%1</b>").arg(changeText(reading, a.value, b.value))});
    }
    QString html
        = QStringLiteral("<div style='margin-top:8px'><b>%1</b> %2</div>")
              .arg(translated(QT_TRANSLATE_NOOP("Cursor", "Measure")),
                  coloured(
                      QStringLiteral("%1 → %2").arg(grouped(from), grouped(place.step)), t.text2));
    html += table(rows);
    if (starred)
        html += coloured(translated(QT_TRANSLATE_NOOP(
                             "Cursor", "* no finite value at that step: the newest before it")),
            t.text3);
    return html;
}

}  // namespace firstbad::views
