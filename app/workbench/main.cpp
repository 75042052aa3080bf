// SPDX-License-Identifier: GPL-3.0-or-later
// firstbad-workbench: the desktop program.
#include "app/workbench/options.h"
#include "app/workbench/screenshot.h"
#include "core/detect/settings.h"
#include "ui/shell/main_window.h"
#include "ui/shell/preferences.h"
#include "ui/shell/translator.h"
#include "views/view_table.h"

#include <cstdio>
#include <cstring>
#include <QApplication>
#include <QLocale>
#include <QStyleFactory>

namespace {

using namespace firstbad;

bool has(int argc, char** argv, const char* option)
{
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], option) == 0)
            return true;
    }
    return false;
}

void setIdentity()
{
    QCoreApplication::setOrganizationName(QStringLiteral("firstbad"));
    QCoreApplication::setApplicationName(QStringLiteral("firstbad"));
    QCoreApplication::setApplicationVersion(QStringLiteral(FIRSTBAD_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral("firstbad-workbench"));
}

ui::Theme::Mode modeFrom(const QString& name)
{
    if (name.isEmpty())
        return ui::Preferences::theme();
    return name == QStringLiteral("dark") ? ui::Theme::Mode::Dark
        : name == QStringLiteral("light") ? ui::Theme::Mode::Light
                                          : ui::Theme::Mode::System;
}

void translate(QApplication& application, ui::Translator& translator, const QString& asked)
{
    const QString chosen = asked.isEmpty() ? ui::Preferences::language() : asked;
    const QLocale locale = chosen.isEmpty() ? QLocale::system() : QLocale(chosen);
    if (translator.load(
            locale, QStringLiteral("firstbad"), QStringLiteral("_"), QStringLiteral(":/i18n")))
        application.installTranslator(&translator);
}

int run(QApplication& application, const workbench::Options& options)
{
    ui::Translator translator;
    translate(application, translator, options.language);
    ui::Session session;
    session.theme.setMode(modeFrom(options.theme));
    session.theme.setComfortable(ui::Preferences::comfortable());
    session.workspace.setSettings(ui::Preferences::rules());
    ui::MainWindow window(session, views::viewTable());
    window.open(options.paths);
    if (!options.screenshot.isEmpty())
        return workbench::takeScreenshot(session, window, options);
    window.show();
    return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv)
{
    // Answered before Qt starts, so that it works without a display.
    if (argc == 2 && std::strcmp(argv[1], "--version") == 0)
        return std::puts("firstbad-workbench " FIRSTBAD_VERSION) < 0 ? 1 : 0;
    if (has(argc, argv, "--screenshot"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    setIdentity();
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QString error;
    const auto options = workbench::parseOptions(QCoreApplication::arguments(), error);
    if (!options) {
        std::fprintf(stderr, "%s\n", error.toLocal8Bit().constData());
        return 2;
    }
    if (options->help)
        return std::fputs(workbench::usage().toLocal8Bit().constData(), stdout) < 0 ? 1 : 0;
    return run(application, *options);
}
