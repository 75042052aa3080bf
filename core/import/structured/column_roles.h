// SPDX-License-Identifier: GPL-3.0-or-later
// What a column or key of a table means by its name: step, clock, rank, or a measured value.
//
// Pure functions over constant tables; any thread.
#pragma once

#include "core/import/importer.h"
#include "core/series/quantity.h"
#include "core/series/run.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace firstbad::core {

enum class ColumnRole : std::uint8_t { Value, Step, Time, Rank, Ignored };

struct StepName {
    int order = 0;  ///< of several, the smallest is the step
    StepAxis axis = StepAxis::Step;
};

/// The last part of a name: "step" of "train/step" and of "train.step".
[[nodiscard]] std::string_view lastPart(std::string_view name) noexcept;

/// Whether a name can be the step axis ("step", "iter", "num_updates", "Schritt", ...).
[[nodiscard]] std::optional<StepName> stepName(std::string_view name);
[[nodiscard]] bool namesTime(std::string_view name);
[[nodiscard]] bool namesRank(std::string_view name);
/// Bookkeeping that is neither axis nor measurement ("_runtime", "_wandb").
[[nodiscard]] bool namesBookkeeping(std::string_view name);
/// Hashes and ids, whose text may look like a number ("4242", "1e5").
[[nodiscard]] bool namesIdentity(std::string_view name);
/// Values that are not of the training step itself: evaluation, validation, test.
[[nodiscard]] bool namesEvaluation(std::string_view name);

/// Seconds since 1970 when a number can only be a wall clock (s, ms, us or ns); nullopt for others.
[[nodiscard]] std::optional<double> secondsFromClock(double value);
[[nodiscard]] std::optional<double> secondsFromClock(std::string_view text);

/// What the user said about names: "theirs=canonical".
class NameMap
{
public:
    explicit NameMap(const ImportOptions& options)
        : m_pairs(options.nameMap)
    { }

    [[nodiscard]] std::optional<ColumnRole> role(std::string_view name) const;
    [[nodiscard]] std::optional<Quantity> quantity(std::string_view name) const;
    [[nodiscard]] bool namesAStep() const;

private:
    [[nodiscard]] std::string_view canonical(std::string_view name) const;

    std::vector<std::pair<std::string, std::string>> m_pairs;
};

}  // namespace firstbad::core
