// SPDX-License-Identifier: GPL-3.0-or-later
// Pane: a view under its header: title, what is shown of it, actions; and notices above the view.
//
// GUI thread only; owns the view.
#pragma once

#include <QFrame>
#include <QString>

class QAction;
class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace firstbad::ui {

class Notice;
class Theme;

/// The line above a view that says what is wrong with its content, and what can be done.
struct NoticeText {
    QString sentence;
    QString hint;
    bool isError = false;
};

/// Base of every view: what the header around it needs to know.
class ViewWidget : public QWidget
{
    Q_OBJECT
public:
    using QWidget::QWidget;

    [[nodiscard]] QString subtitle() const { return m_subtitle; }
    [[nodiscard]] const NoticeText& notice() const { return m_notice; }

signals:
    void subtitleChanged();
    void noticeChanged();

protected:
    void setSubtitle(const QString& text);
    void setNotice(const NoticeText& notice);

private:
    QString m_subtitle;
    NoticeText m_notice;
};

class Pane : public QFrame
{
    Q_OBJECT
public:
    Pane(const QString& title, ViewWidget* view, Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] ViewWidget* view() const noexcept { return m_view; }

private:
    void createHeader(const QString& title);
    void showSubtitle();
    void showNotice();
    void applyTheme();

    Theme& m_theme;
    ViewWidget* m_view;
    QFrame* m_header = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_subtitle = nullptr;
    Notice* m_notice = nullptr;
    QVBoxLayout* m_column = nullptr;
};

}  // namespace firstbad::ui
