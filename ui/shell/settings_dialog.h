// SPDX-License-Identifier: GPL-3.0-or-later
// SettingsDialog: appearance, language, and the thresholds of the rules, from core's one table.
//
// GUI thread only; writes Preferences when accepted.
#pragma once

#include "ui/widgets/theme.h"

#include <QDialog>
#include <QHash>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QTabWidget;

namespace firstbad::ui {

class SettingsDialog : public QDialog
{
    Q_OBJECT
public:
    SettingsDialog(Theme& theme, QWidget* parent);

    /// True when a threshold was changed: what is open has to be judged again.
    [[nodiscard]] bool rulesChanged() const noexcept { return m_rulesChanged; }

public slots:
    void accept() override;

private:
    [[nodiscard]] QWidget* appearancePage();
    [[nodiscard]] QWidget* rulesPage();

    Theme& m_theme;
    QComboBox* m_mode = nullptr;
    QComboBox* m_language = nullptr;
    QCheckBox* m_comfortable = nullptr;
    QHash<QString, QDoubleSpinBox*> m_rules;
    bool m_rulesChanged = false;
};

}  // namespace firstbad::ui
