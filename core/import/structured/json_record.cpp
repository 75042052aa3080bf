// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/structured/json_record.h"

#include "core/base/number.h"

#include <charconv>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

// Beyond these an object is data (token lists, histograms), not a record of measurements.
constexpr std::size_t kMaxNames = 20'000;
constexpr std::uint32_t kMaxElements = 256;

}  // namespace

JsonFlattener::JsonFlattener()
    : m_nodes(1)
{ }

void JsonFlattener::begin(std::string_view group)
{
    m_root = group.empty() ? 0 : child(0, group, false);
    if (m_root == kNoNode)
        m_root = 0;
    restart();
}

void JsonFlattener::restart()
{
    m_record.leaves.clear();
    m_record.words.clear();
    m_frames.clear();
    m_current = m_root;
}

std::uint32_t JsonFlattener::child(std::uint32_t node, std::string_view key, bool isElement)
{
    Node& parent = m_nodes[node];
    if (parent.next < parent.keys.size() && parent.keys[parent.next] == key)
        return parent.order[parent.next++];
    m_scratch.assign(key);
    if (const auto found = parent.byName.find(m_scratch); found != parent.byName.end()) {
        const std::uint32_t position = found->second;
        parent.next = position + 1U;
        return parent.order[position];
    }
    if (m_nodes.size() >= kMaxNames)
        return kNoNode;
    const auto made = static_cast<std::uint32_t>(m_nodes.size());
    parent.byName.emplace(m_scratch, static_cast<std::uint32_t>(parent.order.size()));
    parent.order.push_back(made);
    parent.keys.push_back(m_scratch);
    parent.next = parent.order.size();
    Node fresh;
    if (isElement)
        fresh.name = fmt::format("{}[{}]", parent.name, key);
    else
        fresh.name = node == 0 ? m_scratch : fmt::format("{}.{}", parent.name, key);
    m_nodes.push_back(std::move(fresh));
    return made;
}

std::uint32_t JsonFlattener::place()
{
    if (m_frames.empty() || !m_frames.back().isArray)
        return m_current;
    Frame& frame = m_frames.back();
    if (frame.node == kNoNode || frame.index >= kMaxElements)
        return kNoNode;
    std::array<char, 12> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), frame.index++);
    return child(
        frame.node, {digits.data(), static_cast<std::size_t>(end.ptr - digits.data())}, true);
}

JsonLeaf* JsonFlattener::addLeaf(LeafKind kind)
{
    const std::uint32_t node = place();
    if (node == kNoNode || m_frames.empty()) {
        ++m_leftOut;
        return nullptr;
    }
    JsonLeaf& leaf = m_record.leaves.emplace_back();
    leaf.node = node;
    leaf.kind = kind;
    return &leaf;
}

void JsonFlattener::keepText(JsonLeaf& leaf, std::string_view content)
{
    leaf.textAt = static_cast<std::uint32_t>(m_record.words.size());
    leaf.textLength = static_cast<std::uint32_t>(content.size());
    m_record.words.append(content);
}

bool JsonFlattener::null()
{
    addLeaf(LeafKind::Missing);
    return true;
}

bool JsonFlattener::boolean(bool flag)
{
    if (JsonLeaf* const leaf = addLeaf(LeafKind::Boolean))
        leaf->value = flag ? 1.0 : 0.0;
    return true;
}

bool JsonFlattener::number(std::string_view spelled)
{
    JsonLeaf* const leaf = addLeaf(LeafKind::Number);
    if (leaf == nullptr)
        return true;
    if (const auto parsed = parseNumberPrefix(spelled)) {
        leaf->value = parsed->value;
        leaf->overflowed = parsed->overflowed;
    }
    std::int64_t whole = 0;
    const char* const end = spelled.data() + spelled.size();
    const auto read = std::from_chars(spelled.data(), end, whole);
    if (read.ec == std::errc() && read.ptr == end)
        leaf->integer = whole;
    if (leaf->overflowed)
        keepText(*leaf, spelled);
    return true;
}

bool JsonFlattener::text(std::string_view content)
{
    if (!m_frames.empty() && m_frames.size() > 1 && m_current != kNoNode
        && m_nodes[m_current].name.size() > 6
        && std::string_view(m_nodes[m_current].name).substr(m_nodes[m_current].name.size() - 6)
            == "._type")
        m_frames.back().isMedia = true;
    if (JsonLeaf* const leaf = addLeaf(LeafKind::Text))
        keepText(*leaf, content);
    return true;
}

bool JsonFlattener::key(std::string_view name)
{
    const std::uint32_t node = m_frames.empty() ? m_root : m_frames.back().node;
    m_current = node == kNoNode ? kNoNode : child(node, name, false);
    return true;
}

bool JsonFlattener::open(bool isArray)
{
    const std::uint32_t node = m_frames.empty() ? m_root : place();
    if (node != kNoNode)
        m_nodes[node].next = 0;
    m_frames.push_back({node, isArray, false, 0, m_record.leaves.size()});
    return true;
}

bool JsonFlattener::close()
{
    if (m_frames.empty())
        return false;
    if (m_frames.back().isMedia)
        m_record.leaves.resize(m_frames.back().firstLeaf);
    m_frames.pop_back();
    return true;
}

}  // namespace firstbad::core
