// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "ui/bridge/incident_focus.h"

using firstbad::bridge::FocusState;
using firstbad::bridge::IncidentFocus;

TEST_CASE("undo and redo walk through what was in focus", "[bridge]")
{
    IncidentFocus focus;
    focus.setAttempt(7);
    focus.setRank(462);
    CHECK(focus.state().attempt == 7);
    focus.undo();
    CHECK(focus.state().rank == -1);
    CHECK(focus.state().attempt == 7);
    focus.undo();
    CHECK(focus.state() == FocusState{});
    CHECK_FALSE(focus.canUndo());
    focus.redo();
    focus.redo();
    CHECK(focus.state().rank == 462);
    CHECK_FALSE(focus.canRedo());
}

TEST_CASE("zooming in one go is one step of undo", "[bridge]")
{
    IncidentFocus focus;
    focus.setAttempt(1);
    for (int i = 1; i < 20; ++i)
        focus.setRange(i, 100 - i);
    focus.undo();
    CHECK_FALSE(focus.state().hasRange);
    CHECK(focus.state().attempt == 1);
}

TEST_CASE("a new focus forgets what was undone, and the cursor is no step of undo", "[bridge]")
{
    IncidentFocus focus;
    focus.setBlock(41);
    focus.undo();
    focus.setBlock(3);
    CHECK_FALSE(focus.canRedo());
    focus.setCursor(33708);
    focus.undo();
    CHECK(focus.hasCursor());
    CHECK(focus.cursorStep() == 33708);
}
