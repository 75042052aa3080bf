// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/launches.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace firstbad::core {
namespace {

constexpr double kClockSlackS = 120.0;  // clocks of two writers of one launch differ by less

template <class T> void widenLow(std::optional<T>& low, const std::optional<T>& value)
{
    if (value)
        low = std::min(low.value_or(*value), *value);
}

template <class T> void widenHigh(std::optional<T>& high, const std::optional<T>& value)
{
    if (value)
        high = std::max(high.value_or(*value), *value);
}

double overlapSeconds(const Launch& launch, const Segment& segment)
{
    if (!launch.started || !launch.ended || !segment.started || !segment.ended)
        return -1.0;
    const double from = std::max(*launch.started, *segment.started);
    const double to = std::min(*launch.ended, *segment.ended);
    return to - from + kClockSlackS;
}

std::int64_t overlapSteps(const Launch& launch, const Segment& segment)
{
    if (!launch.minStep || !segment.minStep)
        return 0;
    const std::int64_t from = std::max(*launch.minStep, *segment.minStep);
    const std::int64_t to = std::min(*launch.maxStep, *segment.maxStep);
    return to < from ? 0 : to - from + 1;
}

/// Sources that continue each other (rotated logs, the event files of one folder), in their order.
struct Stream {
    std::vector<std::size_t> sources;
    std::uint64_t points = 0;
    bool hasLoss = false;
};

class LaunchFinder
{
public:
    LaunchFinder(const std::vector<SourceData>& sources, const std::vector<SourcePlace>& places)
        : m_sources(sources)
        , m_places(places)
    { }

    std::vector<Launch> find(const std::vector<std::size_t>& members)
    {
        std::vector<Stream> streams = streamsOf(members);
        // The stream that tells most about the training fixes the launches, the others are laid
        // beside it.
        std::stable_sort(streams.begin(), streams.end(), [](const Stream& a, const Stream& b) {
            return a.hasLoss != b.hasLoss ? a.hasLoss : a.points > b.points;
        });
        std::vector<Launch> launches;
        for (const Stream& stream : streams) {
            std::vector<Launch> own = launchesOfStream(stream);
            for (Launch& launch : own)
                lay(std::move(launch), launches, &stream == &streams.front());
        }
        dropPointless(launches);
        std::stable_sort(launches.begin(), launches.end(), [](const Launch& a, const Launch& b) {
            return a.started && b.started && *a.started < *b.started;
        });
        return launches;
    }

private:
    std::vector<Stream> streamsOf(const std::vector<std::size_t>& members) const
    {
        std::map<std::string, Stream> byKey;
        for (const std::size_t source : members) {
            const SourceData& data = m_sources[source];
            std::string key = data.stream.empty()
                ? fmt::format("\x01{}", source)
                : m_places[source].path.parent_path().string() + '\x02' + data.stream;
            // Files that share no curve are written beside each other, they do not follow each
            // other.
            while (byKey.contains(key) && sharesNoColumn(byKey[key].sources.front(), source))
                key += '\x03';
            Stream& stream = byKey[key];
            stream.sources.push_back(source);
            for (const RawColumn& column : data.columns) {
                stream.points += column.points.size();
                stream.hasLoss = stream.hasLoss
                    || (column.quantity == Quantity::Loss && column.points.size() > 0);
            }
        }
        std::vector<Stream> streams;
        for (auto& [key, stream] : byKey) {
            std::stable_sort(
                stream.sources.begin(), stream.sources.end(), [&](std::size_t a, std::size_t b) {
                    return m_sources[a].orderHint < m_sources[b].orderHint;
                });
            streams.push_back(std::move(stream));
        }
        return streams;
    }

    std::vector<Launch> launchesOfStream(const Stream& stream) const
    {
        std::vector<Launch> launches;
        for (std::size_t n = 0; n < stream.sources.size(); ++n) {
            const std::size_t source = stream.sources[n];
            std::vector<Segment> segments = segmentsOf(m_sources[source], source);
            for (std::size_t i = 0; i < segments.size(); ++i) {
                const bool joins = i == 0 && n > 0 && !launches.empty()
                    && continues(launches.back(), segments[i], stream.sources[n - 1]);
                if (joins)
                    launches.back().add(std::move(segments[i]));
                else
                    launches.push_back(
                        newLaunch(std::move(segments[i]), launches, i == 0 && n > 0));
            }
        }
        return launches;
    }

    /// A next file of a stream goes on with the launch before it: rotation, or another file of one
    /// process.
    bool continues(const Launch& launch, const Segment& segment, std::size_t before) const
    {
        if (!segment.hasPoints() || !launch.maxStep)
            return true;
        const bool goesBack = *segment.firstStep <= *launch.maxStep;
        if (m_sources[segment.source].info.format != "tfevents")
            return !segment.certain && *segment.firstStep >= *launch.maxStep;
        const std::string process = eventFileWriter(m_places[segment.source].path);
        return !process.empty() && process == eventFileWriter(m_places[before].path) && !goesBack;
    }

    bool sharesNoColumn(std::size_t one, std::size_t two) const
    {
        for (const RawColumn& a : m_sources[one].columns) {
            for (const RawColumn& b : m_sources[two].columns) {
                if (a.name == b.name)
                    return false;
            }
        }
        return true;
    }

    Launch newLaunch(Segment segment, const std::vector<Launch>& before, bool newFile) const
    {
        Launch launch;
        launch.attemptId = m_sources[segment.source].attemptId;
        launch.why = segment.why;
        launch.certain = segment.certain;
        if (newFile && launch.why.empty())
            launch.why
                = fmt::format("new file {}", m_places[segment.source].path.filename().string());
        // Nearly all of it written while the launch before was still writing: a second writer, no
        // restart.
        if (newFile && !before.empty() && segment.started && segment.ended) {
            const Launch& last = before.back();
            const double span = std::max(*segment.ended - *segment.started, 1e-9);
            const bool during = last.ended && *last.ended - *segment.started > 0.5 * span;
            if (during) {
                launch.concurrent = true;
                launch.why = "second writer at the same time";
            }
        }
        launch.add(std::move(segment));
        return launch;
    }

    /// Puts a stream's launch beside the launch that it belongs to, or on its own.
    void lay(Launch launch, std::vector<Launch>& launches, bool primary) const
    {
        Launch* best = primary ? nullptr : bestMatch(launch, launches);
        if (best == nullptr) {
            launches.push_back(std::move(launch));
            return;
        }
        for (Segment& segment : launch.segments)
            best->add(std::move(segment));
    }

    Launch* bestMatch(const Launch& launch, std::vector<Launch>& launches) const
    {
        if (!launch.attemptId.empty()) {
            for (Launch& other : launches) {
                if (other.attemptId == launch.attemptId)
                    return &other;
            }
            const bool othersNamed = std::any_of(launches.begin(), launches.end(),
                [](const Launch& other) { return !other.attemptId.empty(); });
            if (othersNamed)
                return nullptr;
        }
        Launch* best = nullptr;
        double bestTime = 0.0;
        for (Launch& other : launches) {
            for (const Segment& segment : launch.segments) {
                const double time = overlapSeconds(other, segment);
                if (time > bestTime) {
                    bestTime = time;
                    best = &other;
                }
            }
        }
        return best ? best : bySteps(launch, launches);
    }

    Launch* bySteps(const Launch& launch, std::vector<Launch>& launches) const
    {
        if (!launch.minStep)
            return launches.empty() ? nullptr : &launches.back();
        Launch* best = nullptr;
        std::int64_t most = 0;
        for (Launch& other : launches) {
            for (const Segment& segment : launch.segments) {
                const std::int64_t steps = overlapSteps(other, segment);
                if (steps > most) {
                    most = steps;
                    best = &other;
                }
            }
        }
        return best;
    }

    /// A launch without a point and without the word that it failed says nothing.
    static void dropPointless(std::vector<Launch>& launches)
    {
        const bool anyPoints = std::any_of(launches.begin(), launches.end(),
            [](const Launch& launch) { return launch.minStep.has_value(); });
        if (!anyPoints)
            return;
        for (std::size_t i = launches.size(); i-- > 0;) {
            const bool silent
                = !launches[i].minStep && !launches[i].certain && launches[i].why.empty();
            if (silent && launches.size() > 1) {
                Launch gone = std::move(launches[i]);
                launches.erase(launches.begin() + static_cast<std::ptrdiff_t>(i));
                for (Segment& segment : gone.segments)
                    launches[i > 0 ? i - 1 : 0].add(std::move(segment));
            }
        }
    }

    const std::vector<SourceData>& m_sources;
    const std::vector<SourcePlace>& m_places;
};

}  // namespace

void Launch::add(Segment segment)
{
    widenLow(minStep, segment.minStep);
    widenHigh(maxStep, segment.maxStep);
    widenLow(started, segment.started);
    widenHigh(ended, segment.ended);
    segments.push_back(std::move(segment));
}

std::vector<Launch> launchesOf(const std::vector<SourceData>& sources,
    const std::vector<SourcePlace>& places, const std::vector<std::size_t>& members)
{
    return LaunchFinder(sources, places).find(members);
}

}  // namespace firstbad::core
