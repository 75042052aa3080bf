// SPDX-License-Identifier: GPL-3.0-or-later
#if !__has_include(<catch2/catch_all.hpp>)
#define CATCH_CONFIG_RUNNER
#endif
#include "tests/support/catch.h"
#include "tests/support/corpus.h"

#include <iostream>

int main(int argc, char** argv)
{
    if (firstbad::test::corpusFolder().empty()) {
        std::cout << "SKIPPED: no corpus; set FIRSTBAD_CORPUS to its folder\n";
        return 77;
    }
    return Catch::Session().run(argc, argv) == 0 ? 0 : 1;
}
