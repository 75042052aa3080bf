// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "ui/shell/main_window.h"

#include <QAction>
#include <QDockWidget>
#include <QImage>
#include <QLabel>
#include <QMenuBar>

namespace {

using namespace firstbad;

QWidget* createLabel(QWidget* parent)
{
    return new QLabel(QStringLiteral("a view"), parent);
}

int distinctColours(const QImage& image)
{
    QSet<QRgb> colours;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x)
            colours.insert(image.pixel(x, y));
    }
    return static_cast<int>(colours.size());
}

}  // namespace

TEST_CASE("the window paints its start page at two sizes", "[gui]")
{
    ui::MainWindow window({});
    const auto size = GENERATE(QSize(1100, 700), QSize(640, 480));
    window.resize(size);
    window.show();
    const QImage image = window.grab().toImage();
    CHECK(image.width() >= size.width());
    CHECK(distinctColours(image) > 8);  // text was drawn, not a blank page
}

TEST_CASE("every label of the start page fits into a small window", "[gui]")
{
    ui::MainWindow window({});
    window.resize(640, 480);
    window.show();
    const auto labels = window.centralWidget()->findChildren<QLabel*>();
    REQUIRE(labels.size() > 4);
    for (const auto* label : labels) {
        CAPTURE(label->text().toStdString());
        CHECK(label->width() <= 640);
        CHECK(label->heightForWidth(label->width()) <= label->height());
    }
}

TEST_CASE("a line in the table of views is a dock with a menu entry and a shortcut", "[gui]")
{
    ui::MainWindow window({{"sample", "Sample", "Ctrl+9", createLabel}});
    const auto* dock = window.findChild<QDockWidget*>(QStringLiteral("sample"));
    REQUIRE(dock != nullptr);
    CHECK(dock->windowTitle() == QStringLiteral("Sample"));
    CHECK(dock->toggleViewAction()->shortcut() == QKeySequence(QStringLiteral("Ctrl+9")));
}
