// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/weights/model.h"

#include "core/capsule/tensor_file.h"
#include "replay/weights/shards.h"
#include "replay/weights/tensor_io.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::replay {

namespace {

std::string shapeText(const std::vector<std::int64_t>& shape)
{
    std::string text;
    for (const auto size : shape)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", size);
    return "[" + text + "]";
}

}  // namespace

core::Result<std::unique_ptr<Model>> Model::open(
    const core::Capsule& capsule, core::JobContext& job)
{
    const auto family = familyNamed(capsule.family);
    if (!family)
        return tl::unexpected(family.error());
    const auto config = core::parseJson(capsule.configJson);
    if (!config)
        return tl::unexpected(config.error());
    const auto shape = (*family)->shape(*config);
    if (!shape)
        return tl::unexpected(shape.error());
    auto source = openWeights(capsule, job);
    if (!source)
        return tl::unexpected(source.error());
    std::unique_ptr<Model> model(new Model);
    model->m_family = *family;
    model->m_shape = *shape;
    model->m_source = std::move(*source);
    if (auto resolved = model->resolve(capsule); !resolved)
        return tl::unexpected(resolved.error());
    if (auto scales = model->openFp8(capsule); !scales)
        return tl::unexpected(scales.error());
    return model;
}

core::Result<void> Model::resolve(const core::Capsule& capsule)
{
    for (std::int64_t block = -1; block <= m_shape.blocks; ++block) {
        for (auto& spec : m_family->parameters(m_shape, block)) {
            Param param{std::move(spec), {}, block};
            param.name = std::string(m_family->optionalPrefix) + param.spec.name;
            if (!m_source->shapeOf(param.name, 0))
                param.name = param.spec.name;
            if (auto fits = checkShape(param, capsule); !fits)
                return fits;
            m_params.push_back(std::move(param));
        }
    }
    return {};
}

core::Result<void> Model::checkShape(const Param& param, const core::Capsule& capsule) const
{
    const auto shards = m_source->shards();
    const auto expected = shardShape(param.spec, shards);
    for (std::size_t shard = 0; shard < shards; ++shard) {
        const auto shape = m_source->shapeOf(param.name, shard);
        if (!shape)
            return core::fail(core::ErrorCode::NotFound,
                fmt::format("The weights of {} lack {}{}.", capsule.shownPath,
                    m_family->optionalPrefix, param.spec.name),
                "The config of the capsule may be that of another model.");
        if (*shape != expected)
            return core::fail(core::ErrorCode::Malformed,
                fmt::format("The config of {} contradicts its weights: {} is {}, the config asks "
                            "for {}.",
                    capsule.shownPath, param.name, shapeText(*shape), shapeText(expected)),
                "Record the capsule again, or correct the config in capsule.json.");
    }
    return {};
}

core::Result<void> Model::openFp8(const core::Capsule& capsule)
{
    if (!capsule.fp8)
        return {};
    const auto path = core::pathOf(capsule, capsule.fp8->file.name);
    if (!path)
        return tl::unexpected(path.error());
    const auto file
        = core::TensorFile::open(*path, capsule.shownPath + "/" + capsule.fp8->file.name);
    if (!file)
        return tl::unexpected(file.error());
    for (const auto& entry : file->tensors()) {
        auto scale = readTensor(*file, entry);
        if (!scale)
            return tl::unexpected(scale.error());
        if (scale->numel() == 1)
            m_fp8Scales.emplace(entry.name, scale->reshape({}));
    }
    return {};
}

std::vector<std::size_t> Model::paramsOf(std::int64_t block) const
{
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < m_params.size(); ++i) {
        if (m_params[i].block == block)
            out.push_back(i);
    }
    return out;
}

std::vector<std::size_t> Model::paramsRead(std::int64_t block, std::string_view op) const
{
    if (m_shape.tied && block == m_shape.blocks && op == "logits")
        return {0};
    std::vector<std::size_t> out;
    for (const auto index : paramsOf(block)) {
        if (m_params[index].spec.op == op)
            out.push_back(index);
    }
    return out;
}

core::Result<Tensor> Model::merged(const Param& param) const
{
    std::vector<Tensor> shards;
    for (std::size_t shard = 0; shard < m_source->shards(); ++shard) {
        auto part = m_source->read(param.name, shard);
        if (!part)
            return part;
        shards.push_back(std::move(*part));
    }
    return mergeShards(param.spec, shards);
}

core::Result<Tensor> Model::stored(std::size_t index)
{
    const auto kept = m_kept.find(index);
    if (kept != m_kept.end())
        return kept->second;
    auto tensor = merged(m_params[index]);
    if (!tensor)
        return tensor;
    if (!at::isFloatingType(tensor->scalar_type()))
        return core::fail(core::ErrorCode::Unsupported,
            fmt::format("The weight {} is not stored as floating point.", m_params[index].name));
    if (m_bound == 0 || m_keptBytes + tensor->nbytes() <= m_bound) {
        m_keptBytes += tensor->nbytes();
        m_kept.emplace(index, *tensor);
    }
    return tensor;
}

core::Result<BlockWeights> Model::weights(std::int64_t block, const BlockTypes& types)
{
    BlockWeights out;
    const auto add = [&](std::size_t index, const std::string& key) -> core::Result<void> {
        const auto tensor = stored(index);
        if (!tensor)
            return tl::unexpected(tensor.error());
        out.tensors.emplace(key, replay::stored(*tensor, types.param));
        return {};
    };
    for (const auto index : paramsOf(block)) {
        const Param& param = m_params[index];
        if (auto added = add(index, param.spec.key); !added)
            return tl::unexpected(added.error());
        const auto module = param.name.substr(0, param.name.rfind('.'));
        for (const char* part : {"input", "weight"}) {
            const auto scale = m_fp8Scales.find(fmt::format("{}.{}", module, part));
            if (types.fp8 && scale != m_fp8Scales.end())
                out.fp8Scales.emplace(fmt::format("{}.{}", param.spec.op, part), scale->second);
        }
    }
    if (m_shape.tied && block == m_shape.blocks) {
        if (auto added = add(0, "logits.weight"); !added)
            return tl::unexpected(added.error());
    }
    return out;
}

}  // namespace firstbad::replay
