// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/run_grouping.h"

#include "core/base/compare.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <unordered_map>

namespace firstbad::core {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxCompared = 4096;
constexpr std::size_t kFewGroups = 64;
constexpr std::size_t kMaxMembersCompared = 8;  // of one run; more say nothing new
constexpr double kPrintedPrecision
    = 1e-3;  // logs round; two views of one curve differ by that much

// Folder names that say what a file is, not which training it is of.
constexpr std::array<std::string_view, 26> kGenericFolders{"log", "logs", "tb", "tensorboard",
    "runs", "events", "tfevents", "csv", "metrics", "ledger", "ledgers", "output", "outputs", "out",
    "files", "train", "training", "val", "valid", "eval", "test", "lightning_logs", "wandb",
    "stdout", "stderr", "notes"};
constexpr std::array<std::string_view, 8> kGenericStems{
    "attempt", "version_", "checkpoint-", "rank", "node", "launch", "restart", "job"};

bool isGeneric(const std::string& folder)
{
    const std::string name = toLowerAscii(folder);
    if (std::find(kGenericFolders.begin(), kGenericFolders.end(), name) != kGenericFolders.end())
        return true;
    return std::any_of(kGenericStems.begin(), kGenericStems.end(), [&](std::string_view stem) {
        return name.starts_with(stem)
            && std::any_of(
                name.begin() + static_cast<std::ptrdiff_t>(stem.size()), name.end(), isAsciiDigit);
    });
}

/// The folder that stands for the training: the nearest one above the file with a name of its own.
fs::path unitOf(const SourcePlace& place)
{
    if (place.path == place.root)
        return {};
    fs::path unit = place.path.parent_path().lexically_relative(place.root);
    while (!unit.empty() && unit != "." && isGeneric(unit.filename().string()))
        unit = unit.parent_path();
    return place.root / (unit == "." ? fs::path() : unit);
}

std::unordered_map<std::int64_t, double> valuesByStep(const RawColumn& column)
{
    std::unordered_map<std::int64_t, double> values;
    const std::size_t stride = column.points.size() / kMaxCompared + 1;
    for (std::size_t i = 0; i < column.points.size(); i += stride)
        values[column.points.stepAt(i)] = column.points.valueAt(i);
    return values;
}

struct Overlap {
    std::size_t common = 0;
    std::size_t equal = 0;
    std::size_t onlyAFinite = 0;
    std::size_t onlyBFinite = 0;
};

Overlap overlapOf(const RawColumn& a, const RawColumn& b)
{
    Overlap overlap;
    const auto values = valuesByStep(a);
    for (std::size_t i = 0; i < b.points.size(); ++i) {
        const auto found = values.find(b.points.stepAt(i));
        if (found == values.end())
            continue;
        const double left = found->second;
        const double right = b.points.valueAt(i);
        const double size = std::max(left < 0 ? -left : left, right < 0 ? -right : right);
        ++overlap.common;
        if (classify(left) == classify(right)
            && (!isFinite(left) || within(left, right, kPrintedPrecision * size)))
            ++overlap.equal;
        overlap.onlyAFinite += isFinite(left) && !isFinite(right) ? 1U : 0U;
        overlap.onlyBFinite += !isFinite(left) && isFinite(right) ? 1U : 0U;
    }
    return overlap;
}

/// Same name, or both the training loss: names differ between the views of one training.
bool comparable(const RawColumn& a, const RawColumn& b)
{
    if (a.points.size() == 0 || b.points.size() == 0 || a.axis != b.axis || a.rank != b.rank)
        return false;
    return a.name == b.name || (a.quantity == b.quantity && a.quantity == Quantity::Loss);
}

std::optional<double> firstTime(const SourceData& data)
{
    for (const RawColumn& column : data.columns) {
        if (column.points.size() > 0 && isFinite(column.points.timeAt(0)))
            return column.points.timeAt(0);
    }
    return std::nullopt;
}

CurveRelation relationOf(const RawColumn& a, const RawColumn& b, bool bIsLater)
{
    const Overlap overlap = overlapOf(a, b);
    if (overlap.common == 0)
        return CurveRelation::NothingShared;
    if (overlap.equal * 10 >= overlap.common * 9)
        return CurveRelation::Same;
    if (std::max(overlap.onlyAFinite, overlap.onlyBFinite) * 10 >= overlap.common * 9)
        return CurveRelation::OneIsNonfinite;
    const std::int64_t aFirst = a.points.stepAt(0);
    const std::int64_t bFirst = b.points.stepAt(0);
    const bool startsInside
        = bIsLater ? bFirst > aFirst + 1 : bFirst != aFirst && bFirst > aFirst + 1;
    return startsInside ? CurveRelation::Continues : CurveRelation::Different;
}

}  // namespace

std::string eventFileWriter(const fs::path& path)
{
    const std::string name = path.filename().string();
    const std::size_t at = name.find("tfevents.");
    if (at == std::string::npos)
        return {};
    const std::string rest = name.substr(at + 9);  // <seconds>.<host>.<pid>.<counter>[suffix]
    const std::size_t host = rest.find('.');
    const std::size_t counter = rest.rfind('.');
    if (host == std::string::npos || counter <= host)
        return {};
    return rest.substr(host + 1, counter - host - 1);
}

CurveRelation curveRelation(const SourceData& a, const SourceData& b)
{
    const auto aTime = firstTime(a);
    const auto bTime = firstTime(b);
    const bool bIsLater = aTime && bTime && *bTime > *aTime;
    CurveRelation strongest = CurveRelation::NothingShared;
    for (const RawColumn& left : a.columns) {
        for (const RawColumn& right : b.columns) {
            if (!comparable(left, right))
                continue;
            const CurveRelation one = relationOf(left, right, bIsLater);
            if (one == CurveRelation::Different || one == CurveRelation::Same)
                return one;
            if (one != CurveRelation::NothingShared)
                strongest = one;
        }
    }
    return strongest;
}

namespace {

bool isBelow(const fs::path& inner, const fs::path& outer)
{
    const auto [end, ignored]
        = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
    return end == outer.end();
}

/// A source in which nothing was found makes no run; it stands in the list of sources with its
/// sentence.
bool tellsSomething(const SourceData& data)
{
    return !data.events.empty()
        || std::any_of(data.columns.begin(), data.columns.end(), [](const RawColumn& column) {
               return column.points.size() + column.points.missingSize() > 0;
           });
}

class Grouper
{
public:
    Grouper(const std::vector<SourceData>& sources, const std::vector<SourcePlace>& places)
        : m_sources(sources)
        , m_places(places)
    {
        for (const SourcePlace& place : places) {
            m_units.push_back(unitOf(place));
            m_writers.push_back(eventFileWriter(place.path));
        }
    }

    std::vector<RunGroup> group()
    {
        // Sources with an identity of their own first, so that the others can find them.
        for (const bool named : {true, false}) {
            for (std::size_t i = 0; i < m_sources.size(); ++i) {
                if (m_sources[i].runId.empty() != named && tellsSomething(m_sources[i]))
                    place(i);
            }
        }
        std::sort(m_groups.begin(), m_groups.end(), [](const RunGroup& a, const RunGroup& b) {
            return a.sources.front() < b.sources.front();
        });
        nameGroups();
        return std::move(m_groups);
    }

private:
    void place(std::size_t source)
    {
        for (const std::size_t candidate : candidatesFor(source)) {
            RunGroup& group = m_groups[candidate];
            if (belongs(source, group)) {
                group.sources.push_back(source);
                std::sort(group.sources.begin(), group.sources.end());
                remember(source, candidate);
                return;
            }
        }
        m_groups.push_back({{}, {source}});
        remember(source, m_groups.size() - 1);
    }

    /// Everything by which a later source may find the group of this one.
    void remember(std::size_t source, std::size_t group)
    {
        for (const std::string& key : {unitKey(source), writerKey(source), runKey(source),
                 folderKey(m_places[source].path.parent_path())})
            m_groupsByKey[key].insert(group);
    }

    /// Groups that may be related, in the order of their making. Few groups: all of them.
    std::set<std::size_t> candidatesFor(std::size_t source) const
    {
        std::set<std::size_t> candidates;
        if (m_groups.size() <= kFewGroups) {
            for (std::size_t i = 0; i < m_groups.size(); ++i)
                candidates.insert(i);
            return candidates;
        }
        const auto look = [&](const std::string& key) {
            const auto found = m_groupsByKey.find(key);
            // A folder with very many runs of its own: comparing with each would cost their square.
            if (found != m_groupsByKey.end() && found->second.size() <= kFewGroups)
                candidates.insert(found->second.begin(), found->second.end());
        };
        look(unitKey(source));
        look(writerKey(source));
        look(runKey(source));
        for (fs::path folder = m_places[source].path.parent_path(); folder != folder.parent_path();
             folder = folder.parent_path())
            look(folderKey(folder));
        return candidates;
    }

    std::string unitKey(std::size_t source) const { return "unit " + m_units[source].string(); }
    std::string writerKey(std::size_t source) const { return "writer " + m_writers[source]; }
    std::string runKey(std::size_t source) const { return "run " + m_sources[source].runId; }
    static std::string folderKey(const fs::path& folder) { return "folder " + folder.string(); }

    bool belongs(std::size_t source, const RunGroup& group) const
    {
        bool related = false;
        std::size_t compared = 0;
        for (const std::size_t other : group.sources) {
            const SourceData& a = m_sources[other];
            const SourceData& b = m_sources[source];
            if ((!a.runId.empty() && a.runId == b.runId) || isInFolderOfRun(other, source)
                || isInFolderOfRun(source, other))
                return true;
            if (compared >= kMaxMembersCompared || !mayBeRelated(other, source))
                continue;
            ++compared;
            const CurveRelation relation = curveRelation(a, b);
            if (relation == CurveRelation::Different)
                return false;
            related = related || areRelated(other, source, relation);
        }
        return related;
    }

    [[nodiscard]] bool isEvents(std::size_t source) const
    {
        return m_sources[source].info.format == "tfevents";
    }
    [[nodiscard]] bool isNamed(std::size_t source) const
    {
        return !m_sources[source].runId.empty();
    }

    /// What places and names alone allow; cheap.
    bool mayBeRelated(std::size_t one, std::size_t two) const
    {
        if (isEvents(one) && isEvents(two))
            return sameWriter(one, two) || nested(one, two);
        if (isNamed(one) && isNamed(two) && !isEvents(one) && !isEvents(two))
            return false;
        return m_units[one] == m_units[two] || nestedNamed(one, two);
    }

    /// The last word once the curves were compared, for sources that may be related.
    bool areRelated(std::size_t one, std::size_t two, CurveRelation relation) const
    {
        if (isEvents(one) && isEvents(two))
            return sameWriter(one, two) || relation != CurveRelation::Continues;
        if (isNamed(one) && isNamed(two))
            return relation == CurveRelation::Same;
        return true;
    }

    bool sameWriter(std::size_t one, std::size_t two) const
    {
        return !m_writers[one].empty() && m_writers[one] == m_writers[two];
    }

    bool nested(std::size_t one, std::size_t two) const
    {
        const fs::path a = m_places[one].path.parent_path();
        const fs::path b = m_places[two].path.parent_path();
        return a != b && (isBelow(a, b) || isBelow(b, a));
    }

    /// A log below the folder of a source that names its run (files/output.log beside run-x.wandb).
    bool nestedNamed(std::size_t one, std::size_t two) const
    {
        const bool named = m_sources[one].runId.empty() != m_sources[two].runId.empty();
        const std::size_t owner = m_sources[one].runId.empty() ? two : one;
        const std::size_t other = owner == one ? two : one;
        return named && isBelow(m_places[other].path, m_places[owner].path.parent_path());
    }

    /// A log in the folder that bears the id of a named run beside it: W&B's run-<date>-<id>.
    bool isInFolderOfRun(std::size_t owner, std::size_t other) const
    {
        constexpr std::size_t kLeastIdLength = 6;
        const std::string& id = m_sources[owner].runId;
        if (id.size() < kLeastIdLength || isNamed(other))
            return false;
        const fs::path folder = m_places[owner].path.parent_path();
        return folder.filename().string().ends_with("-" + id)
            && isBelow(m_places[other].path, folder);
    }

    void nameGroups()
    {
        std::set<std::string> taken;
        for (RunGroup& group : m_groups) {
            std::string name = nameOf(group);
            for (int n = 2; !taken.insert(name).second; ++n)
                name = fmt::format("{} ({})", nameOf(group), n);
            group.id = std::move(name);
        }
    }

    static std::string rootNameOf(const SourcePlace& place)
    {
        if (!place.rootName.empty())
            return place.rootName;
        return (place.root.filename().empty() ? place.root.parent_path() : place.root)
            .filename()
            .string();
    }

    std::string nameOf(const RunGroup& group) const
    {
        for (const std::size_t source : group.sources) {
            const bool ownName
                = !m_sources[source].runId.empty() && m_sources[source].info.format != "tfevents";
            if (ownName)
                return m_sources[source].runId;
        }
        const SourcePlace& place = m_places[group.sources.front()];
        if (m_groups.size() == 1 && place.path != place.root)
            return rootNameOf(place);
        if (place.path == place.root)
            return place.path.filename().string();
        const fs::path unit = unitOf(place).lexically_relative(place.root);
        const bool alone
            = std::count_if(m_groups.begin(), m_groups.end(),
                  [&](const RunGroup& other) {
                      return m_units[other.sources.front()] == m_units[group.sources.front()];
                  })
            == 1;
        if (alone && unit != ".")
            return unit.string();
        return place.path.lexically_relative(place.root).string();
    }

    const std::vector<SourceData>& m_sources;
    const std::vector<SourcePlace>& m_places;
    std::vector<fs::path> m_units;  // parallel to m_places
    std::vector<std::string> m_writers;
    std::vector<RunGroup> m_groups;
    std::unordered_map<std::string, std::set<std::size_t>> m_groupsByKey;
};

}  // namespace

std::vector<RunGroup> groupRuns(
    const std::vector<SourceData>& sources, const std::vector<SourcePlace>& places)
{
    return Grouper(sources, places).group();
}

}  // namespace firstbad::core
