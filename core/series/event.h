// SPDX-License-Identifier: GPL-3.0-or-later
// LogEvent: what a log tells beside numbers (starts, loads, saves, overflows, exceptions,
// decisions).
//
// Plain values in source order; any thread once built.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace firstbad::core {

enum class EventKind : std::uint8_t {
    RunStart,  ///< a launch: banner, START record, "before the start of training step"
    Load,  ///< a checkpoint was loaded; step and path where known
    Save,  ///< a checkpoint was written or is being written; step and path where known
    Overflow,  ///< the scaler skipped an update; before/after hold the scale (equal: hysteresis)
    ScaleChange,  ///< the scale moved without a skip being named
    GradOverflow,  ///< "gradient overflow", no scale named
    NonfiniteReport,  ///< a check of the framework found NaN/Inf: rank, step, text
    Exception,  ///< a traceback, assertion or error that ended the launch
    Signal,  ///< killed by a signal, scheduler or operator
    Timeout,  ///< a collective or watchdog timed out
    Finished,  ///< the training says that it is done
    Aborted,  ///< the training says that it gave up (status aborted, minimum loss scale)
    Intervention,  ///< people changed something: lr, data skip, gradient shrink, code, config
    StatedIncident,  ///< people wrote that something went wrong (chronicles)
    GivenUp,  ///< people wrote that an attempt was abandoned
    DataChange,  ///< data set, order or skip range changed
    ConfigValue,  ///< name=value of the configuration: text "name", value in path
    RankEvent,  ///< one rank did something the others did not
    BadEvidence,  ///< a ledger's bad line
    Decision,  ///< a ledger's decision line: text is the action
    CapsuleSaved,  ///< a capsule was written
    Note,  ///< anything else worth keeping
};

/// "run-start", "load", ...: stable slug.
[[nodiscard]] std::string_view toString(EventKind kind) noexcept;

struct LogEvent {
    EventKind kind = EventKind::Note;
    std::optional<std::int64_t> step;
    std::optional<std::int32_t> rank;
    std::optional<double> time;  ///< seconds since 1970
    std::string text;  ///< the source's words, shortened to 400 bytes, valid UTF-8
    std::string path;  ///< checkpoint or capsule path, or the value of a ConfigValue
    std::optional<double> before;  ///< for scale events: the scale before
    std::optional<double> after;  ///< and after
    std::uint32_t source = 0;  ///< index into the data set's sources
    std::uint64_t line = 0;  ///< counted from 1; 0 when the source has no lines
    std::uint64_t offset = 0;  ///< bytes into the decoded source
};

}  // namespace firstbad::core
