// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/start_page.h"

#include "ui/shell/preferences.h"
#include "ui/shell/recent_delegate.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/notice.h"
#include "ui/widgets/theme.h"

#include <array>
#include <QAction>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollArea>
#include <QVBoxLayout>

namespace firstbad::ui {

namespace {

constexpr int kColumnGap = 40;
constexpr int kPageWidth = 1200;
constexpr int kDropHeight = 186;
constexpr int kDropIcon = 36;

struct Droppable {
    const char* what;
    const char* kinds;
};
constexpr std::array<Droppable, 4> kDroppable{{
    {QT_TRANSLATE_NOOP("StartPage", "Text logs"),
        QT_TRANSLATE_NOOP("StartPage",
            "Megatron-LM, DeepSpeed, Hugging Face, fairseq, Lightning, nanoGPT, torchtitan, "
            "any key=value or JSON lines")},
    {QT_TRANSLATE_NOOP("StartPage", "Event files"),
        QT_TRANSLATE_NOOP("StartPage", "TensorBoard records, W&B offline, MLflow, HDF5 tables")},
    {QT_TRANSLATE_NOOP("StartPage", "Chronicles"),
        QT_TRANSLATE_NOOP("StartPage", "engineers' prose logs, English and Chinese")},
    {QT_TRANSLATE_NOOP("StartPage", "Archives"),
        QT_TRANSLATE_NOOP("StartPage", ".gz, .zst, .zip, rotated and rank-prefixed files")},
}};

QLabel* label(const QString& text, int pixels, bool strong = false)
{
    auto* made = new QLabel(text);
    made->setFont(Theme::font(pixels, strong));
    made->setWordWrap(true);
    return made;
}

QLabel* mutedLabel(const QString& text, int pixels)
{
    auto* made = label(text, pixels);
    made->setForegroundRole(QPalette::PlaceholderText);
    return made;
}

}  // namespace

StartPage::StartPage(const StartActions& actions, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    auto* page = new QWidget;
    auto* columns = new QHBoxLayout(page);
    columns->setContentsMargins(24, 40, 24, 24);
    columns->addStretch(1);
    auto* middle = new QWidget(page);
    middle->setMaximumWidth(kPageWidth);
    auto* row = new QHBoxLayout(middle);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kColumnGap);
    row->addWidget(leftColumn(actions), 5);
    row->addWidget(rightColumn(), 7);
    columns->addWidget(middle, 100);
    columns->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(page);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scroll);
    refresh();
}

QWidget* StartPage::leftColumn(const StartActions& actions)
{
    auto* left = new QWidget(this);
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    column->addWidget(label(QStringLiteral("firstbad"), kStartPixels, true));
    column->addWidget(
        label(tr("From logs, ledgers and checkpoints to the first bad step, rank, layer, "
                 "op and element."),
            kListTitlePixels));
    m_notice = new Notice(m_theme, left);
    column->addWidget(m_notice);
    column->addWidget(dropCard(actions));
    column->addWidget(demoCard(actions));
    addDroppable(*column);
    column->addStretch();
    return left;
}

QWidget* StartPage::dropCard(const StartActions& actions)
{
    auto* card = new Card(m_theme, Card::Edge::Dashed, this);
    card->setMinimumHeight(kDropHeight);
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(16, 20, 16, 20);
    column->setSpacing(8);
    auto* icon = new QLabel(card);
    const auto paint = [this, icon] {
        icon->setPixmap(Theme::iconPixmap(
            QStringLiteral("drop"), m_theme.tokens().accent, kDropIcon, devicePixelRatioF()));
    };
    connect(&m_theme, &Theme::changed, icon, paint);
    paint();
    column->addWidget(icon, 0, Qt::AlignHCenter);
    auto* title = label(tr("Drop logs, a run folder or a case"), kTitlePixels, true);
    title->setAlignment(Qt::AlignHCenter);
    column->addWidget(title);
    auto* fact = mutedLabel(
        tr("read as they are: nothing is written, nothing leaves this machine"), kTextPixels);
    fact->setAlignment(Qt::AlignHCenter);
    column->addWidget(fact);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(new ActionButton(actions.open, m_theme, ActionButton::Rank::Primary, card));
    buttons->addWidget(
        new ActionButton(actions.openFolder, m_theme, ActionButton::Rank::Secondary, card));
    buttons->addStretch();
    column->addLayout(buttons);
    return card;
}

QWidget* StartPage::demoCard(const StartActions& actions)
{
    auto* card = new Card(m_theme, Card::Edge::Plain, this);
    auto* row = new QHBoxLayout(card);
    row->setContentsMargins(16, 12, 16, 12);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(label(tr("Open the demo"), kListTitlePixels, true));
    words->addWidget(
        label(tr("The log of a small fp16 training of ours whose learning rate slips at "
                 "iteration 420."),
            kTextPixels));
    row->addLayout(words, 1);
    row->addWidget(new ActionButton(actions.demo, m_theme, ActionButton::Rank::Secondary, card), 0,
        Qt::AlignVCenter);
    return card;
}

void StartPage::addDroppable(QVBoxLayout& column)
{
    column.addSpacing(6);
    column.addWidget(label(tr("What can be dropped"), kTextPixels, true));
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    int row = 0;
    for (const Droppable& entry : kDroppable) {
        auto* what = label(tr(entry.what), kTextPixels, true);
        what->setWordWrap(false);
        grid->addWidget(what, row, 0, Qt::AlignTop);
        grid->addWidget(label(tr(entry.kinds), kTextPixels), row, 1);
        ++row;
    }
    column.addLayout(grid);
}

QWidget* StartPage::rightColumn()
{
    auto* right = new QWidget(this);
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    auto* head = new QHBoxLayout;
    head->addWidget(label(tr("Recent cases"), kTitlePixels, true));
    head->addStretch();
    m_filter = new QLineEdit(right);
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setAccessibleName(tr("Filter recent cases"));
    m_filter->setMaximumWidth(200);
    head->addWidget(m_filter);
    column->addLayout(head);
    auto* card = new Card(m_theme, Card::Edge::Plain, right);
    auto* inside = new QVBoxLayout(card);
    inside->setContentsMargins(2, 2, 2, 2);
    m_recent = new QListWidget(card);
    m_recent->setObjectName(QStringLiteral("recentCases"));
    m_recent->setAccessibleName(tr("Recent cases"));
    m_recent->setFrameShape(QFrame::NoFrame);
    m_recent->setMouseTracking(true);
    m_recent->setItemDelegate(new RecentDelegate(m_theme, m_recent));
    m_recent->setMinimumHeight(220);
    inside->addWidget(m_recent);
    column->addWidget(card, 1);
    auto* cards = new QHBoxLayout;
    cards->setSpacing(12);
    cards->addWidget(terminalCard(), 1);
    cards->addWidget(keysCard(), 1);
    column->addLayout(cards);
    column->addStretch(1);
    connect(m_filter, &QLineEdit::textChanged, this, &StartPage::fillRecent);
    connect(m_recent, &QListWidget::itemActivated, this, [this](const QListWidgetItem* item) {
        const QStringList paths = item->data(RecentDelegate::PathsRole).toStringList();
        if (!paths.isEmpty())
            emit openRequested(paths);
    });
    connect(m_recent, &QListWidget::itemClicked, m_recent, &QListWidget::itemActivated);
    return right;
}

QWidget* StartPage::terminalCard()
{
    auto* card = new Card(m_theme, Card::Edge::Plain, this);
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(16, 12, 16, 12);
    column->addWidget(label(tr("From the terminal"), kTextPixels, true));
    for (const QString& command :
        {QStringLiteral("firstbad look run/"), QStringLiteral("firstbad init case"),
            QStringLiteral("firstbad -C case add run/"), QStringLiteral("firstbad open case")}) {
        auto* line = new QLabel(command, card);
        line->setFont(Theme::fixedFont(kCaptionPixels));
        line->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        column->addWidget(line);
    }
    column->addWidget(label(tr("Same core, same case, same answers."), kTextPixels));
    return card;
}

QWidget* StartPage::keysCard()
{
    auto* card = new Card(m_theme, Card::Edge::Plain, this);
    auto* grid = new QGridLayout(card);
    grid->setContentsMargins(16, 12, 16, 12);
    grid->setColumnStretch(1, 1);
    grid->addWidget(label(tr("Keys"), kTextPixels, true), 0, 0, 1, 2);
    const std::array<std::pair<QString, QString>, 5> keys{
        {{QStringLiteral("N  P"), tr("next, previous incident")},
            {QStringLiteral("F  0"), tr("fit to the incident, whole run")},
            {QStringLiteral("A"), tr("annotate")}, {QStringLiteral("Ctrl+K"), tr("any command")},
            {QStringLiteral("?"), tr("all keys")}}};
    int row = 1;
    for (const auto& [key, meaning] : keys) {
        auto* name = new QLabel(key, card);
        name->setFont(Theme::fixedFont(kCaptionPixels));
        grid->addWidget(name, row, 0);
        grid->addWidget(label(meaning, kTextPixels), row, 1);
        ++row;
    }
    return card;
}

void StartPage::refresh()
{
    fillRecent(m_filter->text());
}

void StartPage::fillRecent(const QString& filter)
{
    m_recent->clear();
    for (const RecentCase& recent : Preferences::recent()) {
        const QString words = recent.title + u' ' + recent.worst + u' ' + recent.paths.join(u' ');
        if (!words.contains(filter, Qt::CaseInsensitive))
            continue;
        auto* item = new QListWidgetItem(recent.title, m_recent);
        RecentDelegate::fill(*item, recent);
    }
    if (m_recent->count() == 0) {
        auto* hint = new QListWidgetItem(tr("What you open is listed here."), m_recent);
        hint->setFlags(Qt::NoItemFlags);
    }
}

void StartPage::showNotice(const QString& sentence, const QString& hint)
{
    m_notice->show(sentence, hint, true);
}

}  // namespace firstbad::ui
