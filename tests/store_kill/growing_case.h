// SPDX-License-Identifier: GPL-3.0-or-later
// A case that grows in small adds, and the check that it holds what was acknowledged.
//
// Shared by the helper that is killed and the test that kills it. One thread.
#pragma once

#include "core/store/case_store.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <string>

namespace firstbad::test {

/// Points acknowledged of each source.
using Acknowledged = std::map<int, std::int64_t>;

inline double expectedValue(int source, std::int64_t step)
{
    return step % 17 == 0 ? std::numeric_limits<double>::quiet_NaN()
                          : source + 1000.0 / static_cast<double>(step);
}

/// Lets the log of `source` grow to `points` lines and makes the data set that an importer would.
inline core::Dataset grownDataset(
    const std::filesystem::path& folder, int source, std::int64_t points)
{
    const auto path = folder / ("log" + std::to_string(source));
    core::Column column;
    std::string text;
    for (std::int64_t step = 1; step <= points; ++step) {
        column.steps.push_back(step);
        column.values.push_back(expectedValue(source, step));
        text += std::to_string(step) + "\n";
    }
    std::ofstream(path, std::ios::binary) << text;
    std::ofstream(path, std::ios::binary) << text;
    column.sources.push_back({0, 0});
    core::Dataset dataset;
    core::SourceInfo info;
    info.path = path.string();
    info.format = "test";
    info.bytes = text.size();
    info.records = static_cast<std::uint64_t>(points);
    dataset.sources.push_back(info);
    auto run = std::make_shared<core::Run>();
    run->id.value = "run" + std::to_string(source);
    run->attempts.resize(1);
    run->attempts[0].id.value = "1";
    core::Series series;
    series.name = "loss";
    series.columns.push_back(std::make_shared<const core::Column>(std::move(column)));
    run->series.push_back(std::move(series));
    dataset.runs.push_back(std::move(run));
    return dataset;
}

/// What the case holds of each source, every value checked. A sentence when something is wrong.
inline core::Result<Acknowledged> heldBy(const std::filesystem::path& folder)
{
    using core::ErrorCode;
    auto store = core::CaseStore::open(folder, core::CaseAccess::Read);
    if (!store)
        return tl::unexpected(store.error());
    core::JobContext job;
    auto check = store->check(job);
    if (!check)
        return tl::unexpected(check.error());
    if (!check->sound())
        return core::fail(ErrorCode::Malformed, check->problems.front().message);
    auto dataset = store->loadDataset(job);
    if (!dataset)
        return tl::unexpected(dataset.error());
    Acknowledged held;
    for (const auto& run : (*dataset)->runs) {
        const int source = std::stoi(run->id.value.substr(3));
        const core::Column* column = run->series.at(0).column(0);
        if (!column)
            return core::fail(ErrorCode::Malformed, "A column is missing.");
        for (std::size_t i = 0; i < column->size(); ++i) {
            const auto step = static_cast<std::int64_t>(i) + 1;
            const double expected = expectedValue(source, step);
            if (column->steps[i] != step
                || core::classify(column->values[i]) != core::classify(expected)
                || (core::isFinite(expected) && column->values[i] != expected))
                return core::fail(ErrorCode::Malformed, "A value differs.");
        }
        held[source] = static_cast<std::int64_t>(column->size());
    }
    return held;
}

inline bool holdsAll(const Acknowledged& held, const Acknowledged& acknowledged)
{
    for (const auto& [source, points] : acknowledged) {
        const auto at = held.find(source);
        if (at == held.end() || at->second < points)
            return false;
    }
    return true;
}

}  // namespace firstbad::test
