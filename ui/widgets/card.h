// SPDX-License-Identifier: GPL-3.0-or-later
// Card: a rounded frame on the window; dashed where things can be dropped. GUI thread only.
#pragma once

#include <QFrame>

namespace firstbad::ui {

class Theme;

class Card : public QFrame
{
    Q_OBJECT
public:
    enum class Edge { Plain, Dashed };

    Card(Theme& theme, Edge edge, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Theme& m_theme;
    Edge m_edge;
};

}  // namespace firstbad::ui
