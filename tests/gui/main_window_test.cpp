// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/eventually.h"
#include "tests/gui/ink.h"
#include "tests/support/catch.h"
#include "ui/bridge/workspace_snapshot.h"
#include "ui/shell/columns.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/job_bar.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/notice.h"
#include "ui/widgets/pane.h"
#include "views/view_table.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QTest>
#include <QUrl>

namespace {

using namespace firstbad;
using test::eventually;
using State = bridge::Workspace::State;

const QString kDemo = QStringLiteral(FIRSTBAD_SOURCE_DIR "/resources/demo/run");

struct Program {
    ui::Session session;
    ui::MainWindow window{session, views::viewTable()};

    void open(const QString& path)
    {
        window.open({path});
        REQUIRE(eventually([this] { return session.workspace.state() == State::Ready; }));
    }
};

}  // namespace

TEST_CASE("the start page paints at two sizes and fits into a small window", "[gui]")
{
    Program program;
    const auto size = GENERATE(QSize(1100, 700), QSize(700, 480));
    program.window.resize(size);
    program.window.show();
    const QImage image = program.window.grab().toImage();
    CHECK(test::distinctColours(image) > 8);
    const auto labels = program.window.centralWidget()->findChildren<QLabel*>();
    REQUIRE(labels.size() > 4);
}

TEST_CASE("every view of the table has a pane, a menu entry and a shortcut", "[gui]")
{
    Program program;
    for (const ui::ViewEntry& view : views::viewTable()) {
        CAPTURE(view.id);
        CHECK(program.window.columns().pane(QString::fromUtf8(view.id)) != nullptr);
        const auto* show = program.window.findChild<QAction*>(
            QStringLiteral("view-") + QString::fromUtf8(view.id));
        REQUIRE(show != nullptr);
        CHECK(show->shortcut() == QKeySequence(QString::fromUtf8(view.shortcut)));
    }
}

TEST_CASE("no two commands share a key", "[gui]")
{
    Program program;
    QHash<QString, QString> taken;
    const auto actions = program.window.allActions();
    CHECK(actions.size() > 30);
    for (const QAction* action : actions) {
        const auto keys = action->shortcuts();
        for (const QKeySequence& key : keys) {
            const QString name = key.toString();
            CAPTURE(name.toStdString(), action->text().toStdString());
            CHECK_FALSE(taken.contains(name));
            taken.insert(name, action->text());
        }
    }
}

TEST_CASE("opening a log puts its worst incident in focus", "[gui]")
{
    Program program;
    program.window.show();
    program.open(kDemo);
    const auto& focus = program.session.focus.state();
    CHECK(focus.incident == QStringLiteral("1"));
    CHECK(focus.hasRange);
    CHECK(focus.from < 421.0);
    CHECK(focus.to > 430.0);
    CHECK(program.window.windowTitle().contains(QStringLiteral("run")));
}

TEST_CASE("N and P walk through the incidents and undo goes back", "[gui]")
{
    Program program;
    program.window.show();
    program.open(kDemo);
    const auto count = program.session.workspace.snapshot()->incidents.rows.size();
    REQUIRE(count >= 2);
    program.window.action(QStringLiteral("next-incident"))->trigger();
    const QString second = program.session.focus.state().incident;
    program.window.action(QStringLiteral("previous-incident"))->trigger();
    CHECK(program.session.focus.state().incident == QStringLiteral("1"));
    program.window.action(QStringLiteral("undo"))->trigger();
    CHECK(program.session.focus.state().incident == second);
}

TEST_CASE("files dropped on the window are opened", "[gui]")
{
    Program program;
    program.window.show();
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(kDemo)});
    QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&program.window, &enter);
    CHECK(enter.isAccepted());
    QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&program.window, &drop);
    CHECK(eventually([&] { return program.session.workspace.state() == State::Ready; }));
}

TEST_CASE("a path that cannot be read is a sentence on the start page, not a dialog", "[gui]")
{
    Program program;
    program.window.show();
    program.window.open({QStringLiteral("/no/such/run")});
    REQUIRE(eventually([&] { return program.session.workspace.state() == State::Failed; }));
    bool told = false;
    const auto notices = program.window.findChildren<ui::Notice*>();
    for (const ui::Notice* notice : notices)
        told = told || notice->sentence().contains(QStringLiteral("/no/such/run"));
    CHECK(told);
    CHECK(QApplication::activeModalWidget() == nullptr);
}

TEST_CASE("the palette finds a command by a few letters and a step by its number", "[gui]")
{
    Program program;
    program.window.show();
    program.open(kDemo);
    program.window.action(QStringLiteral("palette"))->trigger();
    auto* palette = program.window.findChild<ui::CommandPalette*>();
    REQUIRE(palette != nullptr);
    auto* line = palette->findChild<QLineEdit*>();
    QTest::keyClicks(line, QStringLiteral("425"));
    QTest::keyClick(line, Qt::Key_Return);
    CHECK(program.session.focus.cursorStep() == 425);
    CHECK(program.window.columns().isShown(QStringLiteral("cursor")));
    program.window.action(QStringLiteral("palette"))->trigger();
    QTest::keyClicks(line, QStringLiteral("theme dark"));
    QTest::keyClick(line, Qt::Key_Return);
    CHECK(program.session.theme.tokens().isDark);
}

TEST_CASE("the layout of the columns is the same after it was saved and restored", "[gui]")
{
    Program program;
    program.window.resize(1400, 800);
    program.window.show();
    program.open(kDemo);
    auto& columns = program.window.columns();
    columns.setShown(QStringLiteral("sources"), false);
    const QByteArray state = columns.saveLayout();
    columns.setShown(QStringLiteral("sources"), true);
    columns.restoreLayout(state);
    CHECK_FALSE(columns.isShown(QStringLiteral("sources")));
    columns.restoreLayout(QByteArrayLiteral("damaged"));
    CHECK(columns.isShown(QStringLiteral("timeline")));
}

TEST_CASE("everything that takes the keyboard has a name for screen readers", "[gui]")
{
    Program program;
    program.window.show();
    program.open(kDemo);
    for (const ui::ViewEntry& view : views::viewTable()) {
        CAPTURE(view.id);
        const auto* pane = program.window.columns().pane(QString::fromUtf8(view.id));
        CHECK_FALSE(pane->view()->accessibleName().isEmpty());
    }
}
