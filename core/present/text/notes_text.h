// SPDX-License-Identifier: GPL-3.0-or-later
// Notes about what could not be read: one line a source, grouped by reason. Pure, any thread.
#pragma once

#include "core/import/dataset.h"
#include "core/present/text/text_style.h"

namespace firstbad::core {

/// Appends lines labelled "note"; `verbose` lists every skipped part.
void addNotes(
    StyledText& out, const Dataset& dataset, const TextStyle& style, int indent, bool verbose);

}  // namespace firstbad::core
