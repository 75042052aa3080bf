// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/pickle/machine.h"
#include "tests/support/catch.h"

#include <limits>

using namespace firstbad::core;
using namespace std::string_literals;

namespace {

PickleDocument read(std::string bytes)
{
    JobContext job;
    auto document = unpickle(std::move(bytes), job);
    REQUIRE(document);
    return std::move(*document);
}

}  // namespace

TEST_CASE("a pickled dict keeps its order, its keys and its kinds of number", "[pickle]")
{
    // pickle.dumps({'a': 1, 7: -2.5, 'n': None, 'b': True, 'big': 2**70}, 2)
    const auto document = read("\x80\x02}q\x00(X\x01\x00\x00\x00"
                               "aq\x01K\x01K\x07G\xc0\x04\x00\x00\x00\x00\x00\x00X\x01\x00\x00\x00"
                               "nq\x02NX\x01\x00\x00\x00"
                               "bq\x03\x88X\x03\x00\x00\x00"
                               "bigq\x04\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00@u."s);
    const PickleArena& arena = document.arena;
    REQUIRE_FALSE(document.problem);
    CHECK(document.protocol == 2);
    REQUIRE(arena.kind(document.root) == PickleKind::Dict);
    const auto pairs = arena.pairs(document.root);
    REQUIRE(pairs.size() == 10);
    CHECK(arena.text(pairs[0]) == "a");
    CHECK(arena.integer(pairs[1]) == 1);
    CHECK(arena.integer(pairs[2]) == 7);
    CHECK(arena.number(pairs[3]) == -2.5);
    CHECK(arena.kind(pairs[5]) == PickleKind::None);
    CHECK(arena.kind(pairs[7]) == PickleKind::Bool);
    CHECK(arena.kind(pairs[9]) == PickleKind::BigInt);
    CHECK(arena.number(pairs[9]) == 1180591620717411303424.0);
    CHECK(arena.number(arena.find(document.root, "a")) == 1.0);
}

TEST_CASE("integers of every width and sign are read", "[pickle]")
{
    struct Case {
        std::string bytes;
        std::int64_t value;
    };
    const auto c = GENERATE(values<Case>({
        {"J\xff\xff\xff\xff."s, -1},
        {"M\xff\xff."s, 65535},
        {"\x8a\x00."s, 0},
        {"\x8a\x01\xff."s, -1},
        {"\x8a\x02\x00\x80."s, -32768},
        {"\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f."s, std::numeric_limits<std::int64_t>::max()},
        {"I-12\n."s, -12},
        {"L123L\n."s, 123},
        {"I01\n."s, 1},
    }));
    const auto document = read(c.bytes);
    CHECK(document.arena.integer(document.root) == c.value);
}

TEST_CASE("a class becomes a description with arguments and state, never an object", "[pickle]")
{
    // argparse.Namespace by NEWOBJ and BUILD, protocol 4
    const auto document = read("\x80\x04\x8c\x08"
                               "argparse\x8c\x09"
                               "Namespace\x93)\x81}\x8c\x02lrG?\xf0\x00\x00\x00\x00\x00\x00sb."s);
    REQUIRE_FALSE(document.problem);
    CHECK(document.dangerous.empty());
    const PickleObject* made = document.arena.object(document.root);
    REQUIRE(made != nullptr);
    CHECK(made->how == PickleHow::NewObject);
    CHECK(document.arena.isGlobal(made->callable, "argparse", "Namespace"));
    CHECK(document.arena.number(document.arena.find(document.root, "lr")) == 1.0);
}

TEST_CASE("names that stand for plain values become those values", "[pickle]")
{
    SECTION("an ordered dict with attributes keeps them apart from its items")
    {
        const auto document = read("ccollections\nOrderedDict\n)R(U\x01kK\x05u}U\x01mK\x06sb."s);
        REQUIRE(document.arena.kind(document.root) == PickleKind::Dict);
        CHECK(document.arena.pairs(document.root).size() == 2);
        CHECK(document.arena.pairs(document.arena.attributes(document.root)).size() == 2);
    }
    SECTION("latin-1 text is the bytes of Python 2 pickles")
    {
        const auto document
            = read("c_codecs\nencode\n(X\x03\x00\x00\x00\xc3\xbf!X\x06\x00\x00\x00latin1tR."s);
        REQUIRE(document.arena.kind(document.root) == PickleKind::Bytes);
        CHECK(document.arena.text(document.root) == "\xff!");
    }
    SECTION("torch.Size is its tuple, Python 2 and NumPy 2 names are today's")
    {
        const auto document = read("ctorch\nSize\n(K\x02K\x03t\x85R."s);
        CHECK(document.arena.kind(document.root) == PickleKind::Tuple);
        CHECK(document.arena.items(document.root).size() == 2);
        const auto old = read("c__builtin__\nxrange\n."s);
        CHECK(old.arena.isGlobal(old.root, "builtins", "range"));
        const auto numpy = read("cnumpy._core.multiarray\nscalar\n."s);
        CHECK(numpy.arena.isGlobal(numpy.root, "numpy.core.multiarray", "scalar"));
    }
}

TEST_CASE("a list that holds itself is one value", "[pickle]")
{
    const auto document = read("]q\x00h\x00"
                               "a."s);
    REQUIRE_FALSE(document.problem);
    REQUIRE(document.arena.items(document.root).size() == 1);
    CHECK(document.arena.items(document.root)[0] == document.root);
}

TEST_CASE("a million nested lists are read without recursion", "[pickle]")
{
    constexpr std::size_t kLevels = 1'000'000;
    std::string bytes(kLevels, ']');
    bytes += std::string(kLevels - 1, 'a') + '.';
    const auto document = read(std::move(bytes));
    CHECK_FALSE(document.problem);
    CHECK(document.arena.items(document.root).size() == 1);
}

TEST_CASE("keys that are no text are shown as Python shows them", "[pickle]")
{
    struct Case {
        std::string bytes;
        std::string shown;
    };
    const auto c = GENERATE(values<Case>({
        {"ctorch\nfloat16\nctorch\nfloat32\n\x86."s, "(torch.float16, torch.float32)"},
        {"G@\x04\x00\x00\x00\x00\x00\x00."s, "2.5"},
        {"\x88."s, "True"},
        {"N."s, "None"},
        {"K\x05\x85."s, "(5,)"},
    }));
    const auto document = read(c.bytes);
    CHECK(pythonRepr(document.arena, document.root) == c.shown);
}
