// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/columns.h"

#include "ui/widgets/pane.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QCoreApplication>
#include <QDataStream>
#include <QHBoxLayout>
#include <QResizeEvent>
#include <QSplitter>

namespace firstbad::ui {

namespace {

constexpr int kLeftWidth = 292;
constexpr int kRightWidth = 396;
constexpr int kNarrow = 1300;  ///< below this the side columns are slimmer
constexpr int kNarrowLeft = 214;
constexpr int kNarrowRight = 318;
constexpr int kSplitter = 5;
constexpr qint32 kLayoutVersion = 1;

}  // namespace

Columns::Columns(const QList<ViewEntry>& views, const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_views(views)
    , m_outer(new QSplitter(Qt::Horizontal, this))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_outer);
    m_outer->setHandleWidth(kSplitter);
    m_outer->setChildrenCollapsible(false);
    for (const ViewPlace place : {ViewPlace::Left, ViewPlace::Middle, ViewPlace::Right}) {
        auto* column = new QSplitter(Qt::Vertical, m_outer);
        column->setHandleWidth(kSplitter);
        column->setChildrenCollapsible(false);
        m_columns.insert(static_cast<int>(place), column);
    }
    m_outer->setStretchFactor(1, 1);
    for (const ViewEntry& view : views) {
        if (view.place != ViewPlace::Page)
            addPane(view, context);
    }
}

void Columns::addPane(const ViewEntry& view, const ViewContext& context)
{
    auto* column = m_columns.value(static_cast<int>(view.place));
    auto* widget = view.create(context, column);
    auto* pane = new Pane(
        QCoreApplication::translate("ViewEntry", view.title), widget, context.theme, column);
    pane->setObjectName(QString::fromUtf8(view.id));
    column->addWidget(pane);
    column->setStretchFactor(column->count() - 1, view.stretch);
    pane->setVisible(view.shownAtFirst);
    m_panes.insert(pane->objectName(), pane);
}

Pane* Columns::pane(const QString& id) const
{
    return m_panes.value(id);
}

bool Columns::isShown(const QString& id) const
{
    const Pane* pane = m_panes.value(id);
    return pane != nullptr && !pane->isHidden();
}

void Columns::setShown(const QString& id, bool shown)
{
    Pane* pane = m_panes.value(id);
    if (pane == nullptr || shown != pane->isHidden())
        return;
    pane->setVisible(shown);
    emit shownChanged(id, shown);
}

void Columns::activate(const QString& id)
{
    setShown(id, true);
    if (Pane* pane = m_panes.value(id))
        pane->view()->setFocus(Qt::ShortcutFocusReason);
}

void Columns::activateNext(int direction)
{
    QStringList order;
    qsizetype current = -1;
    for (const ViewEntry& view : m_views) {
        const QString id = QString::fromUtf8(view.id);
        if (!isShown(id))
            continue;
        if (m_panes.value(id)->isAncestorOf(QApplication::focusWidget()))
            current = order.size();
        order.append(id);
    }
    if (!order.isEmpty())
        activate(order[(current + direction + order.size()) % order.size()]);
}

void Columns::toggleMaximised()
{
    if (!m_beforeMaximise.isEmpty()) {
        restoreLayout(std::exchange(m_beforeMaximise, {}));
        return;
    }
    m_beforeMaximise = saveLayout();
    for (const ViewEntry& view : m_views) {
        const QString id = QString::fromUtf8(view.id);
        const Pane* pane = m_panes.value(id);
        if (pane != nullptr && !pane->isAncestorOf(QApplication::focusWidget()))
            setShown(id, false);
    }
}

void Columns::setFirstSizes()
{
    const bool narrow = width() < kNarrow;
    const int left = narrow ? kNarrowLeft : kLeftWidth;
    const int right = narrow ? kNarrowRight : kRightWidth;
    m_outer->setSizes({left, width() - left - right - 2 * kSplitter, right});
    for (auto* column : std::as_const(m_columns)) {
        QList<int> sizes;
        for (int i = 0; i < column->count(); ++i) {
            for (const ViewEntry& view : m_views) {
                if (QString::fromUtf8(view.id) == column->widget(i)->objectName())
                    sizes.append(view.stretch * 100);
            }
        }
        column->setSizes(sizes);
    }
}

void Columns::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (!m_sized || (event->oldSize().width() < kNarrow) != (event->size().width() < kNarrow)) {
        setFirstSizes();
        m_sized = true;
    }
}

QByteArray Columns::saveLayout() const
{
    QByteArray state;
    QDataStream stream(&state, QIODevice::WriteOnly);
    stream << kLayoutVersion << m_outer->sizes();
    for (int place = 0; place < static_cast<int>(m_columns.size()); ++place)
        stream << m_columns.value(place)->sizes();
    QStringList shown;
    for (auto it = m_panes.cbegin(); it != m_panes.cend(); ++it) {
        if (!it.value()->isHidden())
            shown.append(it.key());
    }
    stream << shown;
    return state;
}

void Columns::restoreLayout(const QByteArray& state)
{
    QDataStream stream(state);
    qint32 version = 0;
    stream >> version;
    if (version != kLayoutVersion)
        return;
    QList<int> outer;
    stream >> outer;
    QList<QList<int>> columns(m_columns.size());
    for (QList<int>& sizes : columns)
        stream >> sizes;
    QStringList shown;
    stream >> shown;
    if (stream.status() != QDataStream::Ok || shown.isEmpty())
        return;
    for (auto it = m_panes.cbegin(); it != m_panes.cend(); ++it)
        setShown(it.key(), shown.contains(it.key()));
    m_outer->setSizes(outer);
    for (int place = 0; place < static_cast<int>(columns.size()); ++place)
        m_columns.value(place)->setSizes(columns[place]);
    m_sized = true;
}

}  // namespace firstbad::ui
