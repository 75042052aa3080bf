// SPDX-License-Identifier: GPL-3.0-or-later
// main() of every benchmark: prints as usual, and fails when any measurement called SkipWithError.
//
// That is how a benchmark says that its result was wrong; Google Benchmark itself exits 0 then.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

namespace {

/// `error_occurred` until Google Benchmark 1.7, `skipped` from 1.8.
template <typename Run> bool isFailure(const Run& run)
{
    if constexpr (requires { run.error_occurred; })
        return run.error_occurred;
    else
        return static_cast<int>(run.skipped) != 0;
}

class FailingReporter : public benchmark::ConsoleReporter
{
public:
    void ReportRuns(const std::vector<Run>& runs) override
    {
        m_failed = m_failed || std::any_of(runs.begin(), runs.end(), isFailure<Run>);
        benchmark::ConsoleReporter::ReportRuns(runs);
    }

    [[nodiscard]] bool failed() const { return m_failed; }

private:
    bool m_failed = false;
};

}  // namespace

int main(int argc, char** argv)
{
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 1;
    FailingReporter reporter;
    const std::size_t measured = benchmark::RunSpecifiedBenchmarks(&reporter);
    return measured == 0 || reporter.failed() ? 1 : 0;
}
