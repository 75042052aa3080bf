// SPDX-License-Identifier: GPL-3.0-or-later
// Predicate: what counts as bad in a search: nonfinite, overflow-risk, diverges, grows.
//
// One run, one thread. Adding one: a line in the table of predicates.cpp.
#pragma once

#include "replay/engine/engine_parts.h"

#include <map>
#include <string>
#include <vector>

namespace firstbad::replay {

class Predicate
{
public:
    /// Runs the reference or the baseline where the predicate compares with one.
    [[nodiscard]] static core::Result<Predicate> make(
        ReplayEngine::Parts& parts, const core::ReplayRequest& request, core::JobContext& job);

    [[nodiscard]] bool needsTensors() const noexcept { return !m_reference.empty(); }
    /// Called for every cell in the order of the trace.
    void see(const TracePoint& point, const Tensor& tensor);

    /// The first place for which it holds; `lane` limits the search, empty: all.
    [[nodiscard]] std::optional<core::ReplayPlace> first(
        ReplayContext& context, const StepRecord& record, const std::string& lane) const;
    [[nodiscard]] bool holds(const TraceCell& cell, std::size_t index) const;
    [[nodiscard]] bool isNonfinite() const noexcept { return m_kind == "nonfinite"; }

private:
    std::string m_kind = "nonfinite";
    double m_limit = 0.0;
    std::map<std::string, Tensor> m_reference;  ///< of diverges
    std::map<std::string, double> m_baseline;  ///< largest values, of grows
    std::vector<double> m_errors;  ///< by cell, of diverges
};

}  // namespace firstbad::replay
