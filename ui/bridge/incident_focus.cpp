// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/incident_focus.h"

namespace firstbad::bridge {

namespace {

constexpr qint64 kMergeMs = 700;  ///< range changes that follow each other this fast are one
constexpr qsizetype kMostHistory = 200;

}  // namespace

IncidentFocus::IncidentFocus(QObject* parent)
    : QObject(parent)
{ }

void IncidentFocus::setState(const FocusState& next)
{
    if (next == m_state)
        return;
    m_sinceRange.invalidate();
    m_past.append(m_state);
    if (m_past.size() > kMostHistory)
        m_past.removeFirst();
    m_future.clear();
    apply(next);
}

void IncidentFocus::setRange(double from, double to)
{
    FocusState next = m_state;
    next.hasRange = true;
    next.from = from;
    next.to = to;
    const bool merge = m_sinceRange.isValid() && m_sinceRange.elapsed() < kMergeMs;
    if (merge && next != m_state)
        apply(next);
    else
        setState(next);
    m_sinceRange.start();
}

void IncidentFocus::setAttempt(int attempt)
{
    FocusState next = m_state;
    next.attempt = attempt;
    setState(next);
}

void IncidentFocus::setRank(int rank)
{
    FocusState next = m_state;
    next.rank = rank;
    setState(next);
}

void IncidentFocus::setBlock(int block)
{
    FocusState next = m_state;
    next.block = block;
    setState(next);
}

void IncidentFocus::showSource(int source, qint64 line)
{
    FocusState next = m_state;
    next.source = source;
    next.line = line;
    setState(next);
}

void IncidentFocus::setCursor(qint64 step)
{
    if (m_hasCursor && step == m_cursorStep)
        return;
    m_hasCursor = true;
    m_cursorStep = step;
    emit cursorMoved();
}

void IncidentFocus::clearCursor()
{
    if (!m_hasCursor && !m_hasMeasure)
        return;
    m_hasCursor = false;
    m_hasMeasure = false;
    emit cursorMoved();
}

void IncidentFocus::startMeasure(qint64 step)
{
    m_hasMeasure = true;
    m_measureStep = step;
    emit cursorMoved();
}

void IncidentFocus::clearMeasure()
{
    m_hasMeasure = false;
    emit cursorMoved();
}

void IncidentFocus::reset()
{
    m_past.clear();
    m_future.clear();
    m_sinceRange.invalidate();
    m_hasCursor = false;
    m_hasMeasure = false;
    apply(FocusState{});
}

void IncidentFocus::undo()
{
    if (!canUndo())
        return;
    m_future.append(m_state);
    m_sinceRange.invalidate();
    apply(m_past.takeLast());
}

void IncidentFocus::redo()
{
    if (!canRedo())
        return;
    m_past.append(m_state);
    m_sinceRange.invalidate();
    apply(m_future.takeLast());
}

void IncidentFocus::apply(const FocusState& next)
{
    m_state = next;
    emit changed();
    emit historyChanged();
}

}  // namespace firstbad::bridge
