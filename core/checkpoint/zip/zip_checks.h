// SPDX-License-Identifier: GPL-3.0-or-later
// The checks of a zip directory: names, duplicates, overlaps, declared sizes. Each marks entries
// as refused and adds its damage. Private to core/checkpoint/zip.
#pragma once

#include "core/checkpoint/zip/zip_archive.h"

namespace firstbad::core {

/// Chooses the folder around all entries, where the layout has one, and refuses names outside it.
void checkZipNames(ZipArchive& archive, ZipLayout layout);
void checkZipDuplicates(ZipArchive& archive);
/// Needs data offsets. Nothing may overlap, nor reach past `directoryOffset`.
void checkZipOverlaps(ZipArchive& archive, std::uint64_t directoryOffset);
/// Local headers that are missing or have another name than the directory says.
void checkZipHeaders(ZipArchive& archive);
/// Methods, encryption, and sizes that deflate cannot reach.
void checkZipSizes(ZipArchive& archive);

}  // namespace firstbad::core
