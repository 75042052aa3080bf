// SPDX-License-Identifier: GPL-3.0-or-later
// FB_ASSERT: a bug in firstbad itself, never bad input. On in release builds too; prints and
// aborts.
#pragma once

namespace firstbad::core {

/// Prints the failed condition and its place to stderr, then aborts. Never returns.
[[noreturn]] void assertionFailed(const char* condition, const char* file, int line) noexcept;

}  // namespace firstbad::core

#define FB_ASSERT(condition)                                                                       \
    (static_cast<bool>(condition)                                                                  \
            ? static_cast<void>(0)                                                                 \
            : ::firstbad::core::assertionFailed(#condition, __FILE__, __LINE__))
