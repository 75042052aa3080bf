// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/safetensors/header.h"

#include "core/base/text.h"
#include "core/checkpoint/folder/shape.h"
#include "core/checkpoint/safetensors/header_json.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>
#include <unordered_map>

namespace firstbad::core {

namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kMaxDamagePerRule = 1000;

std::uint64_t littleEndian64(std::string_view bytes)
{
    std::uint64_t value = 0;
    for (std::size_t i = kLengthBytes; i-- > 0;)
        value = (value << 8U) | static_cast<unsigned char>(bytes[i]);
    return value;
}

std::string shown(std::string_view name)
{
    return escapedForTerminal(name.substr(0, 200));
}

/// Holds the entries against the rules of the format and describes what breaks them.
class RuleCheck
{
public:
    RuleCheck(SafetensorsHeader& header, const std::string& shownName)
        : m_header(header)
        , m_shownName(shownName)
    { }

    void run()
    {
        checkNames();
        for (SafetensorsEntry& entry : m_header.entries)
            checkRange(entry);
        checkTiling();
    }

private:
    void damage(std::string error, std::string member, std::string text)
    {
        if (m_header.damage.size() < kMaxDamagePerRule)
            m_header.damage.push_back(
                {std::move(error), std::move(member), std::move(text), false});
    }

    void checkNames()
    {
        std::unordered_map<std::string_view, std::size_t> seen;
        seen.reserve(m_header.entries.size());
        for (std::size_t i = 0; i < m_header.entries.size(); ++i) {
            SafetensorsEntry& entry = m_header.entries[i];
            const auto [at, isNew] = seen.emplace(entry.name, i);
            if (isNew)
                continue;
            SafetensorsEntry& first = m_header.entries[at->second];
            if (first.usable)
                damage("duplicate-key", entry.name,
                    fmt::format("{} occurs more than once in the header: which range holds it "
                                "is unknown",
                        shown(entry.name)));
            first.usable = false;
            entry.usable = false;
        }
    }

    void checkRange(SafetensorsEntry& entry)
    {
        const auto name = [&entry] { return shown(entry.name); };
        if (entry.end < entry.begin) {
            entry.usable = false;
            damage("size-mismatch", entry.name,
                fmt::format("{}: its range ends at {}, before it begins at {}", name(), entry.end,
                    entry.begin));
            return;
        }
        const std::uint64_t range = entry.end - entry.begin;
        if (entry.type == ElementType::Unknown) {
            entry.usable = false;
            damage("unknown-dtype", entry.name,
                fmt::format("{}: dtype {} is unknown, its {} bytes are not scanned", name(),
                    shown(entry.typeName), range));
            return;
        }
        const auto count = elementCount(entry.shape);
        const std::uint64_t bits = elementTypeInfo(entry.type).bits;
        std::uint64_t totalBits = 0;
        if (!count || __builtin_mul_overflow(*count, bits, &totalBits)) {
            entry.usable = false;
            damage("size-overflow", entry.name,
                fmt::format("{}: the shape {} has more elements than 64 bits can count", name(),
                    shapeText(entry.shape)));
            return;
        }
        if (totalBits % 8 != 0 || totalBits / 8 != range) {
            entry.usable = false;
            damage("size-mismatch", entry.name,
                fmt::format("{}: dtype {} and shape {} need {} bytes and do not give the {} bytes "
                            "of its range",
                    name(), entry.typeName, shapeText(entry.shape), (totalBits + 7) / 8, range));
        }
    }

    /// Sorted by place, the ranges have to tile the buffer: no hole, no overlap, no rest.
    void checkTiling()
    {
        const auto& entries = m_header.entries;
        std::vector<std::size_t> order;
        order.reserve(entries.size());
        for (std::size_t i = 0; i < entries.size(); ++i) {
            if (entries[i].end >= entries[i].begin)
                order.push_back(i);
        }
        std::stable_sort(order.begin(), order.end(), [&entries](std::size_t a, std::size_t b) {
            return std::pair(entries[a].begin, entries[a].end)
                < std::pair(entries[b].begin, entries[b].end);
        });
        std::uint64_t expected = 0;
        const SafetensorsEntry* furthest = nullptr;
        for (const std::size_t i : order) {
            const SafetensorsEntry& entry = entries[i];
            if (entry.begin > expected)
                damage("gap", entry.name,
                    fmt::format("{} bytes before {} belong to no tensor", entry.begin - expected,
                        shown(entry.name)));
            else if (entry.begin < expected && entry.end > entry.begin && furthest != nullptr)
                describeOverlap(*furthest, entry, expected);
            if (entry.end >= expected) {
                expected = entry.end;
                furthest = &entry;
            }
        }
        checkEnd(expected, order);
    }

    void describeOverlap(
        const SafetensorsEntry& earlier, const SafetensorsEntry& later, std::uint64_t expected)
    {
        damage("overlap", fmt::format("{} / {}", earlier.name, later.name),
            fmt::format("data of {} and {} overlap by {} bytes", shown(earlier.name),
                shown(later.name), std::min(expected, later.end) - later.begin));
    }

    void checkEnd(std::uint64_t expected, const std::vector<std::size_t>& order)
    {
        const std::uint64_t there = m_header.dataBytes;
        if (expected < there) {
            damage("trailing-bytes", m_shownName,
                fmt::format(
                    "{} bytes behind the last tensor belong to no tensor", there - expected));
            return;
        }
        if (expected == there)
            return;
        const SafetensorsEntry* cut = nullptr;
        std::size_t lost = 0;
        for (const std::size_t i : order) {
            const SafetensorsEntry& entry = m_header.entries[i];
            if (entry.end <= there)
                continue;
            ++lost;
            if (cut == nullptr)
                cut = &entry;
        }
        if (cut == nullptr)
            return;
        const std::uint64_t present = cut->begin < there ? there - cut->begin : 0;
        damage("truncated", cut->name,
            fmt::format("file ends inside {}, {} of {} bytes present; {} bytes and {} more "
                        "tensor(s) are missing behind it",
                shown(cut->name), present, cut->end - cut->begin, expected - there, lost - 1));
    }

    SafetensorsHeader& m_header;
    const std::string& m_shownName;
};

/// The names that a header with a wrong length speaks of, when its JSON can still be found.
void recoverNames(const ByteSource& source, SafetensorsHeader& header)
{
    const auto text = source.read(kLengthBytes, kMaxSafetensorsHeader);
    if (!text || text->empty() || text->front() != '{')
        return;
    HeaderJson json = parseHeaderJson(*text);
    header.entries = std::move(json.entries);
    for (SafetensorsEntry& entry : header.entries)
        entry.usable = false;
}

/// Why the length in the first eight bytes cannot be believed; empty when it can.
CheckpointDamage lengthDamage(std::uint64_t length, std::uint64_t fileBytes)
{
    constexpr auto kMember = "header length";
    if (length > kMaxSafetensorsHeader)
        return {"header-too-large", kMember,
            fmt::format("header length {} is over the limit of {} bytes",
                groupedInteger(static_cast<long long>(
                    std::min<std::uint64_t>(length, static_cast<std::uint64_t>(INT64_MAX)))),
                groupedInteger(static_cast<long long>(kMaxSafetensorsHeader))),
            false};
    if (length > fileBytes - kLengthBytes)
        return {"bad-header", kMember,
            fmt::format("header length {} exceeds the file size, {} bytes", length, fileBytes),
            false};
    return {};
}

void takeJson(HeaderJson json, std::string_view text, SafetensorsHeader& header)
{
    header.entries = std::move(json.entries);
    header.metadata = std::move(json.metadata);
    for (const std::string& key : json.repeatedKeys)
        header.damage.push_back({"duplicate-key", key,
            fmt::format("a key of {} occurs more than once in the header", shown(key)), false});
    if (!json.problem) {
        const std::string_view rest = text.substr(std::min(json.length, text.size()));
        if (rest.find_first_not_of(" \t\r\n") != std::string_view::npos)
            json.problem = fmt::format(
                "the header goes on after its JSON ended at byte {}", json.length + kLengthBytes);
    }
    if (json.problem)
        header.damage.push_back({"bad-header", "header", *json.problem, false});
}

}  // namespace

bool looksLikeSafetensors(std::string_view head, std::uint64_t fileBytes) noexcept
{
    if (head.size() <= kLengthBytes || head[kLengthBytes] != '{')
        return false;
    const std::uint64_t length = littleEndian64(head);
    if (length >= 2 && length <= fileBytes - kLengthBytes)
        return true;
    const std::string_view body = head.substr(kLengthBytes);
    return body.find("\"data_offsets\"") != std::string_view::npos
        || body.find("\"__metadata__\"") != std::string_view::npos;
}

Result<SafetensorsHeader> readSafetensorsHeader(
    const ByteSource& source, const std::string& shownName)
{
    SafetensorsHeader header;
    const auto lengthBytes = source.read(0, kLengthBytes);
    if (!lengthBytes)
        return tl::unexpected(lengthBytes.error());
    if (lengthBytes->size() < kLengthBytes) {
        header.damage.push_back({"bad-header", "header length",
            fmt::format(
                "{} has {} bytes, too few for a header", shown(shownName), lengthBytes->size()),
            false});
        return header;
    }
    const std::uint64_t length = littleEndian64(*lengthBytes);
    if (CheckpointDamage damage = lengthDamage(length, source.size()); !damage.error.empty()) {
        header.damage.push_back(std::move(damage));
        recoverNames(source, header);
        return header;
    }
    const auto text = source.read(kLengthBytes, length);
    if (!text)
        return tl::unexpected(text.error());
    header.dataOffset = kLengthBytes + length;
    header.dataBytes = source.size() - header.dataOffset;
    takeJson(parseHeaderJson(*text), *text, header);
    RuleCheck(header, shownName).run();
    return header;
}

}  // namespace firstbad::core
