// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/annotate_dialog.h"

#include <QButtonGroup>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QShortcut>
#include <QVBoxLayout>

namespace firstbad::ui {

AnnotateDialog::AnnotateDialog(const QList<NoteTarget>& targets, QWidget* parent)
    : QDialog(parent)
    , m_targets(targets)
    , m_choice(new QButtonGroup(this))
    , m_note(new QPlainTextEdit(this))
{
    setWindowTitle(tr("Annotate"));
    auto* column = new QVBoxLayout(this);
    column->addWidget(new QLabel(
        tr("A note is a new row of the case; it can be withdrawn, never changed."), this));
    for (int i = 0; i < targets.size(); ++i) {
        auto* button = new QRadioButton(targets[i].text, this);
        button->setChecked(i == 0);
        m_choice->addButton(button, i);
        column->addWidget(button);
    }
    m_note->setPlaceholderText(tr("What you know about it"));
    m_note->setAccessibleName(tr("Note"));
    m_note->setTabChangesFocus(true);
    column->addWidget(m_note);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
    column->addWidget(buttons);
    auto* save = buttons->button(QDialogButtonBox::Save);
    save->setEnabled(false);
    connect(m_note, &QPlainTextEdit::textChanged, this,
        [this, save] { save->setEnabled(!note().isEmpty()); });
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* quick = new QShortcut(QKeySequence(QStringLiteral("Ctrl+Return")), this);
    connect(quick, &QShortcut::activated, this, [this] {
        if (!note().isEmpty())
            accept();
    });
    m_note->setFocus();
}

QString AnnotateDialog::target() const
{
    const int chosen = m_choice->checkedId();
    return chosen < 0 ? QString() : m_targets[chosen].target;
}

QString AnnotateDialog::note() const
{
    return m_note->toPlainText().trimmed();
}

}  // namespace firstbad::ui
