// SPDX-License-Identifier: GPL-3.0-or-later
// JobBar: the status bar: the job that is running with its progress and a cancel button, whether
// the sources are followed, what is open.
//
// GUI thread only; polls the jobs' atomics ten times a second while one runs.
#pragma once

#include <QStatusBar>
#include <QTimer>

class QLabel;
class QProgressBar;
class QToolButton;

namespace firstbad::bridge {
class JobRunner;
class Workspace;
}  // namespace firstbad::bridge

namespace firstbad::ui {

class Theme;

class JobBar : public QStatusBar
{
    Q_OBJECT
public:
    JobBar(bridge::Workspace& workspace, Theme& theme, QWidget* parent = nullptr);

    /// A sentence of the window's own, until the next one.
    void say(const QString& sentence);

signals:
    void cancelRequested();
    void notesRequested();

private:
    void jobStarted(const QString& kind);
    void jobEnded(const QString& kind);
    void poll();
    void showState();
    void applyTheme();

    bridge::Workspace& m_workspace;
    Theme& m_theme;
    QLabel* m_job;
    QProgressBar* m_bar;
    QLabel* m_progress;
    QToolButton* m_cancel;
    QLabel* m_follow;
    QLabel* m_case;
    QLabel* m_notes;
    QStringList m_running;
    QTimer m_timer;
};

}  // namespace firstbad::ui
