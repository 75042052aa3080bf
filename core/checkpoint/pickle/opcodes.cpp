// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/pickle/machine_state.h"

namespace firstbad::core {

void PickleMachine::addStackOpcodes(Table& table)
{
    using M = PickleMachine;
    table[0x80] = {"PROTO", Shape::Fixed1, &M::doNothing};
    table[0x95] = {"FRAME", Shape::Fixed8, &M::doFrame};
    table[0x2E] = {"STOP", Shape::None, &M::doStop};
    table[0x28] = {"MARK", Shape::None, &M::doMark};
    table[0x30] = {"POP", Shape::None, &M::doPop};
    table[0x32] = {"DUP", Shape::None, &M::doDup};
    table[0x31] = {"POP_MARK", Shape::None, &M::doPopMark};
    table[0x71] = {"BINPUT", Shape::Fixed1, &M::doPut};
    table[0x72] = {"LONG_BINPUT", Shape::Fixed4, &M::doPut};
    table[0x70] = {"PUT", Shape::Line, &M::doPutLine};
    table[0x94] = {"MEMOIZE", Shape::None, &M::doMemoize};
    table[0x68] = {"BINGET", Shape::Fixed1, &M::doGet};
    table[0x6A] = {"LONG_BINGET", Shape::Fixed4, &M::doGet};
    table[0x67] = {"GET", Shape::Line, &M::doGetLine};
}

void PickleMachine::addValueOpcodes(Table& table)
{
    using M = PickleMachine;
    table[0x4E] = {"NONE", Shape::None, &M::doNone};
    table[0x88] = {"NEWTRUE", Shape::None, &M::doTrue};
    table[0x89] = {"NEWFALSE", Shape::None, &M::doFalse};
    table[0x4A] = {"BININT", Shape::Signed4, &M::doInt};
    table[0x4B] = {"BININT1", Shape::Fixed1, &M::doInt};
    table[0x4D] = {"BININT2", Shape::Fixed2, &M::doInt};
    table[0x8A] = {"LONG1", Shape::Text1, &M::doLong};
    table[0x8B] = {"LONG4", Shape::SignedText4, &M::doLong};
    table[0x49] = {"INT", Shape::Line, &M::doDecimal};
    table[0x4C] = {"LONG", Shape::Line, &M::doDecimal};
    table[0x46] = {"FLOAT", Shape::Line, &M::doFloatLine};
    table[0x47] = {"BINFLOAT", Shape::Fixed8, &M::doBinaryFloat};
    table[0x58] = {"BINUNICODE", Shape::Text4, &M::doText};
    table[0x8C] = {"SHORT_BINUNICODE", Shape::Text1, &M::doText};
    table[0x8D] = {"BINUNICODE8", Shape::Text8, &M::doText};
    table[0x56] = {"UNICODE", Shape::Line, &M::doTextLine};
    table[0x54] = {"BINSTRING", Shape::SignedText4, &M::doBytes};
    table[0x55] = {"SHORT_BINSTRING", Shape::Text1, &M::doBytes};
    table[0x53] = {"STRING", Shape::Line, &M::doBytesLine};
    table[0x42] = {"BINBYTES", Shape::Text4, &M::doBytes};
    table[0x43] = {"SHORT_BINBYTES", Shape::Text1, &M::doBytes};
    table[0x8E] = {"BINBYTES8", Shape::Text8, &M::doBytes};
    table[0x96] = {"BYTEARRAY8", Shape::Text8, &M::doBytes};
    table[0x97] = {"NEXT_BUFFER", Shape::None, &M::doBuffer};
    table[0x98] = {"READONLY_BUFFER", Shape::None, &M::doBuffer};
}

void PickleMachine::addContainerOpcodes(Table& table)
{
    using M = PickleMachine;
    table[0x5D] = {"EMPTY_LIST", Shape::None, &M::doEmptyList};
    table[0x61] = {"APPEND", Shape::None, &M::doAppend};
    table[0x65] = {"APPENDS", Shape::None, &M::doAppends};
    table[0x6C] = {"LIST", Shape::None, &M::doList};
    table[0x29] = {"EMPTY_TUPLE", Shape::None, &M::doEmptyTuple};
    table[0x74] = {"TUPLE", Shape::None, &M::doTuple};
    table[0x85] = {"TUPLE1", Shape::None, &M::doTuple1};
    table[0x86] = {"TUPLE2", Shape::None, &M::doTuple2};
    table[0x87] = {"TUPLE3", Shape::None, &M::doTuple3};
    table[0x7D] = {"EMPTY_DICT", Shape::None, &M::doEmptyDict};
    table[0x73] = {"SETITEM", Shape::None, &M::doSetItem};
    table[0x75] = {"SETITEMS", Shape::None, &M::doSetItems};
    table[0x64] = {"DICT", Shape::None, &M::doDict};
    table[0x8F] = {"EMPTY_SET", Shape::None, &M::doEmptyList};
    table[0x90] = {"ADDITEMS", Shape::None, &M::doAppends};
    table[0x91] = {"FROZENSET", Shape::None, &M::doList};
}

void PickleMachine::addObjectOpcodes(Table& table)
{
    using M = PickleMachine;
    table[0x63] = {"GLOBAL", Shape::TwoLines, &M::doGlobal};
    table[0x93] = {"STACK_GLOBAL", Shape::None, &M::doStackGlobal};
    table[0x52] = {"REDUCE", Shape::None, &M::doReduce};
    table[0x62] = {"BUILD", Shape::None, &M::doBuild};
    table[0x81] = {"NEWOBJ", Shape::None, &M::doNewObject};
    table[0x92] = {"NEWOBJ_EX", Shape::None, &M::doNewObjectEx};
    table[0x69] = {"INST", Shape::TwoLines, &M::doInstance};
    table[0x6F] = {"OBJ", Shape::None, &M::doObject};
    table[0x51] = {"BINPERSID", Shape::None, &M::doPersistent};
    table[0x50] = {"PERSID", Shape::Line, &M::doPersistentLine};
    table[0x82] = {"EXT1", Shape::Fixed1, &M::doExtension};
    table[0x83] = {"EXT2", Shape::Fixed2, &M::doExtension};
    table[0x84] = {"EXT4", Shape::Signed4, &M::doExtension};
}

PickleMachine::Table PickleMachine::makeTable()
{
    Table table{};
    addStackOpcodes(table);
    addValueOpcodes(table);
    addContainerOpcodes(table);
    addObjectOpcodes(table);
    return table;
}

const PickleMachine::Table& PickleMachine::opcodes()
{
    static const Table table = makeTable();
    return table;
}

}  // namespace firstbad::core
