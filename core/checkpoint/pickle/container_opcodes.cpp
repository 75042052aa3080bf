// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/pickle/machine_state.h"

#include <fmt/format.h>

namespace firstbad::core {

void PickleMachine::pushTuple(std::size_t count)
{
    std::array<PickleRef, 3> parts{};
    for (std::size_t i = count; i-- > 0;)
        parts.at(i) = pop();
    if (!m_stopped)
        push(m_arena.addTuple(std::span(parts).first(count)));
}

void PickleMachine::appendTo(PickleRef target, std::span<const PickleRef> values)
{
    if (!m_stopped && !m_arena.append(target, values))
        problem("stack-underflow", "the pickle appends to a value that is no list");
}

void PickleMachine::setPairsOf(PickleRef target, std::span<const PickleRef> values)
{
    if (m_stopped)
        return;
    if (values.size() % 2 != 0)
        problem("stack-underflow", "the pickle sets a key without a value");
    else if (!m_arena.setPairs(target, values))
        problem("stack-underflow", "the pickle sets an item of a value that is no dict");
}

void PickleMachine::doEmptyList(const Argument& /*argument*/)
{
    push(m_arena.addContainer(PickleKind::List));
}

void PickleMachine::doEmptyTuple(const Argument& /*argument*/)
{
    push(m_arena.addTuple({}));
}

void PickleMachine::doEmptyDict(const Argument& /*argument*/)
{
    push(m_arena.addContainer(PickleKind::Dict));
}

void PickleMachine::doAppend(const Argument& /*argument*/)
{
    const PickleRef value = pop();
    appendTo(top(), std::span(&value, 1));
}

void PickleMachine::doAppends(const Argument& /*argument*/)
{
    if (takeMarked(m_values))
        appendTo(top(), m_values);
}

void PickleMachine::doList(const Argument& /*argument*/)
{
    if (!takeMarked(m_values))
        return;
    const PickleRef list = m_arena.addContainer(PickleKind::List);
    m_arena.append(list, m_values);
    push(list);
}

void PickleMachine::doTuple(const Argument& /*argument*/)
{
    if (takeMarked(m_values))
        push(m_arena.addTuple(m_values));
}

void PickleMachine::doTuple1(const Argument& /*argument*/)
{
    pushTuple(1);
}

void PickleMachine::doTuple2(const Argument& /*argument*/)
{
    pushTuple(2);
}

void PickleMachine::doTuple3(const Argument& /*argument*/)
{
    pushTuple(3);
}

void PickleMachine::doSetItem(const Argument& /*argument*/)
{
    const PickleRef value = pop();
    const std::array<PickleRef, 2> pair{pop(), value};
    setPairsOf(top(), pair);
}

void PickleMachine::doSetItems(const Argument& /*argument*/)
{
    if (takeMarked(m_values))
        setPairsOf(top(), m_values);
}

void PickleMachine::doDict(const Argument& /*argument*/)
{
    if (!takeMarked(m_values))
        return;
    const PickleRef dict = m_arena.addContainer(PickleKind::Dict);
    setPairsOf(dict, m_values);
    push(dict);
}

}  // namespace firstbad::core
