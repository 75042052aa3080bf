// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"

#include <cstdio>
#include <cstring>

int main(int argc, char** argv)
{
    if (argc == 2 && std::strcmp(argv[1], "--version") == 0)
        return std::puts("firstbad " FIRSTBAD_VERSION) < 0 ? 1 : 0;
    std::fputs("usage: firstbad --version\n", stderr);
    return 2;
}
