// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/binary/mlflow_importer.h"

#include "core/base/file.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/import/binary/mlflow_rows.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFormat = "mlflow-files";
constexpr std::uint64_t kMaxMetaBytes = 1U << 20U;
constexpr std::uint64_t kMaxMetricBytes = std::uint64_t{1} << 31U;
constexpr int kMaxMetricDepth = 16;  // a/b/c in a metric's name makes folders

/// Entries of a folder in the order of their names; links are left out, they may lead anywhere.
std::vector<fs::path> entriesOf(const fs::path& folder, bool folders)
{
    std::vector<fs::path> entries;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end;
         at.increment(failed)) {
        const fs::file_status status = at->symlink_status(failed);
        if (failed)
            break;
        if (folders ? fs::is_directory(status) : fs::is_regular_file(status))
            entries.push_back(at->path());
    }
    std::sort(entries.begin(), entries.end());
    return entries;
}

/// Value of a top-level key in the YAML that MLflow writes: "key: value", perhaps quoted.
std::string yamlValue(std::string_view yaml, std::string_view key)
{
    for (std::size_t at = 0; at < yaml.size();) {
        const std::size_t end = std::min(yaml.find('\n', at), yaml.size());
        std::string_view line = yaml.substr(at, end - at);
        at = end + 1;
        if (!line.starts_with(key) || line.size() <= key.size() || line[key.size()] != ':')
            continue;
        line = trimmed(line.substr(key.size() + 1));
        if (line.size() >= 2 && (line.front() == '\'' || line.front() == '"')
            && line.back() == line.front())
            line = line.substr(1, line.size() - 2);
        return line == "null" ? std::string() : std::string(line);
    }
    return {};
}

std::string metaOf(const fs::path& folder)
{
    std::error_code failed;
    const fs::path meta = folder / "meta.yaml";
    if (!fs::is_regular_file(fs::symlink_status(meta, failed)))
        return {};
    return readWholeFile(meta, kMaxMetaBytes).value_or(std::string());
}

std::string runIdOf(std::string_view meta)
{
    std::string id = yamlValue(meta, "run_id");
    return id.empty() ? yamlValue(meta, "run_uuid") : id;
}

bool isRun(const fs::path& folder)
{
    const std::string meta = metaOf(folder);
    return !meta.empty() && !runIdOf(meta).empty();
}

bool isExperiment(const fs::path& folder)
{
    const std::string meta = metaOf(folder);
    return !meta.empty() && runIdOf(meta).empty() && !yamlValue(meta, "experiment_id").empty();
}

/// Folders of runs in a run, an experiment or a whole store.
std::vector<fs::path> runFolders(const fs::path& folder)
{
    if (isRun(folder))
        return {folder};
    std::vector<fs::path> experiments;
    if (isExperiment(folder))
        experiments.push_back(folder);
    else
        experiments = entriesOf(folder, true);
    std::vector<fs::path> runs;
    for (const fs::path& experiment : experiments) {
        for (const fs::path& run : entriesOf(experiment, true)) {
            if (isRun(run))
                runs.push_back(run);
        }
    }
    return runs;
}

class RunFolderReader
{
public:
    RunFolderReader(fs::path folder, JobContext& job)
        : m_folder(std::move(folder))
        , m_job(job)
    { }

    Result<MlflowRun> read()
    {
        const std::string meta = metaOf(m_folder);
        m_run.id = runIdOf(meta);
        m_run.name = yamlValue(meta, "run_name");
        m_run.status = yamlValue(meta, "status");
        m_run.endMilliseconds = parseInteger(yamlValue(meta, "end_time"));
        if (m_run.name.empty())
            m_run.name
                = readWholeFile(m_folder / "tags/mlflow.runName", kMaxMetaBytes).value_or("");
        if (auto done = readMetrics(m_folder / "metrics", "", 0); !done)
            return tl::unexpected(std::move(done.error()));
        return std::move(m_run);
    }

    [[nodiscard]] std::uint64_t bytes() const noexcept { return m_bytes; }

private:
    Result<void> readMetrics(const fs::path& folder, const std::string& prefix, int depth)
    {
        for (const fs::path& file : entriesOf(folder, false)) {
            if (auto done = readMetric(file, prefix + file.filename().string()); !done)
                return done;
        }
        if (depth == kMaxMetricDepth)
            return {};
        for (const fs::path& inner : entriesOf(folder, true)) {
            if (auto done = readMetrics(inner, prefix + inner.filename().string() + '/', depth + 1);
                !done)
                return done;
        }
        return {};
    }

    Result<void> readMetric(const fs::path& file, const std::string& name)
    {
        const auto text = readWholeFile(file, kMaxMetricBytes);
        if (!text) {
            SkippedPart part;
            part.code = "unreadable";
            part.reason = text.error().message;
            m_run.skipped.push_back(std::move(part));
            return {};
        }
        m_bytes += text->size();
        const auto metric = static_cast<std::uint32_t>(m_run.metrics.size());
        m_run.metrics.push_back(name);
        std::uint64_t line = 0;
        for (std::size_t at = 0; at < text->size();) {
            const std::size_t end = std::min(text->find('\n', at), text->size());
            ++line;
            if (line % 4096 == 0 && m_job.cancelled())
                return JobContext::cancelledError();
            const bool cut = end == text->size();
            readLine(std::string_view(*text).substr(at, end - at), metric, line, at, cut);
            at = end + 1;
        }
        return {};
    }

    /// "<milliseconds> <value> <step>", the step left out by the first versions; later ones may add
    /// a data set behind it.
    void readLine(std::string_view line, std::uint32_t metric, std::uint64_t number,
        std::uint64_t offset, bool cut)
    {
        line = trimmed(line);
        if (line.empty())
            return;
        std::array<std::string_view, 3> words{};
        std::string_view rest = line;
        for (std::string_view& word : words) {
            const std::size_t end = std::min(rest.find(' '), rest.size());
            word = rest.substr(0, end);
            rest = trimmed(rest.substr(end));
        }
        const auto time = parseInteger(words[0]);
        const auto value = parseNumber(words[1]);
        const auto step
            = words[2].empty() ? std::optional<std::int64_t>(0) : parseInteger(words[2]);
        // A number that the end of the file cut may have lost digits.
        if (time && value && step && !cut) {
            m_run.rows.push_back({*step, *time, value->value, metric});
            return;
        }
        SkippedPart part;
        part.code = cut ? "torn-tail" : "garbage";
        part.reason = cut ? fmt::format("Line {} of metric {} has no end: it may be incomplete.",
                          number, escapedForTerminal(m_run.metrics[metric]))
                          : fmt::format("Line {} of metric {} is no \"time value step\".", number,
                              escapedForTerminal(m_run.metrics[metric]));
        part.line = number;
        part.offset = offset;
        part.length = line.size();
        part.mayBeGrowing = cut;
        m_run.skipped.push_back(std::move(part));
    }

    fs::path m_folder;
    JobContext& m_job;
    MlflowRun m_run;
    std::uint64_t m_bytes = 0;
};

}  // namespace

int sniffMlflowFiles(const SourceHead& head)
{
    if (!head.isFolder)
        return 0;
    if (isRun(head.path) || isExperiment(head.path))
        return 95;
    const auto inner = entriesOf(head.path, true);
    const bool store = std::any_of(inner.begin(), inner.end(), isExperiment);
    return store ? 95 : 0;
}

Result<std::vector<SourceData>> readMlflowFiles(
    const SourceRef& source, const ImportOptions& options, JobContext& job)
{
    static_cast<void>(options);  // a folder has no hash of its own
    std::vector<SourceData> sources;
    const fs::path shown = source.shownPath.empty() ? source.path : fs::path(source.shownPath);
    for (const fs::path& folder : runFolders(source.path)) {
        RunFolderReader reader(folder, job);
        auto run = reader.read();
        if (!run)
            return tl::unexpected(std::move(run.error()));
        SourceInfo info;
        info.path = (shown / folder.lexically_relative(source.path)).lexically_normal().string();
        info.format = kFormat;
        info.bytes = reader.bytes();
        sources.push_back(sourceFromRun(std::move(*run), std::move(info)));
    }
    if (sources.empty()) {
        SourceInfo info;
        info.path = shown.string();
        info.format = kFormat;
        sources.push_back(unsupportedSource(std::move(info),
            fmt::format("{} is an MLflow store without any run.", shownName(source)),
            "Name the folder that holds the experiment."));
    }
    return sources;
}

}  // namespace firstbad::core
