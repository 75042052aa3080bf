// SPDX-License-Identifier: GPL-3.0-or-later
// firstbad doctor: what this machine has, and what to do about what is missing.
#pragma once

#include "app/cli/command.h"

namespace firstbad::cli {

[[nodiscard]] std::unique_ptr<CommandRun> makeDoctorCommand();

inline constexpr Command kDoctorCommand{"doctor", "",
    "Show what this machine has, and check the case",
    "Looks at the libraries, the formats that are read, LibTorch for replays, the display for the "
    "workbench and the free disk space, and checks the case if there is one: the hash chains of "
    "its "
    "rows and the files that they name. With --self-test it also checks that NaN and infinities "
    "survive in this very build, from reading a log to printing it.",
    "firstbad doctor  # the machine\n"
    "firstbad doctor --self-test  # and this build",
    makeDoctorCommand};

}  // namespace firstbad::cli
