// SPDX-License-Identifier: GPL-3.0-or-later
// Texts and numbers of core as Qt shows them. Pure; any thread.
#pragma once

#include "core/base/result.h"
#include "core/base/text.h"

#include <QString>
#include <string>
#include <string_view>

namespace firstbad::bridge {

inline QString qText(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// "33,708" whatever the locale.
inline QString grouped(qint64 value)
{
    return qText(core::groupedInteger(value));
}

/// The last part of a path or of "archive!member".
inline QString fileName(const QString& path)
{
    return path.mid(path.lastIndexOf(QLatin1Char('/')) + 1);
}

/// The sentence of an error with what was being done, outermost last.
inline QString sentenceOf(const core::Error& error)
{
    return qText(error.message);
}

}  // namespace firstbad::bridge
