// SPDX-License-Identifier: GPL-3.0-or-later
// The only file that knows which Catch2 this is (2 on Debian 12, 3 later).
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
namespace Catch::Matchers {
using Catch::Contains;
inline auto ContainsSubstring(const std::string& part)
{
    return Catch::Contains(part);
}
}  // namespace Catch::Matchers
#endif
