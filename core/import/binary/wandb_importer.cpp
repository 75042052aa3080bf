// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/binary/wandb_importer.h"

#include "core/base/json_reader.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/import/binary/source_frame.h"
#include "core/import/binary/step_watch.h"
#include "core/import/binary/wandb_log.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <protozero/pbf_reader.hpp>

namespace firstbad::core {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;
using protozero::tag_and_type;

constexpr std::string_view kFormat = "wandb-offline";
constexpr std::string_view kMagic = ":W&B";
constexpr auto kBytes = pbf_wire_type::length_delimited;
constexpr auto kVarint = pbf_wire_type::varint;

std::string_view viewOf(pbf_reader& reader)
{
    const auto view = reader.get_view();
    return {view.data(), view.size()};
}

struct HistoryItem {
    std::string name;
    std::string_view json;
};

HistoryItem decodeItem(pbf_reader reader)
{
    HistoryItem item;
    while (reader.next()) {
        switch (reader.tag_and_type()) {
        case tag_and_type(1, kBytes):
            item.name = viewOf(reader);
            break;
        case tag_and_type(2, kBytes):
            if (!item.name.empty())
                item.name += '.';
            item.name += viewOf(reader);
            break;
        case tag_and_type(16, kBytes):
            item.json = viewOf(reader);
            break;
        default:
            reader.skip();
        }
    }
    return item;
}

/// W&B's own step counts calls of log(); trainings that log their step beside it mean that one.
bool isTrainingStep(std::string_view name)
{
    constexpr std::array<std::string_view, 5> kNames{
        "iter", "iteration", "global_step", "train/global_step", "trainer/global_step"};
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

class WandbReader
{
public:
    WandbReader(const SourceRef& source, SourceInfo info, WandbLog log)
        : m_source(source)
        , m_log(std::move(log))
    {
        m_sink.data().info = std::move(info);
    }

    Result<SourceData> read(JobContext& job)
    {
        while (true) {
            auto record = m_log.next(job);
            if (!record)
                return tl::unexpected(std::move(record.error()));
            for (SkippedPart& gap : m_log.takeGaps())
                m_sink.addSkipped(std::move(gap));
            if (!*record)
                return finish();
            ++m_records;
            addRecord(**record);
        }
    }

private:
    void addRecord(std::string_view bytes)
    try {
        pbf_reader reader(bytes.data(), bytes.size());
        while (reader.next()) {
            switch (reader.tag_and_type()) {
            case tag_and_type(2, kBytes):
                addHistory(reader.get_message());
                break;
            case tag_and_type(13, kBytes):
                ++m_consoleLines;
                reader.skip();
                break;
            case tag_and_type(17, kBytes):
                addRun(reader.get_message());
                break;
            case tag_and_type(18, kBytes):
                addExit(reader.get_message());
                break;
            default:
                reader.skip();
            }
        }
    } catch (const protozero::exception&) {
        SkippedPart part;
        part.code = "bad-payload";
        part.reason = fmt::format(
            "The record at byte {} is whole but holds no W&B record.", m_log.recordOffset());
        part.offset = m_log.recordOffset();
        part.length = bytes.size();
        m_sink.addSkipped(std::move(part));
    }

    static std::int64_t decodeStep(pbf_reader number)
    {
        std::int64_t step = 0;  // proto3 does not write a zero
        while (number.next()) {
            if (number.tag_and_type() == tag_and_type(1, kVarint))
                step = number.get_int64();
            else
                number.skip();
        }
        return step;
    }

    void addHistory(pbf_reader history)
    {
        m_items.clear();
        std::optional<std::int64_t> step;
        while (history.next()) {
            switch (history.tag_and_type()) {
            case tag_and_type(1, kBytes):
                m_items.push_back(decodeItem(history.get_message()));
                break;
            case tag_and_type(2, kBytes):
                step = decodeStep(history.get_message());
                break;
            default:
                history.skip();
            }
        }
        double time = kNoTime;
        for (const HistoryItem& item : m_items) {
            const auto number = parseNumber(item.json);
            if (number && item.name == "_timestamp")
                time = number->value;
            if (item.name == "_step")
                step = parseInteger(item.json).value_or(step.value_or(0));
            if (isTrainingStep(item.name))
                m_trainingStep = parseInteger(item.json).value_or(m_trainingStep.value_or(0));
        }
        m_step
            = m_trainingStep.value_or(step.value_or(static_cast<std::int64_t>(m_sink.records())));
        m_time = time;
        m_sink.beginRecord(m_step, m_time, 0, false);
        for (const HistoryItem& item : m_items)
            addItem(item.name, item.json);
    }

    void addItem(const std::string& name, std::string_view json)
    {
        if (name == "_step" || name == "_runtime" || name == "_timestamp" || name == "_wandb"
            || name.starts_with("_wandb."))
            return;
        if (const auto number = parseNumber(json)) {
            addNumber(name, number->value);
            return;
        }
        const auto document = parseJson(json);
        if (!document) {
            SkippedPart part;
            part.code = "not-json";
            part.reason = fmt::format("The value of {} at step {} can not be read.",
                escapedForTerminal(name.substr(0, 100)), m_step);
            part.offset = m_log.recordOffset();
            m_sink.addSkipped(std::move(part));
            return;
        }
        addValue(name, *document);
    }

    void addValue(const std::string& name, const JsonValue& value)
    {
        switch (value.kind) {
        case JsonValue::Kind::Null:
            m_sink.addMissing(m_sink.column(name));
            return;
        case JsonValue::Kind::Boolean:
            addNumber(name, value.flag ? 1.0 : 0.0);
            return;
        case JsonValue::Kind::Number:
        case JsonValue::Kind::Text:
            if (const auto number = value.asNumber())
                addNumber(name, *number);
            else
                ++m_notNumbers;
            return;
        case JsonValue::Kind::Array:
            ++m_notNumbers;
            return;
        case JsonValue::Kind::Object:
            if (value.find("_type") != nullptr) {  // a histogram, table or picture
                ++m_notNumbers;
                return;
            }
            for (const auto& [key, member] : value.members)
                addValue(name + '.' + key, member);
        }
    }

    void addNumber(const std::string& name, double value)
    {
        const ColumnHandle column = m_sink.column(name);
        m_watch.see(column, m_step, m_time, false, m_sink);
        m_sink.add(column, value);
    }

    void addRun(pbf_reader run)
    {
        while (run.next()) {
            if (run.tag_and_type() == tag_and_type(1, kBytes))
                m_runId = toValidUtf8(viewOf(run));
            else
                run.skip();
        }
    }

    void addExit(pbf_reader exit)
    {
        std::int64_t code = 0;
        while (exit.next()) {
            if (exit.tag_and_type() == tag_and_type(1, kVarint))
                code = exit.get_int32();
            else
                exit.skip();
        }
        LogEvent event;
        event.kind = code == 0 ? EventKind::Finished : EventKind::Exception;
        event.text = fmt::format("the run ended with exit status {}", code);
        if (m_sink.records() > 0)
            event.step = m_step;
        m_sink.addEvent(std::move(event));
    }

    SourceData finish()
    {
        SourceInfo& info = m_sink.data().info;
        if (m_records == 0) {
            info.state = SourceState::Damaged;
            info.message = fmt::format(
                "{} has the header of a W&B file but not one whole record.", shownName(m_source));
            info.hint = "Copy the file again from the machine that wrote it.";
        }
        if (m_notNumbers > 0)
            addNote(m_sink,
                fmt::format("{} logged values are no numbers (texts, histograms, media) and are "
                            "not read.",
                    m_notNumbers));
        if (m_consoleLines > 0)
            addNote(m_sink,
                fmt::format("{} lines of console output inside the file are not read; W&B keeps "
                            "them in files/output.log.",
                    m_consoleLines));
        SourceData data = m_sink.take();
        data.runId = m_runId.empty() ? runFromName() : m_runId;
        data.stream = data.runId;
        data.traits.dialect = kFormat;
        return data;
    }

    /// "run-<id>.wandb".
    std::string runFromName() const
    {
        const std::string stem = m_source.path.stem().string();
        return stem.starts_with("run-") ? stem.substr(4) : stem;
    }

    const SourceRef& m_source;
    WandbLog m_log;
    RecordSink m_sink;
    StepWatch m_watch;
    std::vector<HistoryItem> m_items;
    std::string m_runId;
    std::int64_t m_step = 0;
    std::optional<std::int64_t> m_trainingStep;  // once the training logs one
    double m_time = kNoTime;
    std::uint64_t m_records = 0;
    std::uint64_t m_notNumbers = 0;
    std::uint64_t m_consoleLines = 0;
};

/// What is wrong with the header, if anything is.
std::optional<SourceData> badHeader(
    const SourceRef& source, const SourceInfo& info, std::string_view header)
{
    const std::string name = shownName(source);
    const std::string hint = "The run may have died before it wrote anything; look for its "
                             "files/output.log, or at the run's other machine.";
    if (info.bytes == 0) {
        return damagedSource(
            info, "empty", fmt::format("{} is a W&B file of 0 bytes.", name), hint);
    }
    if (header.size() < kWandbHeader.size()) {
        return damagedSource(info, "torn-header",
            fmt::format("{} has {} of the 7 bytes of a W&B header.", name, header.size()), hint);
    }
    if (header != kWandbHeader) {
        return damagedSource(info, "bad-header",
            fmt::format("{} does not begin with the header of a W&B file.", name),
            "Check that the file is whole and was not converted on the way.");
    }
    if (info.bytes == kWandbHeader.size()) {
        return damagedSource(info, "no-records",
            fmt::format("{} holds the header of a W&B file and no record behind it.", name), hint);
    }
    return std::nullopt;
}

}  // namespace

int sniffWandb(const SourceHead& head)
{
    if (head.head.starts_with(kMagic))
        return 100;
    return head.path.extension() == ".wandb" ? 90 : 0;
}

Result<std::vector<SourceData>> readWandb(
    const SourceRef& source, const ImportOptions& options, JobContext& job)
{
    auto info = describeFile(source, kFormat, options, job);
    if (!info)
        return tl::unexpected(std::move(info.error()));
    auto window = FileWindow::open(source.path);
    if (!window)
        return tl::unexpected(std::move(window.error()));
    const auto header = window->view(0, kWandbHeader.size());
    if (!header)
        return tl::unexpected(header.error());
    if (auto bad = badHeader(source, *info, *header))
        return asList(std::move(*bad));
    WandbReader reader(source, std::move(*info), WandbLog(std::move(*window)));
    auto data = reader.read(job);
    if (!data)
        return tl::unexpected(std::move(data.error()));
    return asList(std::move(*data));
}

}  // namespace firstbad::core
