// SPDX-License-Identifier: GPL-3.0-or-later
// PickleArena: the plain values that a pickle describes. Nothing in it can be called.
//
// Values are numbers into one arena, so cycles and a million levels cost nothing special: nothing
// here recurses. Read-only for everyone but the machine; const access from any thread.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace firstbad::core {

/// A value: its number in the arena of its document.
using PickleRef = std::uint32_t;
inline constexpr PickleRef kNoValue = 0xFFFF'FFFFU;

enum class PickleKind : std::uint8_t {
    None,
    Bool,
    Int,  ///< fits 64 bits
    BigInt,  ///< does not; text() are its bytes, little-endian two's complement
    Float,
    Text,
    Bytes,
    List,  ///< also set, frozenset and deque
    Tuple,
    Dict,  ///< also OrderedDict, defaultdict and Counter
    Global,  ///< a name: module and name, never resolved
    Object,  ///< what a class or function would have made, with its arguments
    Persistent,  ///< a persistent id; items() is its one value
};

/// module and name with Python 2's spellings made modern: "builtins", "numpy.core".
struct PickleGlobal {
    std::string module;
    std::string name;
    bool dangerous = false;  ///< its call would run code (isDangerousGlobal)
};

enum class PickleHow : std::uint8_t { Call, NewObject, Extension };

struct PickleObject {
    PickleHow how = PickleHow::Call;
    PickleRef callable = kNoValue;  ///< mostly a Global
    PickleRef args = kNoValue;  ///< a Tuple as a rule
    PickleRef kwargs = kNoValue;
    PickleRef state = kNoValue;  ///< what BUILD set
    std::vector<PickleRef> items;  ///< appended
    std::vector<PickleRef> pairs;  ///< key, value, key, value
};

class PickleArena
{
public:
    PickleArena();

    [[nodiscard]] std::size_t size() const noexcept { return m_nodes.size(); }
    [[nodiscard]] PickleKind kind(PickleRef ref) const { return m_nodes[ref].kind; }
    [[nodiscard]] bool is(PickleRef ref, PickleKind kind) const
    {
        return ref != kNoValue && m_nodes[ref].kind == kind;
    }

    /// Int and Bool.
    [[nodiscard]] std::optional<std::int64_t> integer(PickleRef ref) const;
    /// Int, Bool and Float; BigInt as the nearest double.
    [[nodiscard]] std::optional<double> number(PickleRef ref) const;
    /// Text, Bytes and BigInt; empty for the others.
    [[nodiscard]] std::string_view text(PickleRef ref) const;
    /// List and Tuple, and what was appended to an Object; a Persistent's id.
    [[nodiscard]] std::span<const PickleRef> items(PickleRef ref) const;
    /// Keys and values in turn: of a Dict, or of an Object that items were set on.
    [[nodiscard]] std::span<const PickleRef> pairs(PickleRef ref) const;
    /// Value of the last pair whose key is this text; also looks into an Object's state.
    [[nodiscard]] PickleRef find(PickleRef ref, std::string_view key) const;
    /// Of a Global, or of the class or function of an Object; empty names for the others.
    [[nodiscard]] const PickleGlobal& global(PickleRef ref) const;
    [[nodiscard]] bool isGlobal(
        PickleRef ref, std::string_view module, std::string_view name) const;
    [[nodiscard]] const PickleObject* object(PickleRef ref) const;
    /// What BUILD set on a value that is no Object (the attributes of an OrderedDict).
    [[nodiscard]] PickleRef attributes(PickleRef ref) const;

    // For the machine: every call adds at most one node.
    void setSource(std::string bytes) { m_source = std::move(bytes); }
    [[nodiscard]] const std::string& source() const noexcept { return m_source; }
    [[nodiscard]] static PickleRef none() noexcept { return 0; }
    [[nodiscard]] static PickleRef boolean(bool value) noexcept { return value ? 2 : 1; }
    PickleRef addInt(std::int64_t value);
    PickleRef addFloat(double value);
    /// Text or Bytes that lie in the source; also BigInt.
    PickleRef addSourceText(PickleKind kind, std::size_t offset, std::size_t length);
    PickleRef addOwnedText(PickleKind kind, std::string_view text);
    PickleRef addTuple(std::span<const PickleRef> items);
    PickleRef addContainer(PickleKind kind);
    /// One value a name, judged once: a pickle without a memo spells the same names again.
    PickleRef addGlobal(std::string_view module, std::string_view name);
    PickleRef addObject(PickleObject object);
    PickleRef addPersistent(PickleRef id);
    /// Appends to a List, Dict or Object; false for anything else.
    bool append(PickleRef target, std::span<const PickleRef> values);
    bool setPairs(PickleRef target, std::span<const PickleRef> values);
    void build(PickleRef target, PickleRef state);
    [[nodiscard]] std::size_t ownedBytes() const noexcept { return m_owned.size(); }

private:
    struct Node {
        PickleKind kind = PickleKind::None;
        std::uint32_t extra = 0;
        std::uint64_t word = 0;
    };
    PickleRef add(Node node);
    std::vector<PickleRef>& growing(Node& node);

    std::vector<Node> m_nodes;
    std::string m_source;
    std::string m_owned;
    std::vector<PickleRef> m_pool;  // contents of tuples
    std::vector<std::vector<PickleRef>> m_growing;  // contents of lists and dicts; 0 is empty
    std::deque<PickleGlobal> m_globals;  // 0 is the empty one; references stay valid
    std::unordered_map<std::string, PickleRef> m_globalRefs;  // by "module\nname" as spelled
    std::vector<PickleObject> m_objects;
    std::unordered_map<PickleRef, PickleRef> m_attributes;
};

}  // namespace firstbad::core
