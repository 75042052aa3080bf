// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/command_palette.h"

#include <algorithm>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

namespace firstbad::ui {

namespace {

constexpr int kWidth = 560;
constexpr int kHeight = 380;
constexpr qsizetype kMostShown = 200;

bool matches(const PaletteEntry& entry, const QStringList& words)
{
    return std::all_of(words.begin(), words.end(),
        [&entry](const QString& word) { return entry.text.contains(word, Qt::CaseInsensitive); });
}

}  // namespace

CommandPalette::CommandPalette(QWidget* window)
    : QFrame(window, Qt::Popup)
    , m_line(new QLineEdit(this))
    , m_list(new QListWidget(this))
{
    setObjectName(QStringLiteral("palette"));
    setFrameShape(QFrame::StyledPanel);
    m_line->setPlaceholderText(tr("Find a command, an incident or a step"));
    m_line->setAccessibleName(m_line->placeholderText());
    m_line->installEventFilter(this);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 6, 6, 6);
    column->addWidget(m_line);
    column->addWidget(m_list);
    connect(m_line, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_line, &QLineEdit::returnPressed, this, &CommandPalette::runCurrent);
    connect(m_list, &QListWidget::itemActivated, this, &CommandPalette::runCurrent);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
}

void CommandPalette::open(const QList<PaletteEntry>& entries, std::function<void(qint64)> forStep)
{
    m_entries = entries;
    m_forStep = std::move(forStep);
    m_line->clear();
    filter();
    const QWidget* window = parentWidget();
    const int width = std::min(kWidth, window->width() - 40);
    const QPoint top = window->mapToGlobal(QPoint((window->width() - width) / 2, 60));
    setGeometry(QRect(top, QSize(width, std::min(kHeight, window->height() - 100))));
    show();
    m_line->setFocus();
}

void CommandPalette::filter()
{
    const QString typed = m_line->text().simplified();
    const QStringList words = typed.split(u' ', Qt::SkipEmptyParts);
    m_shown.clear();
    bool isNumber = false;
    const qint64 step = QString(typed).remove(u',').toLongLong(&isNumber);
    if (isNumber && m_forStep)
        m_shown.append({tr("Go to step %1").arg(typed), {}, [this, step] { m_forStep(step); }});
    for (const PaletteEntry& entry : std::as_const(m_entries)) {
        if (m_shown.size() < kMostShown && matches(entry, words))
            m_shown.append(entry);
    }
    m_list->clear();
    for (const PaletteEntry& entry : std::as_const(m_shown))
        m_list->addItem(entry.hint.isEmpty()
                ? entry.text
                : QStringLiteral("%1    %2").arg(entry.text, entry.hint));
    m_list->setCurrentRow(0);
}

void CommandPalette::runCurrent()
{
    const int row = m_list->currentRow();
    if (row < 0 || row >= m_shown.size())
        return;
    const auto run = m_shown[row].run;
    hide();
    run();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_line && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const int rows = m_list->count();
        if (rows > 0 && (key == Qt::Key_Down || key == Qt::Key_Up)) {
            const int move = key == Qt::Key_Down ? 1 : -1;
            m_list->setCurrentRow((m_list->currentRow() + move + rows) % rows);
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

}  // namespace firstbad::ui
