// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/eventually.h"
#include "tests/gui/ink.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"
#include "ui/shell/session.h"
#include "ui/shell/view_entry.h"
#include "views/timeline/canvas.h"
#include "views/timeline/scene.h"
#include "views/timeline/timeline_view.h"
#include "views/view_table.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QImage>
#include <QMimeData>
#include <QPainter>
#include <QTest>

namespace {

using namespace firstbad;
using test::eventually;
using State = bridge::Workspace::State;

/// Two thousand steps; the loss is NaN from 1,200 to 1,209 and +Inf at 1,500.
std::string sickLog()
{
    std::string text;
    for (int step = 1; step <= 2000; ++step) {
        const bool nan = step >= 1200 && step < 1210;
        const std::string loss = nan ? "nan"
            : step == 1500           ? "inf"
                                     : std::to_string(2.0 + 0.0001 * (step % 97));
        text += "step=" + std::to_string(step) + " loss=" + loss + " grad_norm=0.5 lr=0.001\n";
    }
    return text;
}

struct Shown {
    test::TempFolder folder;
    ui::Session session;
    views::TimelineView view{session.context(), nullptr};

    explicit Shown(QSize size = QSize(900, 600))
    {
        session.theme.setMode(ui::Theme::Mode::Light);
        view.resize(size);
        view.show();
        const auto path = folder.write("train.log", sickLog());
        session.workspace.open({QString::fromStdString(path.string())});
        REQUIRE(eventually([this] { return session.workspace.state() == State::Ready; }));
        settle();
    }
    void settle()
    {
        REQUIRE(eventually([this] { return view.isSettled(); }));
        QCoreApplication::processEvents();
    }
    [[nodiscard]] const views::TimelineScene& scene() const { return view.canvas()->scene(); }
    [[nodiscard]] QImage picture(qreal scale = 1.0) const
    {
        QImage image((QSizeF(view.canvas()->size()) * scale).toSize(), QImage::Format_RGB32);
        image.setDevicePixelRatio(scale);
        QPainter painter(&image);
        view.canvas()->paintAll(painter);
        return image;
    }
    QAction* action(const QString& text)
    {
        const auto actions = view.actions();
        for (QAction* action : actions) {
            if (action->text() == text)
                return action;
        }
        return nullptr;
    }
};

QRect scaled(const QRectF& rect, qreal scale)
{
    return QRectF(rect.topLeft() * scale, rect.size() * scale).toRect();
}

}  // namespace

TEST_CASE("curves and marks are painted where they must be, at two sizes and two scales", "[gui]")
{
    Shown shown(GENERATE(QSize(900, 600), QSize(520, 420)));
    const qreal scale = GENERATE(1.0, 2.0);
    const QImage image = shown.picture(scale);
    const auto& scene = shown.scene();
    const ui::Tokens& t = shown.session.theme.tokens();
    REQUIRE(scene.layout.panels.size() == 3);
    const QRectF loss = scene.layout.panels[0].adjusted(2, 24, -2, -2);
    CHECK(test::inkOf(image, scaled(loss, scale), t.loss) > 100);
    REQUIRE(scene.layout.railRows.size() == 1);
    // The NaN of one step in two thousand has its mark, and so has the infinity.
    const double nanX = scene.stepX(0, 1205);
    const double infX = scene.stepX(0, 1500);
    const QRectF rail = scene.layout.rail;
    CHECK(test::inkOf(image, scaled(QRectF(nanX - 6, rail.top(), 12, rail.height()), scale), t.nan)
        > 8);
    CHECK(test::inkOf(image, scaled(QRectF(infX - 6, rail.top(), 12, rail.height()), scale), t.inf)
        > 8);
}

TEST_CASE("the line is not drawn across the NaN", "[gui]")
{
    Shown shown;
    shown.session.focus.setRange(1190, 1220);
    shown.settle();
    const QImage image = shown.picture();
    const auto& scene = shown.scene();
    const QRectF panel = scene.layout.panels[0];
    const double from = scene.stepX(0, 1201);
    const double to = scene.stepX(0, 1208);
    const QRectF gap(from, panel.top() + 24, to - from, panel.height() - 26);
    CHECK(test::inkOf(image, gap.toRect(), shown.session.theme.tokens().loss) == 0);
}

TEST_CASE("the wheel zooms at the mouse and a double click shows the whole run", "[gui]")
{
    Shown shown;
    shown.session.focus.setRange(1, 2000);
    shown.settle();
    auto* canvas = shown.view.canvas();
    const double width = shown.scene().to - shown.scene().from;
    const QPointF middle = canvas->rect().center();
    const double before = shown.scene().positionAt(middle.x());
    QWheelEvent wheel(middle, canvas->mapToGlobal(middle), {}, QPoint(0, 240), Qt::NoButton,
        Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(canvas, &wheel);
    CHECK(shown.scene().to - shown.scene().from < 0.8 * width);
    CHECK(shown.scene().positionAt(middle.x()) == Approx(before).margin(2.0));
    QTest::mouseDClick(canvas, Qt::LeftButton, Qt::NoModifier, middle.toPoint());
    CHECK(shown.scene().to - shown.scene().from == Approx(1999.0).margin(1.0));
}

TEST_CASE("dragging over the plot zooms into what was selected", "[gui]")
{
    Shown shown;
    shown.session.focus.setRange(1, 2000);
    shown.session.focus.setAttempt(0);  // what follows is a step of undo of its own
    shown.settle();
    auto* canvas = shown.view.canvas();
    const QPoint from(qRound(shown.scene().stepX(0, 500)), 300);
    const QPoint to(qRound(shown.scene().stepX(0, 700)), 300);
    QTest::mousePress(canvas, Qt::LeftButton, Qt::NoModifier, from);
    QTest::mouseMove(canvas, (from + to) / 2);
    QTest::mouseMove(canvas, to);
    QTest::mouseRelease(canvas, Qt::LeftButton, Qt::NoModifier, to);
    CHECK(shown.session.focus.state().from == Approx(500).margin(5));
    CHECK(shown.session.focus.state().to == Approx(700).margin(5));
    shown.session.focus.undo();
    CHECK(shown.session.focus.state().to == Approx(2000).margin(1));
}

TEST_CASE("a click puts the cursor on the step and M measures from it", "[gui]")
{
    Shown shown;
    shown.session.focus.setRange(1, 2000);
    shown.settle();
    auto* canvas = shown.view.canvas();
    QTest::mouseClick(
        canvas, Qt::LeftButton, Qt::NoModifier, QPoint(qRound(shown.scene().stepX(0, 800)), 300));
    CHECK(shown.session.focus.hasCursor());
    CHECK(static_cast<double>(shown.session.focus.cursorStep()) == Approx(800).margin(3));
    shown.action(views::TimelineView::tr("Measure from the cursor"))->trigger();
    CHECK(shown.session.focus.hasMeasure());
    QTest::keyClick(&shown.view, Qt::Key_Right);
    CHECK(shown.session.focus.cursorStep() > shown.session.focus.measureStep());
    QTest::keyClick(&shown.view, Qt::Key_Escape);
    CHECK_FALSE(shown.session.focus.hasCursor());
    CHECK_FALSE(shown.session.focus.hasMeasure());
}

TEST_CASE("what is in view is copied as CSV, picture and SVG", "[gui]")
{
    Shown shown;
    shown.session.focus.setRange(1198, 1202);
    shown.settle();
    shown.action(views::TimelineView::tr("Copy the values in view as CSV"))->trigger();
    const QString csv = QApplication::clipboard()->text();
    CHECK(csv.startsWith(QStringLiteral("step,attempt,series,value\n")));
    CHECK(csv.contains(QStringLiteral("1200,a1,loss,NaN")));
    shown.action(views::TimelineView::tr("Copy the picture"))->trigger();
    CHECK(QApplication::clipboard()->image().width() > 900);
    shown.action(views::TimelineView::tr("Copy the picture as SVG"))->trigger();
    const QByteArray svg
        = QApplication::clipboard()->mimeData()->data(QStringLiteral("image/svg+xml"));
    CHECK(svg.contains("<svg"));
    CHECK(svg.contains("loss"));
}

TEST_CASE("every view of the table paints at two sizes in both themes", "[gui]")
{
    ui::Session session;
    session.theme.setMode(GENERATE(ui::Theme::Mode::Light, ui::Theme::Mode::Dark));
    const auto size = GENERATE(QSize(400, 300), QSize(900, 700));
    session.workspace.open({QStringLiteral(FIRSTBAD_SOURCE_DIR "/resources/demo/run")});
    for (const ui::ViewEntry& entry : views::viewTable()) {
        CAPTURE(entry.id);
        const std::unique_ptr<ui::ViewWidget> view(entry.create(session.context(), nullptr));
        view->resize(size);
        view->show();
        REQUIRE(eventually([&] { return session.workspace.state() == State::Ready; }));
        session.focus.showSource(0, 421);
        session.focus.setCursor(421);
        CHECK(eventually([&] { return test::distinctColours(view->grab().toImage()) > 3; }, 5000));
    }
}
