// SPDX-License-Identifier: GPL-3.0-or-later
// The values at a step, or between two, as rich text. Pure lookups; everything is escaped.
#pragma once

#include "core/series/run.h"
#include "ui/widgets/tokens.h"

#include <QString>

namespace firstbad::views {

struct CursorPlace {
    std::size_t attempt = 0;  ///< shown first
    std::int64_t step = 0;
};

[[nodiscard]] QString cursorHtml(
    const core::Run& run, const CursorPlace& place, const ui::Tokens& tokens);

/// From `from` to the step of `place`, in its attempt.
[[nodiscard]] QString measureHtml(
    const core::Run& run, std::int64_t from, const CursorPlace& place, const ui::Tokens& tokens);

}  // namespace firstbad::views
