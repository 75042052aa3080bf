// SPDX-License-Identifier: GPL-3.0-or-later
// What PyTorch's names of storage classes and dtypes mean in a pickle. Pure; any thread.
#pragma once

#include "core/checkpoint/element_type.h"
#include "core/checkpoint/pickle/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace firstbad::core {

struct StorageClass {
    ElementType type = ElementType::Unknown;
    bool untyped = false;  ///< counts bytes
};

/// "FloatStorage", "UntypedStorage"; nullopt when PyTorch has no such class.
[[nodiscard]] std::optional<StorageClass> storageClassOf(std::string_view name);

/// "float16", "bits8"; Unknown when PyTorch has no such dtype.
[[nodiscard]] ElementType torchDtype(std::string_view name);

/// Bytes of one element in a storage of PyTorch, where two packed fp4 values are one element.
[[nodiscard]] std::uint64_t torchElementBytes(ElementType type);

/// What a persistent id says about a storage.
struct TorchStorageId {
    std::string key;
    std::string location;
    StorageClass storageClass;
    std::uint64_t bytes = 0;  ///< declared
    std::int64_t viewOffset = 0;  ///< of a legacy view, in elements of the class
};

/// Reads ('storage', class, key, location, elements[, view]); nullopt when it is not shaped so.
[[nodiscard]] std::optional<TorchStorageId> readStorageId(const PickleArena& arena, PickleRef ref);

}  // namespace firstbad::core
