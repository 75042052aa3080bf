// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/view_table.h"

#include "views/attempts/attempt_view.h"
#include "views/cursor/cursor_view.h"
#include "views/incidents/incident_list_view.h"
#include "views/incidents/question_view.h"
#include "views/sources/source_list_view.h"
#include "views/sources/source_text_view.h"
#include "views/timeline/timeline_view.h"

#include <QCoreApplication>

namespace firstbad::views {

namespace {

template <class View> ui::ViewWidget* make(const ui::ViewContext& context, QWidget* parent)
{
    return new View(context, parent);
}

}  // namespace

QList<ui::ViewEntry> viewTable()
{
    using Place = ui::ViewPlace;
    // One line a view: id, title, shortcut, place, share of its column, shown at first, maker.
    return {
        {"sources", QT_TRANSLATE_NOOP("ViewEntry", "Sources"), "Ctrl+1", Place::Left, 3, true,
            make<SourceListView>},
        {"attempts", QT_TRANSLATE_NOOP("ViewEntry", "Attempts"), "Ctrl+2", Place::Left, 4, true,
            make<AttemptView>},
        {"incidents", QT_TRANSLATE_NOOP("ViewEntry", "Incidents"), "Ctrl+3", Place::Left, 13, true,
            make<IncidentListView>},
        {"timeline", QT_TRANSLATE_NOOP("ViewEntry", "Timeline"), "Ctrl+4", Place::Middle, 5, true,
            make<TimelineView>},
        {"source-text", QT_TRANSLATE_NOOP("ViewEntry", "Source text"), "Ctrl+5", Place::Middle, 2,
            false, make<SourceTextView>},
        {"questions", QT_TRANSLATE_NOOP("ViewEntry", "Incident"), "Ctrl+6", Place::Right, 5, true,
            make<QuestionView>},
        {"cursor", QT_TRANSLATE_NOOP("ViewEntry", "Cursor"), "Ctrl+7", Place::Right, 2, false,
            make<CursorView>},
    };
}

}  // namespace firstbad::views
