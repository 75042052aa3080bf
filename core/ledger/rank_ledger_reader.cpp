// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ledger/rank_ledger_reader.h"

#include "core/base/json_reader.h"
#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <xxhash.h>

namespace firstbad::core {
namespace {

constexpr std::size_t kHashDigits = 16;
constexpr std::size_t kMaxText = 400;
constexpr std::size_t kMaxKept = 10000;  // bad and decision lines of one file
constexpr std::size_t kMaxDamage = 1000;
constexpr std::size_t kKeptFirst = 32;  // rows whose sample ids are kept whatever happens
constexpr std::size_t kKeptLast = 64;
constexpr std::size_t kKeptMarked = 256;
constexpr std::size_t kMaxIds = 4096;  // bytes of one row's ids
constexpr std::int32_t kMaxWorld = 10'000'000;

constexpr std::array<std::string_view, 5> kIdentity{
    "config_hash", "model_commit", "tokenizer_hash", "dataset_version", "precision"};

std::optional<LedgerColumn> columnOf(LedgerName name) noexcept
{
    switch (name) {
    case LedgerName::Loss:
        return LedgerColumn::Loss;
    case LedgerName::LossScale:
        return LedgerColumn::LossScale;
    case LedgerName::LossScaleAfter:
        return LedgerColumn::LossScaleAfter;
    case LedgerName::LearningRate:
        return LedgerColumn::LearningRate;
    case LedgerName::TotalGradNorm:
        return LedgerColumn::TotalGradNorm;
    case LedgerName::SkippedStep:
        return LedgerColumn::SkippedStep;
    case LedgerName::LocalBad:
        return LedgerColumn::LocalBad;
    case LedgerName::GlobalBad:
        return LedgerColumn::GlobalBad;
    case LedgerName::OptimizerSteps:
        return LedgerColumn::OptimizerSteps;
    case LedgerName::ScheduleSteps:
        return LedgerColumn::ScheduleSteps;
    case LedgerName::ConsumedSamples:
        return LedgerColumn::ConsumedSamples;
    case LedgerName::ConsumedTokens:
        return LedgerColumn::ConsumedTokens;
    case LedgerName::MicroStep:
        return LedgerColumn::MicroStep;
    default:
        return std::nullopt;
    }
}

std::string shortened(std::string text)
{
    if (text.size() > kMaxText)
        text = toValidUtf8(std::string_view(text).substr(0, kMaxText));
    return text;
}

/// The same for any order of the ids: ranks and workers may deal them differently.
std::uint64_t hashOfIds(std::string_view raw)
{
    std::uint64_t sum = 0;
    std::size_t at = 1;
    while (at < raw.size()) {
        std::size_t end = raw.find(',', at);
        end = std::min(end, raw.size() - 1);
        const std::string_view id = trimmed(raw.substr(at, end - at));
        if (!id.empty())
            sum += XXH3_64bits(id.data(), id.size());
        at = end + 1;
    }
    return sum;
}

bool isBadNumber(std::optional<double> value) noexcept
{
    return value && !isFinite(*value);
}

}  // namespace

LedgerLineState RankLedgerReader::add(const LedgerLine& line)
{
    ++m_ledger.lines;
    m_ledger.bytes += line.bytes.size() + (line.terminated ? 1 : 0);
    const bool isBlankLine = trimmed(line.bytes).empty();
    const bool read = !isBlankLine && m_fields.split(line.bytes);
    m_state = read ? LedgerLineState::Read : LedgerLineState::Damaged;
    if (!read) {
        const bool torn = !line.terminated;
        damaged(line, torn ? "torn-tail" : (isBlankLine ? "blank-line" : "not-json"),
            torn              ? "The last line is cut; the ledger may still be written."
                : isBlankLine ? "A blank line stands in the ledger."
                              : "The line is no valid JSON: it was torn or changed.",
            torn);
    } else {
        checkChain(line);
        dispatch(line);
    }
    m_hash.restart();
    m_hash.add(line.bytes);
    m_previousHash = m_hash.finish(kHashDigits);
    return m_state;
}

void RankLedgerReader::checkChain(const LedgerLine& line)
{
    const LedgerField* const said = m_fields.find(LedgerName::Prev);
    const std::string_view raw = said != nullptr ? said->raw : std::string_view();
    if (raw.size() == m_previousHash.size() + 2 && raw.substr(1, raw.size() - 2) == m_previousHash)
        return;
    if (++m_breaks > 1)
        return;  // counted in take()
    m_ledger.brokenAt = line.number;
    damaged(line, "chain-break",
        fmt::format(
            "The chain of hashes breaks at line {}: it names \"{}\", the line before it has "
            "\"{}\". A line was changed, lost or put in.",
            line.number, shortened(ledgerText(raw)), m_previousHash),
        false);
}

void RankLedgerReader::dispatch(const LedgerLine& line)
{
    const LedgerField* const kindField = m_fields.find(LedgerName::Kind);
    const std::string_view kind = kindField != nullptr ? kindField->raw : std::string_view();
    if (m_ledger.wait && kind != "\"note\"" && kind != "\"end\"")
        m_ledger.wait->isLast = false;
    if (kind == "\"step\"")
        takeStep(line);
    else if (kind == "\"header\"")
        takeHeader(line);
    else if (kind == "\"bad\"")
        takeBad(line);
    else if (kind == "\"decision\"")
        takeDecision(line);
    else if (kind == "\"wait\"")
        takeWait();
    else if (kind == "\"end\"")
        m_ledger.end
            = LedgerEnd{m_fields.text("how"), shortened(m_fields.text("message")), line.number};
    else if (kind != "\"note\"" && kind != "\"checkpoint\"" && kind != "\"capsule\"")
        damaged(line, "unknown-kind",
            fmt::format(
                "Lines of kind \"{}\" are not known; kept as a note.", shortened(ledgerText(kind))),
            false);
}

void RankLedgerReader::takeHeader(const LedgerLine& line)
{
    if (m_hasHeader || m_ledger.lines > 1)
        damaged(
            line, "second-header", "A header stands within the ledger; the file holds two.", false);
    if (m_hasHeader)
        return;
    m_hasHeader = true;
    LedgerHeader& header = m_ledger.header;
    header.runId = m_fields.text("run_id");
    header.attempt = m_fields.integer("attempt").value_or(0);
    header.rank = static_cast<std::int32_t>(
        std::clamp<std::int64_t>(m_fields.integer("rank").value_or(0), 0, kMaxWorld));
    header.worldSize = static_cast<std::int32_t>(
        std::clamp<std::int64_t>(m_fields.integer("world_size").value_or(1), 1, kMaxWorld));
    header.dpRank = m_fields.integer("dp_rank");
    header.tpRank = m_fields.integer("tp_rank");
    header.ppRank = m_fields.integer("pp_rank");
    for (const std::string_view name : kIdentity) {
        if (const LedgerField* const field = m_fields.find(name); field && field->raw != "null")
            header.identity.emplace_back(name, shortened(ledgerText(field->raw)));
    }
    header.precision = m_fields.text("precision");
    header.checkpointParent = shortened(m_fields.text("checkpoint_parent"));
    if (const LedgerField* const policy = m_fields.find("scale_policy");
        policy && policy->raw.front() == '{') {
        const auto value = parseJson(policy->raw);
        const JsonValue* const name = value ? value->find("name") : nullptr;
        header.scalePolicy = name ? std::string(name->asText()) : "unnamed";
    }
    if (m_fields.integer("firstbad_ledger").value_or(1) > 1)
        damaged(line, "newer-version",
            "The ledger is of a newer version; what this one knows of it was read.", false);
}

void RankLedgerReader::takeStep(const LedgerLine& line)
{
    const LedgerField* const stepField = m_fields.find(LedgerName::Step);
    const auto step = stepField ? parseInteger(stepField->raw) : std::nullopt;
    if (!step) {
        damaged(line, "unreadable-step", "A step line has no step number.", false);
        return;
    }
    closeRow();
    m_row = Row{};
    m_row.open = true;
    m_row.step = *step;
    m_seen.fill(false);
    m_ledger.column(LedgerColumn::Step).add(static_cast<double>(*step));
    m_ledger.column(LedgerColumn::Line).add(static_cast<double>(line.number));
    for (const LedgerField& field : m_fields.all()) {
        if (field.known != LedgerName::Other)
            takeMember(field);
    }
    markRow();
    if (m_hasSamples && m_ledger.sampleHashes.size() < m_ledger.rows())
        m_ledger.sampleHashes.push_back(0);
}

void RankLedgerReader::takeMember(const LedgerField& field)
{
    const std::size_t row = m_ledger.rows() - 1;
    const auto put = [&](LedgerColumn column, std::optional<double> value) {
        bool& seen = m_seen[static_cast<std::size_t>(column)];  // NOLINT: enumerators are indices
        if (seen || !value)
            return;
        seen = true;
        m_ledger.column(column).fillTo(row);
        m_ledger.column(column).add(*value);
    };
    if (const auto column = columnOf(field.known)) {
        const auto value = ledgerNumber(field.raw);
        const bool flag = *column == LedgerColumn::SkippedStep || *column == LedgerColumn::LocalBad
            || *column == LedgerColumn::GlobalBad;
        const bool isValue
            = *column == LedgerColumn::Loss || *column == LedgerColumn::TotalGradNorm;
        m_row.isMarked
            = m_row.isMarked || (flag && value && *value != 0.0) || (isValue && isBadNumber(value));
        put(*column, value);
        return;
    }
    switch (field.known) {
    case LedgerName::FirstBadStage:
        if (const auto order = stageOrder(ledgerText(field.raw))) {
            put(LedgerColumn::Stage, static_cast<double>(*order));
            m_row.isMarked = true;
        }
        break;
    case LedgerName::SampleIds:
        takeSamples(field.raw);
        break;
    case LedgerName::Optimizers:
        takeOptimizers(field.raw);
        break;
    case LedgerName::Accum:
        if (const auto value = parseJson(field.raw)) {
            const auto member = [&](const char* name) {
                const JsonValue* const found = value->find(name);
                return found ? found->asNumber() : std::nullopt;
            };
            put(LedgerColumn::AccumExpected, member("expected"));
            put(LedgerColumn::AccumUsed, member("used"));
            put(LedgerColumn::AccumDivisor, member("divisor"));
        }
        break;
    default:
        break;
    }
}

void RankLedgerReader::takeSamples(std::string_view raw)
{
    if (raw.empty() || raw.front() != '[' || m_ledger.sampleHashes.size() >= m_ledger.rows())
        return;
    m_hasSamples = true;
    m_ledger.sampleHashes.resize(m_ledger.rows() - 1);
    m_ledger.sampleHashes.push_back(hashOfIds(raw));
    m_row.sampleIds = raw;
}

// A list of {name, skipped_step, optimizer_steps}: one scaler may serve several optimizers, and
// each looks only at its own flag.
void RankLedgerReader::takeOptimizers(std::string_view raw)
{
    const auto value = parseJson(raw);
    if (!value || value->kind != JsonValue::Kind::Array)
        return;
    std::size_t skipped = 0;
    std::size_t told = 0;
    for (const JsonValue& one : value->items) {
        const JsonValue* const flag = one.find("skipped_step");
        if (flag == nullptr || flag->kind != JsonValue::Kind::Boolean)
            continue;
        ++told;
        skipped += flag->flag ? 1 : 0;
    }
    if (skipped > 0 && skipped < told && m_ledger.partialSkips.size() < kMaxKept)
        m_ledger.partialSkips.push_back(m_row.step);
}

/// Keeps the row's ids where somebody may want to read them.
void RankLedgerReader::markRow()
{
    const std::size_t row = m_ledger.rows() - 1;
    if (m_row.isMarked)
        m_ledger.marked.push_back(static_cast<std::uint32_t>(row));
    if (m_row.sampleIds.empty())
        return;
    const bool keep = row < kKeptFirst || (m_row.isMarked && m_ledger.samples.size() < kKeptMarked);
    std::vector<LedgerSamples>& kept = keep ? m_ledger.samples : m_tail;
    if (keep || m_tail.size() < kKeptLast)
        kept.emplace_back();
    LedgerSamples& samples = keep ? kept.back() : kept[m_nextTail++ % kKeptLast];
    samples.row = row;
    samples.ids.assign(m_row.sampleIds.substr(0, kMaxIds));  // reuses the room of an older row
    m_row.sampleIds = {};
}

void RankLedgerReader::closeRow()
{
    if (m_row.open && m_row.action) {
        CompactColumn& actions = m_ledger.column(LedgerColumn::Action);
        actions.fillTo(m_ledger.rows() - 1);
        actions.add(*m_row.action);
    }
    m_row.open = false;
}

// The first bad line is frozen: nothing later may claim to come before it.
void RankLedgerReader::takeBad(const LedgerLine& line)
{
    LedgerBad bad;
    bad.step = m_fields.integer("step").value_or(0);
    bad.microStep = m_fields.integer("micro_step").value_or(0);
    const std::pair place{bad.step, bad.microStep};
    if (!m_frozen)
        m_frozen = place;
    else if (place < *m_frozen) {
        damaged(line, "contradiction",
            fmt::format("A later line names step {} micro-step {} as bad, before the first bad "
                        "line, which is frozen at step {} micro-step {}; the first one is kept.",
                place.first, place.second, m_frozen->first, m_frozen->second),
            false);
        m_state = LedgerLineState::Contradiction;
        return;
    }
    if (m_ledger.bads.size() >= kMaxKept)
        return;
    bad.stage = m_fields.text("stage");
    bad.module = shortened(m_fields.text("module"));
    bad.paramGroup = shortened(m_fields.text("param_group"));
    bad.bucket = shortened(m_fields.text("bucket"));
    bad.tensor = shortened(m_fields.text("tensor"));
    const auto count = [&](const char* name) {
        return static_cast<std::uint64_t>(
            std::max<std::int64_t>(0, m_fields.integer(name).value_or(0)));
    };
    bad.counts.nan = count("nan");
    bad.counts.posInf = count("posinf");
    bad.counts.negInf = count("neginf");
    bad.maxAbs = m_fields.number("max_abs");
    bad.line = line.number;
    m_ledger.bads.push_back(std::move(bad));
}

void RankLedgerReader::takeDecision(const LedgerLine& line)
{
    LedgerDecision decision;
    const auto step = m_fields.integer("step");
    decision.step = step.value_or(m_row.step);
    decision.action = shortened(m_fields.text("action"));
    const auto* const known
        = std::find(kLedgerActions.begin(), kLedgerActions.end(), decision.action);
    const bool fits = m_row.open && m_row.step == decision.step;
    if (fits && known != kLedgerActions.end()) {
        const auto code = static_cast<double>(known - kLedgerActions.begin());
        if (m_row.action && *m_row.action != code)
            m_ledger.partialSkips.push_back(decision.step);
        m_row.action = m_row.action.value_or(code);
    }
    if ((fits && decision.action == "update") || m_ledger.decisions.size() >= kMaxKept)
        return;
    decision.scope = shortened(m_fields.text("scope"));
    decision.reason = shortened(m_fields.text("reason"));
    decision.line = line.number;
    m_ledger.decisions.push_back(std::move(decision));
}

void RankLedgerReader::takeWait()
{
    m_ledger.wait = LedgerWait{m_fields.integer("step").value_or(0),
        m_fields.integer("seq").value_or(0), shortened(m_fields.text("op")), true};
}

void RankLedgerReader::damaged(
    const LedgerLine& line, const char* code, std::string reason, bool growing)
{
    if (m_ledger.damage.size() < kMaxDamage)
        m_ledger.damage.push_back(
            {code, std::move(reason), line.number, line.offset, line.bytes.size(), growing});
}

RankLedger RankLedgerReader::take()
{
    closeRow();
    const LedgerLine nowhere;
    if (m_ledger.lines > 0 && !m_hasHeader)
        damaged(nowhere, "no-header",
            "The ledger has no header: run, attempt and rank are unknown.", false);
    if (m_breaks > 1)
        damaged(nowhere, "chain-break",
            fmt::format("The chain of hashes breaks at {} further lines.", m_breaks - 1), false);
    for (CompactColumn& column : m_ledger.columns) {
        if (column.size() > 0)
            column.fillTo(m_ledger.rows());
        column.shrink();
    }
    m_ledger.sampleHashes.shrink_to_fit();
    std::move(m_tail.begin(), m_tail.end(), std::back_inserter(m_ledger.samples));
    std::sort(m_ledger.samples.begin(), m_ledger.samples.end(),
        [](const LedgerSamples& a, const LedgerSamples& b) { return a.row < b.row; });
    for (LedgerSamples& samples : m_ledger.samples)
        samples.ids = toValidUtf8(samples.ids);
    return std::move(m_ledger);
}

}  // namespace firstbad::core
