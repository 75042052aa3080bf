// SPDX-License-Identifier: GPL-3.0-or-later
// Events that stand between the records of a JSON log: saves, loads, launcher messages.
//
// Pure but for the sink they go to; one thread.
#pragma once

#include "core/import/record_sink.h"
#include "core/import/structured/json_record.h"

#include <optional>
#include <string_view>

namespace firstbad::core {

struct RecordContext {
    std::optional<std::int64_t> step;
    std::optional<std::int32_t> rank;
    double time = kNoTime;
};

/// Whether a record names more values than its `axes`: a number, a flag, null, a spelled number.
[[nodiscard]] bool hasValues(const JsonRecord& record, std::size_t axes);

/// The kind of event that a word such as "checkpoint", "STARTED" or "resume" stands for.
[[nodiscard]] EventKind eventKindFromWords(std::string_view words);

/// Keeps a record without measurements as an event; the start of a worker is a new launch.
void addRecordEvent(RecordSink& sink, const JsonRecord& record, const JsonFlattener& names,
    const RecordContext& context);

}  // namespace firstbad::core
