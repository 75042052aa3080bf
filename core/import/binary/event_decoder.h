// SPDX-License-Identifier: GPL-3.0-or-later
// Decodes one TensorBoard Event message: what it is, its step and time, and its summary values.
//
// Pure over the caller's bytes; views point into them. One EventMessage is reused, so decoding
// allocates nothing once it has grown. Any thread.
#pragma once

#include "core/import/binary/tensor_scalar.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace firstbad::core {

/// What a summary value holds.
enum class ValueForm : std::uint8_t {
    Empty,  ///< metadata only
    Simple,  ///< simple_value
    Tensor,  ///< tensor that is one number; whether it is a scalar the plugin decides
    TensorOfRank,  ///< tensor with dimensions
    TensorOther,  ///< strings and the like
    Histogram,
    Image,
    Audio,
};

struct SummaryValue {
    std::string_view tag;
    ValueForm form = ValueForm::Empty;
    double value = 0.0;
    bool hasMetadata = false;
    std::string_view plugin;
    std::uint64_t dataClass = 0;  ///< 1 = scalar
};

enum class SessionMark : std::uint8_t { None, Start, Stop, Checkpoint };

struct EventMessage {
    std::optional<double> wallTime;
    std::int64_t step = 0;
    std::string_view fileVersion;  ///< "brain.Event:2"; empty when the event is another kind
    SessionMark session = SessionMark::None;
    std::string_view sessionPath;  ///< checkpoint_path or msg of the session log
    bool isOther = false;  ///< graph, run metadata, log message
    std::vector<SummaryValue> values;
};

/// False when the bytes are no Event; `event` is then undefined.
[[nodiscard]] bool decodeEvent(std::string_view bytes, EventMessage& event);

/// The step of an event that is cut off; nullopt when the cut came before it.
[[nodiscard]] std::optional<std::int64_t> stepOfTornEvent(std::string_view bytes);

}  // namespace firstbad::core
