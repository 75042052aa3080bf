// SPDX-License-Identifier: GPL-3.0-or-later
// Translator: finds texts by the class name alone.
//
// lupdate of Qt 6.4 does not see nested namespace definitions, so the files name "MainWindow" where
// the program asks for "firstbad::ui::MainWindow". GUI thread; one lookup more a text.
#pragma once

#include <QTranslator>

namespace firstbad::ui {

class Translator : public QTranslator
{
public:
    using QTranslator::QTranslator;

    [[nodiscard]] QString translate(const char* context, const char* sourceText,
        const char* disambiguation, int n) const override
    {
        const QByteArray whole(context);
        const QByteArray name = whole.mid(whole.lastIndexOf(':') + 1);
        return QTranslator::translate(name.constData(), sourceText, disambiguation, n);
    }
    [[nodiscard]] bool isEmpty() const override { return false; }
};

}  // namespace firstbad::ui
