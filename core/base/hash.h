// SPDX-License-Identifier: GPL-3.0-or-later
// SHA-256 of bytes and of files (OpenSSL behind it). Streaming, O(1) memory, any thread.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

namespace firstbad::core {

class Sha256
{
public:
    Sha256();
    ~Sha256();
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;

    void add(std::string_view bytes);
    /// Lower-case hex of 64 digits; `digits` fewer. Afterwards restart() is needed.
    [[nodiscard]] std::string finish(std::size_t digits = 64);
    /// Begins anew without allocating: for many short texts one after the other.
    void restart();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

[[nodiscard]] std::string sha256Hex(std::string_view bytes);
/// Reads the file once, its first `limitBytes` at most. Cancellable.
[[nodiscard]] Result<std::string> sha256OfFile(const std::filesystem::path& path, JobContext& job,
    std::uint64_t limitBytes = std::numeric_limits<std::uint64_t>::max());

}  // namespace firstbad::core
