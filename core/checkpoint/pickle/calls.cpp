// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/pickle/machine_state.h"
#include "core/checkpoint/pickle/text_opcodes.h"

#include <fmt/format.h>

namespace firstbad::core {

namespace {

constexpr std::size_t kMaxDangerousCalls = 100;

std::string shownGlobal(const PickleGlobal& global)
{
    return global.module + "." + global.name;
}

}  // namespace

void PickleMachine::doGlobal(const Argument& argument)
{
    push(m_arena.addGlobal(view(argument.offset, argument.length),
        view(argument.secondOffset, argument.secondLength)));
}

void PickleMachine::doStackGlobal(const Argument& /*argument*/)
{
    const PickleRef name = pop();
    const PickleRef module = pop();
    if (m_stopped)
        return;
    if (m_arena.is(name, PickleKind::Text) && m_arena.is(module, PickleKind::Text))
        push(m_arena.addGlobal(m_arena.text(module), m_arena.text(name)));
    else
        problem("stack-underflow", "the pickle names a class by something that is no text");
}

void PickleMachine::doReduce(const Argument& /*argument*/)
{
    const PickleRef args = pop();
    const PickleRef callable = pop();
    if (!m_stopped)
        push(call(PickleHow::Call, callable, args));
}

void PickleMachine::doBuild(const Argument& /*argument*/)
{
    const PickleRef state = pop();
    const PickleRef target = top();
    if (!m_stopped)
        m_arena.build(target, state);
}

void PickleMachine::doNewObject(const Argument& /*argument*/)
{
    const PickleRef args = pop();
    const PickleRef type = pop();
    if (!m_stopped)
        push(call(PickleHow::NewObject, type, args));
}

void PickleMachine::doNewObjectEx(const Argument& /*argument*/)
{
    const PickleRef kwargs = pop();
    const PickleRef args = pop();
    const PickleRef type = pop();
    if (!m_stopped)
        push(call(PickleHow::NewObject, type, args, kwargs));
}

void PickleMachine::doInstance(const Argument& argument)
{
    if (!takeMarked(m_values))
        return;
    const PickleRef args = m_arena.addTuple(m_values);
    const PickleRef type = m_arena.addGlobal(
        view(argument.offset, argument.length), view(argument.secondOffset, argument.secondLength));
    push(call(PickleHow::Call, type, args));
}

void PickleMachine::doObject(const Argument& /*argument*/)
{
    if (!takeMarked(m_values))
        return;
    if (m_values.empty()) {
        problem("stack-underflow", "the pickle makes an object without a class");
        return;
    }
    const PickleRef type = m_values.front();
    push(call(PickleHow::Call, type, m_arena.addTuple(std::span(m_values).subspan(1))));
}

void PickleMachine::doPersistent(const Argument& /*argument*/)
{
    const PickleRef id = pop();
    if (!m_stopped)
        push(m_arena.addPersistent(id));
}

void PickleMachine::doPersistentLine(const Argument& argument)
{
    push(m_arena.addPersistent(
        m_arena.addSourceText(PickleKind::Text, argument.offset, argument.length)));
}

void PickleMachine::doExtension(const Argument& argument)
{
    PickleObject object;
    object.how = PickleHow::Extension;
    object.callable = m_arena.addGlobal("ext", fmt::format("{}", argument.number));
    push(m_arena.addObject(std::move(object)));
}

PickleRef PickleMachine::call(PickleHow how, PickleRef callable, PickleRef args, PickleRef kwargs)
{
    noteDanger(callable, args);
    if (m_arena.is(callable, PickleKind::Global)) {
        if (const PickleRef value = plainValue(m_arena.global(callable), args); value != kNoValue)
            return value;
    }
    PickleObject object;
    object.how = how;
    object.callable = callable;
    object.args = args;
    object.kwargs = kwargs;
    return m_arena.addObject(std::move(object));
}

void PickleMachine::noteDanger(PickleRef callable, PickleRef args)
{
    std::string name;
    if (m_arena.is(callable, PickleKind::Object)) {
        // Only what getattr and its like return is called this way.
        name = "a call of the result of " + shownGlobal(m_arena.global(callable));
    } else if (m_arena.is(callable, PickleKind::Global)) {
        const PickleGlobal& global = m_arena.global(callable);
        // Python pickles enum members and nested classes as getattr(class, name): harmless as long
        // as the class is.
        const bool reaches = global.module == "builtins" && global.name == "getattr";
        const auto arguments = m_arena.items(args);
        const bool ofClass = !arguments.empty() && m_arena.is(arguments[0], PickleKind::Global)
            && !m_arena.global(arguments[0]).dangerous;
        if (global.dangerous || (reaches && !ofClass))
            name = shownGlobal(global);
    }
    if (!name.empty() && m_document.dangerous.size() < kMaxDangerousCalls)
        m_document.dangerous.push_back({std::move(name), m_opcodeAt});
}

PickleRef PickleMachine::plainValue(const PickleGlobal& global, PickleRef args)
{
    const auto arguments = m_arena.items(args);
    if (global.module == "collections")
        return collectionsValue(global.name, arguments);
    if (global.module == "builtins")
        return builtinsValue(global.name, arguments);
    if (global.module == "_codecs" && global.name == "encode")
        return encodedBytes(arguments);
    // Both are their argument: torch.Size is a tuple, a type tag says what C++ wrote.
    const bool wrapper = (global.module == "torch" && global.name == "Size")
        || global.module == "torch.jit._pickle";
    return wrapper && !arguments.empty() ? arguments[0] : kNoValue;
}

PickleRef PickleMachine::collectionsValue(std::string_view name, std::span<const PickleRef> args)
{
    const PickleRef first = args.empty() ? kNoValue : args[0];
    if (name == "OrderedDict" || name == "Counter") {
        if (m_arena.is(first, PickleKind::Dict))
            return first;
        return m_arena.is(first, PickleKind::List) ? dictFromPairs(first)
                                                   : m_arena.addContainer(PickleKind::Dict);
    }
    if (name == "defaultdict")
        return m_arena.addContainer(PickleKind::Dict);
    if (name == "deque")
        return m_arena.is(first, PickleKind::List) ? first : m_arena.addContainer(PickleKind::List);
    return kNoValue;
}

PickleRef PickleMachine::builtinsValue(std::string_view name, std::span<const PickleRef> args)
{
    if (name == "set" || name == "frozenset")
        return !args.empty() && m_arena.is(args[0], PickleKind::List)
            ? args[0]
            : m_arena.addContainer(PickleKind::List);
    if (name != "bytearray" && name != "bytes")
        return kNoValue;
    if (args.empty())
        return m_arena.addOwnedText(PickleKind::Bytes, {});
    if (m_arena.is(args[0], PickleKind::Bytes))
        return args[0];
    return encodedBytes(args);
}

PickleRef PickleMachine::encodedBytes(std::span<const PickleRef> args)
{
    if (args.empty() || !m_arena.is(args[0], PickleKind::Text))
        return kNoValue;
    const auto bytes = latin1Bytes(m_arena.text(args[0]));
    if (!bytes || !mayCopy(bytes->size()))
        return kNoValue;
    return m_arena.addOwnedText(PickleKind::Bytes, *bytes);
}

PickleRef PickleMachine::dictFromPairs(PickleRef list)
{
    const PickleRef dict = m_arena.addContainer(PickleKind::Dict);
    const auto entries = m_arena.items(list);
    if (!mayCopy(entries.size()))
        return dict;
    for (const PickleRef entry : entries) {
        if (m_arena.items(entry).size() == 2)
            m_arena.setPairs(dict, m_arena.items(entry));
    }
    return dict;
}

/// Copies made on a pickle's behalf stay within a few times its size: a call costs three bytes and
/// may name a megabyte through the memo.
bool PickleMachine::mayCopy(std::size_t count)
{
    m_copied += count;
    const std::size_t limit = 2 * m_arena.source().size() + 65536;
    if (m_copied > limit)
        problem("size-overflow", "the pickle copies its own values over and over");
    return m_copied <= limit;
}

}  // namespace firstbad::core
