// SPDX-License-Identifier: GPL-3.0-or-later
// Columns: the three columns of panes between splitters, made from the table of views.
//
// GUI thread only; owns the panes. Sizes and what is shown are saved as one layout.
#pragma once

#include "ui/shell/view_entry.h"

#include <QHash>
#include <QList>
#include <QString>
#include <QWidget>

class QSplitter;
class QStackedWidget;

namespace firstbad::ui {

class Pane;

class Columns : public QWidget
{
    Q_OBJECT
public:
    Columns(const QList<ViewEntry>& views, const ViewContext& context, QWidget* parent = nullptr);

    [[nodiscard]] Pane* pane(const QString& id) const;
    [[nodiscard]] bool isShown(const QString& id) const;
    void setShown(const QString& id, bool shown);
    /// Shows the pane and gives it the keyboard.
    void activate(const QString& id);
    /// The pane after the one with the keyboard, in the order of the table.
    void activateNext(int direction);
    void toggleMaximised();

    [[nodiscard]] QByteArray saveLayout() const;
    void restoreLayout(const QByteArray& state);

signals:
    void shownChanged(const QString& id, bool shown);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void addPane(const ViewEntry& view, const ViewContext& context);
    void setFirstSizes();

    QList<ViewEntry> m_views;
    QSplitter* m_outer;
    QHash<int, QSplitter*> m_columns;  // by ViewPlace
    QHash<QString, Pane*> m_panes;
    QByteArray m_beforeMaximise;
    bool m_sized = false;
};

}  // namespace firstbad::ui
