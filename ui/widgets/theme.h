// SPDX-License-Identifier: GPL-3.0-or-later
// Theme: light, dark or the system's; the palette and font of the application follow it.
//
// GUI thread only. One object; painters ask tokens() each time they paint.
#pragma once

#include "ui/widgets/tokens.h"

#include <QFont>
#include <QIcon>
#include <QObject>

namespace firstbad::ui {

class Theme : public QObject
{
    Q_OBJECT
public:
    enum class Mode { System, Light, Dark };
    Q_ENUM(Mode)

    explicit Theme(QObject* parent = nullptr);

    [[nodiscard]] const Tokens& tokens() const noexcept { return *m_tokens; }
    [[nodiscard]] Mode mode() const noexcept { return m_mode; }
    void setMode(Mode mode);

    /// The text font in a size of the visual language, scaled with the user's font.
    [[nodiscard]] static QFont font(int pixels, bool strong = false);
    /// For places, hashes and commands.
    [[nodiscard]] static QFont fixedFont(int pixels);

    /// An icon of resources/icons in the colour of the text.
    [[nodiscard]] QIcon icon(const QString& name) const;
    [[nodiscard]] static QPixmap iconPixmap(
        const QString& name, const QColor& colour, int size, qreal ratio);

    /// Row heights for people who want more room (View > Comfortable).
    [[nodiscard]] int rowHeight(int compact) const noexcept;
    void setComfortable(bool on);
    [[nodiscard]] bool isComfortable() const noexcept { return m_comfortable; }

signals:
    void changed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void apply();
    [[nodiscard]] bool systemIsDark() const;

    Mode m_mode = Mode::System;
    const Tokens* m_tokens;
    bool m_systemDark = false;
    bool m_comfortable = false;
    bool m_applying = false;
};

}  // namespace firstbad::ui
