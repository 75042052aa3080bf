// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/main_window.h"

#include "ui/shell/start_page.h"

#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QStatusBar>

namespace firstbad::ui {

namespace {

constexpr QSize kFirstSize(1100, 700);

}  // namespace

MainWindow::MainWindow(const QList<ViewEntry>& views, QWidget* parent)
    : QMainWindow(parent)
{
    setWindowTitle(QStringLiteral("firstbad"));
    resize(kFirstSize);
    createActions();
    createDocks(views);
    setCentralWidget(new StartPage(this));
    statusBar()->showMessage(tr("Nothing is open"));
}

void MainWindow::createActions()
{
    auto* fileMenu = menuBar()->addMenu(tr("&File"));
    auto* quit = fileMenu->addAction(tr("&Quit"));
    quit->setShortcut(QKeySequence(QKeySequence::Quit));
    quit->setToolTip(tr("Close the workbench"));
    connect(quit, &QAction::triggered, this, &QWidget::close);

    m_viewMenu = menuBar()->addMenu(tr("&View"));

    auto* helpMenu = menuBar()->addMenu(tr("&Help"));
    auto* about = helpMenu->addAction(tr("&About firstbad"));
    connect(about, &QAction::triggered, this, &MainWindow::showAbout);
}

void MainWindow::createDocks(const QList<ViewEntry>& views)
{
    for (const auto& view : views)
        addDock(view);
    m_viewMenu->menuAction()->setVisible(!views.isEmpty());
}

void MainWindow::addDock(const ViewEntry& view)
{
    auto* dock = new QDockWidget(tr(view.title), this);
    dock->setObjectName(QString::fromUtf8(view.id));
    dock->setWidget(view.create(dock));
    addDockWidget(Qt::LeftDockWidgetArea, dock);
    auto* toggle = dock->toggleViewAction();
    toggle->setShortcut(QKeySequence(QString::fromUtf8(view.shortcut)));
    m_viewMenu->addAction(toggle);
}

void MainWindow::showAbout()
{
    QMessageBox::about(this, tr("About firstbad"),
        tr("firstbad %1\nFinds where a training went non-finite.\nGPL-3.0-or-later, without any "
           "warranty.")
            .arg(QCoreApplication::applicationVersion()));
}

}  // namespace firstbad::ui
