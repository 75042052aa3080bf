// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/pickle/machine.h"
#include "tests/support/catch.h"

using namespace firstbad::core;
using namespace std::string_literals;

namespace {

PickleDocument read(std::string bytes, const PickleLimits& limits = {})
{
    JobContext job;
    auto document = unpickle(std::move(bytes), job, limits);
    REQUIRE(document);
    return std::move(*document);
}

// {'first': 1, 'bad': <what follows>
std::string dictUpTo(const std::string& value)
{
    return "\x80\x02}(X\x05\x00\x00\x00"
           "firstK\x01X\x03\x00\x00\x00"
           "bad"s
        + value;
}

}  // namespace

TEST_CASE("a pickle that lies stops with a place and keeps what came before", "[pickle]")
{
    struct Case {
        const char* name;
        std::string value;
        const char* error;
        const char* opcode;
    };
    const auto c = GENERATE(values<Case>({
        {"memo that was never stored", "j\xf0\xff\xff\xffu."s, "memo-miss", "LONG_BINGET"},
        {"LONG4 of two gigabytes", "\x8b\xff\xff\xff\x7fu."s, "length-past-end", "LONG4"},
        {"text of 2^60 bytes", "\x8d\x00\x00\x00\x00\x00\x00\x00\x10u."s, "length-past-end",
            "BINUNICODE8"},
        {"negative length", "T\xff\xff\xff\xff.", "length-past-end", "BINSTRING"},
        {"frame past the end", "\x95\xff\x00\x00\x00\x00\x00\x00\x00."s, "length-past-end",
            "FRAME"},
        {"file ends", ""s, "truncated", ""},
        {"file ends in an argument", "J\x01\x02"s, "truncated", "BININT"},
        {"unknown opcode", "\xf7."s, "bad-header", ""},
        {"out-of-band buffer", "\x97."s, "bad-header", "NEXT_BUFFER"},
    }));
    CAPTURE(c.name);
    const auto document = read(dictUpTo(c.value));
    REQUIRE(document.problem);
    CHECK(document.problem->error == c.error);
    CHECK(document.problem->opcode == c.opcode);
    CHECK(document.problem->position == 24);
    REQUIRE(document.arena.kind(document.root) == PickleKind::Dict);
    CHECK(document.arena.integer(document.arena.find(document.root, "first")) == 1);
    CHECK(document.lostKeys == std::vector<std::string>{"bad"});
}

TEST_CASE("a value that breaks off inside its call is lost by name", "[pickle]")
{
    const auto document = read(dictUpTo("ctorch._utils\n_rebuild_tensor_v2\n(K\x00"s));
    REQUIRE(document.problem);
    CHECK(document.lostKeys == std::vector<std::string>{"bad"});
}

TEST_CASE("taking more than was pushed is a stack underflow", "[pickle]")
{
    const auto bytes = GENERATE(values<std::string>({"0."s, "K\x01\x86."s, "t."s, "u."s, "R."s,
        "]("
        "K\x01R."s,
        "}K\x01K\x02K\x03("
        "0s0."s,
        "K\x01K\x02"
        "a."s}));
    const auto document = read(bytes);
    REQUIRE(document.problem);
    CHECK(document.problem->error == "stack-underflow");
}

TEST_CASE("a memo index of 2^32 - 1 costs one entry", "[pickle]")
{
    const auto document = read("K\x07r\xff\xff\xff\xff"
                               "0j\xff\xff\xff\xff."s);
    REQUIRE_FALSE(document.problem);
    CHECK(document.arena.integer(document.root) == 7);
}

TEST_CASE("calls that would run code are flagged and not made", "[pickle]")
{
    struct Case {
        const char* name;
        std::string bytes;
        const char* global;
    };
    const auto c = GENERATE(values<Case>({
        {"REDUCE", "cos\nsystem\nU\x02ls\x85R."s, "os.system"},
        {"STACK_GLOBAL", "\x8c\x05posix\x8c\x06system\x93U\x02ls\x85R."s, "posix.system"},
        {"INST", "(U\x02lsisubprocess\nPopen\n."s, "subprocess.Popen"},
        {"OBJ", "(cos\nsystem\nU\x02lso."s, "os.system"},
        {"NEWOBJ", "csubprocess\nPopen\nU\x02ls\x85\x81."s, "subprocess.Popen"},
        {"Python 2 eval", "c__builtin__\neval\nU\x02ls\x85R."s, "builtins.eval"},
        {"dotted name", "\x8c\x05torch\x8c\x09os.system\x93U\x02ls\x85R."s, "torch.os.system"},
        {"getattr of a result", "cbuiltins\ngetattr\n(cfoo\nBar\n)RU\x01xtR."s, "builtins.getattr"},
    }));
    CAPTURE(c.name);
    const auto document = read(c.bytes);
    REQUIRE(document.dangerous.size() == 1);
    CHECK(document.dangerous[0].global == c.global);
}

TEST_CASE("an enum member that Python pickles by getattr is no danger", "[pickle]")
{
    const auto document = read("cbuiltins\ngetattr\n(ctransformers\nStrategy\nU\x02NOtR."s);
    CHECK(document.dangerous.empty());
}

TEST_CASE("a pickle that builds too many values is refused", "[pickle]")
{
    PickleLimits limits;
    limits.values = 1000;
    const auto document = read(std::string(2000, ']') + '.', limits);
    REQUIRE(document.problem);
    CHECK(document.problem->error == "nesting-limit");
}

TEST_CASE("copies made for a pickle stay within its size", "[pickle]")
{
    // One text of 50 kB in the memo, encoded to bytes again and again.
    std::string bytes = "c_codecs\nencode\nq\x00X\x50\xc3\x00\x00"s + std::string(50000, 'x')
        + "q\x01X\x06\x00\x00\x00latin1q\x02"s;
    for (int i = 0; i < 1000; ++i)
        bytes += "h\x00h\x01h\x02\x86R"s;
    const auto document = read(bytes + ".");
    REQUIRE(document.problem);
    CHECK(document.problem->error == "size-overflow");
    CHECK(document.arena.ownedBytes() < 1'000'000);
}
