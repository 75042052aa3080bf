// SPDX-License-Identifier: GPL-3.0-or-later
// IncidentFocus: what the user looks at: run, attempt, incident, step range, rank, block, source
// line. The only state that views share; with undo and redo.
//
// GUI thread only; cheap. The cursor is shared too, but is no step of undo.
#pragma once

#include <QElapsedTimer>
#include <QList>
#include <QObject>
#include <QString>

namespace firstbad::bridge {

struct FocusState {
    int run = 0;
    int attempt = -1;  ///< -1: none in particular
    QString incident;  ///< id; empty: none
    bool hasRange = false;
    double from = 0.0;  ///< in steps
    double to = 0.0;
    int rank = -1;
    int block = -2;  ///< -1 is the embedding; -2: none
    int source = -1;  ///< index into the data set's sources; -1: none
    qint64 line = 0;

    bool operator==(const FocusState&) const = default;
};

class IncidentFocus : public QObject
{
    Q_OBJECT
public:
    explicit IncidentFocus(QObject* parent = nullptr);

    [[nodiscard]] const FocusState& state() const noexcept { return m_state; }
    [[nodiscard]] bool hasCursor() const noexcept { return m_hasCursor; }
    [[nodiscard]] qint64 cursorStep() const noexcept { return m_cursorStep; }

    /// Everything at once: one step of undo.
    void setState(const FocusState& next);
    /// Zooming and panning in one go is one step of undo.
    void setRange(double from, double to);
    void setAttempt(int attempt);
    void setRank(int rank);
    void setBlock(int block);
    void showSource(int source, qint64 line);
    void setCursor(qint64 step);
    void clearCursor();
    /// A measure runs from here to the cursor.
    void startMeasure(qint64 step);
    void clearMeasure();
    [[nodiscard]] bool hasMeasure() const noexcept { return m_hasMeasure; }
    [[nodiscard]] qint64 measureStep() const noexcept { return m_measureStep; }
    /// Forgets history too: another case was opened.
    void reset();

    [[nodiscard]] bool canUndo() const noexcept { return !m_past.isEmpty(); }
    [[nodiscard]] bool canRedo() const noexcept { return !m_future.isEmpty(); }
    void undo();
    void redo();

signals:
    void changed();
    void cursorMoved();
    void historyChanged();

private:
    void apply(const FocusState& next);

    FocusState m_state;
    QList<FocusState> m_past;
    QList<FocusState> m_future;
    QElapsedTimer m_sinceRange;  // valid while range changes are merged
    qint64 m_cursorStep = 0;
    bool m_hasCursor = false;
    qint64 m_measureStep = 0;
    bool m_hasMeasure = false;
};

}  // namespace firstbad::bridge
