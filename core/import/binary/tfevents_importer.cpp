// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/binary/tfevents_importer.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/import/binary/event_decoder.h"
#include "core/import/binary/event_file_place.h"
#include "core/import/binary/source_frame.h"
#include "core/import/binary/step_watch.h"
#include "core/import/binary/tag_table.h"
#include "core/import/binary/tfrecord_reader.h"

#include <array>
#include <fmt/format.h>
#include <map>

namespace firstbad::core {
namespace {

constexpr std::string_view kFormat = "tfevents";
constexpr std::string_view kVersionMark = "brain.Event:";
constexpr std::uint64_t kProgressBytes = 1U << 20U;

constexpr std::string_view kVersusSamples = " vs samples";
constexpr std::string_view kVersusTokens = " vs tokens";

StepAxis axisFromTag(std::string_view tag)
{
    if (tag.ends_with(kVersusSamples) || tag.starts_with("Train/Samples/"))
        return StepAxis::Samples;
    return tag.ends_with(kVersusTokens) ? StepAxis::Tokens : StepAxis::Step;
}

/// "lm loss vs samples" is "lm loss" on another axis.
std::string_view withoutAxis(std::string_view tag)
{
    for (const std::string_view ending : {kVersusSamples, kVersusTokens}) {
        if (tag.ends_with(ending))
            tag.remove_suffix(ending.size());
    }
    return tag;
}

/// Curves of a held-out set are no training loss, whatever the tag says.
bool namesHeldOutSet(std::string_view key)
{
    constexpr std::array<std::string_view, 5> kSets{"val", "eval", "test", "dev", "held"};
    const std::string lower = toLowerAscii(key);
    return std::any_of(kSets.begin(), kSets.end(),
        [&lower](std::string_view set) { return lower.find(set) != std::string::npos; });
}

/// "loss/all" [train]: the group says what the curves are, the key of which set.
Quantity quantityOfCurve(std::string_view tag, std::string_view key)
{
    if (namesHeldOutSet(key))
        return Quantity::Other;
    const Quantity whole = quantityFromName(tag);
    return whole != Quantity::Other ? whole : quantityFromName(tag.substr(0, tag.find('/')));
}

class EventFileReader
{
public:
    EventFileReader(const SourceRef& source, SourceInfo info, TfRecordReader records)
        : m_source(source)
        , m_records(std::move(records))
    {
        m_sink.data().info = std::move(info);
    }

    Result<SourceData> read(JobContext& job)
    {
        std::uint64_t reported = 0;
        while (true) {
            auto record = m_records.next(job);
            if (!record)
                return tl::unexpected(std::move(record.error()));
            if (m_records.hasGaps())
                keepGaps(m_records.takeGaps());
            if (!*record)
                break;
            ++m_good;
            if (!decodeEvent((*record)->data, m_event))
                addBadPayload(**record);
            else
                addEvent();
            if (m_records.position() - reported < kProgressBytes)
                continue;
            if (job.cancelled())
                return JobContext::cancelledError();
            job.advance(m_records.position() - reported);
            reported = m_records.position();
        }
        return finish();
    }

private:
    void addEvent()
    {
        if (!m_openGaps.empty())
            closeGaps(m_event.step);
        m_time = m_event.wallTime.value_or(kNoTime);
        if (m_event.fileVersion.starts_with(kVersionMark))
            m_version = parseInteger(m_event.fileVersion.substr(kVersionMark.size())).value_or(0);
        if (m_event.session == SessionMark::Start)
            addStart();
        if (m_event.isOther)
            ++m_left["graphs and run metadata"];
        if (m_event.values.empty())
            return;
        m_inRecord = false;
        for (const SummaryValue& value : m_event.values)
            addValue(value);
        m_lastStep = m_event.step;
    }

    void addStart()
    {
        LogEvent start;
        start.kind = EventKind::RunStart;
        start.step = m_event.step;
        if (isFinite(m_time))
            start.time = m_time;
        start.text = "SessionLog START";
        if (m_sink.records() > 0) {
            m_sink.addBreak(
                fmt::format("START mark at step {}", m_event.step), m_event.step, m_time);
            m_watch.restart();
        }
        m_sink.addEvent(std::move(start));
    }

    void addValue(const SummaryValue& value)
    {
        TagState& tag = m_tags.find(value.tag);
        if (value.hasMetadata)
            learn(tag, value);
        const bool simple = value.form == ValueForm::Simple;
        if (!simple && (value.form != ValueForm::Tensor || tag.plugin == TagPlugin::Other)) {
            countLeftOut(tag, value);
            return;
        }
        if (!tag.column)
            addColumn(tag);
        m_watch.see(*tag.column, m_event.step, m_time, m_version < 2, m_sink);
        if (!m_inRecord) {
            m_sink.beginRecord(m_event.step, m_time, 0, false);
            m_inRecord = true;
            m_timeless += isFinite(m_time) ? 0U : 1U;
        }
        m_sink.add(*tag.column, value.value);
    }

    static void learn(TagState& tag, const SummaryValue& value)
    {
        if (value.plugin == "scalars" || value.dataClass == 1)
            tag.plugin = TagPlugin::Scalars;
        else if (!value.plugin.empty())
            tag.plugin = TagPlugin::Other;
    }

    void addColumn(TagState& tag)
    {
        tag.column = m_sink.column(tag.name);
        RawColumn& column = m_sink.raw(*tag.column);
        column.axis = axisFromTag(tag.name);
        column.quantity = quantityFromName(withoutAxis(tag.name));
    }

    void countLeftOut(const TagState& tag, const SummaryValue& value)
    {
        if (value.form == ValueForm::TensorOfRank && tag.plugin == TagPlugin::Scalars) {
            ++m_left["tensors with dimensions under the scalars plugin"];
            return;
        }
        if (!value.plugin.empty() && value.plugin != "scalars") {
            ++m_left[fmt::format("{} values", toValidUtf8(value.plugin.substr(0, 40)))];
            return;
        }
        static constexpr std::array<const char*, 8> kNames{"values without content", "scalars",
            "numbers of other plugins", "tensors with dimensions", "text and other tensors",
            "histograms", "images", "sounds"};
        ++m_left[kNames[static_cast<std::size_t>(value.form)]];
    }

    void addBadPayload(const TfRecord& record)
    {
        SkippedPart part;
        part.code = "bad-payload";
        part.reason = fmt::format(
            "The record at byte {} has good checksums but holds no TensorBoard event.",
            record.offset);
        part.offset = record.offset;
        part.length = record.data.size() + kTfRecordFrame;
        m_sink.addSkipped(std::move(part));
    }

    void keepGaps(std::vector<SkippedPart> gaps)
    {
        for (SkippedPart& gap : gaps) {
            if (m_lastStep)
                gap.reason += fmt::format(" Before it: step {}.", *m_lastStep);
            m_openGaps.push_back(std::move(gap));
            if (m_openGaps.size() > kMaxSkippedParts)
                closeGaps(std::nullopt);
        }
    }

    void closeGaps(std::optional<std::int64_t> nextStep)
    {
        for (SkippedPart& gap : m_openGaps) {
            if (nextStep)
                gap.reason += fmt::format(" After it: step {}.", *nextStep);
            m_sink.addSkipped(std::move(gap));
        }
        m_openGaps.clear();
    }

    Result<SourceData> finish()
    {
        if (const auto torn = stepOfTornEvent(m_records.tornData());
            torn && !m_records.tornData().empty() && !m_openGaps.empty())
            m_openGaps.back().reason += fmt::format(" The incomplete record is of step {}.", *torn);
        closeGaps(std::nullopt);
        if (m_good == 0)
            return noRecords();
        addNotes();
        SourceData data = m_sink.take();
        place(data);
        return data;
    }

    void addNotes()
    {
        std::string left;
        for (const auto& [what, count] : m_left)
            left += fmt::format("{}{} {}", left.empty() ? "" : ", ", count, what);
        if (!left.empty())
            addNote(m_sink, fmt::format("Not read, because they are no scalars: {}.", left));
        if (m_timeless > 0)
            addNote(m_sink, fmt::format("{} records have no usable wall time.", m_timeless));
    }

    Result<SourceData> noRecords()
    {
        SourceData data = m_sink.take();
        data.info.state = SourceState::Damaged;
        data.info.message = fmt::format(
            "{} is an event file by its name, but not one whole record is in its {} bytes.",
            shownName(m_source), data.info.bytes);
        data.info.hint = "Copy the file again from the machine that wrote it.";
        return data;
    }

    void place(SourceData& data) const
    {
        std::size_t levelsUp = 0;
        if (data.columns.size() == 1) {
            RawColumn& column = data.columns.front();
            if (const auto curve = scalarsCurve(m_source, column.name)) {
                column.quantity = quantityOfCurve(column.name, curve->key);
                column.name += fmt::format(" [{}]", curve->key);
                levelsUp = curve->levels;
            }
        }
        data.runId = runOfEventFile(m_source, levelsUp);
        data.stream = m_source.path.parent_path().generic_string();
        data.orderHint = timeInEventFileName(m_source.path.filename().string()).value_or(0.0);
        data.traits.dialect = kFormat;
    }

    const SourceRef& m_source;
    TfRecordReader m_records;
    RecordSink m_sink;
    TagTable m_tags;
    StepWatch m_watch;
    EventMessage m_event;
    double m_time = kNoTime;
    bool m_inRecord = false;
    std::int64_t m_version = 0;
    std::uint64_t m_good = 0;
    std::uint64_t m_timeless = 0;
    std::optional<std::int64_t> m_lastStep;
    std::vector<SkippedPart> m_openGaps;  // wait for the step after them
    std::map<std::string, std::uint64_t> m_left;  // what was left out, by kind
};

}  // namespace

int sniffTfevents(const SourceHead& head)
{
    const bool named = head.path.filename().string().find(kFormat) != std::string::npos;
    if (const auto length = tfRecordLength(head.head)) {
        if (head.head.size() < kTfRecordFrame || *length > head.head.size() - kTfRecordFrame)
            return named ? 90 : 60;
        EventMessage event;
        const bool decoded = decodeEvent(head.head.substr(kTfRecordHead, *length), event);
        const bool isEvent = decoded && (event.wallTime || !event.values.empty());
        return isEvent ? 100 : (named ? 80 : 0);
    }
    if (!named || !head.text.empty())
        return 0;
    return 70;  // empty, cut or damaged from the first byte on
}

Result<std::vector<SourceData>> readTfevents(
    const SourceRef& source, const ImportOptions& options, JobContext& job)
{
    auto info = describeFile(source, kFormat, options, job);
    if (!info)
        return tl::unexpected(std::move(info.error()));
    if (info->bytes == 0) {
        return asList(damagedSource(std::move(*info), "empty",
            fmt::format("{} is an event file of 0 bytes: its writer never wrote a record.",
                shownName(source)),
            "The training may have stopped before its first log; look at its console output."));
    }
    auto window = FileWindow::open(source.path);
    if (!window)
        return tl::unexpected(std::move(window.error()));
    EventFileReader reader(source, std::move(*info), TfRecordReader(std::move(*window)));
    auto data = reader.read(job);
    if (!data)
        return tl::unexpected(std::move(data.error()));
    return asList(std::move(*data));
}

}  // namespace firstbad::core
