// SPDX-License-Identifier: GPL-3.0-or-later
// AnnotateDialog: writes one note on an incident, a step range or an attempt. GUI thread only.
#pragma once

#include <QDialog>
#include <QList>
#include <QString>

class QButtonGroup;
class QPlainTextEdit;

namespace firstbad::ui {

/// What a note can be about: the words for people, and the target as the case stores it.
struct NoteTarget {
    QString text;
    QString target;
};

class AnnotateDialog : public QDialog
{
    Q_OBJECT
public:
    AnnotateDialog(const QList<NoteTarget>& targets, QWidget* parent);

    [[nodiscard]] QString target() const;
    [[nodiscard]] QString note() const;

private:
    QList<NoteTarget> m_targets;
    QButtonGroup* m_choice;
    QPlainTextEdit* m_note;
};

}  // namespace firstbad::ui
