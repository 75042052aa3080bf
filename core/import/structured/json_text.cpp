// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/import/structured/json_document.h"
#include "core/import/structured/json_importer.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

using Facts = std::map<std::string, std::string>;

struct OtherDocument {
    std::string_view key;  // stands at the top of such a document
    std::string_view what;
};

constexpr std::array kOtherDocuments{
    OtherDocument{"_wandb", "a W&B summary: the last value of each series, no course over steps"},
    OtherDocument{"weight_map", "the index of a sharded checkpoint"},
    OtherDocument{"firstbad_capsule", "the description of a capsule"},
    OtherDocument{"model_type", "the configuration of a model"},
    OtherDocument{"architectures", "the configuration of a model"},
    OtherDocument{"zero_optimization", "a DeepSpeed configuration"},
    OtherDocument{"train_micro_batch_size_per_gpu", "a DeepSpeed configuration"},
    OtherDocument{"added_tokens", "a tokenizer"},
    OtherDocument{"tokenizer_class", "the configuration of a tokenizer"},
    OtherDocument{"eos_token", "the special tokens of a tokenizer"},
    OtherDocument{"cells", "a notebook"},
    OtherDocument{"eval_loss", "the result of one evaluation: one value of each, no course"},
    OtherDocument{"train_runtime", "the final figures of a training: one value of each, no course"},
    OtherDocument{"gpu_count", "a description of the machine"},
};

std::string_view kindOf(const Facts& facts)
{
    for (const OtherDocument& document : kOtherDocuments) {
        if (facts.count(std::string(document.key)) != 0)
            return document.what;
    }
    return facts.empty() ? "without any named value" : "without records of training steps";
}

bool isSummaryName(std::string_view fileName)
{
    constexpr std::array<std::string_view, 5> kNames{
        "summary", "results", "config", "metadata", "args"};
    return std::any_of(kNames.begin(), kNames.end(),
        [&](std::string_view name) { return containsIgnoringCase(fileName, name); });
}

/// One object with a step and a measured value is one record: a snapshot of an alert, say.
bool isOneRecord(const Facts& facts, std::string_view fileName)
{
    if (isSummaryName(fileName) || facts.count("_wandb") != 0)
        return false;
    bool step = false;
    bool measured = false;
    for (const auto& fact : facts) {
        const auto axis = stepName(fact.first);
        step = step || (axis && axis->order < 20);
        measured = measured || quantityFromName(fact.first) != Quantity::Other;
    }
    return step && measured;
}

SourceData oneRecord(std::string_view json, const ImportOptions& options)
{
    RecordSink sink;
    JsonFlattener flat;
    RecordTable table(sink, flat, options);
    JsonReader reader;
    flat.begin();
    if (reader.read(json, flat)) {
        flat.record().line = 1;
        table.add(flat.record());
    }
    table.finish();
    return sink.take();
}

SourceData noLog(SourceState state, std::string message, std::string hint = {})
{
    SourceData data;
    data.info.state = state;
    data.info.message = std::move(message);
    data.info.hint = std::move(hint);
    return data;
}

std::uint64_t lineOf(std::string_view json, std::uint64_t offset)
{
    const auto end
        = json.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(offset, json.size()));
    return 1U + static_cast<std::uint64_t>(std::count(json.begin(), end, '\n'));
}

void keepDamage(SourceData& data, std::string_view json, const Error& error)
{
    SkippedPart part;
    part.offset = error.where ? error.where->offset.value_or(0) : 0;
    part.line = lineOf(json, part.offset);
    part.length = json.size() - std::min<std::uint64_t>(part.offset, json.size());
    part.code = part.length < 2 ? "torn-tail" : "not-json";
    part.reason = fmt::format("{} The rest of the document was left out.", error.message);
    data.info.skipped.push_back(std::move(part));
}

std::string_view formatOf(const JsonDocument& document)
{
    if (document.facts().count("log_history") != 0)
        return "hf-trainer-state";
    return document.isGolden() ? "megatron-golden" : "json";
}

}  // namespace

SourceData readJsonText(
    std::string_view json, std::string_view fileName, const ImportOptions& options)
{
    JsonDocument document(options);
    JsonReader reader;
    const auto read = reader.read(json, document);
    const bool isLog = document.finish();
    if (!isLog && !read)
        return noLog(SourceState::Damaged, fmt::format("{}: {}", fileName, read.error().message),
            "Compare the file with its original; it may have been cut while it was written.");
    SourceData data;
    if (isLog)
        data = document.sink().take();
    else if (isOneRecord(document.facts(), fileName))
        data = oneRecord(json, options);
    else
        return noLog(SourceState::Ignored,
            fmt::format("{} is a JSON document {}{}, not a log.", fileName,
                kindOf(document.facts()).substr(0, 7) == "without" ? "" : "that holds ",
                kindOf(document.facts())));
    data.traits.dialect = formatOf(document);
    data.traits.lossMayBeFiltered = document.facts().count("log_history") != 0;
    data.info.format = data.traits.dialect;
    if (!read)
        keepDamage(data, json, read.error());
    return data;
}

}  // namespace firstbad::core
