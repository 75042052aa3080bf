// SPDX-License-Identifier: GPL-3.0-or-later
// SourceTextView: the lines of a source around the one in focus, read in a job.
//
// GUI thread only; holds a few hundred lines whatever the size of the file.
#pragma once

#include "ui/shell/view_entry.h"
#include "ui/widgets/pane.h"

class QPlainTextEdit;

namespace firstbad::core {  // forward declared on purpose: moc 6.4 cannot parse <compare>
struct SourceExcerpt;
}  // namespace firstbad::core

namespace firstbad::views {

class SourceTextView : public ui::ViewWidget
{
    Q_OBJECT
public:
    SourceTextView(const ui::ViewContext& context, QWidget* parent);

private:
    void followFocus();
    void read(int source, qint64 line);
    void showExcerpt(const core::SourceExcerpt& excerpt);
    void markLine();
    void turnPage(int direction);

    ui::ViewContext m_context;
    QPlainTextEdit* m_text;
    int m_source = -1;
    qint64 m_line = 0;
    qint64 m_centre = 0;  // line around which was read
    qint64 m_first = 0;  // first line shown
};

}  // namespace firstbad::views
