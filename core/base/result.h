// SPDX-License-Identifier: GPL-3.0-or-later
// Result<T>, Error and Where: how every fallible function of firstbad answers.
//
// Plain values, any thread. A message is one sentence for the user that names the file and place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace firstbad::core {

enum class ErrorCode : std::uint8_t {
    InvalidArgument,
    NotFound,
    Unreadable,
    Malformed,
    Unsupported,
    OutOfMemory,
    Cancelled,
    WorkerCrashed,
    ProtocolMismatch,
    Internal,
};

/// "invalid-argument", "not-found", ...: the spelling used in JSON.
[[nodiscard]] std::string_view toString(ErrorCode code) noexcept;

/// A place in a source. Lines count from 1; offsets are bytes of the file as it lies on disk.
struct Where {
    std::string path;
    std::optional<std::uint64_t> line;
    std::optional<std::uint64_t> offset;
};

/// "path", "path:12" or "path at byte 345".
[[nodiscard]] std::string toString(const Where& where);

struct Error {
    ErrorCode code = ErrorCode::Internal;
    std::string message;  ///< one sentence: what, and in which file and place
    std::vector<std::string> context;  ///< grows on the way up, innermost first
    std::optional<Where> where;
    std::string hint;  ///< what the user can do
};

template <class T> using Result = tl::expected<T, Error>;

/// The failed Result for a code and a sentence; hint says what to do about it.
[[nodiscard]] inline tl::unexpected<Error> fail(
    ErrorCode code, std::string message, std::string hint = {}, std::optional<Where> where = {})
{
    return tl::unexpected<Error>(
        Error{code, std::move(message), {}, std::move(where), std::move(hint)});
}

/// Passes an error on with one more line of context.
[[nodiscard]] tl::unexpected<Error> addContext(Error error, std::string context);

}  // namespace firstbad::core
