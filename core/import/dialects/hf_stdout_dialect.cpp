// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/hf_stdout_dialect.h"

#include "core/base/text.h"
#include "core/import/dialects/pair_recorder.h"
#include "core/import/text/column_cache.h"
#include "core/import/text/fields.h"

#include <algorithm>

namespace firstbad::core {
namespace {

bool isDict(std::string_view line) noexcept
{
    return line.size() > 4 && line.front() == '{' && (line[1] == '\'' || line[1] == '"')
        && trimmed(line).back() == '}';
}

bool holds(std::string_view line, std::string_view key) noexcept
{
    for (std::size_t at = line.find(key); at != std::string_view::npos;
         at = line.find(key, at + 1)) {
        const bool quoted = at > 0 && (line[at - 1] == '\'' || line[at - 1] == '"');
        const std::size_t end = at + key.size();
        if (quoted && end < line.size() && line[end] == line[at - 1])
            return true;
    }
    return false;
}

enum class Form : std::uint8_t { None, Train, Evaluation, End };

Form formOf(std::string_view line) noexcept
{
    if (!isDict(line) || holds(line, "step"))
        return Form::None;
    if (holds(line, "train_runtime"))
        return Form::End;
    if (!holds(line, "epoch"))
        return Form::None;
    if (holds(line, "eval_loss") || holds(line, "eval_runtime"))
        return Form::Evaluation;
    return holds(line, "loss") || holds(line, "learning_rate") ? Form::Train : Form::None;
}

class HfStdoutReader final : public LineReader
{
public:
    LineVerdict read(const TextLine& line, RecordSink& sink) override
    {
        const Form form = formOf(line.text);
        if (form == Form::None)
            return LineVerdict::NotMine;
        if (form == Form::End) {
            sink.addEvent(makeEvent(EventKind::Finished, line, m_step));
            return LineVerdict::Taken;
        }
        if (form == Form::Train)
            m_step = nextStep(line);
        sink.beginRecord(m_step, line.time, line.number, form == Form::Train);
        m_columns.beginRecord();
        for (const Field& field : m_splitter.split(line.text)) {
            if (field.isNumber)
                sink.add(m_columns.column(field.name, sink), field.number);
        }
        return LineVerdict::Taken;
    }

    void finish(RecordSink& sink) override
    {
        sink.data().traits.lossMayBeFiltered = true;
        sink.data().traits.interval = std::max<std::int64_t>(m_interval, 1);
    }

private:
    /// The bar counts steps; a bar that stands still (evaluation, no bar at all) does not.
    [[nodiscard]] std::int64_t nextStep(const TextLine& line)
    {
        const bool moved = line.barStep && *line.barStep > 0 && line.barStep != m_bar;
        m_bar = line.barStep;
        if (!moved)
            return m_step + m_interval;
        if (*line.barStep > m_step)
            m_interval = *line.barStep - m_step;
        return *line.barStep;
    }

    FieldSplitter m_splitter;
    ColumnCache m_columns;
    std::int64_t m_step = 0;
    std::int64_t m_interval = 1;
    std::optional<std::int64_t> m_bar;
};

int score(std::string_view line)
{
    constexpr int kTrain = 80;
    constexpr int kOther = 40;
    // Python's dict, not JSON: fairseq prints the latter.
    const Form form = line.find("{'") == std::string_view::npos ? Form::None : formOf(line);
    if (form == Form::None)
        return 0;
    return form == Form::Train ? kTrain : kOther;
}

}  // namespace

LineDialect hfStdoutDialect() noexcept
{
    return {"hf-trainer-stdout", "Hugging Face Trainer's dicts", DialectRole::Primary, &score,
        [] { return std::unique_ptr<LineReader>(std::make_unique<HfStdoutReader>()); }};
}

}  // namespace firstbad::core
