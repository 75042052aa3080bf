// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/pickle/machine.h"

#include "core/checkpoint/pickle/machine_state.h"

#include <fmt/format.h>

namespace firstbad::core {

namespace {

constexpr std::size_t kOpcodesPerCheck = 65536;
constexpr std::size_t kDenseMemoSlack = 1024;

}  // namespace

PickleMachine::PickleMachine(std::string bytes, const PickleLimits& limits)
    : m_arena(m_document.arena)
    , m_limits(limits)
{
    m_arena.setSource(std::move(bytes));
}

Result<PickleDocument> PickleMachine::run(JobContext& job)
{
    const std::string& bytes = m_arena.source();
    const Table& table = opcodes();
    for (std::size_t count = 1; !m_stopped; ++count) {
        if (count % kOpcodesPerCheck == 0 && job.cancelled())
            return JobContext::cancelledError();
        m_opcodeAt = m_position;
        m_opcodeName = "";
        if (m_position >= bytes.size()) {
            problem("truncated", "the pickle ends without STOP");
            break;
        }
        const auto code = static_cast<unsigned char>(bytes[m_position++]);
        const Opcode& opcode = table[code];
        m_opcodeName = opcode.name;
        Argument argument;
        if (opcode.shape == Shape::Unknown)
            problem("bad-header", fmt::format("byte 0x{:02X} is no pickle opcode", code));
        else if (readArgument(opcode.shape, argument))
            (this->*opcode.handler)(argument);
        if (m_arena.size() > m_limits.values)
            problem("nesting-limit",
                fmt::format("the pickle builds more than {} values", m_limits.values));
    }
    m_document.end = m_position;
    if (m_document.problem)
        salvage();
    return std::move(m_document);
}

Result<PickleDocument> unpickle(std::string bytes, JobContext& job, const PickleLimits& limits)
{
    if (bytes.size() > 0xFFFF'FFF0U)
        return fail(ErrorCode::Unsupported, "a pickle of more than 4 GiB is not read");
    return PickleMachine(std::move(bytes), limits).run(job);
}

void PickleMachine::problem(std::string error, std::string text)
{
    m_stopped = true;
    if (m_document.problem)
        return;
    const std::string at = m_opcodeName[0] != '\0' ? fmt::format(" ({})", m_opcodeName) : "";
    m_document.problem = PickleProblem{std::move(error), m_opcodeAt, m_opcodeName,
        fmt::format("{}, at byte {} of the pickle{}", text, m_opcodeAt, at)};
}

std::string_view PickleMachine::view(std::size_t offset, std::size_t length) const
{
    return std::string_view(m_arena.source()).substr(offset, length);
}

bool PickleMachine::readFixed(std::size_t bytes, bool isSigned, std::int64_t& number)
{
    const std::string& source = m_arena.source();
    if (source.size() - m_position < bytes) {
        problem("truncated", "the pickle ends inside an argument");
        return false;
    }
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i)
        value |= static_cast<std::uint64_t>(static_cast<unsigned char>(source[m_position + i]))
            << (8 * i);
    m_position += bytes;
    number = static_cast<std::int64_t>(value);
    if (isSigned && bytes == 4)
        number = static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
    return true;
}

bool PickleMachine::readLine(std::size_t& offset, std::size_t& length)
{
    const std::size_t end = m_arena.source().find('\n', m_position);
    if (end == std::string::npos) {
        problem("truncated", "the pickle ends inside a line");
        return false;
    }
    offset = m_position;
    length = end - m_position;
    m_position = end + 1;
    return true;
}

bool PickleMachine::readText(std::size_t lengthBytes, bool isSigned, Argument& argument)
{
    std::int64_t length = 0;
    if (!readFixed(lengthBytes, isSigned, length))
        return false;
    const std::size_t left = m_arena.source().size() - m_position;
    // An 8-byte length above 2^63 reads as negative: both are beyond any pickle.
    if (length < 0 || static_cast<std::uint64_t>(length) > left) {
        problem("length-past-end",
            fmt::format("{} length {} exceeds the {} bytes left", m_opcodeName,
                lengthBytes == 8 ? fmt::format("{}", static_cast<std::uint64_t>(length))
                                 : fmt::format("{}", length),
                left));
        return false;
    }
    argument.offset = m_position;
    argument.length = static_cast<std::size_t>(length);
    m_position += argument.length;
    return true;
}

bool PickleMachine::readArgument(Shape shape, Argument& argument)
{
    switch (shape) {
    case Shape::Fixed1:
        return readFixed(1, false, argument.number);
    case Shape::Fixed2:
        return readFixed(2, false, argument.number);
    case Shape::Fixed4:
        return readFixed(4, false, argument.number);
    case Shape::Signed4:
        return readFixed(4, true, argument.number);
    case Shape::Fixed8:
        return readFixed(8, false, argument.number);
    case Shape::Line:
        return readLine(argument.offset, argument.length);
    case Shape::TwoLines:
        return readLine(argument.offset, argument.length)
            && readLine(argument.secondOffset, argument.secondLength);
    case Shape::Text1:
        return readText(1, false, argument);
    case Shape::Text4:
        return readText(4, false, argument);
    case Shape::SignedText4:
        return readText(4, true, argument);
    case Shape::Text8:
        return readText(8, false, argument);
    case Shape::Unknown:
    case Shape::None:
        break;
    }
    return true;
}

PickleRef PickleMachine::pop()
{
    const std::size_t floor = m_marks.empty() ? 0 : m_marks.back();
    if (m_stack.size() <= floor) {
        problem("stack-underflow", "the pickle takes a value that was never pushed");
        return PickleArena::none();
    }
    const PickleRef value = m_stack.back();
    m_stack.pop_back();
    return value;
}

PickleRef PickleMachine::top()
{
    if (m_stack.empty()) {
        problem("stack-underflow", "the pickle uses a value that was never pushed");
        return PickleArena::none();
    }
    return m_stack.back();
}

bool PickleMachine::takeMarked(std::vector<PickleRef>& values)
{
    if (m_marks.empty()) {
        problem("stack-underflow", "the pickle goes back to a MARK that was never set");
        return false;
    }
    const std::size_t mark = m_marks.back();
    m_marks.pop_back();
    values.assign(m_stack.begin() + static_cast<std::ptrdiff_t>(mark), m_stack.end());
    m_stack.resize(mark);
    return true;
}

void PickleMachine::memoize(std::uint64_t index)
{
    const PickleRef value = top();
    if (m_stopped)
        return;
    ++m_memoized;
    if (index < m_memo.size()) {
        m_memo[static_cast<std::size_t>(index)] = value;
    } else if (index < m_memo.size() + kDenseMemoSlack) {
        m_memo.resize(static_cast<std::size_t>(index) + 1, kNoValue);
        m_memo.back() = value;
    } else {
        m_farMemo[index] = value;
    }
}

void PickleMachine::fetch(std::uint64_t index)
{
    PickleRef value = index < m_memo.size() ? m_memo[static_cast<std::size_t>(index)] : kNoValue;
    if (value == kNoValue) {
        const auto far = m_farMemo.find(index);
        if (far == m_farMemo.end()) {
            problem("memo-miss", fmt::format("memo index {} was never stored", index));
            return;
        }
        value = far->second;
    }
    push(value);
}

}  // namespace firstbad::core
