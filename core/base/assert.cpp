// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace firstbad::core {

void assertionFailed(const char* condition, const char* file, int line) noexcept
{
    std::fprintf(stderr, "firstbad: internal error: %s (%s:%d)\n", condition, file, line);
    std::abort();
}

}  // namespace firstbad::core
