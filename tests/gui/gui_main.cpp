// SPDX-License-Identifier: GPL-3.0-or-later
#if !__has_include(<catch2/catch_all.hpp>)
#define CATCH_CONFIG_RUNNER
#endif
#include "tests/support/catch.h"

#include <QApplication>
#include <QSettings>
#include <QTemporaryDir>

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    // What a test remembers is no business of the user's own settings.
    const QTemporaryDir settings;
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
    QCoreApplication::setOrganizationName(QStringLiteral("firstbad"));
    QCoreApplication::setApplicationName(QStringLiteral("firstbad-tests"));
    return Catch::Session().run(argc, argv) == 0 ? 0 : 1;
}
