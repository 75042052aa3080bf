// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/pickle/value.h"

#include "core/checkpoint/pickle/dangerous_globals.h"

#include <bit>
#include <cmath>
#include <limits>

namespace firstbad::core {

namespace {

constexpr PickleRef kEmptyTuple = 3;
constexpr PickleRef kFirstSmallInt = 4;
constexpr std::int64_t kSmallInts = 256;
constexpr std::uint64_t kOwnedBit = std::uint64_t{1} << 63U;

std::string_view modernModule(std::string_view module)
{
    if (module == "__builtin__")
        return "builtins";
    if (module == "copy_reg")
        return "copyreg";
    return module;
}

std::string_view modernName(std::string_view module, std::string_view name)
{
    if (module != "__builtin__")
        return name;
    if (name == "xrange")
        return "range";
    if (name == "long")
        return "int";
    return name == "unicode" ? "str" : name;
}

/// Little-endian two's complement of any length.
double bigIntegerValue(std::string_view bytes)
{
    const bool negative = !bytes.empty() && (static_cast<unsigned char>(bytes.back()) & 0x80U) != 0;
    double value = 0.0;
    for (std::size_t i = bytes.size(); i-- > 0;) {
        const auto byte = static_cast<unsigned char>(bytes[i]);
        value = value * 256.0 + (negative ? 255 - byte : byte);
        if (value > std::numeric_limits<double>::max() / 512.0)
            return std::ldexp(
                negative ? -value : value, static_cast<int>(std::min<std::size_t>(i, 4096) * 8));
    }
    return negative ? -value - 1.0 : value;
}

}  // namespace

PickleArena::PickleArena()
    : m_growing(1)
    , m_globals(1)
{
    m_nodes.push_back({PickleKind::None, 0, 0});
    m_nodes.push_back({PickleKind::Bool, 0, 0});
    m_nodes.push_back({PickleKind::Bool, 0, 1});
    m_nodes.push_back({PickleKind::Tuple, 0, 0});
    for (std::int64_t i = 0; i < kSmallInts; ++i)
        m_nodes.push_back({PickleKind::Int, 0, static_cast<std::uint64_t>(i)});
}

std::optional<std::int64_t> PickleArena::integer(PickleRef ref) const
{
    if (!is(ref, PickleKind::Int) && !is(ref, PickleKind::Bool))
        return std::nullopt;
    return static_cast<std::int64_t>(m_nodes[ref].word);
}

std::optional<double> PickleArena::number(PickleRef ref) const
{
    if (is(ref, PickleKind::Float))
        return std::bit_cast<double>(m_nodes[ref].word);
    if (is(ref, PickleKind::BigInt))
        return bigIntegerValue(text(ref));
    if (const auto whole = integer(ref))
        return static_cast<double>(*whole);
    return std::nullopt;
}

std::string_view PickleArena::text(PickleRef ref) const
{
    if (!is(ref, PickleKind::Text) && !is(ref, PickleKind::Bytes) && !is(ref, PickleKind::BigInt))
        return {};
    const Node& node = m_nodes[ref];
    const std::string& store = (node.word & kOwnedBit) != 0 ? m_owned : m_source;
    return std::string_view(store).substr(
        static_cast<std::size_t>(node.word & ~kOwnedBit), node.extra);
}

std::span<const PickleRef> PickleArena::items(PickleRef ref) const
{
    if (ref == kNoValue)
        return {};
    const Node& node = m_nodes[ref];
    switch (node.kind) {
    case PickleKind::Tuple:
        return std::span(m_pool).subspan(static_cast<std::size_t>(node.word), node.extra);
    case PickleKind::List:
        return m_growing[node.extra];
    case PickleKind::Object:
        return m_objects[node.extra].items;
    case PickleKind::Persistent:
        return std::span(&node.extra, 1);
    default:
        return {};
    }
}

std::span<const PickleRef> PickleArena::pairs(PickleRef ref) const
{
    if (is(ref, PickleKind::Dict))
        return m_growing[m_nodes[ref].extra];
    if (is(ref, PickleKind::Object))
        return m_objects[m_nodes[ref].extra].pairs;
    return {};
}

PickleRef PickleArena::find(PickleRef ref, std::string_view key) const
{
    const auto all = pairs(ref);
    for (std::size_t i = all.size(); i >= 2; i -= 2) {
        if (is(all[i - 2], PickleKind::Text) && text(all[i - 2]) == key)
            return all[i - 1];
    }
    const PickleObject* made = object(ref);
    if (made == nullptr || made->state == kNoValue || made->state == ref)
        return kNoValue;
    // A state is a dict, or (dict, dict of slots).
    if (is(made->state, PickleKind::Dict))
        return find(made->state, key);
    for (const PickleRef part : items(made->state)) {
        if (!is(part, PickleKind::Dict))
            continue;
        if (const PickleRef found = find(part, key); found != kNoValue)
            return found;
    }
    return kNoValue;
}

const PickleGlobal& PickleArena::global(PickleRef ref) const
{
    if (is(ref, PickleKind::Object))
        ref = m_objects[m_nodes[ref].extra].callable;
    return is(ref, PickleKind::Global) ? m_globals[m_nodes[ref].extra] : m_globals.front();
}

bool PickleArena::isGlobal(PickleRef ref, std::string_view module, std::string_view name) const
{
    if (!is(ref, PickleKind::Global))
        return false;
    const PickleGlobal& found = m_globals[m_nodes[ref].extra];
    return found.name == name && found.module == module;
}

const PickleObject* PickleArena::object(PickleRef ref) const
{
    return is(ref, PickleKind::Object) ? &m_objects[m_nodes[ref].extra] : nullptr;
}

PickleRef PickleArena::attributes(PickleRef ref) const
{
    const auto found = m_attributes.find(ref);
    return found == m_attributes.end() ? kNoValue : found->second;
}

PickleRef PickleArena::add(Node node)
{
    m_nodes.push_back(node);
    return static_cast<PickleRef>(m_nodes.size() - 1);
}

PickleRef PickleArena::addInt(std::int64_t value)
{
    if (value >= 0 && value < kSmallInts)
        return kFirstSmallInt + static_cast<PickleRef>(value);
    return add({PickleKind::Int, 0, static_cast<std::uint64_t>(value)});
}

PickleRef PickleArena::addFloat(double value)
{
    return add({PickleKind::Float, 0, std::bit_cast<std::uint64_t>(value)});
}

PickleRef PickleArena::addSourceText(PickleKind kind, std::size_t offset, std::size_t length)
{
    return add({kind, static_cast<std::uint32_t>(length), offset});
}

PickleRef PickleArena::addOwnedText(PickleKind kind, std::string_view text)
{
    const std::uint64_t offset = m_owned.size();
    m_owned += text;
    return add({kind, static_cast<std::uint32_t>(text.size()), offset | kOwnedBit});
}

PickleRef PickleArena::addTuple(std::span<const PickleRef> items)
{
    if (items.empty())
        return kEmptyTuple;
    const std::size_t offset = m_pool.size();
    m_pool.insert(m_pool.end(), items.begin(), items.end());
    return add({PickleKind::Tuple, static_cast<std::uint32_t>(items.size()), offset});
}

PickleRef PickleArena::addContainer(PickleKind kind)
{
    return add({kind, 0, 0});
}

PickleRef PickleArena::addGlobal(std::string_view module, std::string_view name)
{
    const auto [known, isNew] = m_globalRefs.emplace(
        std::string(module).append("\n").append(name), static_cast<PickleRef>(m_nodes.size()));
    if (!isNew)
        return known->second;
    PickleGlobal global{std::string(modernModule(module)), std::string(modernName(module, name))};
    if (global.module.starts_with("numpy._core"))
        global.module.erase(6, 1);
    global.dangerous = isDangerousGlobal(global);
    m_globals.push_back(std::move(global));
    return add({PickleKind::Global, static_cast<std::uint32_t>(m_globals.size() - 1), 0});
}

PickleRef PickleArena::addObject(PickleObject object)
{
    m_objects.push_back(std::move(object));
    return add({PickleKind::Object, static_cast<std::uint32_t>(m_objects.size() - 1), 0});
}

PickleRef PickleArena::addPersistent(PickleRef id)
{
    return add({PickleKind::Persistent, id, 0});
}

std::vector<PickleRef>& PickleArena::growing(Node& node)
{
    if (node.extra == 0) {
        node.extra = static_cast<std::uint32_t>(m_growing.size());
        m_growing.emplace_back();
    }
    return m_growing[node.extra];
}

bool PickleArena::append(PickleRef target, std::span<const PickleRef> values)
{
    std::vector<PickleRef>* list = nullptr;
    if (is(target, PickleKind::List))
        list = &growing(m_nodes[target]);
    else if (is(target, PickleKind::Object))
        list = &m_objects[m_nodes[target].extra].items;
    else
        return false;
    list->insert(list->end(), values.begin(), values.end());
    return true;
}

bool PickleArena::setPairs(PickleRef target, std::span<const PickleRef> values)
{
    std::vector<PickleRef>* pairs = nullptr;
    if (is(target, PickleKind::Dict))
        pairs = &growing(m_nodes[target]);
    else if (is(target, PickleKind::Object))
        pairs = &m_objects[m_nodes[target].extra].pairs;
    else
        return false;
    pairs->insert(pairs->end(), values.begin(), values.end());
    return true;
}

void PickleArena::build(PickleRef target, PickleRef state)
{
    if (is(target, PickleKind::Object))
        m_objects[m_nodes[target].extra].state = state;
    else
        m_attributes[target] = state;
}

}  // namespace firstbad::core
