// SPDX-License-Identifier: GPL-3.0-or-later
// ReplayRequest: what a front end asks a worker to do with one capsule, and its JSON.
//
// Plain values and pure functions, any thread. A worker ignores what its method does not use.
#pragma once

#include "core/base/result.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

/// Methods that take a ReplayRequest. `bisect` answers like sweep, with steps; `probe` looks at one
/// boundary; `tensor` writes a window of values to a file.
inline constexpr std::array<std::string_view, 8> kReplayMethods{
    "load", "replay", "sweep", "bisect", "probe", "matrix", "isolate", "tensor"};

struct ReplayRequest {
    std::string capsule;  ///< absolute path of the folder
    std::string shownPath;  ///< as the user named it, for sentences
    std::string baseline;  ///< capsule that `grows` compares with; empty: none
    std::string precision;  ///< empty: the capsule's own
    std::string attention;  ///< empty: the capsule's own
    std::optional<double> lossScale;
    std::optional<bool> dropout;
    std::string when = "nonfinite";  ///< nonfinite, overflow-risk, diverges, grows
    std::optional<double> limit;  ///< of the predicate: share of the type's limit, error, factor
    std::string lane;  ///< bisect: empty: the lane of the first bad; probe and tensor: the lane
    std::string device = "cpu";
    std::string seedFrom = "capsule";  ///< capsule, fixed
    std::int64_t times = 1;
    std::string dump;  ///< safetensors file to write; empty: none
    std::optional<std::vector<std::int64_t>> rows;  ///< of the batch; absent: all
    std::optional<std::vector<std::int64_t>> fp32Blocks;  ///< to run in fp32
    std::optional<std::uint64_t> memoryBytes;  ///< bound on tensors held at once
    /// Locus blocks.3.attn.scores, or a parameter, or the boundary of a block (embedding, blocks.3,
    /// head): the op of it that the lane passes last.
    std::string probe;
    std::int64_t microStep = 0;  ///< of the probe or tensor
    std::vector<std::int64_t> elementIndex;  ///< tensor: the middle of the window
    std::int64_t window = 4;  ///< tensor: elements on each side, in each dimension
};

/// The params of a request line. Members that say nothing are left out.
[[nodiscard]] std::string encodeReplayRequest(const ReplayRequest& request);

/// Reads params. InvalidArgument names the member that does not fit.
[[nodiscard]] Result<ReplayRequest> parseReplayRequest(std::string_view paramsJson);

}  // namespace firstbad::core
