// SPDX-License-Identifier: GPL-3.0-or-later
// Packages of torch.export (.pt2): raw weights beside a JSON text that describes them. Private to
// core/checkpoint/torch.
#pragma once

#include "core/checkpoint/torch/torch_file.h"
#include "core/checkpoint/zip/zip_archive.h"

namespace firstbad::core {

[[nodiscard]] bool isTorchExport(const ZipArchive& archive);

/// Adds the weights and constants of every model in the package to `part`.
void readTorchExport(const ByteSource& source, const ZipArchive& archive,
    const TorchFileOptions& options, Checkpoint& part);

}  // namespace firstbad::core
