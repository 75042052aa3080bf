// SPDX-License-Identifier: GPL-3.0-or-later
// CursorView: the table of values at the cursor. GUI thread only; lookups, no statistics.
#pragma once

#include "ui/shell/view_entry.h"
#include "ui/widgets/pane.h"

class QLabel;

namespace firstbad::views {

class CursorView : public ui::ViewWidget
{
    Q_OBJECT
public:
    CursorView(const ui::ViewContext& context, QWidget* parent);

private:
    void show();

    ui::ViewContext m_context;
    QLabel* m_text;
    QWidget* m_page;
};

}  // namespace firstbad::views
