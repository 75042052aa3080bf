// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"

#include <array>
#include <fmt/format.h>

namespace firstbad::core {

std::string_view toString(ErrorCode code) noexcept
{
    constexpr std::array<std::string_view, 10> kNames{"invalid-argument", "not-found", "unreadable",
        "malformed", "unsupported", "out-of-memory", "cancelled", "worker-crashed",
        "protocol-mismatch", "internal"};
    return kNames.at(static_cast<std::size_t>(code));
}

std::string toString(const Where& where)
{
    if (where.line)
        return fmt::format("{}:{}", where.path, *where.line);
    if (where.offset)
        return fmt::format("{} at byte {}", where.path, *where.offset);
    return where.path;
}

tl::unexpected<Error> addContext(Error error, std::string context)
{
    error.context.push_back(std::move(context));
    return tl::unexpected<Error>(std::move(error));
}

}  // namespace firstbad::core
