// SPDX-License-Identifier: GPL-3.0-or-later
// Paints a row of the recent cases: title and facts, worst incident, save to restore, when opened.
#pragma once

#include <QStyledItemDelegate>

class QListWidgetItem;

namespace firstbad::ui {

class Theme;
struct RecentCase;

class RecentDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    enum Role {
        PathsRole = Qt::UserRole + 1,
        FactsRole,
        WorstRole,
        VerdictRole,
        RestoreRole,
        OpenedRole
    };

    RecentDelegate(const Theme& theme, QObject* parent);

    static void fill(QListWidgetItem& item, const RecentCase& recent);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(
        const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const Theme& m_theme;
};

}  // namespace firstbad::ui
