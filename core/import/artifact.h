// SPDX-License-Identifier: GPL-3.0-or-later
// Recognises what is no log: checkpoints and capsules (named, not read here), and files that are
// never read.
//
// By content where a few bytes tell, else by name. Pure; any thread.
#pragma once

#include "core/import/dataset.h"
#include "core/import/source_head.h"

#include <filesystem>
#include <optional>
#include <string>

namespace firstbad::core {

/// The checkpoint that a file is, or belongs to (a folder checkpoint is one artefact); nullopt: it
/// is none.
[[nodiscard]] std::optional<FoundArtifact> checkpointOf(const HeadBytes& head);

/// True when the folder is a capsule (contracts.md 5): capsule.json inside.
[[nodiscard]] bool isCapsuleFolder(const std::filesystem::path& folder);

/// True when the folder is a case of firstbad itself.
[[nodiscard]] bool isCaseFolder(const std::filesystem::path& folder);

/// True for prose by its name (README, Markdown): read for chronicles, but no log if nothing is
/// found.
[[nodiscard]] bool isDocument(const std::filesystem::path& path);

/// Why a file is not read although it could be opened (program text, licence, picture); empty: it
/// is read.
[[nodiscard]] std::string reasonToIgnore(const HeadBytes& head);

}  // namespace firstbad::core
