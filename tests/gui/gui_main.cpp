// SPDX-License-Identifier: GPL-3.0-or-later
#if !__has_include(<catch2/catch_all.hpp>)
#define CATCH_CONFIG_RUNNER
#endif
#include "tests/support/catch.h"

#include <QApplication>

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    return Catch::Session().run(argc, argv) == 0 ? 0 : 1;
}
