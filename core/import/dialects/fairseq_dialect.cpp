// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/fairseq_dialect.h"

#include "core/import/dialects/fairseq_notes.h"
#include "core/import/dialects/json_fields.h"
#include "core/import/dialects/pair_line_reader.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

enum Kind : std::size_t { kInner, kEpoch, kValid };

constexpr std::array kRules{
    NameRule{"wps", Quantity::Throughput, "words/s"},
    NameRule{"words/s", Quantity::Throughput, "words/s"},
    NameRule{"ups", Quantity::Throughput, "updates/s"},
};

struct Progress {
    Kind kind = kInner;
    std::int64_t batch = 0;  ///< N of "N / M", the only clock of the oldest lines
    std::string_view fields;
};

// "epoch 001:    200 / 1374 loss=..." within an epoch, "epoch 027 | loss 3.21 | ..." at its end.
std::optional<Progress> simpleProgress(std::string_view line)
{
    LineScanner scan(line);
    if (!scan.take("epoch ") && !scan.jumpBehind("| epoch "))
        return std::nullopt;
    if (!scan.takeCounter())
        return std::nullopt;
    if (scan.take(":")) {
        const auto batch = scan.takeCounter();
        if (!batch || !scan.skipBlanks().take("/") || !scan.takeCounter() || !scan.take(" "))
            return std::nullopt;
        return Progress{kInner, *batch, scan.rest()};
    }
    if (!scan.take(" | "))
        return std::nullopt;
    if (scan.take("valid on ")) {
        if (!scan.jumpBehind(" | "))
            return std::nullopt;
        return Progress{kValid, 0, scan.rest()};
    }
    const bool mine = scan.rest().substr(0, 5) == "loss " || scan.rest().substr(0, 6) == "train_";
    return mine ? std::optional(Progress{kEpoch, 0, scan.rest()}) : std::nullopt;
}

void cutSimple(const Progress& progress, PairFields& fields)
{
    if (progress.kind == kInner)
        cutFields(progress.fields, ", ", '=', fields);
    else
        cutWordFields(progress.fields, " | ", fields);
}

bool isClock(std::string_view name) noexcept
{
    return name == "num_updates" || name == "valid_num_updates" || name == "train_num_updates";
}

// The fields without the clock; the clock's value is returned. Also "loss=1.27 (1.50)" of 2017:
// value and mean.
std::optional<std::int64_t> takeClock(PairFields& fields)
{
    const auto clock = std::find_if(
        fields.begin(), fields.end(), [](const PairField& field) { return isClock(field.name); });
    if (clock == fields.end())
        return std::nullopt;
    const FieldValue value = readFieldValue(clock->value);
    fields.erase(clock);
    if (value.kind != FieldKind::Number || !isFinite(value.number))
        return std::nullopt;
    return static_cast<std::int64_t>(value.number);
}

class FairseqReader : public LineReader
{
public:
    LineVerdict read(const TextLine& line, RecordSink& sink) override
    {
        const std::size_t brace = line.text.find("{\"");
        const LineVerdict verdict = brace != std::string_view::npos
            ? readJson(line, line.text.substr(brace), sink)
            : readSimple(line, sink);
        return verdict == LineVerdict::NotMine ? m_notes.read(line, sink) : verdict;
    }

private:
    LineVerdict readSimple(const TextLine& line, RecordSink& sink)
    {
        const auto progress = simpleProgress(line.text);
        if (!progress)
            return LineVerdict::NotMine;
        PairFields& fields = m_recorder.emptyFields();
        cutSimple(*progress, fields);
        return record(line, progress->kind, progress->batch, fields, sink);
    }

    LineVerdict readJson(const TextLine& line, std::string_view object, RecordSink& sink)
    {
        if (object.find("num_updates\"") == std::string_view::npos
            && object.substr(0, 10) != "{\"epoch\": ")
            return LineVerdict::NotMine;
        if (!m_cutter.cut(object, m_json)) {
            reportTornLine(line, sink);
            return LineVerdict::Damaged;
        }
        PairFields& fields = m_recorder.emptyFields();
        Kind kind = kInner;
        for (const JsonField& field : m_json) {
            fields.push_back({field.name, field.text});
            if (field.name.rfind("valid_", 0) == 0)
                kind = kValid;
            else if (field.name.rfind("train_loss", 0) == 0)
                kind = kEpoch;
        }
        return record(line, kind, 0, fields, sink);
    }

    LineVerdict record(
        const TextLine& line, Kind kind, std::int64_t batch, PairFields& fields, RecordSink& sink)
    {
        const bool torn = line.unterminated && m_fieldsOf.at(kind) > fields.size();
        m_fieldsOf.at(kind) = std::max(m_fieldsOf.at(kind), fields.size());
        const auto clock = takeClock(fields);
        if (torn || (!clock && m_hasClock)) {
            reportTornLine(line, sink);
            return LineVerdict::Damaged;
        }
        m_hasClock = clock.has_value();
        RecordHead head{clock.value_or(batch), kind};
        nameByKind(kind, fields);
        const LineVerdict verdict = m_recorder.record(line, head, fields, sink);
        if (verdict == LineVerdict::Taken) {
            settleQuantities(kind, fields, sink);
            sink.data().traits.scaleIsRounded = true;
        }
        return verdict;
    }

    // A mean over the epoch is another series than the value of an interval, though simple lines
    // give both one name.
    void nameByKind(Kind kind, PairFields& fields)
    {
        if (kind == kInner)
            return;
        m_names.clear();
        m_names.reserve(fields.size());
        for (PairField& field : fields) {
            const bool named = field.name.substr(0, 6) == "valid_"
                || field.name.substr(0, 6) == "train_" || field.name == "epoch";
            if (named)
                continue;
            m_names.push_back(kind == kValid ? fmt::format("valid_{}", field.name)
                                             : fmt::format("{} (epoch)", field.name));
            field.name = m_names.back();
        }
    }

    // Epoch means stand for the training only in a log that shows nothing finer.
    void settleQuantities(Kind kind, const PairFields& fields, RecordSink& sink)
    {
        m_sawInner = m_sawInner || kind == kInner;
        if (kind == kInner || (kind == kValid ? m_validSettled : m_epochSettled))
            return;
        (kind == kValid ? m_validSettled : m_epochSettled) = true;
        for (const PairField& field : fields) {
            RawColumn& column = sink.raw(m_recorder.columns().find(field.name, sink));
            const bool main = kind == kEpoch && !m_sawInner;
            const std::size_t mark = field.name.find(" (epoch)");
            column.quantity = main ? quantityFromName(field.name.substr(0, mark)) : Quantity::Other;
        }
    }

    PairRecorder m_recorder{kRules};
    FairseqNotes m_notes;
    JsonFieldCutter m_cutter;
    std::vector<JsonField> m_json;
    std::vector<std::string> m_names;
    std::array<std::size_t, 3> m_fieldsOf{};
    bool m_hasClock = false;
    bool m_sawInner = false;
    bool m_validSettled = false;
    bool m_epochSettled = false;
};

int scoreSimple(std::string_view line)
{
    if (const auto progress = simpleProgress(line)) {
        const bool pairs
            = progress->kind != kInner || progress->fields.find(", ") != std::string_view::npos;
        return pairs ? 95 : 0;
    }
    return isFairseqNote(line) ? 40 : 0;
}

int scoreJson(std::string_view line)
{
    const std::size_t brace = line.find("{\"");
    if (brace == std::string_view::npos)
        return 0;
    const std::string_view object = line.substr(brace);
    const bool mine = object.find("num_updates\": \"") != std::string_view::npos
        || (object.find("\"num_updates\": ") != std::string_view::npos
            && object.find("\"gnorm\"") != std::string_view::npos);
    return mine ? 100 : 0;
}

std::unique_ptr<LineReader> make()
{
    return std::make_unique<FairseqReader>();
}

}  // namespace

LineDialect fairseqDialect() noexcept
{
    return {"fairseq", "fairseq progress, simple form", DialectRole::Primary, &scoreSimple, &make};
}

LineDialect fairseqJsonDialect() noexcept
{
    return {"fairseq-json", "fairseq and metaseq progress, JSON form", DialectRole::Primary,
        &scoreJson, &make};
}

}  // namespace firstbad::core
