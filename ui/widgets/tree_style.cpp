// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tree_style.h"

#include "ui/widgets/theme.h"

#include <QHeaderView>
#include <QStyledItemDelegate>
#include <QTreeView>

namespace firstbad::ui {

namespace {

constexpr int kIndent = 12;

class RowDelegate : public QStyledItemDelegate
{
public:
    RowDelegate(const Theme& theme, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_theme(theme)
    { }

    [[nodiscard]] QSize sizeHint(
        const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        QSize size = QStyledItemDelegate::sizeHint(option, index);
        size.setHeight(m_theme.rowHeight(kRowHeight));
        return size;
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        const Tokens& t = m_theme.tokens();
        const bool first = index.column() == 0;
        option->palette.setColor(QPalette::Text, first ? t.text : t.text2);
        option->palette.setColor(QPalette::HighlightedText, first ? t.text : t.text2);
        if (!first)
            option->font = Theme::font(kCaptionPixels);
    }

private:
    const Theme& m_theme;
};

}  // namespace

void styleTree(QTreeView& tree, Theme& theme)
{
    tree.setFrameShape(QFrame::NoFrame);
    tree.setUniformRowHeights(true);
    tree.setHeaderHidden(true);
    tree.setIndentation(kIndent);
    tree.setAllColumnsShowFocus(true);
    tree.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    tree.header()->setStretchLastSection(false);
    tree.header()->setMinimumSectionSize(24);
    tree.setItemDelegate(new RowDelegate(theme, &tree));
    QObject::connect(&theme, &Theme::changed, &tree, &QTreeView::doItemsLayout);
}

}  // namespace firstbad::ui
