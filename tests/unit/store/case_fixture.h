// SPDX-License-Identifier: GPL-3.0-or-later
// Cases in a temporary folder, and data sets made by hand.
//
// One thread.
#pragma once

#include "core/store/case_store.h"

#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace firstbad::test {

/// A folder that goes away with the test.
class TemporaryFolder
{
public:
    TemporaryFolder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "firstbad-XXXXXX").string();
        m_path = ::mkdtemp(name.data());
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
    [[nodiscard]] const std::filesystem::path& path() const noexcept { return m_path; }
    std::filesystem::path write(const std::string& name, const std::string& content) const
    {
        const auto file = m_path / name;
        std::ofstream(file, std::ios::binary) << content;
        return file;
    }

private:
    std::filesystem::path m_path;
};

inline std::string contentOf(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<std::uint64_t> bitsOf(const std::vector<double>& values)
{
    std::vector<std::uint64_t> bits;
    for (const double value : values)
        bits.push_back(std::bit_cast<std::uint64_t>(value));
    return bits;
}

inline bool sameBits(const core::Column& a, const core::Column& b)
{
    const auto sameSpan = [](const core::SourceSpan& x, const core::SourceSpan& y) {
        return x.firstPoint == y.firstPoint && x.source == y.source;
    };
    return a.steps == b.steps && bitsOf(a.values) == bitsOf(b.values)
        && bitsOf(a.times) == bitsOf(b.times) && a.lines == b.lines
        && a.missingSteps == b.missingSteps
        && std::equal(
            a.sources.begin(), a.sources.end(), b.sources.begin(), b.sources.end(), sameSpan);
}

/// A data set of one run "run" with one attempt and one series "loss" read from `source`.
inline core::Dataset datasetOf(
    const std::filesystem::path& source, core::Column column, const std::string& sha256 = {})
{
    core::Dataset dataset;
    core::SourceInfo info;
    info.path = source.string();
    info.format = "test";
    std::error_code ignored;
    info.bytes = std::filesystem::file_size(source, ignored);
    info.sha256 = sha256;
    info.records = column.size();
    dataset.sources.push_back(info);
    auto run = std::make_shared<core::Run>();
    run->id.value = "run";
    run->attempts.resize(1);
    run->attempts[0].id.value = "1";
    core::Series series;
    series.name = "loss";
    series.quantity = core::Quantity::Loss;
    if (column.sources.empty())
        column.sources.push_back({0, 0});
    series.columns.push_back(std::make_shared<const core::Column>(std::move(column)));
    run->series.push_back(std::move(series));
    dataset.runs.push_back(std::move(run));
    return dataset;
}

/// Steps from..to-1 with value 1000 / step.
inline core::Column rampColumn(std::int64_t from, std::int64_t to)
{
    core::Column column;
    for (std::int64_t step = from; step < to; ++step) {
        column.steps.push_back(step);
        column.values.push_back(1000.0 / static_cast<double>(step));
    }
    return column;
}

}  // namespace firstbad::test
