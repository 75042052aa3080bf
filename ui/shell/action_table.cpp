// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of the window: one line each, from which menus, keys, palette and key page derive.
#include "ui/shell/columns.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/pane.h"

#include <array>
#include <QAction>
#include <QApplication>
#include <QCoreApplication>
#include <QMenu>
#include <QMenuBar>
#include <span>

namespace firstbad::ui {

struct ActionTable {
    struct Entry {
        const char* id;
        const char* menu;
        const char* text;
        const char* keys;  // several are separated by blanks
        const char* icon;
        void (MainWindow::*run)();
    };
    static std::span<const Entry> entries();
};

std::span<const ActionTable::Entry> ActionTable::entries()
{
    static constexpr std::array kEntries{
        Entry{"open", QT_TRANSLATE_NOOP("ActionTable", "&File"),
            QT_TRANSLATE_NOOP("ActionTable", "Open logs or a case…"), "Ctrl+O", "open",
            &MainWindow::chooseFiles},
        Entry{"open-folder", QT_TRANSLATE_NOOP("ActionTable", "&File"),
            QT_TRANSLATE_NOOP("ActionTable", "Open a folder…"), "Ctrl+Shift+O", "case",
            &MainWindow::chooseFolder},
        Entry{"add", QT_TRANSLATE_NOOP("ActionTable", "&File"),
            QT_TRANSLATE_NOOP("ActionTable", "Add to what is open…"), "Ctrl+Shift+A", "add",
            &MainWindow::addFiles},
        Entry{"demo", QT_TRANSLATE_NOOP("ActionTable", "&File"),
            QT_TRANSLATE_NOOP("ActionTable", "Demo"), "Ctrl+D", "follow", &MainWindow::openDemo},
        Entry{"keep", QT_TRANSLATE_NOOP("ActionTable", "&File"),
            QT_TRANSLATE_NOOP("ActionTable", "Keep as a case…"), "Ctrl+N", "",
            &MainWindow::keepAsCase},
        Entry{"close-case", QT_TRANSLATE_NOOP("ActionTable", "&File"),
            QT_TRANSLATE_NOOP("ActionTable", "Close what is open"), "Ctrl+W", "",
            &MainWindow::closeCase},
        Entry{"settings", QT_TRANSLATE_NOOP("ActionTable", "&File"),
            QT_TRANSLATE_NOOP("ActionTable", "Settings…"), "Ctrl+,", "settings",
            &MainWindow::showSettings},
        Entry{"quit", QT_TRANSLATE_NOOP("ActionTable", "&File"),
            QT_TRANSLATE_NOOP("ActionTable", "Quit"), "Ctrl+Q", "", nullptr},
        Entry{"undo", QT_TRANSLATE_NOOP("ActionTable", "&Edit"),
            QT_TRANSLATE_NOOP("ActionTable", "Undo what was looked at"), "Ctrl+Z", "undo",
            &MainWindow::undo},
        Entry{"redo", QT_TRANSLATE_NOOP("ActionTable", "&Edit"),
            QT_TRANSLATE_NOOP("ActionTable", "Redo what was looked at"), "Ctrl+Shift+Z", "redo",
            &MainWindow::redo},
        Entry{"palette", QT_TRANSLATE_NOOP("ActionTable", "&Edit"),
            QT_TRANSLATE_NOOP("ActionTable", "Find a command or step…"), "Ctrl+K", "search",
            &MainWindow::openPalette},
        Entry{"theme-system", QT_TRANSLATE_NOOP("ActionTable", "&View"),
            QT_TRANSLATE_NOOP("ActionTable", "Theme: as the system"), "", "",
            &MainWindow::useSystemTheme},
        Entry{"theme-light", QT_TRANSLATE_NOOP("ActionTable", "&View"),
            QT_TRANSLATE_NOOP("ActionTable", "Theme: light"), "", "", &MainWindow::useLightTheme},
        Entry{"theme-dark", QT_TRANSLATE_NOOP("ActionTable", "&View"),
            QT_TRANSLATE_NOOP("ActionTable", "Theme: dark"), "", "", &MainWindow::useDarkTheme},
        Entry{"reload", QT_TRANSLATE_NOOP("ActionTable", "&Case"),
            QT_TRANSLATE_NOOP("ActionTable", "Read what grew"), "F5", "", &MainWindow::reload},
        Entry{"follow", QT_TRANSLATE_NOOP("ActionTable", "&Case"),
            QT_TRANSLATE_NOOP("ActionTable", "Follow sources that grow"), "Ctrl+L", "follow",
            &MainWindow::toggleFollow},
        Entry{"previous-incident", QT_TRANSLATE_NOOP("ActionTable", "&Incident"),
            QT_TRANSLATE_NOOP("ActionTable", "Previous incident"), "P", "previous",
            &MainWindow::previousIncident},
        Entry{"next-incident", QT_TRANSLATE_NOOP("ActionTable", "&Incident"),
            QT_TRANSLATE_NOOP("ActionTable", "Next incident"), "N", "next",
            &MainWindow::nextIncident},
        Entry{"previous-attempt", QT_TRANSLATE_NOOP("ActionTable", "&Incident"),
            QT_TRANSLATE_NOOP("ActionTable", "Previous attempt"), "[", "",
            &MainWindow::previousAttempt},
        Entry{"next-attempt", QT_TRANSLATE_NOOP("ActionTable", "&Incident"),
            QT_TRANSLATE_NOOP("ActionTable", "Next attempt"), "]", "", &MainWindow::nextAttempt},
        Entry{"annotate", QT_TRANSLATE_NOOP("ActionTable", "&Incident"),
            QT_TRANSLATE_NOOP("ActionTable", "Annotate…"), "A", "note", &MainWindow::annotate},
        Entry{"next-pane", QT_TRANSLATE_NOOP("ActionTable", "&Window"),
            QT_TRANSLATE_NOOP("ActionTable", "Next pane"), "F6", "", &MainWindow::nextPane},
        Entry{"previous-pane", QT_TRANSLATE_NOOP("ActionTable", "&Window"),
            QT_TRANSLATE_NOOP("ActionTable", "Previous pane"), "Shift+F6", "",
            &MainWindow::previousPane},
        Entry{"maximise", QT_TRANSLATE_NOOP("ActionTable", "&Window"),
            QT_TRANSLATE_NOOP("ActionTable", "Only this pane"), "F10", "",
            &MainWindow::maximisePane},
        Entry{"full-screen", QT_TRANSLATE_NOOP("ActionTable", "&Window"),
            QT_TRANSLATE_NOOP("ActionTable", "Full screen"), "F11", "",
            &MainWindow::toggleFullScreen},
        Entry{"keys", QT_TRANSLATE_NOOP("ActionTable", "&Help"),
            QT_TRANSLATE_NOOP("ActionTable", "Keys…"), "? F1", "", &MainWindow::showShortcuts},
        Entry{"about", QT_TRANSLATE_NOOP("ActionTable", "&Help"),
            QT_TRANSLATE_NOOP("ActionTable", "About firstbad"), "", "", &MainWindow::showAbout},
    };
    return kEntries;
}

void MainWindow::createActions()
{
    for (const ActionTable::Entry& entry : ActionTable::entries()) {
        const QString menu = QString::fromUtf8(entry.menu);
        if (!m_menus.contains(menu))
            m_menus.insert(
                menu, menuBar()->addMenu(QCoreApplication::translate("ActionTable", entry.menu)));
        auto* action = new QAction(QCoreApplication::translate("ActionTable", entry.text), this);
        const QString id = QString::fromUtf8(entry.id);
        action->setObjectName(id);
        action->setProperty("iconName", QString::fromUtf8(entry.icon));
        QList<QKeySequence> keys;
        const QStringList texts = QString::fromUtf8(entry.keys).split(u' ', Qt::SkipEmptyParts);
        for (const QString& text : texts)
            keys.append(QKeySequence(text));
        action->setShortcuts(keys);
        if (!keys.isEmpty())
            action->setToolTip(QStringLiteral("%1 (%2)").arg(QString(action->text()).remove(u'…'),
                keys.first().toString(QKeySequence::NativeText)));
        if (entry.run != nullptr)
            connect(action, &QAction::triggered, this, entry.run);
        else
            connect(action, &QAction::triggered, this, &QWidget::close);
        m_menus.value(menu)->addAction(action);
        m_actions.insert(id, action);
    }
    m_actions.value(QStringLiteral("follow"))->setCheckable(true);
}

void MainWindow::createViewMenu(const QList<ViewEntry>& views)
{
    QMenu* menu = m_menus.value(QStringLiteral("&View"));
    QAction* before = menu->actions().constFirst();
    for (const ViewEntry& view : views) {
        const QString id = QString::fromUtf8(view.id);
        Pane* pane = m_columns->pane(id);
        auto* show = new QAction(QCoreApplication::translate("ViewEntry", view.title), this);
        show->setObjectName(QStringLiteral("view-") + id);
        show->setCheckable(true);
        show->setChecked(m_columns->isShown(id));
        show->setShortcut(QKeySequence(QString::fromUtf8(view.shortcut)));
        show->setToolTip(tr("Go to this pane; when you are there, hide it"));
        menu->insertAction(before, show);
        connect(show, &QAction::triggered, this, [this, id, pane] {
            const bool inside = pane->isAncestorOf(QApplication::focusWidget());
            if (inside && m_columns->isShown(id))
                m_columns->setShown(id, false);
            else
                m_columns->activate(id);
        });
        connect(m_columns, &Columns::shownChanged, show,
            [show, id](const QString& changed, bool shown) {
                if (changed == id)
                    show->setChecked(shown);
            });
        if (pane == nullptr || pane->view()->actions().isEmpty())
            continue;
        // What a view can do is found like everything else.
        auto* own = new QMenu(tr("%1: commands").arg(show->text()), menu);
        own->addActions(pane->view()->actions());
        menu->insertMenu(before, own);
    }
    menu->insertSeparator(before);
}

QList<QAction*> MainWindow::allActions() const
{
    QList<QAction*> all;
    const auto menus = menuBar()->findChildren<QMenu*>();
    for (const QMenu* menu : menus) {
        for (QAction* action : menu->actions()) {
            if (!action->isSeparator() && action->menu() == nullptr && !all.contains(action))
                all.append(action);
        }
    }
    return all;
}

}  // namespace firstbad::ui
