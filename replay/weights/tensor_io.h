// SPDX-License-Identifier: GPL-3.0-or-later
// Between bytes on disk and LibTorch tensors.
//
// Pure functions; a tensor that comes back owns its memory. Any thread.
#pragma once

#include "core/capsule/tensor_file.h"
#include "core/checkpoint/element_type.h"

#include <ATen/ATen.h>
#include <optional>

namespace firstbad::replay {

/// nullopt for types that no model computes with.
[[nodiscard]] std::optional<at::ScalarType> scalarTypeOf(core::ElementType type) noexcept;
/// Name as safetensors spells it.
[[nodiscard]] std::string_view safetensorsName(at::ScalarType type) noexcept;

[[nodiscard]] core::Result<at::Tensor> readTensor(
    const core::TensorFile& file, const core::TensorEntry& entry);

/// A tensor of bytes that were read already, little-endian and row-major.
[[nodiscard]] core::Result<at::Tensor> tensorOfBytes(const std::string& name,
    core::ElementType type, const std::vector<std::int64_t>& shape, std::span<const char> bytes);

}  // namespace firstbad::replay
