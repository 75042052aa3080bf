// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/value_kind.h"
#include "core/checkpoint/pickle/machine.h"

#include <fmt/format.h>

namespace firstbad::core {

namespace {

constexpr std::size_t kMaxLength = 200;

std::string floatRepr(double value)
{
    switch (classify(value)) {
    case ValueKind::NotANumber:
        return "nan";
    case ValueKind::PlusInfinity:
        return "inf";
    case ValueKind::MinusInfinity:
        return "-inf";
    case ValueKind::Finite:
        break;
    }
    return fmt::format("{}", value);
}

std::string leafRepr(const PickleArena& arena, PickleRef ref)
{
    switch (arena.kind(ref)) {
    case PickleKind::None:
        return "None";
    case PickleKind::Bool:
        return arena.integer(ref) == 1 ? "True" : "False";
    case PickleKind::Int:
        return fmt::format("{}", *arena.integer(ref));
    case PickleKind::Float:
    case PickleKind::BigInt:
        return floatRepr(*arena.number(ref));
    case PickleKind::Text:
    case PickleKind::Bytes:
        return fmt::format("'{}'", arena.text(ref).substr(0, kMaxLength));
    case PickleKind::Global:
        return arena.global(ref).module + "." + arena.global(ref).name;
    case PickleKind::Object:
        return fmt::format("<{}.{}>", arena.global(ref).module, arena.global(ref).name);
    case PickleKind::Persistent:
        return "<persistent>";
    case PickleKind::List:
    case PickleKind::Tuple:
    case PickleKind::Dict:
        break;
    }
    return "...";
}

}  // namespace

std::string pythonRepr(const PickleArena& arena, PickleRef ref)
{
    if (!arena.is(ref, PickleKind::Tuple))
        return leafRepr(arena, ref);
    // One level is enough for the keys of real checkpoints, such as (torch.float16, torch.float32).
    std::string text = "(";
    const auto parts = arena.items(ref);
    for (const PickleRef part : parts) {
        if (text.size() > 1)
            text += ", ";
        text += leafRepr(arena, part);
        if (text.size() > kMaxLength)
            return text + ", ...)";
    }
    return text + (parts.size() == 1 ? ",)" : ")");
}

}  // namespace firstbad::core
