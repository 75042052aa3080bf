// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/program.h"

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

int main(int argc, char** argv)
{
    // Launch scripts ask for the version often: nothing else is set up for it.
    if (argc == 2 && std::strcmp(argv[1], "--version") == 0)
        return std::puts("firstbad " FIRSTBAD_VERSION) < 0 || std::fflush(stdout) != 0 ? 1 : 0;
    return firstbad::cli::runProgram({argv + 1, argv + argc});
}
