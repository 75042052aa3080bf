// SPDX-License-Identifier: GPL-3.0-or-later
#if !__has_include(<catch2/catch_all.hpp>)
#define CATCH_CONFIG_RUNNER
#endif
#include "tests/support/catch.h"

// Catch2 v2 returns the number of failed assertions, which could be 77 = "skipped": any failure
// is 1.
int main(int argc, char** argv)
{
    return Catch::Session().run(argc, argv) == 0 ? 0 : 1;
}
