// SPDX-License-Identifier: GPL-3.0-or-later
// TorchStorages: the storages that one torch pickle names, each once, and the bytes that lie in the
// pickle itself. Where the named ones lie is filled in by the reader of the container.
//
// Adds to one Checkpoint, which outlives it. One thread. Private to core/checkpoint/torch.
#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/numpy/numpy_type.h"
#include "core/checkpoint/torch/torch_types.h"

#include <unordered_map>
#include <vector>

namespace firstbad::core {

class TorchStorages
{
public:
    TorchStorages(Checkpoint& part, std::uint32_t file, std::string memberPrefix)
        : m_part(part)
        , m_file(file)
        , m_memberPrefix(std::move(memberPrefix))
    { }

    /// Number of the storage that a persistent id names.
    std::uint32_t resolve(const TorchStorageId& id);
    /// The same for persistent id number `ref`, and remembers that it was asked for.
    std::uint32_t resolve(const TorchStorageId& id, PickleRef ref)
    {
        if (m_resolved.size() <= ref)
            m_resolved.resize(std::size_t{ref} + 1, false);
        m_resolved[ref] = true;
        return resolve(id);
    }
    [[nodiscard]] bool isResolved(PickleRef ref) const
    {
        return ref < m_resolved.size() && m_resolved[ref];
    }
    /// Number of a storage that holds these bytes of the pickle.
    std::uint32_t addInline(PickleRef bytesRef, std::string_view bytes, const NumpyType& type);

    struct Named {
        std::string key;
        std::uint32_t storage = 0;
    };
    /// In order of first appearance; to be placed.
    [[nodiscard]] const std::vector<Named>& named() const noexcept { return m_named; }
    [[nodiscard]] Checkpoint& part() noexcept { return m_part; }

private:
    Checkpoint& m_part;
    std::uint32_t m_file;
    std::string m_memberPrefix;
    std::vector<Named> m_named;
    std::unordered_map<std::string, std::uint32_t> m_byKey;
    std::unordered_map<PickleRef, std::uint32_t> m_byBytes;
    std::vector<bool> m_resolved;  // by persistent id
};

}  // namespace firstbad::core
