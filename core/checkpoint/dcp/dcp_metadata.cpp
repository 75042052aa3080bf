// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/dcp/dcp_metadata.h"

#include "core/base/text.h"
#include "core/checkpoint/pickle/machine.h"

#include <fmt/format.h>

namespace firstbad::core {

namespace {

constexpr std::size_t kMaxPathParts = 64;
constexpr std::size_t kMaxTransforms = 200;

/// Finds its way through the objects of the metadata, whatever module they came from.
class MetadataWalk
{
public:
    MetadataWalk(const PickleArena& arena, DcpMetadata& out)
        : m_arena(arena)
        , m_out(out)
    { }

    void run(PickleRef root)
    {
        readTensors(m_arena.find(root, "state_dict_metadata"));
        readItems(m_arena.find(root, "storage_data"));
        readPaths(m_arena.find(root, "planner_data"));
    }

private:
    /// Ints of a tuple, a list or a torch.Size; nullopt for anything else.
    [[nodiscard]] std::optional<std::vector<std::int64_t>> integers(PickleRef ref) const
    {
        if (const PickleObject* object = ref == kNoValue ? nullptr : m_arena.object(ref)) {
            const auto args = m_arena.items(object->args);
            if (args.size() == 1)
                return integers(args[0]);
            return args.empty() ? std::optional(std::vector<std::int64_t>()) : std::nullopt;
        }
        if (!m_arena.is(ref, PickleKind::Tuple) && !m_arena.is(ref, PickleKind::List))
            return std::nullopt;
        std::vector<std::int64_t> values;
        for (const PickleRef item : m_arena.items(ref)) {
            const auto value = m_arena.integer(item);
            if (!value || values.size() > kMaxDimensions)
                return std::nullopt;
            values.push_back(*value);
        }
        return values;
    }

    void readTensors(PickleRef dict)
    {
        if (dict == kNoValue)
            return;
        const auto pairs = m_arena.pairs(dict);
        for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
            const std::string fqn(m_arena.text(pairs[i]));
            const std::string& name = m_arena.global(pairs[i + 1]).name;
            if (name == "TensorStorageMetadata")
                readTensor(fqn, pairs[i + 1]);
            else
                m_out.values.push_back(fqn);
        }
    }

    void readTensor(const std::string& fqn, PickleRef ref)
    {
        DcpTensor tensor;
        tensor.fqn = fqn;
        const auto shape = integers(m_arena.find(ref, "size"));
        if (!shape) {
            damage("bad-header", fqn, fmt::format("the shape of {} cannot be read", shown(fqn)));
            return;
        }
        tensor.shape = *shape;
        readType(tensor, m_arena.find(ref, "properties"));
        const PickleRef chunks = m_arena.find(ref, "chunks");
        for (const PickleRef chunk : chunks == kNoValue ? Refs() : m_arena.items(chunks)) {
            const auto offsets = integers(m_arena.find(chunk, "offsets"));
            const auto sizes = integers(m_arena.find(chunk, "sizes"));
            if (offsets && sizes)
                tensor.chunks.push_back({*offsets, *sizes});
            else
                damage("bad-header", fqn,
                    fmt::format("a chunk of {} has no readable place", shown(fqn)));
        }
        m_out.tensors.push_back(std::move(tensor));
    }

    /// A tuple whose first element is the type (the strides came in later), or a dict.
    void readType(DcpTensor& tensor, PickleRef properties) const
    {
        if (properties == kNoValue)
            return;
        PickleRef type = m_arena.find(properties, "dtype");
        const PickleObject* object = m_arena.object(properties);
        if (type == kNoValue && object != nullptr && object->state != kNoValue) {
            const auto state = m_arena.items(object->state);
            type = state.empty() ? kNoValue : state[0];
        }
        if (type == kNoValue)
            return;
        tensor.typeName = m_arena.global(type).name;
        tensor.type = elementTypeFromTorchName(tensor.typeName);
    }

    void readItems(PickleRef dict)
    {
        if (dict == kNoValue)
            return;
        const auto pairs = m_arena.pairs(dict);
        for (std::size_t i = 0; i + 1 < pairs.size(); i += 2)
            readItem(pairs[i], pairs[i + 1]);
    }

    void readItem(PickleRef index, PickleRef place)
    {
        DcpItem item;
        item.fqn = textOf(m_arena.find(index, "fqn"));
        item.chunkOffsets = integers(m_arena.find(index, "offset"));
        item.file = textOf(m_arena.find(place, "relative_path"));
        const auto offset = numberOf(m_arena.find(place, "offset"));
        const auto length = numberOf(m_arena.find(place, "length"));
        if (!offset || !length || *offset < 0 || *length < 0) {
            damage("negative-size", item.fqn,
                fmt::format(
                    "the place of {} in {} cannot be read", shown(item.fqn), shown(item.file)));
            return;
        }
        item.offset = *offset;
        item.length = *length;
        const PickleRef transforms = m_arena.find(place, "transform_descriptors");
        if (transforms != kNoValue)
            item.transforms = namesOf(transforms);
        m_out.items.push_back(std::move(item));
    }

    /// "stream.zstd/1, stream.aes/1"; empty for an empty list.
    [[nodiscard]] std::string namesOf(PickleRef list) const
    {
        std::string names;
        for (const PickleRef name : m_arena.items(list)) {
            if (names.size() < kMaxTransforms)
                names.append(names.empty() ? "" : ", ").append(m_arena.text(name));
        }
        return names.empty() && !m_arena.items(list).empty() ? "of unknown name" : names;
    }

    void readPaths(PickleRef dict)
    {
        if (dict == kNoValue)
            return;
        const auto pairs = m_arena.pairs(dict);
        for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
            const auto parts = m_arena.items(pairs[i + 1]);
            if (parts.empty() || parts.size() > kMaxPathParts)
                continue;
            std::vector<PathPart> path;
            for (const PickleRef part : parts)
                path.push_back(pathPart(part));
            m_out.paths.emplace(m_arena.text(pairs[i]), std::move(path));
        }
    }

    [[nodiscard]] PathPart pathPart(PickleRef ref) const
    {
        if (m_arena.is(ref, PickleKind::Text))
            return {PathPart::Kind::Text, std::string(m_arena.text(ref))};
        if (m_arena.is(ref, PickleKind::Int))
            return {PathPart::Kind::Number, std::to_string(m_arena.integer(ref).value_or(0))};
        return {PathPart::Kind::Other, pythonRepr(m_arena, ref)};
    }

    [[nodiscard]] std::string textOf(PickleRef ref) const
    {
        return ref == kNoValue ? std::string() : std::string(m_arena.text(ref));
    }

    [[nodiscard]] std::optional<std::int64_t> numberOf(PickleRef ref) const
    {
        return ref == kNoValue ? std::nullopt : m_arena.integer(ref);
    }

    void damage(std::string error, std::string member, std::string text)
    {
        m_out.damage.push_back({std::move(error), std::move(member), std::move(text), false});
    }

    static std::string shown(std::string_view name)
    {
        return escapedForTerminal(name.substr(0, 200));
    }

    using Refs = std::span<const PickleRef>;

    const PickleArena& m_arena;
    DcpMetadata& m_out;
};

}  // namespace

Result<DcpMetadata> parseDcpMetadata(
    std::string pickle, const std::string& fileName, JobContext& job)
{
    auto document = unpickle(std::move(pickle), job);
    if (!document)
        return tl::unexpected(std::move(document.error()));
    DcpMetadata out;
    for (const DangerousCall& call : document->dangerous)
        out.damage.push_back({"dangerous-global", fileName,
            fmt::format("{} would run {} when it is loaded: not run here", fileName,
                escapedForTerminal(call.global)),
            true});
    if (document->problem)
        out.damage.push_back({document->problem->error, fileName,
            fmt::format("{}: {}", fileName, document->problem->text), false});
    if (document->root != kNoValue)
        MetadataWalk(document->arena, out).run(document->root);
    if (out.damage.empty() && out.tensors.empty() && out.values.empty())
        out.damage.push_back({"bad-header", fileName,
            fmt::format("{} does not describe a distributed checkpoint", fileName), false});
    return out;
}

}  // namespace firstbad::core
