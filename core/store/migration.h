// SPDX-License-Identifier: GPL-3.0-or-later
// Brings a case of an older schema up to date, after copying case.db; refuses newer ones.
//
// Each step is one transaction that also raises the version: killed in between, the next writer
// goes on from there.
#pragma once

#include "core/store/database.h"

#include <cstdint>
#include <functional>
#include <span>

namespace firstbad::core {

/// Changes a case of version `from` into one of version from + 1.
struct MigrationStep {
    std::int64_t from = 0;
    std::function<Result<void>(Database&)> apply;
};

/// Steps to kSchemaVersion. Version 1 is the first that was released: none yet.
[[nodiscard]] std::span<const MigrationStep> migrationSteps();

/// Not a case, newer than `newest`, or older without a way up: an Error. `mayWrite` false: an older
/// one is an Error as well.
[[nodiscard]] Result<void> bringUpToDate(
    Database& database, std::span<const MigrationStep> steps, std::int64_t newest, bool mayWrite);

}  // namespace firstbad::core
