// SPDX-License-Identifier: GPL-3.0-or-later
// Notice: one sentence and what to do about it, in place above the content it is about.
//
// GUI thread only; hidden when there is nothing to say. No dialog, no stack of toasts.
#pragma once

#include <QFrame>

class QLabel;

namespace firstbad::ui {

class Theme;

class Notice : public QFrame
{
    Q_OBJECT
public:
    explicit Notice(Theme& theme, QWidget* parent = nullptr);

    /// An empty sentence hides the notice.
    void show(const QString& sentence, const QString& hint, bool isError);
    [[nodiscard]] QString sentence() const;

private:
    void applyTheme();

    Theme& m_theme;
    QLabel* m_mark;
    QLabel* m_text;
    bool m_isError = false;
};

}  // namespace firstbad::ui
