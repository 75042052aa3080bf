// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/replay_codec.h"

#include "core/base/json_lists.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

enum class CellsIn : bool { Result, Findings };

void putText(JsonWriter& json, std::string_view name, const std::string& text)
{
    json.key(name);
    if (text.empty())
        json.null();
    else
        json.value(text);
}

template <class T, class Write>
void putList(JsonWriter& json, std::string_view name, const std::vector<T>& items, Write write)
{
    json.key(name);
    json.beginArray();
    for (const auto& item : items)
        write(json, item);
    json.endArray();
}

void writeCounts(JsonWriter& json, std::uint64_t nan, std::uint64_t posInf, std::uint64_t negInf)
{
    json.member("nan", nan);
    json.member("posinf", posInf);
    json.member("neginf", negInf);
}

void writeCell(JsonWriter& json, const ReplayCell& cell)
{
    json.beginObject();
    if (!cell.tensor.empty())
        json.member("tensor", cell.tensor);
    json.member("micro_step", cell.microStep);
    json.member("block", cell.block);
    json.member("op", cell.op);
    json.member("state", toString(cell.state));
    writeCounts(json, cell.nan, cell.posInf, cell.negInf);
    json.member("max_abs", cell.maxAbs);
    if (cell.masked)
        json.member("masked", true);
    json.endObject();
}

void writeOperand(JsonWriter& json, const ReplayOperand& operand)
{
    json.beginObject();
    json.member("name", operand.name);
    writeList(json, "index", operand.index);
    putList(json, "values", operand.values, [](JsonWriter& to, double value) { to.value(value); });
    putText(json, "note", operand.note);
    json.endObject();
}

void writeFidelity(JsonWriter& json, const std::vector<FidelityItem>& items)
{
    json.key("fidelity");
    json.beginObject();
    for (const auto& item : items) {
        json.key(item.what);
        json.beginObject();
        json.member("state", item.state);
        putText(json, "detail", item.detail);
        json.endObject();
    }
    json.endObject();
}

void writeEntryBad(JsonWriter& json, const ReplayEntryBad& bad)
{
    json.beginObject();
    json.member("tensor", bad.tensor);
    json.member("lane", bad.lane);
    writeCounts(json, bad.nan, bad.posInf, bad.negInf);
    writeList(json, "first_index", bad.firstIndex);
    json.endObject();
}

void writeFinding(JsonWriter& json, const ReplayFinding& finding)
{
    json.beginObject();
    json.member("code", finding.code);
    json.member("severity", finding.severity);
    json.member("lane", finding.lane);
    json.member("block", finding.block);
    json.member("op", finding.op);
    json.member("row", finding.row);
    json.member("index", finding.index);
    json.member("value", finding.value);
    json.member("limit", finding.limit);
    putText(json, "text", finding.text);
    json.endObject();
}

void writeStep(JsonWriter& json, const ProbeStep& step)
{
    json.beginObject();
    json.member("probe", step.probe);
    json.member("result", step.result);
    json.member("evaluated_blocks", step.evaluatedBlocks);
    putText(json, "evidence", step.evidence);
    json.endObject();
}

void writeMatrixCell(JsonWriter& json, const MatrixCell& cell)
{
    json.beginObject();
    json.member("vary", cell.vary);
    json.member("precision", cell.precision);
    json.member("value", cell.value);
    json.member("fails", cell.fails);
    json.member("reproduced", cell.reproduced);
    json.key("first_bad");
    writePlace(json, cell.firstBad);
    json.key("first_nan");
    writePlace(json, cell.firstNan);
    json.member("loss", cell.loss);
    json.endObject();
}

void writeLanes(JsonWriter& json, const ReplayLanes& lanes, CellsIn where)
{
    json.key("lanes");
    json.beginObject();
    for (const auto& lane : kReplayLanes) {
        const auto& cells = lanes.*lane.cells;
        if (!cells)
            json.memberNull(lane.name);
        else if (where == CellsIn::Findings)
            json.member(lane.name, static_cast<std::uint64_t>(cells->size()));
        else
            putList(json, lane.name, *cells, writeCell);
    }
    json.endObject();
}

void writeVerdict(JsonWriter& json, const ReplayResult& result)
{
    json.key("verdict");
    json.beginObject();
    putText(json, "kind", result.verdictKind);
    putText(json, "class", result.verdictClass);
    putText(json, "why", result.verdictWhy);
    json.endObject();
}

void writeCost(JsonWriter& json, const ReplayCost& cost)
{
    json.key("cost");
    json.beginObject();
    json.member("forward_equivalents", cost.forwardEquivalents);
    json.member("seconds", cost.seconds);
    json.endObject();
}

void writeMembers(JsonWriter& json, const ReplayResult& result, CellsIn where)
{
    json.member("capsule", result.capsule);
    json.member("device", result.device);
    json.member("precision", result.precision);
    writeFidelity(json, result.fidelity);
    json.member("reproduced", result.reproduced);
    putText(json, "transience", result.transience);
    json.member("blocks", result.blocks);
    json.member("loss", result.loss);
    json.member("grad_norm", result.gradNorm);
    json.member("found_inf", result.foundInf);
    json.member("skipped", result.skipped);
    json.key("first_bad");
    writePlace(json, result.firstBad);
    json.key("first_nan");
    writePlace(json, result.firstNan);
    putList(json, "entry_bad", result.entryBad, writeEntryBad);
    putList(json, "findings", result.findings, writeFinding);
    writeVerdict(json, result);
    putList(json, "steps", result.steps, writeStep);
    writeCost(json, result.cost);
    writeLanes(json, result.lanes, where);
}

/// {"kind":KIND,"KIND-member":...} with one member written by `write`.
template <class Write>
std::string findingJson(std::string_view kind, std::string_view member, Write write)
{
    JsonWriter json;
    json.beginObject();
    json.member("kind", kind);
    json.key(member);
    write(json);
    json.endObject();
    return json.take();
}

std::string cellFinding(std::string_view lane, const ReplayCell* first, const ReplayCell* last)
{
    JsonWriter json;
    json.beginObject();
    json.member("kind", "cells");
    json.member("lane", lane);
    json.key("cells");
    json.beginArray();
    for (; first != last; ++first)
        writeCell(json, *first);
    json.endArray();
    json.endObject();
    return json.take();
}

}  // namespace

void writePlace(JsonWriter& json, const std::optional<ReplayPlace>& place)
{
    if (!place) {
        json.null();
        return;
    }
    const bool ofTensor = place->lane == "input";  // no block, op or inputs before the model
    const bool ofModel = ofTensor || place->op == "norm";  // the norm is over all blocks
    json.beginObject();
    json.member("lane", place->lane);
    json.member("block", ofModel ? std::optional<std::int64_t>() : place->block);
    putText(json, "op", place->op);
    putText(json, "locus", place->locus);
    json.member("tensor", place->tensor);
    json.member("kind", place->kind);
    writeList(json, "element_index", place->elementIndex);
    json.member("micro_step", place->microStep);
    json.member("inputs_finite", ofTensor ? std::optional<bool>() : place->inputsFinite);
    json.member("weights_finite", ofTensor ? std::optional<bool>() : place->weightsFinite);
    if (place->operands.empty())
        json.memberNull("operands");
    else
        putList(json, "operands", place->operands, writeOperand);
    json.endObject();
}

void writeReplayMembers(JsonWriter& json, const ReplayResult& result)
{
    writeMembers(json, result, CellsIn::Result);
}

std::string replayResultJson(const ReplayResult& result)
{
    JsonWriter json;
    json.beginObject();
    writeMembers(json, result, CellsIn::Result);
    json.endObject();
    return json.take();
}

std::string replaySummaryJson(const ReplayResult& result)
{
    JsonWriter json;
    json.beginObject();
    writeMembers(json, result, CellsIn::Findings);
    json.endObject();
    return json.take();
}

std::vector<std::string> cellFindings(std::string_view lane, const std::vector<ReplayCell>& cells)
{
    std::vector<std::string> findings;
    for (std::size_t at = 0; at < cells.size(); at += kMaxCellsPerFinding) {
        const std::size_t count = std::min(kMaxCellsPerFinding, cells.size() - at);
        findings.push_back(cellFinding(lane, cells.data() + at, cells.data() + at + count));
    }
    return findings;
}

std::string firstBadFinding(const ReplayPlace& place)
{
    return findingJson("first_bad", "place", [&](JsonWriter& json) { writePlace(json, place); });
}

std::string probeFinding(const ProbeStep& step)
{
    return findingJson("probe", "step", [&](JsonWriter& json) { writeStep(json, step); });
}

std::string matrixCellFinding(const MatrixCell& cell)
{
    return findingJson(
        "matrix_cell", "cell", [&](JsonWriter& json) { writeMatrixCell(json, cell); });
}

std::string matrixResultJson(const MatrixResult& result)
{
    JsonWriter json;
    json.beginObject();
    putList(json, "cells", result.cells, writeMatrixCell);
    json.key("fp32_blocks");
    if (result.fp32Blocks) {
        json.beginObject();
        writeList(json, "minimal", *result.fp32Blocks);
        json.member("unique", result.fp32BlocksUnique);
        json.endObject();
    } else {
        json.null();
    }
    json.endObject();
    return json.take();
}

std::string isolateResultJson(const IsolateResult& result)
{
    JsonWriter json;
    json.beginObject();
    writeList(json, "rows",
        result.minimalSets.empty() ? std::vector<std::int64_t>() : result.minimalSets.front());
    json.key("minimal_sets");
    json.beginArray();
    for (const auto& rows : result.minimalSets) {
        json.beginArray();
        for (const std::int64_t row : rows)
            json.value(row);
        json.endArray();
    }
    json.endArray();
    json.member("unique", result.unique);
    json.key("alone");
    json.beginObject();
    for (const auto& [row, place] : result.alone) {
        json.key(fmt::format("{}", row));
        writePlace(json, place);
    }
    json.endObject();
    if (result.tokens)
        writeList(json, "tokens", *result.tokens);
    else
        json.memberNull("tokens");
    putList(json, "sample_ids", result.sampleIds,
        [](JsonWriter& to, const std::string& id) { to.value(id); });
    json.endObject();
    return json.take();
}

std::string probeResultJson(const ProbeResult& result)
{
    JsonWriter json;
    json.beginObject();
    json.key("step");
    writeStep(json, result.step);
    json.key("cell");
    if (result.cell)
        writeCell(json, *result.cell);
    else
        json.null();
    json.key("first_bad");
    writePlace(json, result.firstBad);
    json.endObject();
    return json.take();
}

std::string tensorWindowJson(const TensorWindow& window)
{
    JsonWriter json;
    json.beginObject();
    json.member("locus", window.locus);
    json.member("path", window.path);
    writeList(json, "begin", window.begin);
    writeList(json, "extent", window.extent);
    writeList(json, "shape", window.shape);
    json.member("dtype", window.dtype);
    json.member("sha256", window.sha256);
    json.endObject();
    return json.take();
}

}  // namespace firstbad::core
