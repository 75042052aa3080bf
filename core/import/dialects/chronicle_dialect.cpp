// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/chronicle_dialect.h"

#include "core/base/text.h"
#include "core/import/dialects/chronicle_date.h"
#include "core/import/dialects/chronicle_words.h"
#include "core/import/dialects/pair_recorder.h"

#include <utility>

namespace firstbad::core {
namespace {

// Below a framework's lines and above what a generic reader takes from prose.
constexpr int kHeadingScore = 15;
constexpr std::size_t kMaxHeading = 200;
// China has one clock. Names of launches are made by machines, whose clock is UTC.
constexpr double kChinaAheadS = 8.0 * 3600.0;

std::string_view withoutMarks(std::string_view line)
{
    std::string_view text = trimmed(line);
    for (const std::string_view mark : {"#", "* ", "- ", "•", "> "}) {
        while (text.substr(0, mark.size()) == mark)
            text = trimmed(text.substr(mark.size()));
    }
    return text;
}

// A markdown heading of the second level or lower (one '#' is also a comment of a program), or a
// title behind a date without seconds, as a copied web page has it.
std::optional<WrittenDate> headingDate(std::string_view raw)
{
    const std::string_view line = trimmed(raw);
    if (line.size() > kMaxHeading)
        return std::nullopt;
    const auto date = findWrittenDate(line);
    if (!date)
        return std::nullopt;
    if (line.substr(0, 2) == "##")
        return date;
    const std::string_view after = line.substr(date->length);
    if (date->at != 0 || after.size() < 2 || after.front() != ' ')
        return std::nullopt;
    constexpr std::size_t kWithoutSeconds = 16;
    const bool words = static_cast<unsigned char>(trimmed(after).front()) >= 0x80;
    const bool title = words || (date->hasClock && date->length <= kWithoutSeconds);
    return title ? date : std::nullopt;
}

bool isTitle(std::string_view raw)
{
    const std::string_view line = trimmed(raw);
    return line.substr(0, 2) == "# " && line.size() <= kMaxHeading
        && containsIgnoringCase(line, "chronicle");
}

// "glm-130B-2022.05.05-19:53:15": one word that ends with a moment is the name of a launch.
std::optional<double> launchTime(std::string_view text)
{
    const auto date = findWrittenDate(text);
    const bool launch = date && date->hasClock && date->at >= 3 && text[date->at - 1] == '-'
        && date->at + date->length == text.size()
        && text.find_first_of(" /") == std::string_view::npos;
    return launch ? std::optional(date->seconds) : std::nullopt;
}

class ChronicleReader : public LineReader
{
public:
    LineVerdict read(const TextLine& line, RecordSink& sink) override
    {
        const std::string_view raw = trimmed(line.raw);
        if (raw.substr(0, 3) == "```") {
            m_inCode = !m_inCode;
            return m_active ? LineVerdict::Taken : LineVerdict::NotMine;
        }
        if (m_inCode)
            return LineVerdict::NotMine;
        m_chinese = m_chinese || holdsChinese(raw);
        if (const auto date = headingDate(raw)) {
            flush(sink);
            m_active = true;
            m_time = date->seconds - (m_chinese ? kChinaAheadS : 0.0);
            readSentence(withoutMarks(raw), line);
            return LineVerdict::Taken;
        }
        m_active = m_active || isTitle(raw);
        if (!m_active)
            return LineVerdict::NotMine;
        const std::string_view text = withoutMarks(raw);
        if (text.substr(0, 2) == "![")  // a picture
            return LineVerdict::NotMine;
        if (const auto launched = launchTime(text)) {
            launch(text, *launched, line, sink);
            return LineVerdict::Taken;
        }
        return readSentence(text, line) ? LineVerdict::Taken : LineVerdict::NotMine;
    }

    void finish(RecordSink& sink) override
    {
        flush(sink);
        if (!m_active || !m_chinese)
            return;
        LogEvent zone;
        zone.kind = EventKind::Note;
        zone.text = "Headings in Chinese are read as China Standard Time (UTC+8).";
        sink.addEvent(std::move(zone));
    }

private:
    // Events wait for the launch that follows them: a rollback belongs to the launch it begins,
    // what went wrong to the one before.
    bool readSentence(std::string_view text, const TextLine& line)
    {
        const auto statements = statementsOf(text);
        for (const Statement& statement : statements) {
            TextLine dated = line;
            dated.time = m_time;
            LogEvent event = makeEvent(statement.kind, dated, statement.step);
            event.text = eventText(text);
            auto& list = statement.kind == EventKind::StatedIncident ? m_incidents
                : statement.kind == EventKind::GivenUp               ? m_ends
                                                                     : m_changes;
            list.push_back(std::move(event));
        }
        return !statements.empty();
    }

    void launch(std::string_view name, double time, const TextLine& line, RecordSink& sink)
    {
        give(m_incidents, sink);
        TextLine dated = line;
        dated.time = time;
        LogEvent start = makeEvent(EventKind::RunStart, dated);
        start.text = eventText(name);
        sink.addBreak("launch " + start.text, std::nullopt, time);
        sink.addEvent(std::move(start));
        give(m_changes, sink);
    }

    void flush(RecordSink& sink)
    {
        give(m_incidents, sink);
        give(m_changes, sink);
        give(m_ends, sink);
    }

    static void give(std::vector<LogEvent>& events, RecordSink& sink)
    {
        for (LogEvent& event : events)
            sink.addEvent(std::move(event));
        events.clear();
    }

    std::vector<LogEvent> m_incidents;
    std::vector<LogEvent> m_changes;
    std::vector<LogEvent> m_ends;
    double m_time = kNoTime;  // of the last heading
    bool m_active = false;  // the source is a chronicle: a log's own lines are not read as prose
    bool m_inCode = false;
    bool m_chinese = false;
};

int score(std::string_view line)
{
    return headingDate(line) || isTitle(line) || launchTime(withoutMarks(line)) ? kHeadingScore : 0;
}

int scoreNothing(std::string_view /*line*/)
{
    return 0;
}

std::unique_ptr<LineReader> make()
{
    return std::make_unique<ChronicleReader>();
}

}  // namespace

LineDialect chronicleDialect() noexcept
{
    return {"chronicle", "chronicle of a training, as prose", DialectRole::Primary, &score, &make};
}

LineDialect chronicleNotes() noexcept
{
    return {"chronicle-notes", "prose around quoted log lines", DialectRole::Companion,
        &scoreNothing, &make};
}

}  // namespace firstbad::core
