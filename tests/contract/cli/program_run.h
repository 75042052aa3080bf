// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the built program as a user would, and gives what came out.
//
// Starts a process and waits for it; the environment is that of the test with LC_ALL=C.UTF-8.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace firstbad::test {

struct ProgramRun {
    int status = -1;  ///< exit status; 128 + signal when a signal ended it
    std::string out;
    std::string err;
};

struct RunOptions {
    std::string folder;  ///< where it is started; empty: here
    std::vector<std::string> environment;  ///< "NAME=value", added to ours
    bool closeStdout = false;
    std::function<void(int pid)> whileRunning;  ///< called once after the start
};

[[nodiscard]] ProgramRun runFirstbad(
    const std::vector<std::string>& arguments, const RunOptions& options = {});

}  // namespace firstbad::test
