// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/user.h"

#include <array>
#include <pwd.h>
#include <unistd.h>

namespace firstbad::core {

std::string loginName()
{
    constexpr std::size_t kRoom = 4096;
    std::array<char, kRoom> buffer{};
    passwd entry{};
    passwd* found = nullptr;
    if (::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &found) == 0
        && found != nullptr)
        return found->pw_name;
    return "unknown";
}

}  // namespace firstbad::core
