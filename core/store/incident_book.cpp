// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/incident_book.h"

#include "core/base/hash.h"
#include "core/store/body.h"
#include "core/store/case_codec.h"

#include <bit>

namespace firstbad::core {
namespace {

constexpr std::size_t kKinds = static_cast<std::size_t>(IncidentKind::None) + 1;
constexpr std::size_t kClasses = 3;
constexpr std::size_t kSeverities = 3;

Row incidentCells(const Incident& incident)
{
    return {incident.id, std::string(toString(incident.kind)), incident.run, incident.attempt,
        incident.onsetStep, cellOf(incident.peakStep), cellOf(incident.endStep), incident.title};
}

void putLocus(JsonWriter& json, const Locus& locus)
{
    json.beginObject();
    if (locus.step)
        json.member("step", *locus.step);
    if (locus.microStep)
        json.member("micro_step", *locus.microStep);
    if (locus.rank)
        json.member("rank", std::int64_t{*locus.rank});
    json.member("lane", locus.lane);
    json.member("stage", locus.stage);
    json.member("op", locus.op);
    json.member("tensor", locus.tensor);
    json.member("certain", locus.certain);
    json.endObject();
}

Locus locusFrom(const JsonValue& object)
{
    Locus locus;
    locus.step = integerOf(object, "step");
    locus.microStep = integerOf(object, "micro_step");
    if (const auto rank = integerOf(object, "rank"))
        locus.rank = static_cast<std::int32_t>(*rank);
    locus.lane = textOf(object, "lane");
    locus.stage = textOf(object, "stage");
    locus.op = textOf(object, "op");
    locus.tensor = textOf(object, "tensor");
    locus.certain = flagOf(object, "certain");
    return locus;
}

void putPair(JsonWriter& json, const char* firstName, const std::string& first,
    const char* secondName, const std::string& second)
{
    json.beginObject();
    json.member(firstName, first);
    json.member(secondName, second);
    json.endObject();
}

std::string verdictBody(const Incident& incident)
{
    JsonWriter json;
    json.beginObject();
    putReal(json, "confidence", incident.confidence);
    if (incident.recovered)
        json.member("recovered", *incident.recovered);
    putReal(json, "half_life_steps", incident.halfLifeSteps);
    if (incident.firstBad) {
        json.key("first_bad");
        putLocus(json, *incident.firstBad);
    }
    json.key("unknown");
    json.beginArray();
    for (const Unknown& unknown : incident.unknown)
        putPair(json, "question", unknown.question, "settle_by", unknown.settleBy);
    json.endArray();
    json.key("hypotheses");
    json.beginArray();
    for (const Hypothesis& hypothesis : incident.hypotheses)
        putPair(json, "cause", hypothesis.cause, "evidence", hypothesis.evidence);
    json.endArray();
    json.key("related");
    json.beginArray();
    for (const std::string& id : incident.related)
        json.value(id);
    json.endArray();
    json.endObject();
    return json.take();
}

Row verdictCells(const Incident& incident)
{
    return {std::string(toString(incident.verdict)), std::string(toString(incident.severity)),
        cellOf(incident.restoreBeforeStep), verdictBody(incident)};
}

void readVerdict(const Row& cells, std::size_t first, Incident& incident)
{
    const JsonValue body = readBody(textOf(cells.at(first + 3)));
    incident.verdict = enumOf<IncidentClass>(textOf(cells.at(first)), kClasses);
    incident.severity = enumOf<Severity>(textOf(cells.at(first + 1)), kSeverities);
    incident.restoreBeforeStep = optionalOf(cells.at(first + 2));
    incident.confidence = realOf(body, "confidence").value_or(0.0);
    incident.recovered = optionalFlagOf(body, "recovered");
    incident.halfLifeSteps = realOf(body, "half_life_steps");
    if (const JsonValue* locus = body.find("first_bad"))
        incident.firstBad = locusFrom(*locus);
    for (const JsonValue& unknown : listOf(body, "unknown"))
        incident.unknown.push_back({textOf(unknown, "question"), textOf(unknown, "settle_by")});
    for (const JsonValue& hypothesis : listOf(body, "hypotheses"))
        incident.hypotheses.push_back(
            {textOf(hypothesis, "cause"), textOf(hypothesis, "evidence")});
    for (const JsonValue& id : listOf(body, "related"))
        incident.related.emplace_back(id.asText());
}

Row findingCells(const Evidence& evidence, std::string_view role)
{
    Row cells{std::string(role), evidence.what, evidence.series, cellOf(evidence.step), Cell(),
        Cell(), Cell(), evidence.source,
        evidence.line ? Cell(static_cast<std::int64_t>(*evidence.line)) : Cell()};
    if (evidence.value) {
        if (isFinite(*evidence.value))
            cells.at(4) = *evidence.value;
        cells.at(5) = std::string(toString(classify(*evidence.value)));
        cells.at(6) = std::bit_cast<std::int64_t>(*evidence.value);
    }
    return cells;
}

Evidence findingFrom(const Row& cells)
{
    Evidence evidence;
    evidence.what = textOf(cells.at(1));
    evidence.series = textOf(cells.at(2));
    evidence.step = optionalOf(cells.at(3));
    if (!isNull(cells.at(6)))
        evidence.value = std::bit_cast<double>(integerOf(cells.at(6)));
    evidence.source = textOf(cells.at(7));
    if (const auto line = optionalOf(cells.at(8)))
        evidence.line = static_cast<std::uint64_t>(*line);
    return evidence;
}

/// All findings of an incident, what speaks for it first.
std::vector<Row> findingRows(const Incident& incident)
{
    std::vector<Row> rows;
    for (const Evidence& evidence : incident.evidence)
        rows.push_back(findingCells(evidence, "for"));
    for (const Evidence& evidence : incident.against)
        rows.push_back(findingCells(evidence, "against"));
    return rows;
}

std::string fingerprintOf(std::span<const Incident> incidents)
{
    std::string text;
    for (const Incident& incident : incidents) {
        putFingerprint(text, incidentCells(incident));
        putFingerprint(text, verdictCells(incident));
        for (Row row : findingRows(incident)) {
            row.at(4) = Cell();  // the bits beside it say the same
            putFingerprint(text, row);
        }
    }
    return sha256Hex(text);
}

Row prefixed(Row first, const Row& rest)
{
    first.insert(first.end(), rest.begin(), rest.end());
    return first;
}

Result<void> appendIncident(ChainWriter& chain, const Row& key, const Incident& incident)
{
    auto id = chain.append("incidents", prefixed(key, incidentCells(incident)));
    if (!id)
        return tl::unexpected(id.error());
    auto verdict = chain.append("verdicts", prefixed({*id}, verdictCells(incident)));
    if (!verdict)
        return tl::unexpected(verdict.error());
    std::int64_t position = 0;
    for (const Row& row : findingRows(incident)) {
        auto finding = chain.append("findings", prefixed({*id, position++}, row));
        if (!finding)
            return tl::unexpected(finding.error());
    }
    return {};
}

Result<void> readFindings(const Database& database, std::int64_t incidentSeq, Incident& incident)
{
    return database.forEach("SELECT role, what, series, step, value, value_class, value_bits, "
                            "source, line FROM findings WHERE incident = ? ORDER BY position",
        {incidentSeq}, [&](const Row& row) {
            auto& list = textOf(row.front()) == "for" ? incident.evidence : incident.against;
            list.push_back(findingFrom(row));
            return true;
        });
}

}  // namespace

Result<bool> appendJudgement(Database& database, ChainWriter& chain, std::int64_t runKey,
    std::span<const Incident> incidents)
{
    const std::string print = fingerprintOf(incidents);
    auto newest = database.query("SELECT number, fingerprint FROM judgements WHERE run_key = ? "
                                 "ORDER BY number DESC LIMIT 1",
        {runKey});
    if (!newest)
        return tl::unexpected(newest.error());
    if (!newest->empty() && textOf(newest->front().at(1)) == print)
        return false;
    const std::int64_t number = newest->empty() ? 1 : integerOf(newest->front().at(0)) + 1;
    auto judgement = chain.append(
        "judgements", {runKey, number, static_cast<std::int64_t>(incidents.size()), print});
    if (!judgement)
        return tl::unexpected(judgement.error());
    std::int64_t position = 0;
    for (const Incident& incident : incidents) {
        auto done = appendIncident(chain, {runKey, number, position++}, incident);
        if (!done)
            return tl::unexpected(done.error());
    }
    return true;
}

Result<std::vector<Incident>> newestIncidents(const Database& database, std::int64_t runKey)
{
    auto rows = database.query(
        "SELECT i.seq, i.incident_id, i.kind, i.run, i.attempt, i.onset_step, i.peak_step, "
        "i.end_step, i.title, v.class, v.severity, v.restore_before_step, v.body FROM incidents i "
        "JOIN verdicts v ON v.incident = i.seq WHERE i.run_key = ?1 AND i.judgement = (SELECT "
        "max(number) FROM judgements WHERE run_key = ?1) ORDER BY i.position",
        {runKey});
    if (!rows)
        return tl::unexpected(rows.error());
    std::vector<Incident> incidents;
    for (const Row& row : *rows) {
        Incident incident;
        incident.id = textOf(row.at(1));
        incident.kind = enumOf<IncidentKind>(textOf(row.at(2)), kKinds);
        incident.run = textOf(row.at(3));
        incident.attempt = textOf(row.at(4));
        incident.onsetStep = integerOf(row.at(5));
        incident.peakStep = optionalOf(row.at(6));
        incident.endStep = optionalOf(row.at(7));
        incident.title = textOf(row.at(8));
        readVerdict(row, 9, incident);
        auto done = readFindings(database, integerOf(row.at(0)), incident);
        if (!done)
            return tl::unexpected(done.error());
        incidents.push_back(std::move(incident));
    }
    return incidents;
}

}  // namespace firstbad::core
