// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/main_window.h"

#include "ui/bridge/navigate.h"
#include "ui/bridge/text.h"
#include "ui/bridge/workspace_snapshot.h"
#include "ui/shell/columns.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/job_bar.h"
#include "ui/shell/preferences.h"
#include "ui/shell/start_page.h"
#include "ui/widgets/notice.h"

#include <QAction>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QStackedWidget>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace firstbad::ui {

namespace {

constexpr QSize kFirstSize(1440, 900);
const QString kColumnsLayout = QStringLiteral("columns");
const QString kWindowLayout = QStringLiteral("window");

}  // namespace

MainWindow::MainWindow(Session& session, const QList<ViewEntry>& views, QWidget* parent)
    : QMainWindow(parent)
    , m_session(session)
{
    setWindowTitle(QStringLiteral("firstbad"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/firstbad.svg")));
    setAcceptDrops(true);
    resize(kFirstSize);
    createActions();
    createPages(views);
    createViewMenu(views);
    createToolBar();
    connectSession();
    restoreGeometry(Preferences::layout(kWindowLayout));
    m_columns->restoreLayout(Preferences::layout(kColumnsLayout));
    showState();
}

MainWindow::~MainWindow() = default;

void MainWindow::createPages(const QList<ViewEntry>& views)
{
    m_pages = new QStackedWidget(this);
    m_start = new StartPage({action(QStringLiteral("open")), action(QStringLiteral("open-folder")),
                                action(QStringLiteral("demo"))},
        m_session.theme, m_pages);
    auto* work = new QWidget(m_pages);
    auto* column = new QVBoxLayout(work);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_notice = new Notice(m_session.theme, work);
    m_columns = new Columns(views, m_session.context(), work);
    column->addWidget(m_notice);
    column->addWidget(m_columns, 1);
    m_pages->addWidget(m_start);
    m_pages->addWidget(work);
    setCentralWidget(m_pages);
    m_palette = new CommandPalette(this);
    m_jobs = new JobBar(m_session.workspace, m_session.theme, this);
    setStatusBar(m_jobs);
}

void MainWindow::createToolBar()
{
    auto* bar = addToolBar(tr("Tools"));
    bar->setObjectName(QStringLiteral("tools"));
    bar->setMovable(false);
    bar->setFloatable(false);
    bar->setIconSize(QSize(16, 16));
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    const auto add = [this, bar](const char* id, const QString& shortText) {
        QAction* added = action(QString::fromUtf8(id));
        bar->addAction(added);
        if (!shortText.isEmpty())
            added->setIconText(shortText);
        else if (auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(added)))
            button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    };
    add("open", tr("Open"));
    add("add", tr("Add"));
    bar->addSeparator();
    add("undo", QString());
    add("redo", QString());
    bar->addSeparator();
    add("previous-incident", QString());
    m_position = new QLabel(bar);
    m_position->setMargin(4);
    bar->addWidget(m_position);
    add("next-incident", QString());
    bar->addSeparator();
    add("annotate", tr("Annotate"));
    add("follow", tr("Follow"));
    auto* space = new QWidget(bar);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    add("palette", tr("Find a command or step   Ctrl+K"));
    applyIcons();
}

void MainWindow::applyIcons()
{
    for (QAction* entry : std::as_const(m_actions)) {
        const QString name = entry->property("iconName").toString();
        if (!name.isEmpty())
            entry->setIcon(m_session.theme.icon(name));
    }
}

void MainWindow::connectSession()
{
    auto& workspace = m_session.workspace;
    connect(&workspace, &bridge::Workspace::stateChanged, this, &MainWindow::showState);
    connect(&workspace, &bridge::Workspace::snapshotChanged, this, &MainWindow::takeSnapshot);
    connect(&workspace, &bridge::Workspace::followingChanged, this, &MainWindow::showState);
    connect(&workspace, &bridge::Workspace::failed, this,
        [this](const QString& sentence, const QString& hint) {
            m_notice->show(sentence, hint, true);
        });
    connect(&workspace, &bridge::Workspace::noteWritten, this, [this] {
        m_notice->show({}, {}, false);
        m_jobs->say(tr("The note is in the case."));
    });
    connect(&m_session.focus, &bridge::IncidentFocus::changed, this, &MainWindow::followFocus);
    connect(&m_session.focus, &bridge::IncidentFocus::cursorMoved, this, [this] {
        const auto& focus = m_session.focus;
        m_columns->setShown(QStringLiteral("cursor"), focus.hasCursor() || focus.hasMeasure());
    });
    connect(&m_session.theme, &Theme::changed, this, &MainWindow::applyIcons);
    connect(m_start, &StartPage::openRequested, this, &MainWindow::open);
    connect(m_jobs, &JobBar::cancelRequested, &workspace, &bridge::Workspace::cancelReading);
}

void MainWindow::open(const QStringList& paths)
{
    if (paths.isEmpty())
        return;
    QStringList absolute;
    for (const QString& path : paths)
        absolute.append(QFileInfo(path).absoluteFilePath());
    m_session.focus.reset();
    m_chooseWorst = true;
    m_notice->show({}, {}, false);
    m_session.workspace.open(absolute);
}

void MainWindow::showState()
{
    using State = bridge::Workspace::State;
    const auto& workspace = m_session.workspace;
    const State state = workspace.state();
    const bool working = state != State::Empty && state != State::Failed;
    m_pages->setCurrentIndex(working ? 1 : 0);
    m_start->showNotice(
        state == State::Failed ? workspace.failure() : QString(), workspace.failureHint());
    if (!working)
        m_start->refresh();
    for (const char* id : {"add", "keep", "close-case", "reload", "follow", "next-incident",
             "previous-incident", "next-attempt", "previous-attempt", "annotate"})
        action(QString::fromUtf8(id))->setEnabled(workspace.snapshot() != nullptr);
    action(QStringLiteral("follow"))->setChecked(workspace.isFollowing());
    const QString title = workspace.title();
    setWindowTitle(working && !title.isEmpty() ? QStringLiteral("%1 — firstbad").arg(title)
                                               : QStringLiteral("firstbad"));
    followFocus();
}

void MainWindow::takeSnapshot()
{
    const auto snapshot = m_session.workspace.snapshot();
    if (snapshot && snapshot->isJudged && m_chooseWorst) {
        m_chooseWorst = false;
        if (!snapshot->incidents.rows.empty())
            bridge::focusOnNeighbour(m_session.focus, *snapshot, 1);
        rememberOpened();
        showHint();
    }
    followFocus();
}

void MainWindow::followFocus()
{
    const auto snapshot = m_session.workspace.snapshot();
    const auto& focus = m_session.focus;
    action(QStringLiteral("undo"))->setEnabled(focus.canUndo());
    action(QStringLiteral("redo"))->setEnabled(focus.canRedo());
    if (focus.state().source >= 0 && snapshot)
        m_columns->setShown(QStringLiteral("source-text"), true);
    const auto* row = bridge::incidentInFocus(focus, snapshot.get());
    if (!snapshot || snapshot->incidents.rows.empty()) {
        m_position->setText(tr("No incident"));
        return;
    }
    const auto& list = snapshot->incidents;
    const auto serious = list.rows.size() - list.benign;
    const auto count = serious > 0 ? serious : list.rows.size();
    m_position->setText(row == nullptr
            ? tr("%n incident(s)", nullptr, static_cast<int>(count))
            : tr("Incident <b>%1</b>/%2").arg(row - list.rows.data() + 1).arg(count));
}

void MainWindow::rememberOpened()
{
    const auto snapshot = m_session.workspace.snapshot();
    RecentCase recent;
    recent.paths = m_session.workspace.paths();
    recent.title = m_session.workspace.title();
    recent.opened = QDateTime::currentDateTime();
    qint64 steps = 0;
    for (const core::AttemptRow& attempt : snapshot->attempts)
        steps = qMax(steps, static_cast<qint64>(attempt.last.value_or(0)));
    recent.facts = tr("%n attempt(s)", nullptr, static_cast<int>(snapshot->attempts.size()))
        + QStringLiteral(" · ") + tr("to step %1").arg(bridge::grouped(steps));
    recent.verdict = -1;
    recent.worst = tr("nothing found");
    if (!snapshot->incidents.rows.empty()) {
        const core::IncidentRow& worst = snapshot->incidents.rows.front();
        recent.verdict = static_cast<int>(worst.verdict);
        recent.worst
            = tr("%1 at %2").arg(bridge::qText(toString(worst.kind)), bridge::grouped(worst.onset));
        const auto placed = core::incidentsInOrder(snapshot->assessment);
        for (const core::PlacedIncident& one : placed) {
            if (one.incident->id == worst.id && one.incident->restoreBeforeStep)
                recent.restore = tr("restore at or before %1")
                                     .arg(bridge::grouped(*one.incident->restoreBeforeStep));
        }
    }
    Preferences::remember(recent);
}

void MainWindow::showHint()
{
    if (Preferences::takeHint(QStringLiteral("first-case")))
        m_notice->show(tr("New here?"),
            tr("N and P walk through the incidents, the wheel zooms, a click reads exact values, "
               "Ctrl+K finds everything else."),
            false);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    QStringList paths;
    const auto urls = event->mimeData()->urls();
    for (const QUrl& url : urls) {
        if (url.isLocalFile())
            paths.append(url.toLocalFile());
    }
    if (paths.isEmpty()) {
        m_notice->show(tr("Only files and folders of this machine can be opened."), {}, true);
        return;
    }
    event->acceptProposedAction();
    open(paths);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    Preferences::setLayout(kWindowLayout, saveGeometry());
    if (m_session.workspace.snapshot())
        Preferences::setLayout(kColumnsLayout, m_columns->saveLayout());
    QMainWindow::closeEvent(event);
}

}  // namespace firstbad::ui
