// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/shortcuts_dialog.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QTableWidget>
#include <QVBoxLayout>

namespace firstbad::ui {

namespace {

constexpr QSize kSize(520, 560);

QTableWidget* keyTable(const QList<QAction*>& actions, QWidget* parent)
{
    auto* table = new QTableWidget(0, 2, parent);
    table->setHorizontalHeaderLabels({ShortcutsDialog::tr("keys"), ShortcutsDialog::tr("does")});
    table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    table->verticalHeader()->hide();
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setShowGrid(false);
    for (const QAction* action : actions) {
        if (action->shortcuts().isEmpty())
            continue;
        const int row = table->rowCount();
        table->insertRow(row);
        table->setItem(row, 0,
            new QTableWidgetItem(
                QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText)));
        table->setItem(row, 1, new QTableWidgetItem(QString(action->text()).remove(u'&')));
    }
    table->resizeColumnToContents(0);
    return table;
}

}  // namespace

ShortcutsDialog::ShortcutsDialog(const QList<QAction*>& actions, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Keys"));
    resize(kSize);
    auto* column = new QVBoxLayout(this);
    auto* find = new QLineEdit(this);
    find->setPlaceholderText(tr("Find"));
    find->setAccessibleName(tr("Find a command"));
    column->addWidget(find);
    auto* table = keyTable(actions, this);
    column->addWidget(table);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(find, &QLineEdit::textChanged, this, [table](const QString& typed) {
        for (int row = 0; row < table->rowCount(); ++row) {
            const bool found = table->item(row, 0)->text().contains(typed, Qt::CaseInsensitive)
                || table->item(row, 1)->text().contains(typed, Qt::CaseInsensitive);
            table->setRowHidden(row, !found);
        }
    });
}

}  // namespace firstbad::ui
