// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of the workbench. Pure parsing; no Qt state.
#pragma once

#include <optional>
#include <QSize>
#include <QString>
#include <QStringList>

namespace firstbad::workbench {

struct Options {
    QStringList paths;
    QString screenshot;  ///< file to write instead of showing a window; empty: none
    QString view;  ///< id of the view to render; empty: the whole window
    QString theme;  ///< "light", "dark", "system"; empty: as remembered
    QString language;
    QSize size{1440, 900};
    bool version = false;
    bool help = false;
};

/// nullopt and one sentence in `error` for options that make no sense.
[[nodiscard]] std::optional<Options> parseOptions(const QStringList& arguments, QString& error);

[[nodiscard]] QString usage();

}  // namespace firstbad::workbench
