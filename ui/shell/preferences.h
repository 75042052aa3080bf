// SPDX-License-Identifier: GPL-3.0-or-later
// Preferences: what the workbench remembers between runs: recent cases, layout, theme, language,
// thresholds of rules.
//
// GUI thread; small reads and writes of the user's settings file.
#pragma once

#include "ui/widgets/theme.h"

#include <QDateTime>
#include <QList>
#include <QString>
#include <QStringList>
#include <QVariant>

namespace firstbad::core {  // forward declared on purpose: moc 6.4 cannot parse <compare>
class Settings;
}  // namespace firstbad::core

namespace firstbad::ui {

struct RecentCase {
    QStringList paths;
    QString title;
    QString facts;  ///< "2 attempts · 600 steps"
    QString worst;  ///< "skip-burst at 421"
    int verdict = 0;  ///< core::IncidentClass, -1: nothing was found
    QString restore;  ///< "step 400", empty: none
    QDateTime opened;
};

class Preferences
{
public:
    [[nodiscard]] static QList<RecentCase> recent();
    /// Moves the case to the top; at most twelve are kept.
    static void remember(const RecentCase& opened);
    static void forget(const QStringList& paths);

    [[nodiscard]] static Theme::Mode theme();
    static void setTheme(Theme::Mode mode);
    [[nodiscard]] static bool comfortable();
    static void setComfortable(bool on);
    /// "en", "zh_CN"; empty: the system's.
    [[nodiscard]] static QString language();
    static void setLanguage(const QString& language);

    [[nodiscard]] static core::Settings rules();
    static void setRule(const QString& id, double value);
    static void resetRules();

    /// Layout of windows, by name.
    [[nodiscard]] static QByteArray layout(const QString& name);
    static void setLayout(const QString& name, const QByteArray& state);

    /// True once for each hint: first-run hints are shown once.
    [[nodiscard]] static bool takeHint(const QString& id);
};

/// Folder of the demo's log: installed, or in the source tree of a build. Empty when there is none.
[[nodiscard]] QString demoFolder();

}  // namespace firstbad::ui
