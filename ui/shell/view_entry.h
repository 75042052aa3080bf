// SPDX-License-Identifier: GPL-3.0-or-later
// ViewEntry: one line of the table of views, from which pane, menu, shortcut and saved layout
// derive.
#pragma once

class QWidget;

namespace firstbad::bridge {
class IncidentFocus;
class Workspace;
}  // namespace firstbad::bridge

namespace firstbad::ui {

class Theme;
class ViewWidget;

/// What a view may use; all of it outlives the view.
struct ViewContext {
    bridge::Workspace& workspace;
    bridge::IncidentFocus& focus;
    Theme& theme;
};

/// Where a view has its place. A Page replaces the middle and right columns while it is shown.
enum class ViewPlace { Left, Middle, Right, Page };

struct ViewEntry {
    const char* id = "";  ///< stable: layouts are saved under it
    const char* title = "";
    const char* shortcut = "";
    ViewPlace place = ViewPlace::Middle;
    int stretch = 1;  ///< share of its column
    bool shownAtFirst = true;
    ViewWidget* (*create)(const ViewContext& context, QWidget* parent) = nullptr;
};

}  // namespace firstbad::ui
