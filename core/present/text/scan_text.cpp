// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/scan_text.h"

#include "core/base/text.h"
#include "core/base/time.h"
#include "core/checkpoint/element_type.h"
#include "core/present/text/line_builder.h"
#include "core/present/text/phrases.h"
#include "core/present/text/text_table.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr int kIndent = 2;
constexpr int kLabel = 10;
constexpr std::size_t kShown = 10;

struct VerdictLook {
    Mark mark;
    Role role;
};

VerdictLook lookOf(ScanVerdict verdict)
{
    switch (verdict) {
    case ScanVerdict::Finite:
        return {Mark::Committed, Role::Committed};
    case ScanVerdict::Unsupported:
        return {Mark::Suspect, Role::Suspect};
    default:
        return {Mark::Quarantined, Role::Quarantined};
    }
}

std::string factsOf(const CheckpointScan& scan)
{
    std::uint64_t bytes = 0;
    for (const CheckpointFile& file : scan.checkpoint.files)
        bytes += file.bytes;
    std::string facts = fmt::format("{} · {} · {}", scan.checkpoint.format, humanBytes(bytes),
        counted(scan.tensors.size(), "tensor"));
    constexpr double kWorthTelling = 1.0;
    if (scan.seconds >= kWorthTelling)
        facts += fmt::format(" · {} · {}/s", humanDuration(scan.seconds),
            humanBytes(static_cast<unsigned long long>(
                static_cast<double>(scan.bytesRead) / scan.seconds)));
    return facts;
}

std::string indexText(const std::vector<std::int64_t>& index)
{
    return fmt::format("[{}]", fmt::join(index, ", "));
}

Span countCell(std::uint64_t count, Role role)
{
    return count == 0 ? Span{} : Span{groupedInteger(static_cast<long long>(count)), role};
}

void addBadTensors(
    StyledText& out, const CheckpointScan& scan, const TextStyle& style, bool verbose)
{
    using Align = TextTable::Align;
    TextTable table({{"tensor", Align::Left, true}, {"type"}, {"NaN", Align::Right},
        {"+Inf", Align::Right}, {"-Inf", Align::Right}, {"first"}, {"kind"}});
    std::size_t bad = 0;
    for (std::size_t t = 0; t < scan.tensors.size(); ++t) {
        const CheckpointTensor& tensor = scan.checkpoint.tensors[t];
        const ValueStats& stats = scan.tensors[t].stats;
        if (!isBad(tensor, scan.tensors[t]) || (++bad > kShown && !verbose))
            continue;
        table.addRow({{tensor.name}, {std::string(elementTypeInfo(tensor.type).name)},
            countCell(stats.nan, Role::NotANumber), countCell(stats.posInf, Role::Infinite),
            countCell(stats.negInf, Role::Infinite), {indexText(scan.tensors[t].firstIndex)},
            {std::string(toString(tensor.kind)), Role::Muted}});
    }
    if (bad == 0)
        return;
    const StyledText lines = table.lines(style, kIndent);
    out.insert(out.end(), lines.begin(), lines.end());
    if (bad > kShown && !verbose)
        addLabelled(
            out, style, "", kIndent, fmt::format("{} more with -v", bad - kShown), Role::Muted);
}

template <class T, class Tell>
void addSome(StyledText& out, const TextStyle& style, std::string_view label,
    const std::vector<T>& items, bool verbose, Tell tell)
{
    const std::size_t shown = verbose ? items.size() : std::min(items.size(), kShown);
    for (std::size_t i = 0; i < shown; ++i)
        addLabelled(out, style, i == 0 ? label : "", kLabel, tell(items[i]));
    if (shown < items.size())
        addLabelled(out, style, "", kLabel, fmt::format("{} more with -v", items.size() - shown),
            Role::Muted);
}

void addRest(StyledText& out, const CheckpointScan& scan, const TextStyle& style, bool verbose)
{
    const Checkpoint& checkpoint = scan.checkpoint;
    addSome(out, style, "  damage", checkpoint.damage, verbose, [](const CheckpointDamage& damage) {
        return fmt::format("{}: {}", damage.error, damage.text);
    });
    if (checkpoint.damage.empty() && !scan.reason.empty() && badTensors(scan) == 0)
        addLabelled(out, style, "  because", kLabel, scan.reason);
    addSome(out, style, "  missing", checkpoint.missing, verbose,
        [](const std::string& name) { return name; });
    addSome(out, style, "  scalar", scan.badScalars, verbose, [](const CheckpointScalar& scalar) {
        return fmt::format("{} is {}", scalar.name, shortNumber(scalar.value));
    });
    addSome(out, style, "  warning", checkpoint.warnings, verbose,
        [](const CheckpointWarning& warning) {
            return fmt::format("{}: {}", warning.code, warning.text);
        });
    for (const UnreferencedBytes& slack : scan.unreferenced) {
        if (verbose || slack.stats.nonfinite() > 0)
            addLabelled(out, style, "  unused", kLabel,
                fmt::format("{} of {} belong to no tensor{}", humanBytes(slack.bytes),
                    checkpoint.storages[slack.storage].member,
                    slack.stats.nonfinite() > 0 ? "; non-finite values lie in them" : ""));
    }
}

}  // namespace

StyledText scanText(const std::vector<CheckpointScan>& scans, const TextStyle& style, bool verbose)
{
    constexpr int kVerdictColumn = 14;
    StyledText out;
    for (const CheckpointScan& scan : scans) {
        const VerdictLook look = lookOf(scan.verdict);
        LineBuilder line(style);
        line.add(look.mark).add(" ").add(toString(scan.verdict), look.role).padTo(kVerdictColumn);
        line.addFromFile(scan.checkpoint.path, Role::Strong).add("   ");
        line.addFromFile(factsOf(scan), Role::Muted);
        out.push_back(line.take());
        addBadTensors(out, scan, style, verbose);
        addRest(out, scan, style, verbose);
    }
    if (!scans.empty())
        addLabelled(out, style, "", 0, "nothing was executed", Role::Muted);
    return out;
}

}  // namespace firstbad::core
