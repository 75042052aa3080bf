// SPDX-License-Identifier: GPL-3.0-or-later
// Dataset: everything that was read from the paths a user named.
//
// Immutable once loaded; shared between threads as shared_ptr<const Dataset>.
#pragma once

#include "core/base/diagnostics.h"
#include "core/import/source.h"
#include "core/series/run.h"

#include <string>
#include <vector>

namespace firstbad::core {

/// A path that is a checkpoint or capsule; named, not read here.
struct FoundArtifact {
    std::string path;
    std::string kind;  ///< "checkpoint" or "capsule"
    std::string format;  ///< as far as the name and first bytes tell
    std::uint64_t bytes = 0;
};

/// An evidence ledger among the sources.
struct SourceLedger {
    std::shared_ptr<const RankLedger> ledger;
    std::uint32_t source = 0;  ///< index into Dataset::sources
};

struct Dataset {
    std::vector<RunPtr> runs;
    std::vector<SourceInfo> sources;  ///< index = LogEvent::source and SourceSpan::source
    std::vector<FoundArtifact> checkpoints;
    std::vector<FoundArtifact> capsules;
    std::vector<SourceLedger> ledgers;  ///< as read; a case does not keep them
    Diagnostics diagnostics;
};

}  // namespace firstbad::core
