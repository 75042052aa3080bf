// SPDX-License-Identifier: GPL-3.0-or-later
// CommandPalette: finds commands, incidents, attempts and steps by a few letters (Ctrl+K).
//
// GUI thread only; lists what it is given when it opens.
#pragma once

#include <functional>
#include <QFrame>
#include <QList>
#include <QString>

class QLineEdit;
class QListWidget;

namespace firstbad::ui {

struct PaletteEntry {
    QString text;
    QString hint;  ///< shortcut or place, shown at the right
    std::function<void()> run;
};

class CommandPalette : public QFrame
{
    Q_OBJECT
public:
    explicit CommandPalette(QWidget* window);

    /// `forStep` is run for a typed number; entries are matched by all words typed.
    void open(const QList<PaletteEntry>& entries, std::function<void(qint64)> forStep);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter();
    void runCurrent();

    QLineEdit* m_line;
    QListWidget* m_list;
    QList<PaletteEntry> m_entries;
    QList<PaletteEntry> m_shown;
    std::function<void(qint64)> m_forStep;
};

}  // namespace firstbad::ui
