// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number.h"
#include "core/protocol/replay_codec.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

CellState stateOf(const JsonMembers& members)
{
    const std::string text = members.text("state", "not_looked_at");
    for (const auto state : {CellState::NotLookedAt, CellState::Finite, CellState::Inf,
             CellState::NaN, CellState::Both}) {
        if (toString(state) == text)
            return state;
    }
    members.refuse("state", "is no state of a cell");
    return CellState::NotLookedAt;
}

ReplayCell readCell(const JsonMembers& members)
{
    ReplayCell cell;
    cell.tensor = members.text("tensor");
    cell.microStep = members.integer("micro_step", 0);
    cell.block = members.integer("block", 0);
    cell.op = members.text("op");
    cell.state = stateOf(members);
    cell.nan = members.count("nan");
    cell.posInf = members.count("posinf");
    cell.negInf = members.count("neginf");
    cell.maxAbs = members.number("max_abs", 0.0);
    cell.masked = members.flag("masked", false);
    return cell;
}

ReplayOperand readOperand(const JsonMembers& members)
{
    return {members.text("name"), members.integers("index"), members.numbers("values"),
        members.text("note")};
}

/// Elements of a list, each read by `read`.
template <class T, class Read>
std::vector<T> readList(const JsonMembers& members, std::string_view name, Read read)
{
    std::vector<T> result;
    const auto& items = members.list(name);
    result.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i)
        result.push_back(read(members.element(items[i], name, i)));
    return result;
}

ReplayPlace readPlaceMembers(const JsonMembers& members)
{
    ReplayPlace place;
    place.lane = members.text("lane");
    place.block = members.integer("block", 0);
    place.op = members.text("op");
    place.locus = members.text("locus");
    place.tensor = members.text("tensor");
    place.kind = members.text("kind");
    place.elementIndex = members.integers("element_index");
    place.microStep = members.integer("micro_step", 0);
    place.inputsFinite = members.flag("inputs_finite", true);
    place.weightsFinite = members.flag("weights_finite", true);
    place.operands = readList<ReplayOperand>(members, "operands", readOperand);
    return place;
}

std::optional<ReplayPlace> readPlace(const JsonMembers& members, std::string_view name)
{
    if (!members.has(name))
        return std::nullopt;
    return readPlaceMembers(members.object(name));
}

ReplayEntryBad readEntryBad(const JsonMembers& members)
{
    return {members.text("tensor"), members.text("lane"), members.count("nan"),
        members.count("posinf"), members.count("neginf"), members.integers("first_index")};
}

ReplayFinding readFinding(const JsonMembers& members)
{
    ReplayFinding finding;
    finding.code = members.text("code");
    finding.severity = members.text("severity");
    finding.lane = members.text("lane");
    finding.block = members.integer("block", 0);
    finding.op = members.text("op");
    finding.row = members.optionalInteger("row");
    finding.index = members.optionalInteger("index");
    finding.value = members.optionalNumber("value");
    finding.limit = members.optionalNumber("limit");
    finding.text = members.text("text");
    return finding;
}

ProbeStep readStep(const JsonMembers& members)
{
    return {members.text("probe"), members.text("result"), members.integer("evaluated_blocks", 0),
        members.text("evidence")};
}

MatrixCell readMatrixCell(const JsonMembers& members)
{
    MatrixCell cell;
    cell.vary = members.text("vary");
    cell.precision = members.text("precision");
    cell.value = members.text("value");
    cell.fails = members.flag("fails", false);
    cell.reproduced = members.text("reproduced");
    cell.firstBad = readPlace(members, "first_bad");
    cell.firstNan = readPlace(members, "first_nan");
    cell.loss = members.optionalNumber("loss");
    return cell;
}

std::vector<FidelityItem> readFidelity(const JsonMembers& members)
{
    std::vector<FidelityItem> items;
    for (const auto& [what, value] : members.value().members) {
        const JsonMembers item = members.object(what);
        items.push_back({what, item.text("state"), item.text("detail")});
    }
    return items;
}

/// Everything but the lanes.
ReplayResult readSummary(const JsonMembers& members)
{
    ReplayResult result;
    result.capsule = members.text("capsule");
    result.device = members.text("device");
    result.precision = members.text("precision");
    result.fidelity = readFidelity(members.object("fidelity"));
    result.reproduced = members.text("reproduced");
    result.transience = members.text("transience");
    result.blocks = members.integer("blocks", 0);
    result.loss = members.optionalNumber("loss");
    result.gradNorm = members.optionalNumber("grad_norm");
    result.foundInf = members.optionalFlag("found_inf");
    result.skipped = members.flag("skipped", false);
    result.firstBad = readPlace(members, "first_bad");
    result.firstNan = readPlace(members, "first_nan");
    result.entryBad = readList<ReplayEntryBad>(members, "entry_bad", readEntryBad);
    result.findings = readList<ReplayFinding>(members, "findings", readFinding);
    const JsonMembers verdict = members.object("verdict");
    result.verdictKind = verdict.text("kind");
    result.verdictClass = verdict.text("class");
    result.verdictWhy = verdict.text("why");
    result.steps = readList<ProbeStep>(members, "steps", readStep);
    const JsonMembers cost = members.object("cost");
    result.cost.forwardEquivalents = cost.number("forward_equivalents", 0.0);
    result.cost.seconds = cost.number("seconds", 0.0);
    return result;
}

tl::unexpected<Error> malformed(std::string_view problem)
{
    return fail(ErrorCode::Malformed,
        fmt::format("What the worker said does not fit the protocol: {}.", problem),
        "The worker and this program must come from the same build.");
}

/// The value read by `read`, or what did not fit.
template <class T, class Read> Result<T> parseWith(const JsonValue& json, Read read)
{
    std::string problem;
    T value = read(JsonMembers(json, {}, problem));
    if (!problem.empty())
        return malformed(problem);
    return value;
}

const LaneName* findLane(std::string_view name)
{
    const auto* found = std::find_if(kReplayLanes.begin(), kReplayLanes.end(),
        [name](const LaneName& lane) { return lane.name == name; });
    return found == kReplayLanes.end() ? nullptr : found;
}

}  // namespace

std::optional<ReplayPlace> parsePlace(const JsonValue& json)
{
    std::string problem;
    if (json.kind != JsonValue::Kind::Object)
        return std::nullopt;
    ReplayPlace place = readPlaceMembers(JsonMembers(json, {}, problem));
    return problem.empty() ? std::optional(std::move(place)) : std::nullopt;
}

Result<ProbeResult> parseProbeResult(const JsonValue& json)
{
    return parseWith<ProbeResult>(json, [](const JsonMembers& members) {
        ProbeResult result;
        result.step = readStep(members.object("step"));
        if (members.has("cell"))
            result.cell = readCell(members.object("cell"));
        result.firstBad = readPlace(members, "first_bad");
        return result;
    });
}

Result<TensorWindow> parseTensorWindow(const JsonValue& json)
{
    return parseWith<TensorWindow>(json, [](const JsonMembers& members) {
        return TensorWindow{members.text("locus"), members.text("path"), members.integers("begin"),
            members.integers("extent"), members.integers("shape"), members.text("dtype"),
            members.text("sha256")};
    });
}

Result<MatrixResult> parseMatrixResult(const JsonValue& json)
{
    return parseWith<MatrixResult>(json, [](const JsonMembers& members) {
        MatrixResult result;
        result.cells = readList<MatrixCell>(members, "cells", readMatrixCell);
        if (members.has("fp32_blocks")) {
            const JsonMembers blocks = members.object("fp32_blocks");
            result.fp32Blocks = blocks.integers("minimal");
            result.fp32BlocksUnique = blocks.flag("unique", true);
        }
        return result;
    });
}

Result<IsolateResult> parseIsolateResult(const JsonValue& json)
{
    return parseWith<IsolateResult>(json, [](const JsonMembers& members) {
        IsolateResult result;
        for (const auto& rows : members.list("minimal_sets")) {
            auto& set = result.minimalSets.emplace_back();
            for (const auto& row : rows.items)
                set.push_back(row.asInteger().value_or(-1));
        }
        result.unique = members.flag("unique", true);
        const JsonMembers alone = members.object("alone");
        for (const auto& [row, value] : alone.value().members) {
            if (const auto number = parseInteger(row))
                result.alone.emplace(*number, readPlace(alone, row));
            else
                alone.refuse(row, "is not the number of a row");
        }
        if (members.has("tokens"))
            result.tokens = members.integers("tokens");
        result.sampleIds = members.texts("sample_ids");
        return result;
    });
}

Result<ReplayResult> parseReplayResult(const JsonValue& json)
{
    return parseWith<ReplayResult>(json, [](const JsonMembers& members) {
        ReplayResult result = readSummary(members);
        const JsonMembers lanes = members.object("lanes");
        for (const auto& lane : kReplayLanes) {
            if (lanes.has(lane.name))
                result.lanes.*lane.cells = readList<ReplayCell>(lanes, lane.name, readCell);
        }
        return result;
    });
}

Result<void> ReplayAssembler::addFinding(const JsonValue& finding)
{
    std::string problem;
    const JsonMembers members(finding, {}, problem);
    const std::string kind = members.text("kind");
    if (kind == "cells") {
        const LaneName* lane = findLane(members.text("lane"));
        if (lane == nullptr)
            return malformed("\"lane\" is no lane");
        auto& cells = m_partial.lanes.*lane->cells;
        if (!cells)
            cells.emplace();
        for (auto& cell : readList<ReplayCell>(members, "cells", readCell))
            cells->push_back(std::move(cell));
    } else if (kind == "first_bad") {
        m_partial.firstBad = readPlace(members, "place");
    } else if (kind == "probe") {
        m_partial.steps.push_back(readStep(members.object("step")));
    }
    if (!problem.empty())
        return malformed(problem);
    return {};
}

Result<ReplayResult> ReplayAssembler::finish(const JsonValue& summary)
{
    auto result = parseWith<ReplayResult>(summary, readSummary);
    if (!result)
        return result;
    std::string problem;
    const JsonMembers lanes = JsonMembers(summary, {}, problem).object("lanes");
    for (const auto& lane : kReplayLanes) {
        auto& cells = m_partial.lanes.*lane.cells;
        if (!lanes.has(lane.name)) {
            if (cells)
                return malformed(
                    fmt::format("it sent cells of the lane {}, which it did not reach", lane.name));
            continue;
        }
        const std::uint64_t expected = lanes.count(lane.name);
        const std::uint64_t got = cells ? cells->size() : 0;
        if (!problem.empty() || got != expected)
            return malformed(
                fmt::format("the lane {} has {} cells, {} came", lane.name, expected, got));
        if (!cells)
            cells.emplace();
    }
    result->lanes = std::move(m_partial.lanes);
    return result;
}

}  // namespace firstbad::core
