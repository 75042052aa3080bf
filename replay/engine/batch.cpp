// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/engine/batch.h"

#include "core/capsule/tensor_file.h"
#include "replay/probes/trace.h"
#include "replay/weights/tensor_io.h"

#include <array>
#include <fmt/format.h>

namespace firstbad::replay {

namespace {

constexpr std::array<std::pair<std::string_view, Tensor MicroBatch::*>, 6> kTensors{{
    {"input_ids", &MicroBatch::ids},
    {"labels", &MicroBatch::labels},
    {"attention_mask", &MicroBatch::attentionMask},
    {"position_ids", &MicroBatch::positions},
    {"loss_mask", &MicroBatch::lossMask},
    {"inputs_embeds", &MicroBatch::embeds},
}};

tl::unexpected<core::Error> unfit(
    const std::string& file, std::string_view tensor, std::string_view why)
{
    return core::fail(core::ErrorCode::Malformed, fmt::format("{} of {} {}.", tensor, file, why),
        "Record the capsule again.");
}

/// [rows, length] of ids, or a sentence.
core::Result<void> checkTwoDimensions(
    const std::string& file, std::string_view name, const Tensor& tensor, const Tensor& ids)
{
    if (tensor.dim() != 2 || tensor.sizes() != ids.sizes())
        return unfit(file, name, "does not have the shape of input_ids");
    return {};
}

core::Result<void> checkMask(const std::string& file, const Tensor& mask, const Tensor& ids)
{
    const auto rows = ids.size(0);
    const auto length = ids.size(1);
    if (mask.dim() == 2)
        return checkTwoDimensions(file, "attention_mask", mask, ids);
    const bool fits = mask.dim() == 4 && (mask.size(0) == rows || mask.size(0) == 1)
        && mask.size(2) == length && mask.size(3) == length;
    if (!fits)
        return unfit(file, "attention_mask", "has no shape that attention can use");
    return {};
}

core::Result<void> checkShapes(const std::string& file, MicroBatch& batch, const ModelShape& shape)
{
    if (!batch.ids.defined() || batch.ids.dim() != 2 || batch.ids.numel() == 0
        || at::isFloatingType(batch.ids.scalar_type()))
        return unfit(file, "input_ids", "is missing or is no table of whole numbers");
    batch.ids = batch.ids.to(at::kLong);
    if (!batch.labels.defined())
        batch.labels = batch.ids.clone();
    batch.labels = batch.labels.to(at::kLong);
    if (!batch.positions.defined())
        batch.positions = at::arange(batch.ids.size(1), batch.ids.options())
                              .unsqueeze(0)
                              .expand_as(batch.ids)
                              .contiguous();
    batch.positions = batch.positions.to(at::kLong).expand_as(batch.ids).contiguous();
    for (const auto& [name, member] : {kTensors[1], kTensors[3], kTensors[4]}) {
        if (const Tensor& tensor = batch.*member; tensor.defined()) {
            if (auto fits = checkTwoDimensions(file, name, tensor, batch.ids); !fits)
                return fits;
        }
    }
    const Tensor& embeds = batch.embeds;
    if (embeds.defined()
        && (embeds.dim() != 3 || embeds.size(0) != batch.ids.size(0)
            || embeds.size(1) != batch.ids.size(1) || embeds.size(2) != shape.hidden))
        return unfit(file, "inputs_embeds", "does not have the shape [rows, length, hidden]");
    return batch.attentionMask.defined() ? checkMask(file, batch.attentionMask, batch.ids)
                                         : core::Result<void>();
}

core::Result<MicroBatch> readBatch(
    const core::Capsule& capsule, const core::CapsuleFile& named, const ModelShape& shape)
{
    const auto path = core::pathOf(capsule, named.name);
    if (!path)
        return tl::unexpected(path.error());
    const std::string shown = capsule.shownPath + "/" + named.name;
    const auto file = core::TensorFile::open(*path, shown);
    if (!file)
        return tl::unexpected(file.error());
    MicroBatch batch;
    for (const auto& [name, member] : kTensors) {
        const auto* entry = file->find(name);
        if (entry == nullptr)
            continue;
        auto tensor = readTensor(*file, *entry);
        if (!tensor)
            return tl::unexpected(tensor.error());
        batch.*member = std::move(*tensor);
    }
    try {
        if (auto fits = checkShapes(shown, batch, shape); !fits)
            return tl::unexpected(fits.error());
    } catch (const std::exception&) {
        return unfit(shown, "position_ids", "does not fit input_ids");
    }
    return batch;
}

/// First index where `bad` is true; empty optional when nowhere.
std::optional<std::vector<std::int64_t>> firstTrue(const Tensor& bad)
{
    if (!bad.any().item<bool>())
        return std::nullopt;
    const auto where = bad.reshape({-1}).to(at::kByte).argmax().item<std::int64_t>();
    TraceCell place;
    place.shape = bad.sizes().vec();
    place.statistics.firstBad = static_cast<std::uint64_t>(where);
    return place.firstIndex();
}

void addRange(std::vector<InputFault>& faults, const std::string& name, const Tensor& bad)
{
    if (auto index = firstTrue(bad))
        faults.push_back({name, "out-of-range", std::move(*index), true});
}

/// The first value that is not finite.
void addValues(std::vector<InputFault>& faults, const std::string& name, const Tensor& tensor)
{
    TraceCell place;
    place.statistics = statisticsOf(tensor);
    if (!place.bad())
        return;
    place.shape = tensor.sizes().vec();
    faults.push_back(
        {name, std::string(core::toString(place.statistics.firstKind)), place.firstIndex(), false});
}

}  // namespace

MicroBatch MicroBatch::selected(const std::vector<std::int64_t>& rows) const
{
    const Tensor index = at::tensor(rows, at::TensorOptions().dtype(at::kLong));
    MicroBatch out;
    for (const auto& [name, member] : kTensors) {
        const Tensor& tensor = this->*member;
        if (tensor.defined())
            out.*member = tensor.size(0) == ids.size(0) ? tensor.index_select(0, index) : tensor;
    }
    return out;
}

MicroBatch MicroBatch::truncated(std::int64_t length) const
{
    MicroBatch out;
    for (const auto& [name, member] : kTensors) {
        const Tensor& tensor = this->*member;
        if (!tensor.defined())
            continue;
        out.*member = tensor.dim() == 4
            ? tensor.slice(2, 0, length).slice(3, 0, length).contiguous()
            : tensor.slice(1, 0, length).contiguous();
    }
    return out;
}

core::Result<std::vector<MicroBatch>> readBatches(
    const core::Capsule& capsule, const ModelShape& shape)
{
    std::vector<MicroBatch> out;
    for (const auto& named : capsule.batches) {
        auto batch = readBatch(capsule, named, shape);
        if (!batch)
            return tl::unexpected(batch.error());
        out.push_back(std::move(*batch));
    }
    return out;
}

std::vector<InputFault> inputFaults(
    const MicroBatch& batch, const ModelShape& shape, std::int64_t ignoreIndex)
{
    std::vector<InputFault> faults;
    const auto outside = [](const Tensor& tensor, std::int64_t limit) {
        return tensor.lt(0).logical_or(tensor.ge(limit));
    };
    if (!batch.embeds.defined())
        addRange(faults, "input_ids", outside(batch.ids, shape.vocabulary));
    else
        addValues(faults, "inputs_embeds", batch.embeds);
    if (shape.positions > 0)
        addRange(faults, "position_ids", outside(batch.positions, shape.positions));
    addRange(faults, "labels",
        outside(batch.labels, shape.vocabulary).logical_and(batch.labels.ne(ignoreIndex)));
    // -Infinity in a mask means blocked, nothing else does.
    if (batch.attentionMask.defined() && at::isFloatingType(batch.attentionMask.scalar_type())) {
        const Tensor& mask = batch.attentionMask;
        addValues(faults, "attention_mask", mask.masked_fill(at::isneginf(mask), 0.0));
    }
    if (batch.lossMask.defined() && at::isFloatingType(batch.lossMask.scalar_type()))
        addValues(faults, "loss_mask", batch.lossMask);
    return faults;
}

StepInputs stepInputs(
    const MicroBatch& batch, const ModelShape& shape, bool rotary, NumberType compute)
{
    StepInputs out;
    out.ids = batch.ids;
    out.embeds = batch.embeds;
    out.positions = batch.positions;
    const auto length = batch.ids.size(1);
    const Tensor& mask = batch.attentionMask;
    const Tensor future = at::ones({length, length}, at::TensorOptions().dtype(at::kBool)).triu(1);
    if (mask.defined() && mask.dim() == 4 && at::isFloatingType(mask.scalar_type()))
        out.mask.added = mask;
    else if (mask.defined() && mask.dim() == 4)
        out.mask.blocked = mask.eq(0);
    else if (mask.defined())
        out.mask.blocked
            = mask.eq(0).unsqueeze(1).unsqueeze(1).logical_or(future.unsqueeze(0).unsqueeze(0));
    else
        out.mask.blocked = future.unsqueeze(0).unsqueeze(0);
    if (rotary)
        out.rotary = rotaryTable(batch.positions, shape.headWidth, shape.rotaryBase, compute);
    return out;
}

}  // namespace firstbad::replay
