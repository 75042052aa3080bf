// SPDX-License-Identifier: GPL-3.0-or-later
// PickleMachine: the stack, marks and memo of one unpickling. Private to core/checkpoint/pickle.
//
// One thread, one use. Opcodes are a table of member functions (opcodes.cpp); a handler that
// fails leaves a problem and the loop stops.
#pragma once

#include "core/checkpoint/pickle/machine.h"

#include <array>

namespace firstbad::core {

class PickleMachine
{
public:
    PickleMachine(std::string bytes, const PickleLimits& limits);
    /// Runs to STOP, to the end of the bytes or to the first problem.
    [[nodiscard]] Result<PickleDocument> run(JobContext& job);

private:
    /// What follows the opcode byte.
    struct Argument {
        std::int64_t number = 0;
        std::size_t offset = 0;  // of text in the source
        std::size_t length = 0;
        std::size_t secondOffset = 0;  // of the second line
        std::size_t secondLength = 0;
    };
    enum class Shape : std::uint8_t {
        Unknown,  // no such opcode
        None,
        Fixed1,
        Fixed2,
        Fixed4,
        Signed4,
        Fixed8,
        Line,
        TwoLines,
        Text1,
        Text4,
        SignedText4,
        Text8,
    };
    using Handler = void (PickleMachine::*)(const Argument&);
    struct Opcode {
        const char* name = "";
        Shape shape = Shape::Unknown;
        Handler handler = nullptr;
    };
    using Table = std::array<Opcode, 256>;
    static Table makeTable();
    static void addStackOpcodes(Table& table);
    static void addValueOpcodes(Table& table);
    static void addContainerOpcodes(Table& table);
    static void addObjectOpcodes(Table& table);
    static const Table& opcodes();

    // Reading. False when the bytes do not hold it.
    bool readArgument(Shape shape, Argument& argument);
    bool readFixed(std::size_t bytes, bool isSigned, std::int64_t& number);
    bool readLine(std::size_t& offset, std::size_t& length);
    bool readText(std::size_t lengthBytes, bool isSigned, Argument& argument);
    [[nodiscard]] std::string_view view(std::size_t offset, std::size_t length) const;
    void problem(std::string error, std::string text);

    // Stack.
    void push(PickleRef ref) { m_stack.push_back(ref); }
    PickleRef pop();
    [[nodiscard]] PickleRef top();
    /// The values above the last mark, which goes; they stay on the stack until dropped.
    bool takeMarked(std::vector<PickleRef>& values);
    void memoize(std::uint64_t index);
    void fetch(std::uint64_t index);

    // Handlers.
    void doNothing(const Argument& argument);
    void doFrame(const Argument& argument);
    void doStop(const Argument& argument);
    void doMark(const Argument& argument);
    void doPop(const Argument& argument);
    void doDup(const Argument& argument);
    void doPopMark(const Argument& argument);
    void doNone(const Argument& argument);
    void doTrue(const Argument& argument);
    void doFalse(const Argument& argument);
    void doInt(const Argument& argument);
    void doLong(const Argument& argument);
    void doDecimal(const Argument& argument);
    void doBinaryFloat(const Argument& argument);
    void doFloatLine(const Argument& argument);
    void doText(const Argument& argument);
    void doTextLine(const Argument& argument);
    void doBytes(const Argument& argument);
    void doBytesLine(const Argument& argument);
    void doBuffer(const Argument& argument);
    void doEmptyList(const Argument& argument);
    void doEmptyTuple(const Argument& argument);
    void doEmptyDict(const Argument& argument);
    void doAppend(const Argument& argument);
    void doAppends(const Argument& argument);
    void doList(const Argument& argument);
    void doTuple(const Argument& argument);
    void doTuple1(const Argument& argument);
    void doTuple2(const Argument& argument);
    void doTuple3(const Argument& argument);
    void doSetItem(const Argument& argument);
    void doSetItems(const Argument& argument);
    void doDict(const Argument& argument);
    void doPut(const Argument& argument);
    void doPutLine(const Argument& argument);
    void doMemoize(const Argument& argument);
    void doGet(const Argument& argument);
    void doGetLine(const Argument& argument);
    void doGlobal(const Argument& argument);
    void doStackGlobal(const Argument& argument);
    void doReduce(const Argument& argument);
    void doBuild(const Argument& argument);
    void doNewObject(const Argument& argument);
    void doNewObjectEx(const Argument& argument);
    void doInstance(const Argument& argument);
    void doObject(const Argument& argument);
    void doPersistent(const Argument& argument);
    void doPersistentLine(const Argument& argument);
    void doExtension(const Argument& argument);

    void pushTuple(std::size_t count);
    void appendTo(PickleRef target, std::span<const PickleRef> values);
    void setPairsOf(PickleRef target, std::span<const PickleRef> values);

    // Calls (calls.cpp): the few names that stand for plain values.
    PickleRef call(PickleHow how, PickleRef callable, PickleRef args, PickleRef kwargs = kNoValue);
    PickleRef plainValue(const PickleGlobal& global, PickleRef args);
    PickleRef collectionsValue(std::string_view name, std::span<const PickleRef> args);
    PickleRef builtinsValue(std::string_view name, std::span<const PickleRef> args);
    PickleRef encodedBytes(std::span<const PickleRef> args);
    PickleRef dictFromPairs(PickleRef list);
    void noteDanger(PickleRef callable, PickleRef args);
    bool mayCopy(std::size_t count);

    // After a problem (salvage.cpp).
    void salvage();
    void closeMark(std::size_t mark);
    void noteLostKey(std::span<const PickleRef> pairs);

    PickleDocument m_document;
    PickleArena& m_arena;
    PickleLimits m_limits;
    std::vector<PickleRef> m_stack;
    std::vector<std::size_t> m_marks;
    std::vector<PickleRef> m_memo;  // small, dense indices
    std::unordered_map<std::uint64_t, PickleRef> m_farMemo;  // whatever else a file names
    std::vector<PickleRef> m_values;  // scratch for what a mark held
    std::uint64_t m_memoized = 0;
    std::size_t m_copied = 0;
    std::size_t m_position = 0;  // of the next byte
    std::size_t m_opcodeAt = 0;
    const char* m_opcodeName = "";
    bool m_stopped = false;
};

}  // namespace firstbad::core
