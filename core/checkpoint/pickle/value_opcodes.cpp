// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number.h"
#include "core/checkpoint/pickle/machine_state.h"
#include "core/checkpoint/pickle/text_opcodes.h"

#include <bit>
#include <fmt/format.h>

namespace firstbad::core {

namespace {

/// Index of a PUT or GET line.
std::optional<std::uint64_t> memoIndex(std::string_view line)
{
    const auto value = parseInteger(line);
    if (!value || *value < 0)
        return std::nullopt;
    return static_cast<std::uint64_t>(*value);
}

}  // namespace

void PickleMachine::doNothing(const Argument& argument)
{
    m_document.protocol = static_cast<int>(argument.number);
    if (argument.number > 5)
        problem("bad-header", fmt::format("pickle protocol {} is not known", argument.number));
}

void PickleMachine::doFrame(const Argument& argument)
{
    const std::size_t left = m_arena.source().size() - m_position;
    const auto length = static_cast<std::uint64_t>(argument.number);
    if (length > left)
        problem("length-past-end",
            fmt::format("frame length {} exceeds the {} bytes left", length, left));
}

void PickleMachine::doStop(const Argument& /*argument*/)
{
    m_document.root = pop();
    m_stopped = true;
}

void PickleMachine::doMark(const Argument& /*argument*/)
{
    m_marks.push_back(m_stack.size());
}

void PickleMachine::doPop(const Argument& /*argument*/)
{
    // Like Python: with nothing above the mark, POP removes the mark.
    if (!m_marks.empty() && m_marks.back() == m_stack.size())
        m_marks.pop_back();
    else
        pop();
}

void PickleMachine::doDup(const Argument& /*argument*/)
{
    const PickleRef value = top();
    if (!m_stopped)
        push(value);
}

void PickleMachine::doPopMark(const Argument& /*argument*/)
{
    takeMarked(m_values);
}

void PickleMachine::doNone(const Argument& /*argument*/)
{
    push(PickleArena::none());
}

void PickleMachine::doTrue(const Argument& /*argument*/)
{
    push(PickleArena::boolean(true));
}

void PickleMachine::doFalse(const Argument& /*argument*/)
{
    push(PickleArena::boolean(false));
}

void PickleMachine::doInt(const Argument& argument)
{
    push(m_arena.addInt(argument.number));
}

void PickleMachine::doLong(const Argument& argument)
{
    if (argument.length > m_limits.integerBytes) {
        problem("size-overflow",
            fmt::format("an integer of {} bytes is beyond the limit of {}", argument.length,
                m_limits.integerBytes));
        return;
    }
    const std::string_view bytes = view(argument.offset, argument.length);
    if (bytes.size() > 8) {
        push(m_arena.addSourceText(PickleKind::BigInt, argument.offset, argument.length));
        return;
    }
    const bool negative = !bytes.empty() && (static_cast<unsigned char>(bytes.back()) & 0x80U) != 0;
    std::uint64_t value = negative ? ~std::uint64_t{0} : 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = (value << 8U) | static_cast<unsigned char>(bytes[i]);
    push(m_arena.addInt(static_cast<std::int64_t>(value)));
}

void PickleMachine::doDecimal(const Argument& argument)
{
    std::string_view line = view(argument.offset, argument.length);
    if (m_opcodeName[0] == 'I' && (line == "00" || line == "01")) {
        push(PickleArena::boolean(line == "01"));
        return;
    }
    if (line.size() > m_limits.integerBytes) {
        problem("size-overflow",
            fmt::format("an integer of {} digits is beyond the limit of {}", line.size(),
                m_limits.integerBytes));
        return;
    }
    if (!line.empty() && line.back() == 'L')
        line.remove_suffix(1);
    if (const auto value = parseInteger(line))
        push(m_arena.addInt(*value));
    else if (const auto number = parseNumber(line))
        push(m_arena.addFloat(number->value));  // beyond 64 bits: its nearest double
    else
        problem("bad-header", "a decimal integer is none");
}

void PickleMachine::doBinaryFloat(const Argument& argument)
{
    auto bits = static_cast<std::uint64_t>(argument.number);
    std::uint64_t swapped = 0;
    for (int i = 0; i < 8; ++i, bits >>= 8U)
        swapped = (swapped << 8U) | (bits & 0xFFU);
    push(m_arena.addFloat(std::bit_cast<double>(swapped)));
}

void PickleMachine::doFloatLine(const Argument& argument)
{
    if (const auto value = parseNumber(view(argument.offset, argument.length)))
        push(m_arena.addFloat(value->value));
    else
        problem("bad-header", "a decimal float is none");
}

void PickleMachine::doText(const Argument& argument)
{
    push(m_arena.addSourceText(PickleKind::Text, argument.offset, argument.length));
}

void PickleMachine::doTextLine(const Argument& argument)
{
    push(m_arena.addOwnedText(
        PickleKind::Text, decodeRawUnicode(view(argument.offset, argument.length))));
}

void PickleMachine::doBytes(const Argument& argument)
{
    // Python 2 wrote its text as bytes: read as text where it is used as one.
    push(m_arena.addSourceText(PickleKind::Bytes, argument.offset, argument.length));
}

void PickleMachine::doBytesLine(const Argument& argument)
{
    const auto bytes = decodeQuoted(view(argument.offset, argument.length));
    if (bytes)
        push(m_arena.addOwnedText(PickleKind::Bytes, *bytes));
    else
        problem("bad-header", "a string line is not quoted");
}

void PickleMachine::doBuffer(const Argument& /*argument*/)
{
    problem("bad-header", "the pickle asks for data that is not in the file");
}

void PickleMachine::doPut(const Argument& argument)
{
    memoize(static_cast<std::uint64_t>(argument.number));
}

void PickleMachine::doPutLine(const Argument& argument)
{
    if (const auto index = memoIndex(view(argument.offset, argument.length)))
        memoize(*index);
    else
        problem("memo-miss", "a memo index is no number");
}

void PickleMachine::doMemoize(const Argument& /*argument*/)
{
    memoize(m_memoized);
}

void PickleMachine::doGet(const Argument& argument)
{
    fetch(static_cast<std::uint64_t>(argument.number));
}

void PickleMachine::doGetLine(const Argument& argument)
{
    if (const auto index = memoIndex(view(argument.offset, argument.length)))
        fetch(*index);
    else
        problem("memo-miss", "a memo index is no number");
}

}  // namespace firstbad::core
