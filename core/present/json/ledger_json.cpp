// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/json/ledger_json.h"

#include "core/base/json_writer.h"
#include "core/base/number.h"
#include "core/present/json/json_members.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

void writeRanks(JsonWriter& json, std::string_view name, const std::vector<std::int32_t>& ranks)
{
    json.key(name);
    json.beginArray();
    for (const std::int32_t rank : ranks)
        json.value(std::int64_t{rank});
    json.endArray();
}

void writeCounts(JsonWriter& json, const LedgerBad& bad)
{
    json.member("nan", bad.counts.nan);
    json.member("posinf", bad.counts.posInf);
    json.member("neginf", bad.counts.negInf);
    json.member("max_abs", bad.maxAbs);
}

std::string_view kindOf(const KindCounts& counts)
{
    if (counts.nan > 0)
        return "NaN";
    if (counts.posInf > 0)
        return "Infinity";
    return counts.negInf > 0 ? "-Infinity" : "";
}

void writeSamples(JsonWriter& json, const LedgerAttempt& attempt, std::int64_t step)
{
    json.key("samples");
    json.beginArray();
    const auto [from, to] = attempt.group.keysOfStep(step);
    constexpr std::size_t kMost = 64;
    std::size_t written = 0;
    for (std::size_t rank = 0; rank < attempt.group.ranks().size(); ++rank) {
        const RankLedger& ledger = *attempt.group.ranks()[rank];
        for (std::size_t key = from; key < to && written < kMost; ++key) {
            const auto row = attempt.group.rowOf(rank, key);
            const std::string* const ids = row ? ledger.samplesOf(*row) : nullptr;
            if (ids == nullptr)
                continue;
            ++written;
            json.beginObject();
            json.member("rank", std::int64_t{ledger.header.rank});
            json.member("micro_step", attempt.group.keys()[key].microStep);
            json.member("sample_ids", *ids);
            json.endObject();
        }
    }
    json.endArray();
}

void writeFirstBad(JsonWriter& json, const LedgerAttempt* attempt)
{
    json.key("first_bad");
    if (attempt == nullptr) {
        json.null();
        return;
    }
    const FirstBad& first = *attempt->bad.first;
    json.beginObject();
    json.member("attempt", first.attempt);
    json.member("step", first.step);
    json.member("micro_step", first.microStep);
    json.member("rank", first.rank ? std::optional<std::int64_t>(*first.rank) : std::nullopt);
    textMember(json, "lane", first.lane());
    textMember(json, "stage", first.stage);
    json.member("block", first.block());
    textMember(json, "what", first.what);
    if (first.evidence) {
        textMember(json, "op", first.evidence->module);
        textMember(json, "tensor", first.evidence->tensor);
        textMember(json, "param_group", first.evidence->paramGroup);
        textMember(json, "bucket", first.evidence->bucket);
        textMember(json, "kind", kindOf(first.evidence->counts));
        writeCounts(json, *first.evidence);
    }
    textMember(json, "source", first.path);
    positiveMember(json, "line", first.line);
    json.member("certain", first.isFrozen);
    json.member("probe", first.isProbe);
    json.member("born_in_reduce", attempt->bad.bornInReduce);
    writeSamples(json, *attempt, first.step);
    json.endObject();
}

void writeValue(JsonWriter& json, const DisagreeingValue& value)
{
    json.beginObject();
    if (value.attempt)
        json.member("attempt", *value.attempt);
    writeRanks(json, "ranks", value.ranks);
    json.key("value");
    if (!value.number)
        json.value(value.text);
    else if (value.isFlag)
        json.value(*value.number != 0.0);
    else
        json.value(*value.number);
    json.endObject();
}

void writeDisagreements(
    JsonWriter& json, const Disagreements& disagreements, std::optional<std::int64_t> attempt)
{
    for (const Disagreement& one : disagreements.list) {
        json.beginObject();
        json.member("attempt", attempt);
        json.member("step", one.step);
        json.member("micro_step", one.microStep);
        json.member("field", one.field);
        json.key("values");
        json.beginArray();
        for (const DisagreeingValue& value : one.values)
            writeValue(json, value);
        json.endArray();
        json.endObject();
    }
}

void writeAllDisagreements(JsonWriter& json, const LedgerReport& report)
{
    json.key("disagreements");
    json.beginArray();
    std::uint64_t total = report.acrossAttempts.total;
    for (const LedgerAttempt& attempt : report.attempts) {
        writeDisagreements(json, attempt.disagreements, attempt.group.attempt());
        total += attempt.disagreements.total;
    }
    writeDisagreements(json, report.acrossAttempts, std::nullopt);
    json.endArray();
    json.member("disagreements_total", total);
}

void writeHang(JsonWriter& json, const LedgerReport& report)
{
    json.key("hang");
    const auto found = std::find_if(report.attempts.begin(), report.attempts.end(),
        [](const LedgerAttempt& attempt) { return attempt.hang.has_value(); });
    if (found == report.attempts.end()) {
        json.null();
        return;
    }
    json.beginObject();
    json.member("attempt", found->group.attempt());
    json.member("step", found->hang->step);
    writeRanks(json, "stopped", found->hang->stopped);
    writeRanks(json, "waiting", found->hang->waiting);
    textMember(json, "op", found->hang->op);
    json.member("because", found->hang->because);
    json.endObject();
}

void writeChain(JsonWriter& json, const LedgerReport& report)
{
    json.key("chain");
    json.beginArray();
    for (const LedgerAttempt& attempt : report.attempts) {
        for (const RankLedgerPtr& ledger : attempt.group.ranks()) {
            json.beginObject();
            json.member("attempt", ledger->header.attempt);
            json.member("rank", std::int64_t{ledger->header.rank});
            json.member("ok", !ledger->brokenAt.has_value());
            json.member("broken_at", ledger->brokenAt);
            textMember(json, "path", ledger->path);
            json.member("lines", ledger->lines);
            json.endObject();
        }
    }
    json.endArray();
}

void writeMissing(JsonWriter& json, const LedgerReport& report)
{
    json.key("missing");
    json.beginArray();
    for (const LedgerAttempt& attempt : report.attempts) {
        for (const MissingRank& missing : attempt.missing) {
            json.beginObject();
            json.member("attempt", attempt.group.attempt());
            json.member("rank", std::int64_t{missing.rank});
            json.member("from_step", missing.fromStep);
            json.member("has_ledger", missing.hasLedger);
            json.endObject();
        }
    }
    json.endArray();
}

void writeEvidence(JsonWriter& json, const LedgerReport& report)
{
    constexpr std::size_t kMost = 1000;
    json.key("evidence");
    json.beginArray();
    std::size_t written = 0;
    for (const LedgerAttempt& attempt : report.attempts) {
        for (const RankLedgerPtr& ledger : attempt.group.ranks()) {
            for (const LedgerBad& bad : ledger->bads) {
                if (++written > kMost)
                    break;
                json.beginObject();
                json.member("attempt", ledger->header.attempt);
                json.member("rank", std::int64_t{ledger->header.rank});
                json.member("step", bad.step);
                json.member("micro_step", bad.microStep);
                textMember(json, "lane", laneOfStage(bad.stage));
                textMember(json, "stage", bad.stage);
                json.member("block", blockInModule(bad.module));
                textMember(json, "op", bad.module);
                textMember(json, "tensor", bad.tensor);
                textMember(json, "bucket", bad.bucket);
                writeCounts(json, bad);
                json.member("line", bad.line);
                json.endObject();
            }
        }
    }
    json.endArray();
}

void writeStatements(JsonWriter& json, const LedgerReport& report)
{
    json.key("statements");
    json.beginArray();
    for (const LedgerStatement& one : report.statements) {
        json.beginObject();
        json.member("code", one.code);
        json.member("severity", toString(one.severity));
        json.member("text", one.text);
        json.member("attempt", one.attempt);
        json.key("steps");
        json.beginArray();
        for (const std::int64_t step : one.steps)
            json.value(step);
        json.endArray();
        writeRanks(json, "ranks", one.ranks);
        json.endObject();
    }
    json.endArray();
}

void writeMembers(JsonWriter& json, const LedgerReport& report)
{
    const LedgerAttempt* const bad = report.firstBadAttempt();
    const LedgerAttempt& shown = bad != nullptr ? *bad : report.attempts.back();
    textMember(json, "run", report.run);
    json.member("ranks", static_cast<std::uint64_t>(shown.group.ranks().size()));
    json.member("world_size", std::int64_t{shown.group.worldSize()});
    json.key("attempts");
    json.beginArray();
    for (const LedgerAttempt& attempt : report.attempts)
        json.value(attempt.group.attempt());
    json.endArray();
    writeFirstBad(json, bad);
    const std::vector<std::int32_t> nobody;
    writeRanks(json, "origin_ranks", bad != nullptr ? bad->bad.origins : nobody);
    writeRanks(json, "victim_ranks", bad != nullptr ? bad->bad.victims : nobody);
    writeAllDisagreements(json, report);
    writeMissing(json, report);
    writeHang(json, report);
    writeChain(json, report);
    writeStatements(json, report);
    writeEvidence(json, report);
}

}  // namespace

const LedgerReport* worstReport(std::span<const LedgerReport> reports) noexcept
{
    if (reports.empty())
        return nullptr;
    const auto faulty = std::find_if(reports.begin(), reports.end(),
        [](const LedgerReport& report) { return report.holdsFault(); });
    return faulty != reports.end() ? &*faulty : &reports.front();
}

std::string ledgerJson(std::span<const LedgerReport> reports)
{
    JsonWriter json;
    json.beginObject();
    if (const LedgerReport* const worst = worstReport(reports))
        writeMembers(json, *worst);
    json.key("runs");
    json.beginArray();
    for (const LedgerReport& report : reports) {
        if (reports.size() < 2)
            break;
        json.beginObject();
        writeMembers(json, report);
        json.endObject();
    }
    json.endArray();
    json.endObject();
    return json.take();
}

}  // namespace firstbad::core
