// SPDX-License-Identifier: GPL-3.0-or-later
// Importer of evidence ledgers, version 1 (*.ledger.jsonl, also .gz and .zst).
//
// Stateless; streams. Memory: the longest line (at most 64 MiB) and the columns.
#pragma once

#include "core/import/importer.h"

namespace firstbad::core {

[[nodiscard]] int sniffLedger(const SourceHead& head);
[[nodiscard]] Result<std::vector<SourceData>> readLedger(
    const SourceRef& source, const ImportOptions& options, JobContext& job);

}  // namespace firstbad::core
