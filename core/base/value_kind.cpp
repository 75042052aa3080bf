// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/value_kind.h"

namespace firstbad::core {

std::string_view toString(ValueKind kind) noexcept
{
    switch (kind) {
    case ValueKind::Finite:
        return "finite";
    case ValueKind::NotANumber:
        return "NaN";
    case ValueKind::PlusInfinity:
        return "Infinity";
    case ValueKind::MinusInfinity:
        return "-Infinity";
    }
    return "NaN";
}

}  // namespace firstbad::core
