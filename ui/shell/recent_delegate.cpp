// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/recent_delegate.h"

#include "ui/shell/preferences.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/theme.h"

#include <QListWidgetItem>
#include <QPainter>

namespace firstbad::ui {

namespace {

constexpr int kHeight = 52;
constexpr int kMargin = 14;

QString openedText(const QDateTime& opened)
{
    if (!opened.isValid())
        return {};
    if (opened.date() == QDate::currentDate())
        return RecentDelegate::tr("today %1").arg(opened.time().toString(QStringLiteral("HH:mm")));
    return opened.date().toString(QStringLiteral("MM-dd"));
}

}  // namespace

RecentDelegate::RecentDelegate(const Theme& theme, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_theme(theme)
{ }

void RecentDelegate::fill(QListWidgetItem& item, const RecentCase& recent)
{
    item.setData(PathsRole, recent.paths);
    item.setData(FactsRole, recent.facts);
    item.setData(WorstRole, recent.worst);
    item.setData(VerdictRole, recent.verdict);
    item.setData(RestoreRole, recent.restore);
    item.setData(OpenedRole, openedText(recent.opened));
    item.setToolTip(recent.paths.join(u'\n'));
    item.setData(Qt::AccessibleTextRole,
        QStringLiteral("%1, %2, %3").arg(recent.title, recent.facts, recent.worst));
}

QSize RecentDelegate::sizeHint(
    const QStyleOptionViewItem& /*option*/, const QModelIndex& /*index*/) const
{
    return {200, m_theme.rowHeight(kHeight)};
}

void RecentDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Tokens& t = m_theme.tokens();
    painter->save();
    const QRect rect = option.rect;
    const bool real = index.data(PathsRole).isValid();
    const bool hot
        = real && (option.state & (QStyle::State_MouseOver | QStyle::State_Selected)) != 0;
    if (hot)
        painter->fillRect(rect, t.selection);
    painter->setPen(t.hair);
    painter->drawLine(rect.bottomLeft(), rect.bottomRight());
    const int middle = rect.left() + rect.width() * 45 / 100;
    const QRect left(rect.left() + kMargin, rect.top() + 8, middle - rect.left() - 2 * kMargin, 18);
    painter->setFont(Theme::font(kListTitlePixels, real));
    painter->setPen(real ? t.text : t.text3);
    painter->drawText(left, Qt::AlignVCenter,
        painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideMiddle, left.width()));
    painter->setFont(Theme::font(kTextPixels));
    painter->setPen(t.text2);
    painter->drawText(left.translated(0, 18), Qt::AlignVCenter, index.data(FactsRole).toString());
    const QString opened = index.data(OpenedRole).toString();
    painter->drawText(rect.adjusted(0, 0, -kMargin, 0), Qt::AlignRight | Qt::AlignVCenter, opened);
    if (real) {
        const int verdict = index.data(VerdictRole).toInt();
        const Glyph glyph = verdict == 1 ? Glyph::Fault
            : verdict == 0               ? Glyph::Unknown
                                         : Glyph::Benign;
        paintGlyph(*painter, glyph, QPointF(middle + 7, rect.center().y()), 6.5, t);
        painter->setPen(t.text);
        const int room = rect.right() - middle - 24 - kMargin
            - painter->fontMetrics().horizontalAdvance(opened) - 8;
        const QRect words(middle + 22, rect.top() + 8, room, 18);
        const QString restore = index.data(RestoreRole).toString();
        painter->drawText(restore.isEmpty() ? words.translated(0, 9) : words, Qt::AlignVCenter,
            painter->fontMetrics().elidedText(
                index.data(WorstRole).toString(), Qt::ElideRight, room));
        painter->setPen(t.text2);
        if (!restore.isEmpty())
            painter->drawText(words.translated(0, 18), Qt::AlignVCenter,
                painter->fontMetrics().elidedText(restore, Qt::ElideRight, room));
    }
    painter->restore();
}

}  // namespace firstbad::ui
