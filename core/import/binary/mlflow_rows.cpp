// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/binary/mlflow_rows.h"

#include "core/import/binary/step_watch.h"

#include <algorithm>
#include <tuple>

namespace firstbad::core {
namespace {

constexpr double kMilliseconds = 1e-3;

std::optional<EventKind> endOf(std::string_view status)
{
    if (status == "FINISHED" || status == "3")  // the file store writes the enumeration
        return EventKind::Finished;
    if (status == "FAILED" || status == "4")
        return EventKind::Exception;
    if (status == "KILLED" || status == "5")
        return EventKind::Signal;
    return std::nullopt;
}

void addEnd(const MlflowRun& run, RecordSink& sink)
{
    const auto kind = endOf(run.status);
    if (!kind)
        return;
    LogEvent end;
    end.kind = *kind;
    end.text = "MLflow status " + run.status;
    if (run.endMilliseconds)
        end.time = static_cast<double>(*run.endMilliseconds) * kMilliseconds;
    sink.addEvent(std::move(end));
}

}  // namespace

SourceData sourceFromRun(MlflowRun run, SourceInfo info)
{
    std::stable_sort(run.rows.begin(), run.rows.end(), [](const MlflowRow& a, const MlflowRow& b) {
        return std::tie(a.milliseconds, a.step) < std::tie(b.milliseconds, b.step);
    });
    RecordSink sink;
    sink.data().info = std::move(info);
    StepWatch watch;
    std::vector<ColumnHandle> columns;
    columns.reserve(run.metrics.size());
    for (const std::string& metric : run.metrics)
        columns.push_back(sink.column(metric));
    const MlflowRow* before = nullptr;
    for (const MlflowRow& row : run.rows) {
        const double time = static_cast<double>(row.milliseconds) * kMilliseconds;
        watch.see(columns[row.metric], row.step, time, false, sink);
        if (before == nullptr || before->step != row.step
            || before->milliseconds != row.milliseconds)
            sink.beginRecord(row.step, time, 0, false);
        sink.add(columns[row.metric], row.value);
        before = &row;
    }
    if (!run.name.empty()) {
        LogEvent name;
        name.kind = EventKind::ConfigValue;
        name.text = "mlflow.runName";
        name.path = run.name;
        sink.addEvent(std::move(name));
    }
    addEnd(run, sink);
    for (SkippedPart& part : run.skipped)
        sink.addSkipped(std::move(part));
    for (std::string& note : run.notes)
        addNote(sink, std::move(note));
    SourceData data = sink.take();
    data.runId = std::move(run.id);
    data.stream = data.runId;
    data.traits.dialect = data.info.format;
    return data;
}

}  // namespace firstbad::core
