// SPDX-License-Identifier: GPL-3.0-or-later
// QuestionView: the five questions for the incident in focus, with evidence that can be followed.
//
// GUI thread only; the answers come from a job.
#pragma once

#include "ui/shell/view_entry.h"
#include "ui/widgets/pane.h"

#include <QList>

class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace firstbad::views {

class QuestionView : public ui::ViewWidget
{
    Q_OBJECT
public:
    QuestionView(const ui::ViewContext& context, QWidget* parent);

private:
    void show();
    void showEmpty();
    void showBlocks(const QStringList& blocks);
    void follow(const QString& link);
    void applyTheme();
    void scrollToQuestion(int number);
    QLabel* addBlock();

    ui::ViewContext m_context;
    QScrollArea* m_scroll;
    QWidget* m_page;
    QVBoxLayout* m_column;
    QList<QLabel*> m_blocks;
    QList<QWidget*> m_lines;  // one below each block
    QPalette m_linePalette;
};

}  // namespace firstbad::views
