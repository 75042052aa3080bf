// SPDX-License-Identifier: GPL-3.0-or-later
// firstbad-workbench: the desktop program.
#include "ui/shell/main_window.h"
#include "views/view_table.h"

#include <cstdio>
#include <cstring>
#include <QApplication>

int main(int argc, char** argv)
{
    // Answered before Qt starts, so that it works without a display.
    if (argc == 2 && std::strcmp(argv[1], "--version") == 0)
        return std::puts("firstbad-workbench " FIRSTBAD_VERSION) < 0 ? 1 : 0;
    QApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("firstbad"));
    QCoreApplication::setApplicationVersion(QStringLiteral(FIRSTBAD_VERSION));
    if (QCoreApplication::arguments().size() > 1) {
        std::fputs(
            "usage: firstbad-workbench [--version]; use firstbad look PATH... to read logs\n",
            stderr);
        return 2;
    }
    firstbad::ui::MainWindow window(firstbad::views::viewTable());
    window.show();
    return QApplication::exec();
}
