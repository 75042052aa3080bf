// SPDX-License-Identifier: GPL-3.0-or-later
// What a CaseStore holds; shared by the files that implement it.
#pragma once

#include "core/store/case_folder.h"
#include "core/store/case_store.h"
#include "core/store/chain.h"

#include <filesystem>
#include <functional>
#include <optional>

namespace firstbad::core {

struct CaseStore::State {
    std::filesystem::path folder;
    std::optional<WriterLock> lock;  ///< held by writers
    Database database;
};

/// Seconds since 1970.
[[nodiscard]] double nowSeconds() noexcept;

/// Runs `body` in one write transaction and closes it with a commit row.
[[nodiscard]] Result<void> inCommit(Database& database, std::string_view what,
    const std::function<Result<void>(ChainWriter&)>& body);

/// The Error of a change through a store that was opened for reading.
[[nodiscard]] tl::unexpected<Error> notAWriter(const std::filesystem::path& folder);

}  // namespace firstbad::core
