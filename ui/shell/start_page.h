// SPDX-License-Identifier: GPL-3.0-or-later
// StartPage: what the window shows when nothing is open: open, drop, demo, recent cases.
//
// GUI thread only; reads nothing but the preferences.
#pragma once

#include <QList>
#include <QStringList>
#include <QWidget>

class QAction;
class QLineEdit;
class QListWidget;
class QVBoxLayout;

namespace firstbad::ui {

class Notice;
class Theme;

/// The actions that the page offers as buttons; they belong to the window.
struct StartActions {
    QAction* open = nullptr;
    QAction* openFolder = nullptr;
    QAction* demo = nullptr;
};

class StartPage : public QWidget
{
    Q_OBJECT
public:
    StartPage(const StartActions& actions, Theme& theme, QWidget* parent = nullptr);

    /// Reads the recent cases anew.
    void refresh();
    /// An error in place, above the drop area; empty hides it.
    void showNotice(const QString& sentence, const QString& hint);

signals:
    void openRequested(const QStringList& paths);

private:
    [[nodiscard]] QWidget* leftColumn(const StartActions& actions);
    [[nodiscard]] QWidget* rightColumn();
    [[nodiscard]] QWidget* dropCard(const StartActions& actions);
    [[nodiscard]] QWidget* demoCard(const StartActions& actions);
    [[nodiscard]] QWidget* terminalCard();
    [[nodiscard]] QWidget* keysCard();
    void addDroppable(QVBoxLayout& column);
    void fillRecent(const QString& filter);

    Theme& m_theme;
    Notice* m_notice = nullptr;
    QListWidget* m_recent = nullptr;
    QLineEdit* m_filter = nullptr;
};

}  // namespace firstbad::ui
