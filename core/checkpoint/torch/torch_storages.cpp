// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/torch/torch_storages.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {

std::uint32_t TorchStorages::resolve(const TorchStorageId& id)
{
    const auto [found, isNew]
        = m_byKey.emplace(id.key, static_cast<std::uint32_t>(m_part.storages.size()));
    if (isNew) {
        Storage storage;
        storage.member = m_memberPrefix + id.key;
        storage.file = m_file;
        storage.type = id.storageClass.untyped ? ElementType::Unknown : id.storageClass.type;
        storage.coding = StorageCoding::Missing;
        storage.declaredBytes = id.bytes;
        m_part.storages.push_back(std::move(storage));
        m_named.push_back({id.key, found->second});
        return found->second;
    }
    Storage& storage = m_part.storages[found->second];
    storage.declaredBytes = std::max(storage.declaredBytes, id.bytes);
    if (id.storageClass.untyped)
        return found->second;
    if (storage.type == ElementType::Unknown) {
        storage.type = id.storageClass.type;
    } else if (storage.type != id.storageClass.type) {
        CheckpointWarning warning;
        warning.code = "storage-with-two-types";
        warning.text = fmt::format("the storage {} is used as {} and as {}", storage.member,
            elementTypeInfo(storage.type).name, elementTypeInfo(id.storageClass.type).name);
        m_part.warnings.push_back(std::move(warning));
    }
    return found->second;
}

std::uint32_t TorchStorages::addInline(
    PickleRef bytesRef, std::string_view bytes, const NumpyType& type)
{
    const auto [found, isNew]
        = m_byBytes.emplace(bytesRef, static_cast<std::uint32_t>(m_part.storages.size()));
    if (!isNew)
        return found->second;
    Storage storage;
    storage.member = "data.pkl";
    storage.file = m_file;
    storage.type = type.type;
    storage.coding = StorageCoding::Inline;
    storage.bigEndian = type.bigEndian;
    storage.bytes = storage.storedBytes = storage.declaredBytes = bytes.size();
    storage.inlineBytes.assign(bytes.begin(), bytes.end());
    m_part.storages.push_back(std::move(storage));
    return found->second;
}

}  // namespace firstbad::core
