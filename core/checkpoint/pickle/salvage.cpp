// SPDX-License-Identifier: GPL-3.0-or-later
// What a pickle had built when it broke off: its open containers are closed, innermost first, as if
// the missing opcodes had followed.
#include "core/checkpoint/pickle/machine_state.h"

namespace firstbad::core {

namespace {

/// A name that waits for the call it is the function of; a dtype is a value of its own.
bool isUnfinished(const PickleArena& arena, PickleRef ref)
{
    return arena.is(ref, PickleKind::Global) && arena.global(ref).module != "torch";
}

}  // namespace

void PickleMachine::noteLostKey(std::span<const PickleRef> pairs)
{
    for (std::size_t i = 0; i < pairs.size(); i += 2) {
        const bool isKey = m_arena.is(pairs[i], PickleKind::Text);
        const bool complete = i + 1 < pairs.size() && !isUnfinished(m_arena, pairs[i + 1]);
        if (complete)
            continue;
        if (isKey)
            m_document.lostKeys.emplace_back(m_arena.text(pairs[i]));
        return;  // what follows belongs to the unfinished value
    }
    // All complete: the break is inside the last value, whose own lost keys are known by now.
    if (pairs.size() < 2 || !m_arena.is(pairs[pairs.size() - 2], PickleKind::Text))
        return;
    const std::string above(m_arena.text(pairs[pairs.size() - 2]));
    for (std::string& key : m_document.lostKeys)
        key = above + "." + key;
}

void PickleMachine::closeMark(std::size_t mark)
{
    m_values.assign(m_stack.begin() + static_cast<std::ptrdiff_t>(mark), m_stack.end());
    m_stack.resize(mark);
    const PickleRef below = mark > 0 ? m_stack.back() : kNoValue;
    if (m_arena.is(below, PickleKind::Dict)
        || (m_arena.is(below, PickleKind::Object) && !m_values.empty()
            && m_arena.is(m_values[0], PickleKind::Text))) {
        noteLostKey(m_values);
        m_arena.setPairs(below, std::span(m_values).first(m_values.size() / 2 * 2));
    } else if (m_arena.is(below, PickleKind::List)) {
        m_arena.append(below, m_values);
    } else {
        m_stack.push_back(m_arena.addTuple(m_values));
    }
}

void PickleMachine::salvage()
{
    while (!m_marks.empty()) {
        const std::size_t mark = m_marks.back();
        m_marks.pop_back();
        closeMark(mark);
    }
    if (!m_stack.empty())
        m_document.root = m_stack.front();
}

}  // namespace firstbad::core
