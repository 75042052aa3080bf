// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/zip/zip_checks.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace firstbad::core {

namespace {

constexpr std::size_t kNamesShown = 10;
constexpr std::uint64_t kDeflateRatio = 1032;  // the most that deflate can expand
constexpr std::uint16_t kDeflated = 8;
constexpr std::uint16_t kEncrypted = 1;

bool isUnsafeName(std::string_view name)
{
    if (name.empty() || name.front() == '/' || name.find('\0') != std::string_view::npos
        || name.find('\\') != std::string_view::npos)
        return true;
    for (std::size_t at = 0; at <= name.size();) {
        const std::size_t slash = std::min(name.find('/', at), name.size());
        if (name.substr(at, slash - at) == "..")
            return true;
        at = slash + 1;
    }
    return false;
}

/// Folder of the file's own records; the first safe entry's when none of them is there.
std::string choosePrefix(const ZipArchive& archive)
{
    std::optional<std::string> first;
    for (const ZipEntry& entry : archive.entries) {
        const std::size_t slash = entry.name.find('/');
        if (isUnsafeName(entry.name) || slash == std::string::npos)
            continue;
        const std::string_view rest = std::string_view(entry.name).substr(slash + 1);
        if (rest == "data.pkl" || rest == "version" || rest == "byteorder")
            return entry.name.substr(0, slash + 1);
        if (!first)
            first = entry.name.substr(0, slash + 1);
    }
    return first.value_or("");
}

void refuse(ZipEntry& entry, std::string reason)
{
    if (entry.refusal.empty())
        entry.refusal = std::move(reason);
}

}  // namespace

void checkZipNames(ZipArchive& archive, ZipLayout layout)
{
    if (layout == ZipLayout::OneFolder)
        archive.prefix = choosePrefix(archive);
    std::string names;
    std::size_t refused = 0;
    for (ZipEntry& entry : archive.entries) {
        if (!isUnsafeName(entry.name) && entry.name.starts_with(archive.prefix)) {
            entry.prefixLength = archive.prefix.size();
            continue;
        }
        refuse(entry, "its name leads out of the archive's folder");
        if (++refused <= kNamesShown)
            names += (names.empty() ? "" : ", ") + toValidUtf8(entry.name.substr(0, 200));
    }
    if (refused > 0)
        archive.damage.push_back({"path-traversal", names,
            fmt::format("{} of {} entries have names that lead out of the archive's folder \"{}\" "
                        "({}): they are refused",
                refused, archive.entries.size(), archive.prefix, names),
            true});
}

void checkZipDuplicates(ZipArchive& archive)
{
    std::unordered_map<std::string_view, std::size_t> first;
    first.reserve(archive.entries.size());
    std::size_t reported = 0;
    for (std::size_t i = 0; i < archive.entries.size(); ++i) {
        ZipEntry& entry = archive.entries[i];
        const auto [found, isNew] = first.emplace(entry.name, i);
        if (isNew)
            continue;
        refuse(entry, "its name occurs twice");
        refuse(archive.entries[found->second], "its name occurs twice");
        if (++reported <= kNamesShown)
            archive.damage.push_back({"duplicate-entry", toValidUtf8(entry.record()),
                fmt::format("{} occurs twice in the archive: what it holds is ambiguous",
                    toValidUtf8(entry.record()))});
    }
}

void checkZipOverlaps(ZipArchive& archive, std::uint64_t directoryOffset)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < archive.entries.size(); ++i) {
        if (archive.entries[i].dataOffset != 0)
            order.push_back(i);
    }
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return archive.entries[a].headerOffset < archive.entries[b].headerOffset;
    });
    std::vector<std::size_t> overlapping;
    std::uint64_t end = 0;
    std::size_t last = 0;
    for (const std::size_t i : order) {
        const ZipEntry& entry = archive.entries[i];
        if (entry.headerOffset < end) {
            if (overlapping.empty() || overlapping.back() != last)
                overlapping.push_back(last);
            overlapping.push_back(i);
        }
        const std::uint64_t ownEnd = entry.dataOffset + entry.storedBytes;
        if (ownEnd > directoryOffset && (overlapping.empty() || overlapping.back() != i))
            overlapping.push_back(i);
        if (ownEnd >= end) {
            end = ownEnd;
            last = i;
        }
    }
    if (overlapping.empty())
        return;
    std::sort(overlapping.begin(), overlapping.end());
    overlapping.erase(std::unique(overlapping.begin(), overlapping.end()), overlapping.end());
    bool anyDeflated = false;
    for (const std::size_t i : overlapping) {
        anyDeflated = anyDeflated || archive.entries[i].method == kDeflated;
        refuse(archive.entries[i], "its bytes overlap those of another entry");
    }
    const std::string from(toValidUtf8(archive.entries[overlapping.front()].record()));
    const std::string to(toValidUtf8(archive.entries[overlapping.back()].record()));
    const std::string member = overlapping.size() == 1 ? from : from + " .. " + to;
    archive.damage.push_back({anyDeflated ? "inflate-limit" : "overlap", member,
        fmt::format(
            "{} entries overlap in the file ({}): they are refused", overlapping.size(), member),
        true});
}

void checkZipHeaders(ZipArchive& archive)
{
    std::size_t reported = 0;
    for (const auto& [index, localName] : archive.renamed) {
        ZipEntry& entry = archive.entries[index];
        if (!entry.refusal.empty())
            continue;  // named already
        refuse(entry, "its local header has another name");
        if (++reported <= kNamesShown)
            archive.damage.push_back({"name-mismatch", toValidUtf8(entry.record()),
                fmt::format("record {} is called \"{}\" in its local header: it is refused",
                    toValidUtf8(entry.record()), toValidUtf8(localName))});
    }
    for (const ZipEntry& entry : archive.entries) {
        if (entry.dataOffset == 0 && ++reported <= kNamesShown)
            archive.damage.push_back({"bad-header", toValidUtf8(entry.record()),
                fmt::format(
                    "record {} is refused: {}", toValidUtf8(entry.record()), entry.refusal)});
    }
}

void checkZipSizes(ZipArchive& archive)
{
    std::size_t reported = 0;
    const auto report = [&](ZipEntry& entry, std::string error, std::string text, bool hostile) {
        refuse(entry, text);
        if (++reported <= kNamesShown)
            archive.damage.push_back({std::move(error), toValidUtf8(entry.record()),
                fmt::format("record {} {}", toValidUtf8(entry.record()), text), hostile});
    };
    for (ZipEntry& entry : archive.entries) {
        if (!entry.refusal.empty())
            continue;
        if ((entry.flags & kEncrypted) != 0)
            report(entry, "bad-header", "is encrypted", false);
        else if (entry.method != 0 && entry.method != kDeflated)
            report(entry, "bad-header",
                fmt::format("is compressed by method {}, which is not read", entry.method), false);
        else if (entry.method == 0 && entry.bytes != entry.storedBytes)
            report(entry, "size-mismatch",
                fmt::format(
                    "is stored, yet declares {} bytes in {}", entry.bytes, entry.storedBytes),
                false);
        else if (entry.method == kDeflated && entry.bytes / kDeflateRatio > entry.storedBytes)
            report(entry, "inflate-limit",
                fmt::format("declares {} bytes from {}: beyond the ratio of {} that deflate allows",
                    entry.bytes, entry.storedBytes, kDeflateRatio),
                true);
    }
}

}  // namespace firstbad::core
