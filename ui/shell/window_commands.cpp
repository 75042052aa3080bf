// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands of MainWindow do.
#include "core/detect/settings.h"
#include "ui/bridge/navigate.h"
#include "ui/bridge/text.h"
#include "ui/bridge/workspace_snapshot.h"
#include "ui/shell/annotate_dialog.h"
#include "ui/shell/columns.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/main_window.h"
#include "ui/shell/preferences.h"
#include "ui/shell/settings_dialog.h"
#include "ui/shell/shortcuts_dialog.h"
#include "ui/shell/start_page.h"
#include "ui/widgets/notice.h"

#include <cmath>
#include <QAction>
#include <QCoreApplication>
#include <QFileDialog>
#include <QMessageBox>

namespace firstbad::ui {

void MainWindow::chooseFiles()
{
    open(QFileDialog::getOpenFileNames(this, tr("Open logs or a case")));
}

void MainWindow::chooseFolder()
{
    const QString folder
        = QFileDialog::getExistingDirectory(this, tr("Open a run folder or a case"));
    if (!folder.isEmpty())
        open({folder});
}

void MainWindow::addFiles()
{
    const QStringList files = QFileDialog::getOpenFileNames(this, tr("Add logs to what is open"));
    if (!files.isEmpty())
        m_session.workspace.add(files);
}

void MainWindow::openDemo()
{
    const QString demo = demoFolder();
    if (demo.isEmpty())
        m_start->showNotice(tr("The demo's log is not installed here."),
            tr("It lies in resources/demo of the source tree."));
    else
        open({demo});
}

void MainWindow::keepAsCase()
{
    const QString folder = QFileDialog::getSaveFileName(
        this, tr("Folder of the new case"), m_session.workspace.title() + QStringLiteral(".case"));
    if (!folder.isEmpty())
        m_session.workspace.keepAsCase(folder);
}

void MainWindow::closeCase()
{
    m_session.focus.reset();
    m_session.workspace.close();
}

void MainWindow::reload()
{
    m_session.workspace.reload();
}

void MainWindow::toggleFollow()
{
    m_session.workspace.setFollowing(!m_session.workspace.isFollowing());
}

void MainWindow::undo()
{
    m_session.focus.undo();
}

void MainWindow::redo()
{
    m_session.focus.redo();
}

void MainWindow::nextIncident()
{
    if (const auto snapshot = m_session.workspace.snapshot())
        bridge::focusOnNeighbour(m_session.focus, *snapshot, 1);
}

void MainWindow::previousIncident()
{
    if (const auto snapshot = m_session.workspace.snapshot())
        bridge::focusOnNeighbour(m_session.focus, *snapshot, -1);
}

void MainWindow::nextAttempt()
{
    if (const auto snapshot = m_session.workspace.snapshot())
        bridge::focusOnNextAttempt(m_session.focus, *snapshot, 1);
}

void MainWindow::previousAttempt()
{
    if (const auto snapshot = m_session.workspace.snapshot())
        bridge::focusOnNextAttempt(m_session.focus, *snapshot, -1);
}

QList<NoteTarget> MainWindow::noteTargets() const
{
    QList<NoteTarget> targets;
    const auto snapshot = m_session.workspace.snapshot();
    const auto placed = bridge::placedInFocus(m_session.focus, snapshot.get());
    const auto& focus = m_session.focus;
    QString attempt;
    if (placed.incident != nullptr) {
        attempt = bridge::qText(placed.incident->attempt);
        targets.append({tr("Incident %1, %2")
                            .arg(bridge::qText(placed.incident->id),
                                bridge::qText(toString(placed.incident->kind))),
            bridge::qText(placed.incident->id)});
    }
    if (focus.hasCursor() || focus.hasMeasure()) {
        const qint64 to = focus.hasCursor() ? focus.cursorStep() : focus.measureStep();
        const qint64 from = focus.hasMeasure() ? focus.measureStep() : to;
        targets.append({tr("Steps %1 to %2")
                            .arg(bridge::grouped(qMin(from, to)), bridge::grouped(qMax(from, to))),
            QStringLiteral("%1:%2-%3").arg(attempt).arg(qMin(from, to)).arg(qMax(from, to))});
    }
    if (!attempt.isEmpty())
        targets.append({tr("Attempt %1").arg(attempt), attempt});
    if (targets.isEmpty())
        targets.append({tr("The whole case"), QString()});
    return targets;
}

void MainWindow::annotate()
{
    if (m_session.workspace.caseFolder().isEmpty()) {
        m_notice->show(tr("Notes are kept in a case, and none is open."),
            tr("Press Ctrl+N to keep what is open as a case; then press A again."), false);
        return;
    }
    AnnotateDialog dialog(noteTargets(), this);
    if (dialog.exec() == QDialog::Accepted)
        m_session.workspace.annotate(dialog.target(), dialog.note());
}

QList<PaletteEntry> MainWindow::paletteEntries()
{
    QList<PaletteEntry> entries;
    const auto actions = allActions();
    for (QAction* command : actions) {
        if (!command->isEnabled())
            continue;
        entries.append({QString(command->text()).remove(u'&'),
            command->shortcut().toString(QKeySequence::NativeText),
            [command] { command->trigger(); }});
    }
    const auto snapshot = m_session.workspace.snapshot();
    if (!snapshot)
        return entries;
    for (const core::IncidentRow& row : snapshot->incidents.rows) {
        const QString id = bridge::qText(row.id);
        entries.append({tr("Incident %1: %2 at %3")
                            .arg(id, bridge::qText(toString(row.kind)), bridge::grouped(row.onset)),
            bridge::qText(row.attemptName),
            [this, snapshot, id] { bridge::focusOnIncident(m_session.focus, *snapshot, id); }});
    }
    return entries;
}

void MainWindow::openPalette()
{
    m_palette->open(paletteEntries(), [this](qint64 step) { m_session.focus.setCursor(step); });
}

void MainWindow::showSettings()
{
    SettingsDialog dialog(m_session.theme, this);
    dialog.exec();
    if (dialog.rulesChanged())
        m_session.workspace.setSettings(Preferences::rules());
}

void MainWindow::showShortcuts()
{
    ShortcutsDialog(allActions(), this).exec();
}

void MainWindow::showAbout()
{
    QMessageBox::about(this, tr("About firstbad"),
        tr("firstbad %1\nFinds where a training went non-finite.\nGPL-3.0-or-later, without any "
           "warranty.")
            .arg(QCoreApplication::applicationVersion()));
}

void MainWindow::toggleFullScreen()
{
    setWindowState(windowState() ^ Qt::WindowFullScreen);
}

void MainWindow::nextPane()
{
    m_columns->activateNext(1);
}

void MainWindow::previousPane()
{
    m_columns->activateNext(-1);
}

void MainWindow::maximisePane()
{
    m_columns->toggleMaximised();
}

void MainWindow::setTheme(Theme::Mode mode)
{
    Preferences::setTheme(mode);
    m_session.theme.setMode(mode);
}

void MainWindow::useSystemTheme()
{
    setTheme(Theme::Mode::System);
}

void MainWindow::useLightTheme()
{
    setTheme(Theme::Mode::Light);
}

void MainWindow::useDarkTheme()
{
    setTheme(Theme::Mode::Dark);
}

}  // namespace firstbad::ui
