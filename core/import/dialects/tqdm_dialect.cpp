// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/tqdm_dialect.h"

#include "core/import/text/column_cache.h"
#include "core/import/text/fields.h"

#include <algorithm>
#include <string>
#include <vector>

namespace firstbad::core {
namespace {

class TqdmReader final : public LineReader
{
public:
    LineVerdict read(const TextLine& line, RecordSink& sink) override
    {
        if (!line.barOnly || !line.barStep)
            return LineVerdict::NotMine;
        if (m_waits && *line.barStep != m_bar)
            flush(sink);
        // A bar that starts again after its end counts the next epoch.
        if (*line.barStep < m_bar && line.barTotal && m_bar + 1 >= *line.barTotal)
            m_base += *line.barTotal;
        m_bar = *line.barStep;
        m_time = line.time;
        m_line = line.number;
        m_text = line.text;
        m_waits = true;
        return LineVerdict::Taken;
    }

    void finish(RecordSink& sink) override { flush(sink); }

private:
    void flush(RecordSink& sink)
    {
        if (!m_waits)
            return;
        m_waits = false;
        const auto fields = m_splitter.split(m_text);
        if (std::none_of(fields.begin(), fields.end(), [](const Field& f) { return f.isNumber; }))
            return;
        sink.beginRecord(m_base + m_bar, m_time, m_line);
        m_columns.beginRecord();
        for (const Field& field : fields) {
            if (field.isNumber)
                sink.add(m_columns.column(field.name, sink), field.number);
        }
    }

    FieldSplitter m_splitter;
    ColumnCache m_columns;
    std::string m_text;
    std::int64_t m_base = 0;
    std::int64_t m_bar = 0;
    double m_time = kNoTime;
    std::uint64_t m_line = 0;
    bool m_waits = false;
};

int score(std::string_view line)
{
    constexpr int kScore = 50;
    FieldSplitter splitter;
    const auto fields = splitter.split(line);
    const bool values
        = std::any_of(fields.begin(), fields.end(), [](const Field& f) { return f.isNumber; });
    return values ? kScore : 0;
}

}  // namespace

LineDialect tqdmDialect() noexcept
{
    return {"tqdm", "values shown behind a progress bar", DialectRole::Primary, &score,
        [] { return std::unique_ptr<LineReader>(std::make_unique<TqdmReader>()); }, false, true};
}

}  // namespace firstbad::core
