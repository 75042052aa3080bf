// SPDX-License-Identifier: GPL-3.0-or-later
// ForkedReader: runs a reader that may crash or hang in a forked child and hears what it says.
//
// Little messages through a pipe: u8 kind, u32 length, bytes. The parent believes no length; a
// child that breaks the rules, dies or is silent for 60 s is done for. It has limits on memory and
// time, no way to the terminal, and ends with its owner. One thread; owns the child.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

namespace firstbad::core {

inline constexpr std::size_t kMaxForkedMessage = std::size_t{1} << 20U;
/// Kind of the last message of every child: it has said all.
inline constexpr std::uint8_t kForkedEnd = 0xFF;

/// In the child: writes all of it; false when the other end is gone. Async-signal-safe.
bool writeForkedMessage(int descriptor, std::uint8_t kind, std::string_view bytes) noexcept;

class ForkedReader
{
public:
    enum class Outcome : std::uint8_t { Message, End, Broken };
    struct Message {
        std::uint8_t kind = 0;
        std::string_view bytes;  ///< valid until the next call
    };

    /// Starts a child that runs `body` with the descriptor to write to. `path` is what it reads,
    /// for the sentence of an Error.
    [[nodiscard]] static Result<ForkedReader> start(
        const std::filesystem::path& path, const std::function<void(int)>& body);

    ForkedReader(ForkedReader&&) noexcept;
    ForkedReader& operator=(ForkedReader&&) noexcept;
    ForkedReader(const ForkedReader&) = delete;
    ForkedReader& operator=(const ForkedReader&) = delete;
    ~ForkedReader();

    /// Waits for the next message. Broken: the child is gone without an end, what it had said was
    /// passed on. Fails when cancelled.
    [[nodiscard]] Result<Outcome> next(JobContext& job, Message& message);

private:
    struct State;
    explicit ForkedReader(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

}  // namespace firstbad::core
