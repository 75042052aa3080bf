// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/settings_dialog.h"

#include "core/detect/settings.h"
#include "ui/bridge/text.h"
#include "ui/shell/preferences.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QTabWidget>
#include <QVBoxLayout>

namespace firstbad::ui {

namespace {

constexpr QSize kSize(760, 560);
constexpr int kDecimals = 4;

bool isSame(double a, double b)
{
    constexpr double kTolerance = 1e-9;
    return qAbs(a - b) <= kTolerance * qMax(1.0, qMax(qAbs(a), qAbs(b)));
}

}  // namespace

SettingsDialog::SettingsDialog(Theme& theme, QWidget* parent)
    : QDialog(parent)
    , m_theme(theme)
{
    setWindowTitle(tr("Settings"));
    resize(kSize);
    auto* tabs = new QTabWidget(this);
    tabs->addTab(appearancePage(), tr("Appearance"));
    tabs->addTab(rulesPage(), tr("Rules"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    auto* column = new QVBoxLayout(this);
    column->addWidget(tabs);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &SettingsDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

QWidget* SettingsDialog::appearancePage()
{
    auto* page = new QWidget(this);
    auto* form = new QFormLayout(page);
    m_mode = new QComboBox(page);
    m_mode->addItems({tr("As the system"), tr("Light"), tr("Dark")});
    m_mode->setCurrentIndex(static_cast<int>(m_theme.mode()));
    form->addRow(tr("Theme"), m_mode);
    m_comfortable = new QCheckBox(tr("More room between rows"), page);
    m_comfortable->setChecked(m_theme.isComfortable());
    form->addRow(tr("Rows"), m_comfortable);
    m_language = new QComboBox(page);
    m_language->addItem(tr("As the system"), QString());
    m_language->addItem(QStringLiteral("English"), QStringLiteral("en"));
    m_language->addItem(QStringLiteral("简体中文"), QStringLiteral("zh_CN"));
    m_language->setCurrentIndex(qMax(0, m_language->findData(Preferences::language())));
    form->addRow(tr("Language"), m_language);
    form->addRow(
        QString(), new QLabel(tr("The language changes when the program starts again."), page));
    return page;
}

QWidget* SettingsDialog::rulesPage()
{
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    auto* table = new QTableWidget(0, 3, page);
    table->setHorizontalHeaderLabels({tr("setting"), tr("value"), tr("meaning")});
    table->horizontalHeader()->setSectionResizeMode(2, QHeaderView::Stretch);
    table->verticalHeader()->hide();
    table->setWordWrap(true);
    table->setSelectionMode(QAbstractItemView::NoSelection);
    const core::Settings now = Preferences::rules();
    for (const core::SettingInfo& info : core::settingTable()) {
        const int row = table->rowCount();
        table->insertRow(row);
        table->setItem(row, 0, new QTableWidgetItem(bridge::qText(info.id)));
        auto* value = new QDoubleSpinBox(table);
        value->setDecimals(kDecimals);
        value->setRange(info.low, info.high);
        value->setValue(now.get(info.id));
        value->setAccessibleName(bridge::qText(info.text));
        table->setCellWidget(row, 1, value);
        table->setItem(row, 2, new QTableWidgetItem(bridge::qText(info.text)));
        m_rules.insert(bridge::qText(info.id), value);
    }
    table->resizeColumnsToContents();
    table->resizeRowsToContents();
    column->addWidget(table);
    auto* reset = new QPushButton(tr("Back to the defaults"), page);
    connect(reset, &QPushButton::clicked, this, [this] {
        for (const core::SettingInfo& info : core::settingTable())
            m_rules.value(bridge::qText(info.id))->setValue(info.fallback);
    });
    column->addWidget(reset, 0, Qt::AlignLeft);
    return page;
}

void SettingsDialog::accept()
{
    const auto mode = static_cast<Theme::Mode>(m_mode->currentIndex());
    Preferences::setTheme(mode);
    m_theme.setMode(mode);
    Preferences::setComfortable(m_comfortable->isChecked());
    m_theme.setComfortable(m_comfortable->isChecked());
    Preferences::setLanguage(m_language->currentData().toString());
    const core::Settings before = Preferences::rules();
    Preferences::resetRules();
    for (const core::SettingInfo& info : core::settingTable()) {
        const QString id = bridge::qText(info.id);
        const double value = m_rules.value(id)->value();
        m_rulesChanged = m_rulesChanged || !isSame(before.get(info.id), value);
        if (!isSame(value, info.fallback))
            Preferences::setRule(id, value);
    }
    QDialog::accept();
}

}  // namespace firstbad::ui
