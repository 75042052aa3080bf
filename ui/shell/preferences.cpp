// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/preferences.h"

#include "core/detect/settings.h"
#include "ui/bridge/text.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QSettings>

namespace firstbad::ui {

namespace {

constexpr qsizetype kMostRecent = 12;
const QString kRecent = QStringLiteral("recent");

QVariantMap toMap(const RecentCase& recent)
{
    return {{QStringLiteral("paths"), recent.paths}, {QStringLiteral("title"), recent.title},
        {QStringLiteral("facts"), recent.facts}, {QStringLiteral("worst"), recent.worst},
        {QStringLiteral("verdict"), recent.verdict}, {QStringLiteral("restore"), recent.restore},
        {QStringLiteral("opened"), recent.opened}};
}

RecentCase fromMap(const QVariantMap& map)
{
    RecentCase recent;
    recent.paths = map.value(QStringLiteral("paths")).toStringList();
    recent.title = map.value(QStringLiteral("title")).toString();
    recent.facts = map.value(QStringLiteral("facts")).toString();
    recent.worst = map.value(QStringLiteral("worst")).toString();
    recent.verdict = map.value(QStringLiteral("verdict")).toInt();
    recent.restore = map.value(QStringLiteral("restore")).toString();
    recent.opened = map.value(QStringLiteral("opened")).toDateTime();
    return recent;
}

void store(const QList<RecentCase>& all)
{
    QVariantList list;
    for (const RecentCase& recent : all)
        list.append(toMap(recent));
    QSettings().setValue(kRecent, list);
}

QString ruleKey(const QString& id)
{
    return QStringLiteral("rules/") + id;
}

}  // namespace

QList<RecentCase> Preferences::recent()
{
    QList<RecentCase> all;
    const QVariantList stored = QSettings().value(kRecent).toList();
    for (const QVariant& entry : stored)
        all.append(fromMap(entry.toMap()));
    return all;
}

void Preferences::remember(const RecentCase& opened)
{
    QList<RecentCase> all = recent();
    all.removeIf([&opened](const RecentCase& known) { return known.paths == opened.paths; });
    all.prepend(opened);
    while (all.size() > kMostRecent)
        all.removeLast();
    store(all);
}

void Preferences::forget(const QStringList& paths)
{
    QList<RecentCase> all = recent();
    all.removeIf([&paths](const RecentCase& known) { return known.paths == paths; });
    store(all);
}

Theme::Mode Preferences::theme()
{
    const int mode = QSettings().value(QStringLiteral("theme"), 0).toInt();
    return mode == 1 ? Theme::Mode::Light : mode == 2 ? Theme::Mode::Dark : Theme::Mode::System;
}

void Preferences::setTheme(Theme::Mode mode)
{
    QSettings().setValue(QStringLiteral("theme"), static_cast<int>(mode));
}

bool Preferences::comfortable()
{
    return QSettings().value(QStringLiteral("comfortable"), false).toBool();
}

void Preferences::setComfortable(bool on)
{
    QSettings().setValue(QStringLiteral("comfortable"), on);
}

QString Preferences::language()
{
    return QSettings().value(QStringLiteral("language")).toString();
}

void Preferences::setLanguage(const QString& language)
{
    QSettings().setValue(QStringLiteral("language"), language);
}

core::Settings Preferences::rules()
{
    core::Settings settings;
    const QSettings stored;
    for (const core::SettingInfo& info : core::settingTable()) {
        const QVariant value = stored.value(ruleKey(bridge::qText(info.id)));
        // A value that an older version allowed and this one does not is left at its default.
        if (value.isValid())
            (void)settings.set(info.id, value.toDouble());
    }
    return settings;
}

void Preferences::setRule(const QString& id, double value)
{
    QSettings().setValue(ruleKey(id), value);
}

void Preferences::resetRules()
{
    QSettings().remove(QStringLiteral("rules"));
}

QByteArray Preferences::layout(const QString& name)
{
    return QSettings().value(QStringLiteral("layout/") + name).toByteArray();
}

void Preferences::setLayout(const QString& name, const QByteArray& state)
{
    QSettings().setValue(QStringLiteral("layout/") + name, state);
}

bool Preferences::takeHint(const QString& id)
{
    QSettings settings;
    const QString key = QStringLiteral("hints/") + id;
    if (settings.value(key, false).toBool())
        return false;
    settings.setValue(key, true);
    return true;
}

QString demoFolder()
{
    QDir folder(QCoreApplication::applicationDirPath());
    const QString installed = folder.filePath(QStringLiteral("../share/firstbad/demo/run"));
    if (QFileInfo::exists(installed))
        return QDir::cleanPath(installed);
    do {
        const QString inTree = folder.filePath(QStringLiteral("resources/demo/run"));
        if (QFileInfo::exists(inTree))
            return inTree;
    } while (folder.cdUp());
    return {};
}

}  // namespace firstbad::ui
