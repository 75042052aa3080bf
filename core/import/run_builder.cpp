// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/run_builder.h"

#include "core/import/attempt_tree.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>

namespace firstbad::core {
namespace {

/// One piece of one source's column that goes into one attempt.
struct Piece {
    std::size_t source = 0;
    std::size_t column = 0;
    std::size_t attempt = 0;
    const Segment* segment = nullptr;
};

/// Structured files are closer to the training than what was printed, and print closer than a bar.
int trustOf(const SourceData& data)
{
    if (data.info.format == "tqdm")
        return 0;
    return data.info.encoding.empty() || data.info.format == "csv" || data.info.format == "jsonl"
        ? 2
        : 1;
}

class RunBuilder
{
public:
    RunBuilder(const std::vector<Launch>& launches, std::vector<SourceData>& sources,
        const std::vector<SourcePlace>& places)
        : m_launches(launches)
        , m_sources(sources)
        , m_places(places)
    { }

    RunPtr build(const std::string& id)
    {
        m_run->id.value = id;
        findDuplicates();
        m_run->attempts = attemptTree(m_launches, m_sources);
        buildSeries();
        collectEvents();
        mergeTraits();
        countAttempts();
        return m_run;
    }

private:
    std::vector<std::size_t> membersByTrust() const
    {
        std::set<std::size_t> members;
        for (const Launch& launch : m_launches) {
            for (const Segment& segment : launch.segments)
                members.insert(segment.source);
        }
        std::vector<std::size_t> ordered(members.begin(), members.end());
        std::stable_sort(ordered.begin(), ordered.end(), [&](std::size_t a, std::size_t b) {
            return trustOf(m_sources[a]) > trustOf(m_sources[b]);
        });
        return ordered;
    }

    /// A source whose every curve is the beginning of another source's curve of the same name adds
    /// nothing (the trainer_state.json of each checkpoint repeats the history so far).
    void findDuplicates()
    {
        const std::vector<std::size_t> members = membersByTrust();
        for (const std::size_t small : members) {
            for (const std::size_t large : members) {
                const bool candidate = small != large && !m_duplicates.contains(large)
                    && m_sources[small].info.format == m_sources[large].info.format
                    && m_sources[small].stream.empty() && m_sources[large].stream.empty();
                if (candidate && repeats(m_sources[small], m_sources[large], small < large)) {
                    m_duplicates.insert(small);
                    m_sources[small].info.message
                        = fmt::format("Every record also stands in {}; counted once.",
                            m_sources[large].info.path);
                    break;
                }
            }
        }
    }

    static bool repeats(const SourceData& small, const SourceData& large, bool smallIsFirst)
    {
        bool any = false;
        for (const RawColumn& column : small.columns) {
            if (column.points.size() == 0)
                continue;
            const auto other = std::find_if(large.columns.begin(), large.columns.end(),
                [&](const RawColumn& one) { return one.name == column.name; });
            const bool covered = other != large.columns.end()
                && isPrefix(column.points, other->points)
                && (column.points.size() < other->points.size() || smallIsFirst);
            if (!covered)
                return false;
            any = true;
        }
        return any;
    }

    static bool isPrefix(const ColumnBuilder& small, const ColumnBuilder& large)
    {
        if (small.size() > large.size())
            return false;
        for (std::size_t i = 0; i < small.size(); ++i) {
            const bool same = small.stepAt(i) == large.stepAt(i)
                && std::bit_cast<std::uint64_t>(small.valueAt(i))
                    == std::bit_cast<std::uint64_t>(large.valueAt(i));
            if (!same)
                return false;
        }
        return true;
    }

    void buildSeries()
    {
        std::map<std::string, std::vector<Piece>> pieces;  // by series key
        std::vector<std::string> order;
        std::map<std::pair<std::string, std::size_t>, std::size_t>
            owner;  // (key, attempt) -> source
        for (const std::size_t source : membersByTrust()) {
            if (m_duplicates.contains(source))
                continue;
            for (std::size_t column = 0; column < m_sources[source].columns.size(); ++column)
                placeColumn(source, column, pieces, order, owner);
        }
        for (const std::string& key : order)
            addSeries(key, pieces[key]);
    }

    void placeColumn(std::size_t source, std::size_t column,
        std::map<std::string, std::vector<Piece>>& pieces, std::vector<std::string>& order,
        std::map<std::pair<std::string, std::size_t>, std::size_t>& owner)
    {
        const std::string& name = m_sources[source].columns[column].name;
        std::string key = name;
        const auto mine = piecesOf(source, column);
        std::optional<std::size_t> takenBy;
        for (const Piece& piece : mine) {
            const auto found = owner.find({name, piece.attempt});
            if (found != owner.end() && !sameStream(found->second, source))
                takenBy = found->second;
        }
        if (takenBy)
            key = fmt::format("{} [{}]", name, labelOf(source, *takenBy));
        auto& list = pieces[key];
        if (list.empty())
            order.push_back(key);
        for (const Piece& piece : mine) {
            owner.try_emplace({key, piece.attempt}, source);
            list.push_back(piece);
        }
    }

    /// What tells a source from another one with a curve of the same name: its folder, else its
    /// file.
    std::string labelOf(std::size_t source, std::size_t other) const
    {
        const auto& path = m_places[source].path;
        const bool sameFolder = path.parent_path() == m_places[other].path.parent_path();
        return sameFolder ? path.filename().string() : path.parent_path().filename().string();
    }

    bool sameStream(std::size_t one, std::size_t two) const
    {
        return one == two
            || (!m_sources[one].stream.empty() && m_sources[one].stream == m_sources[two].stream);
    }

    std::vector<Piece> piecesOf(std::size_t source, std::size_t column) const
    {
        std::vector<Piece> pieces;
        for (std::size_t attempt = 0; attempt < m_launches.size(); ++attempt) {
            for (const Segment& segment : m_launches[attempt].segments) {
                const bool has = segment.source == source
                    && (segment.pointsTo[column] > segment.pointsFrom[column]
                        || segment.missingTo[column] > segment.missingFrom[column]);
                if (has)
                    pieces.push_back({source, column, attempt, &segment});
            }
        }
        return pieces;
    }

    void addSeries(const std::string& key, const std::vector<Piece>& pieces)
    {
        if (pieces.empty())
            return;
        const RawColumn& first = m_sources[pieces.front().source].columns[pieces.front().column];
        Series series;
        series.name = key;
        series.quantity = first.quantity;
        series.unit = first.unit;
        series.rank = first.rank;
        series.axis = first.axis;
        series.isRunningMean = first.isRunningMean;
        series.columns.resize(m_launches.size());
        std::map<std::size_t, std::vector<Piece>> byAttempt;
        for (const Piece& piece : pieces)
            byAttempt[piece.attempt].push_back(piece);
        for (auto& [attempt, list] : byAttempt) {
            std::stable_sort(list.begin(), list.end(), [&](const Piece& a, const Piece& b) {
                return m_sources[a.source].orderHint < m_sources[b.source].orderHint;
            });
            Column joined;
            for (const Piece& piece : list)
                append(joined, takePiece(piece), static_cast<std::uint32_t>(piece.source));
            series.columns[attempt] = std::make_shared<const Column>(std::move(joined));
        }
        for (const Piece& piece : pieces)  // all pieces are out: free the blocks
            m_sources[piece.source].columns[piece.column].points = ColumnBuilder{};
        m_run->series.push_back(std::move(series));
    }

    Column takePiece(const Piece& piece)
    {
        ColumnBuilder& points = m_sources[piece.source].columns[piece.column].points;
        const Segment& segment = *piece.segment;
        const bool whole = segment.pointsFrom[piece.column] == 0
            && segment.pointsTo[piece.column] == points.size()
            && segment.missingFrom[piece.column] == 0
            && segment.missingTo[piece.column] == points.missingSize();
        if (whole)
            return points.takeAll();
        return points.slice(segment.pointsFrom[piece.column], segment.pointsTo[piece.column],
            segment.missingFrom[piece.column], segment.missingTo[piece.column]);
    }

    static void append(Column& target, Column part, std::uint32_t source)
    {
        if (target.empty() && target.missingSteps.empty()) {
            target = std::move(part);
            target.sources.push_back({0, source});
            return;
        }
        const std::size_t before = target.size();
        target.sources.push_back({before, source});
        const auto joinOptional = [&](auto& into, auto& from, auto blank) {
            if (into.empty() && from.empty())
                return;
            into.resize(before, blank);
            from.resize(part.values.size(), blank);
            into.insert(into.end(), from.begin(), from.end());
        };
        joinOptional(target.times, part.times, kNoTime);
        joinOptional(target.lines, part.lines, std::uint32_t{0});
        target.steps.insert(target.steps.end(), part.steps.begin(), part.steps.end());
        target.values.insert(target.values.end(), part.values.begin(), part.values.end());
        target.missingSteps.insert(
            target.missingSteps.end(), part.missingSteps.begin(), part.missingSteps.end());
    }

    void collectEvents()
    {
        for (std::size_t attempt = 0; attempt < m_launches.size(); ++attempt) {
            for (const Segment& segment : m_launches[attempt].segments) {
                if (m_duplicates.contains(segment.source))
                    continue;
                auto& events = m_sources[segment.source].events;
                for (std::size_t i = segment.eventsFrom; i < segment.eventsTo; ++i) {
                    m_run->events.push_back(std::move(events[i]));
                    m_run->events.back().source = static_cast<std::uint32_t>(segment.source);
                    m_run->eventAttempt.push_back(attempt);
                }
            }
        }
    }

    void mergeTraits()
    {
        std::uint64_t most = 0;
        LogTraits& traits = m_run->traits;
        for (const std::size_t source : membersByTrust()) {
            const LogTraits& own = m_sources[source].traits;
            const std::uint64_t records = m_sources[source].info.records;
            if (traits.dialect.empty() || records > most) {
                traits.dialect = own.dialect.empty() ? m_sources[source].info.format : own.dialect;
                traits.interval = own.interval;
                most = std::max(most, records);
            }
            if (!traits.precision)
                traits.precision = own.precision;
            traits.lossFieldDropsNonfinite |= own.lossFieldDropsNonfinite;
            traits.lossMayBeFiltered |= own.lossMayBeFiltered;
            traits.skippedIsCumulative |= own.skippedIsCumulative;
            traits.scaleIsRounded |= own.scaleIsRounded;
        }
        traits.interval = std::max(traits.interval, typicalInterval());
    }

    /// The most common distance of two logged steps of the loss (or of the longest series).
    std::int64_t typicalInterval() const
    {
        const Series* series = m_run->find(Quantity::Loss);
        if (!series && !m_run->series.empty())
            series = &m_run->series.front();
        std::map<std::int64_t, std::size_t> distances;
        for (std::size_t a = 0; series && a < series->columns.size(); ++a) {
            const Column* column = series->column(a);
            const std::size_t last = column ? std::min<std::size_t>(column->size(), 2000) : 0;
            for (std::size_t i = 1; i < last; ++i) {
                if (column->steps[i] > column->steps[i - 1])
                    ++distances[column->steps[i] - column->steps[i - 1]];
            }
        }
        const auto most = std::max_element(distances.begin(), distances.end(),
            [](const auto& a, const auto& b) { return a.second < b.second; });
        return most != distances.end() ? most->first : 1;
    }

    void countAttempts()
    {
        for (const std::size_t source : membersByTrust()) {
            const auto wrote
                = std::count_if(m_launches.begin(), m_launches.end(), [&](const Launch& launch) {
                      return std::any_of(launch.segments.begin(), launch.segments.end(),
                          [&](const Segment& segment) { return segment.source == source; });
                  });
            m_sources[source].info.attempts = static_cast<std::uint32_t>(wrote);
        }
    }

    const std::vector<Launch>& m_launches;
    std::vector<SourceData>& m_sources;
    const std::vector<SourcePlace>& m_places;
    std::set<std::size_t> m_duplicates;
    std::shared_ptr<Run> m_run = std::make_shared<Run>();
};

}  // namespace

RunPtr buildRun(const std::string& id, const std::vector<Launch>& launches,
    std::vector<SourceData>& sources, const std::vector<SourcePlace>& places)
{
    return RunBuilder(launches, sources, places).build(id);
}

}  // namespace firstbad::core
