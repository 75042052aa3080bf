// SPDX-License-Identifier: GPL-3.0-or-later
// ActionButton: a push button that shows an action with its shortcut; the primary one is filled.
#pragma once

#include <QPushButton>

class QAction;

namespace firstbad::ui {

class Theme;

class ActionButton : public QPushButton
{
    Q_OBJECT
public:
    enum class Rank { Primary, Secondary };

    ActionButton(QAction* action, Theme& theme, Rank rank, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QString keys() const;

    QAction* m_action;
    Theme& m_theme;
    Rank m_rank;
};

}  // namespace firstbad::ui
