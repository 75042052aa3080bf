// SPDX-License-Identifier: GPL-3.0-or-later
// Sources as JSON (contracts.md 2). Pure, any thread.
#pragma once

#include "core/base/json_writer.h"
#include "core/import/source.h"

#include <string>
#include <vector>

namespace firstbad::core {

/// The members of a source, without the braces: callers may add their own.
void writeSourceMembers(JsonWriter& json, const SourceInfo& source);

/// The array of sources.
void writeSources(JsonWriter& json, const std::vector<SourceInfo>& sources);

}  // namespace firstbad::core
