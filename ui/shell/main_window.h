// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: start page, columns of panes, menus, tool bar, status bar.
//
// GUI thread only. Which views there are is handed in, so that the shell knows none.
#pragma once

#include "ui/shell/session.h"
#include "ui/shell/view_entry.h"

#include <QHash>
#include <QList>
#include <QMainWindow>

class QAction;
class QLabel;
class QMenu;
class QStackedWidget;

namespace firstbad::ui {

class Columns;
class CommandPalette;
class JobBar;
class Notice;
class StartPage;
struct NoteTarget;
struct PaletteEntry;

class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    MainWindow(Session& session, const QList<ViewEntry>& views, QWidget* parent = nullptr);
    ~MainWindow() override;

    void open(const QStringList& paths);
    [[nodiscard]] Columns& columns() noexcept { return *m_columns; }
    /// An action by its id in the table ("open", "next-incident").
    [[nodiscard]] QAction* action(const QString& id) const { return m_actions.value(id); }
    /// Everything with a key or a menu entry.
    [[nodiscard]] QList<QAction*> allActions() const;

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    friend struct ActionTable;

    void createActions();
    void createViewMenu(const QList<ViewEntry>& views);
    void createToolBar();
    void createPages(const QList<ViewEntry>& views);
    void connectSession();
    void applyIcons();

    void chooseFiles();
    void chooseFolder();
    void addFiles();
    void openDemo();
    void keepAsCase();
    void closeCase();
    void reload();
    void toggleFollow();
    void undo();
    void redo();
    void nextIncident();
    void previousIncident();
    void nextAttempt();
    void previousAttempt();
    void annotate();
    void openPalette();
    void showSettings();
    void showShortcuts();
    void showAbout();
    void toggleFullScreen();
    void nextPane();
    void previousPane();
    void maximisePane();
    void useSystemTheme();
    void useLightTheme();
    void useDarkTheme();

    void setTheme(Theme::Mode mode);
    void showState();
    void takeSnapshot();
    void followFocus();
    void rememberOpened();
    void showHint();
    [[nodiscard]] QList<PaletteEntry> paletteEntries();
    [[nodiscard]] QList<NoteTarget> noteTargets() const;

    Session& m_session;
    QHash<QString, QAction*> m_actions;
    QHash<QString, QMenu*> m_menus;
    QStackedWidget* m_pages = nullptr;
    StartPage* m_start = nullptr;
    Columns* m_columns = nullptr;
    Notice* m_notice = nullptr;
    JobBar* m_jobs = nullptr;
    CommandPalette* m_palette = nullptr;
    QLabel* m_position = nullptr;
    bool m_chooseWorst = false;  // the next judged snapshot puts its worst incident in focus
};

}  // namespace firstbad::ui
