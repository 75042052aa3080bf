// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/start_page.h"

#include <array>
#include <QFontDatabase>
#include <QLabel>
#include <QVBoxLayout>

namespace firstbad::ui {

namespace {

constexpr int kTitlePixels = 26;
constexpr int kColumnWidth = 560;

/// Terminal commands that answer today, in the order in which a newcomer wants them.
struct WorkingCommand {
    const char* command;
    const char* meaning;
};
constexpr std::array<WorkingCommand, 4> kWorkingCommands{{
    {"firstbad look RUN/", QT_TR_NOOP("read logs, find incidents, say where to restore")},
    {"firstbad series loss RUN/", QT_TR_NOOP("every point of one quantity, NaN kept")},
    {"firstbad init CASE && firstbad add RUN/", QT_TR_NOOP("keep what was read in a case")},
    {"firstbad doctor", QT_TR_NOOP("what this machine has, and what is missing")},
}};

QLabel* textLabel(const QString& text)
{
    auto* label = new QLabel(text);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

}  // namespace

StartPage::StartPage(QWidget* parent)
    : QWidget(parent)
{
    auto* column = new QVBoxLayout;
    column->setSpacing(8);
    addTitle(*column);
    addWhatWorks(*column);
    column->addStretch();

    auto* holder = new QWidget;
    holder->setMaximumWidth(kColumnWidth);
    holder->setLayout(column);
    auto* outer = new QHBoxLayout(this);
    outer->setContentsMargins(24, 24, 24, 24);
    outer->addWidget(holder);
}

void StartPage::addTitle(QVBoxLayout& column)
{
    auto* title = new QLabel(QStringLiteral("firstbad"));
    QFont font = title->font();
    font.setPixelSize(kTitlePixels);
    font.setWeight(QFont::DemiBold);
    title->setFont(font);
    column.addWidget(title);
    column.addWidget(textLabel(
        tr("From logs, ledgers and checkpoints to the first bad step, rank, layer, op and "
           "element.")));
}

void StartPage::addWhatWorks(QVBoxLayout& column)
{
    column.addSpacing(16);
    column.addWidget(textLabel(
        tr("This window cannot open a run yet. The terminal program can; it uses the same core:")));
    for (const auto& [command, meaning] : kWorkingCommands) {
        auto* line = textLabel(QString::fromUtf8(command));
        line->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        line->setAccessibleName(tr("Terminal command: %1").arg(QString::fromUtf8(command)));
        column.addWidget(line);
        auto* explanation = textLabel(tr(meaning));
        explanation->setIndent(24);
        column.addWidget(explanation);
    }
}

}  // namespace firstbad::ui
