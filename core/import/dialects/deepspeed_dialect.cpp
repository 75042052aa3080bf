// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/deepspeed_dialect.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/import/text/column_cache.h"
#include "core/import/text/fields.h"

#include <algorithm>
#include <array>

namespace firstbad::core {
namespace {

enum class Form : std::uint8_t { None, Step, Timer, OldTimer, Pipeline };

constexpr std::string_view kGlobalStep = "global_step=";

/// "0/30, SamplesPerSec=12.3": epoch and step.
bool isOldTimer(std::string_view line) noexcept
{
    const std::size_t comma = line.find(',');
    if (comma == std::string_view::npos || line.find("SamplesPerSec=") == std::string_view::npos)
        return false;
    const std::string_view head = line.substr(0, comma);
    return head.find('/') != std::string_view::npos
        && head.find_first_not_of("0123456789/") == std::string_view::npos;
}

Form formOf(std::string_view line) noexcept
{
    if (line.starts_with("step=") && line.find("skipped=") != std::string_view::npos)
        return Form::Step;
    if (line.find(kGlobalStep) != std::string_view::npos
        && line.find("SamplesPerSec=") != std::string_view::npos)
        return Form::Timer;
    if (line.starts_with("steps: ") && line.find("samples/sec:") != std::string_view::npos)
        return Form::Pipeline;
    return isOldTimer(line) ? Form::OldTimer : Form::None;
}

std::string_view fieldsOf(std::string_view line, Form form) noexcept
{
    if (form == Form::Timer)
        return line.substr(line.find(kGlobalStep));
    return form == Form::OldTimer ? line.substr(line.find('/') + 1) : line;
}

class DeepspeedReader final : public LineReader
{
public:
    LineVerdict read(const TextLine& line, RecordSink& sink) override
    {
        const Form form = formOf(line.text);
        std::string_view text = fieldsOf(line.text, form);
        std::optional<std::int64_t> step;
        if (form == Form::OldTimer) {
            const std::size_t comma = text.find(',');
            step = parseInteger(text.substr(0, comma));
            text.remove_prefix(std::min(comma + 1, text.size()));
        }
        const auto fields = m_splitter.split(text);
        if (const Field* const named = findStepField(fields); named != nullptr && !step)
            step = static_cast<std::int64_t>(named->number);
        // Of the script's own lines only those count that tell how the training goes.
        const bool values = std::any_of(fields.begin(), fields.end(), [&](const Field& field) {
            return isValue(field)
                && (form != Form::None || quantityFromName(field.name) != Quantity::Other);
        });
        if (!step || !values)
            return LineVerdict::NotMine;
        const bool isClock = form == Form::Step || form == Form::Pipeline;
        sink.beginRecord(*step, line.time, line.number, isClock);
        m_columns.beginRecord();
        for (const Field& field : fields) {
            if (isValue(field))
                sink.add(m_columns.column(field.name, sink), field.number);
        }
        return LineVerdict::Taken;
    }

    void finish(RecordSink& sink) override { sink.data().traits.skippedIsCumulative = true; }

private:
    [[nodiscard]] static bool isValue(const Field& field) noexcept
    {
        return field.isNumber && !isStepName(field.name) && field.name != "mom";
    }

    FieldSplitter m_splitter;
    ColumnCache m_columns;
};

int score(std::string_view line)
{
    switch (formOf(line)) {
    case Form::Step:
        return 90;
    case Form::Timer:
    case Form::Pipeline:
        return 80;
    case Form::OldTimer:
        return 60;
    case Form::None:
        break;
    }
    return 0;
}

}  // namespace

LineDialect deepspeedDialect() noexcept
{
    return {"deepspeed", "DeepSpeed's step lines", DialectRole::Primary, &score,
        [] { return std::unique_ptr<LineReader>(std::make_unique<DeepspeedReader>()); }};
}

}  // namespace firstbad::core
