// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/options.h"

#include <QCommandLineParser>
#include <QRegularExpression>

namespace firstbad::workbench {

namespace {

constexpr int kLeastSize = 320;
constexpr int kMostSize = 8192;

std::optional<QSize> sizeFrom(const QString& text)
{
    static const QRegularExpression kSize(QStringLiteral("^(\\d{3,4})x(\\d{3,4})$"));
    const auto match = kSize.match(text);
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    const bool usable = match.hasMatch() && size.width() >= kLeastSize && size.width() <= kMostSize
        && size.height() <= kMostSize;
    return usable ? std::optional(size) : std::nullopt;
}

void addOptions(QCommandLineParser& parser)
{
    const QString file = QStringLiteral("FILE");
    const QString name = QStringLiteral("NAME");
    parser.addPositionalArgument(QStringLiteral("PATH"), {}, QStringLiteral("[CASE|PATH...]"));
    parser.addOption({QStringLiteral("version"), QStringLiteral("Print the version.")});
    parser.addOption(
        {{QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("Print this help.")});
    parser.addOption({QStringLiteral("screenshot"),
        QStringLiteral("Render into FILE (PNG) and leave; needs no display."), file});
    parser.addOption({QStringLiteral("view"),
        QStringLiteral("The view to render: start, window, timeline, incidents, ..."), name});
    parser.addOption({QStringLiteral("theme"), QStringLiteral("light, dark or system."), name});
    parser.addOption({QStringLiteral("language"), QStringLiteral("en or zh_CN."), name});
    parser.addOption({QStringLiteral("size"),
        QStringLiteral("Size in pixels, for example 1440x900."), QStringLiteral("WxH")});
}

}  // namespace

std::optional<Options> parseOptions(const QStringList& arguments, QString& error)
{
    QCommandLineParser parser;
    addOptions(parser);
    if (!parser.parse(arguments)) {
        error = parser.errorText();
        return std::nullopt;
    }
    Options options;
    options.paths = parser.positionalArguments();
    options.version = parser.isSet(QStringLiteral("version"));
    options.help = parser.isSet(QStringLiteral("help"));
    options.screenshot = parser.value(QStringLiteral("screenshot"));
    options.view = parser.value(QStringLiteral("view"));
    options.theme = parser.value(QStringLiteral("theme"));
    options.language = parser.value(QStringLiteral("language"));
    const QStringList themes{
        {}, QStringLiteral("light"), QStringLiteral("dark"), QStringLiteral("system")};
    if (!themes.contains(options.theme)) {
        error = QStringLiteral("There is no theme %1: light, dark or system.").arg(options.theme);
        return std::nullopt;
    }
    if (parser.isSet(QStringLiteral("size"))) {
        const auto size = sizeFrom(parser.value(QStringLiteral("size")));
        if (!size) {
            error = QStringLiteral("The size %1 is not like 1440x900.")
                        .arg(parser.value(QStringLiteral("size")));
            return std::nullopt;
        }
        options.size = *size;
    }
    return options;
}

QString usage()
{
    return QStringLiteral(
        "usage: firstbad-workbench [CASE|PATH...]\n"
        "       firstbad-workbench --screenshot FILE [--view NAME] [--theme light|dark] [--size "
        "WxH] [PATH...]\n\n"
        "Opens a case or logs. Without arguments it shows its start page.\n"
        "  --screenshot FILE  render into FILE (PNG) and leave; needs no display\n"
        "  --view NAME        start, window, or a view: timeline, incidents, questions, sources, "
        "...\n"
        "  --theme NAME       light, dark or system\n"
        "  --language NAME    en or zh_CN\n"
        "  --size WxH         size in pixels\n"
        "  --version, --help\n");
}

}  // namespace firstbad::workbench
