// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/launch_dialect.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/import/dialects/pair_recorder.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

/// A phrase and what it tells. The first that a line holds wins.
struct Phrase {
    std::string_view text;
    EventKind kind;
};

constexpr std::array kPhrases{
    Phrase{"cannot decrease scale anymore", EventKind::Aborted},
    Phrase{"in a row due to Overflow", EventKind::Aborted},
    Phrase{"DUE TO TIME LIMIT", EventKind::Signal},
    Phrase{"CANCELLED AT", EventKind::Signal},
    Phrase{"DUE TO NODE FAILURE", EventKind::Signal},
    Phrase{"DUE TO PREEMPTION", EventKind::Signal},
    Phrase{"Received 15 death signal", EventKind::Signal},
    Phrase{"received signal", EventKind::Signal},
    Phrase{"SIGTERM", EventKind::Signal},
    Phrase{"SIGKILL", EventKind::Signal},
    Phrase{"SIGINT", EventKind::Signal},
    Phrase{"KeyboardInterrupt", EventKind::Signal},
    Phrase{"oom-kill event", EventKind::Signal},
    Phrase{"Watchdog caught collective operation timeout", EventKind::Timeout},
    Phrase{"collective operation timeout", EventKind::Timeout},
    Phrase{"Timed out waiting for", EventKind::Timeout},
    Phrase{"found NaN in", EventKind::NonfiniteReport},
    Phrase{"found Inf in", EventKind::NonfiniteReport},
    Phrase{"Unexpected result nan", EventKind::NonfiniteReport},
    Phrase{"Unexpected result inf", EventKind::NonfiniteReport},
    Phrase{"returned nan values in its", EventKind::NonfiniteReport},
    Phrase{"NaN or Inf found in input tensor", EventKind::NonfiniteReport},
    Phrase{"probability tensor contains either `inf`, `nan`", EventKind::NonfiniteReport},
    Phrase{"NaN detected in output of", EventKind::NonfiniteReport},
    Phrase{"Inf detected in output of", EventKind::NonfiniteReport},
    Phrase{"gradients are Nan/Inf", EventKind::NonfiniteReport},
    Phrase{"exiting program at iteration", EventKind::Finished},
    Phrase{"[after training is done]", EventKind::Finished},
    Phrase{"Training completed.", EventKind::Finished},
    Phrase{"CUDA out of memory", EventKind::Exception},
    Phrase{"CUDA error:", EventKind::Exception},
    Phrase{"NCCL error", EventKind::Exception},
    Phrase{"Segmentation fault", EventKind::Exception},
};

/// The whole number behind `mark`.
std::optional<std::int64_t> wholeBehind(std::string_view text, std::string_view mark) noexcept
{
    const std::size_t at = text.find(mark);
    if (at == std::string_view::npos)
        return std::nullopt;
    const std::string_view rest = trimmed(text.substr(at + mark.size()));
    const std::size_t sign = !rest.empty() && rest.front() == '-' ? 1 : 0;
    std::size_t end = sign;
    while (end < rest.size() && isAsciiDigit(rest[end]))
        ++end;
    return parseInteger(rest.substr(0, end));
}

/// The word behind `mark`: a path.
std::string wordBehind(std::string_view text, std::string_view mark)
{
    const std::size_t at = text.rfind(mark);
    if (at == std::string_view::npos)
        return {};
    const std::string_view rest = trimmed(text.substr(at + mark.size()));
    return std::string(rest.substr(0, rest.find(' ')));
}

bool isExceptionLine(std::string_view text) noexcept
{
    const std::size_t colon = text.find(':');
    const std::string_view name = text.substr(0, colon);
    const bool oneWord = !name.empty() && name.find_first_of(" /[({\"'=") == std::string_view::npos;
    return oneWord && isAsciiAlpha(name.front())
        && (name.ends_with("Error") || name.ends_with("Exception") || name.ends_with("Interrupt")
            || name.ends_with("Failure"));
}

class LaunchReader final : public LineReader
{
public:
    LineVerdict read(const TextLine& line, RecordSink& sink) override
    {
        const bool known = readLaunch(line, sink) || readCheckpoint(line, sink)
            || readConfig(line, sink) || readTrouble(line, sink);
        return known ? LineVerdict::Taken : LineVerdict::NotMine;
    }

private:
    bool readLaunch(const TextLine& line, RecordSink& sink)
    {
        const bool banner = line.text.starts_with("using world size:")
            || line.text.find("[before the start of training step]") != std::string_view::npos
            || line.text.find("Starting elastic_operator with launch configs")
                != std::string_view::npos;
        if (!banner)
            return false;
        sink.addEvent(makeEvent(EventKind::RunStart, line));
        beginLaunch("the log says that a training starts", {}, line, sink);
        return true;
    }

    bool readCheckpoint(const TextLine& line, RecordSink& sink)
    {
        const std::string_view text = line.text;
        if (text.find("heckpoint") == std::string_view::npos)
            return false;
        if (text.starts_with("saving checkpoint at")
            || text.starts_with("successfully saved checkpoint")) {
            LogEvent event = makeEvent(EventKind::Save, line, wholeBehind(text, "iteration"));
            event.path = wordBehind(text, " to ");
            sink.addEvent(std::move(event));
            return true;
        }
        const bool loading = text.starts_with("loading checkpoint from");
        if (!loading && text.find("loaded checkpoint from") == std::string_view::npos)
            return false;
        const auto step = wholeBehind(text, "at iteration");
        LogEvent event = makeEvent(EventKind::Load, line, step);
        event.path = wordBehind(text, "checkpoint from ");
        const std::string path = event.path;
        if (step)
            beginLaunch(fmt::format("loaded checkpoint {}", *step), step, line, sink);
        sink.addEvent(std::move(event));
        return true;
    }

    /// "  clip_grad ............................... 1.0"
    bool readConfig(const TextLine& line, RecordSink& sink)
    {
        const std::size_t dots = line.text.find(" ...");
        if (dots == std::string_view::npos || dots == 0)
            return false;
        const std::string_view name = line.text.substr(0, dots);
        if (name.find_first_of(" :|=") != std::string_view::npos)
            return false;
        const std::size_t value = line.text.find_first_not_of('.', dots + 1);
        if (value == std::string_view::npos || line.text[value] != ' ')
            return false;
        LogEvent event = makeEvent(EventKind::ConfigValue, line);
        event.text = eventText(name);
        event.path = eventText(line.text.substr(value));
        notePrecision(name, event.path, sink);
        sink.addEvent(std::move(event));
        return true;
    }

    static void notePrecision(std::string_view name, std::string_view value, RecordSink& sink)
    {
        if ((name == "fp16" || name == "bf16") && value == "True")
            sink.data().traits.precision = std::string(name);
    }

    bool readTrouble(const TextLine& line, RecordSink& sink)
    {
        const auto* const phrase = std::find_if(kPhrases.begin(), kPhrases.end(),
            [&](const Phrase& p) { return line.text.find(p.text) != std::string_view::npos; });
        if (phrase != kPhrases.end()) {
            addTrouble(phrase->kind, line, sink);
            return true;
        }
        if (line.text.starts_with("Traceback (most recent call last)"))
            return true;  // the exception's own line follows
        if (!isExceptionLine(line.text))
            return false;
        addTrouble(EventKind::Exception, line, sink);
        return true;
    }

    /// One event a rank and kind between records: all ranks tell of the same end.
    void addTrouble(EventKind kind, const TextLine& line, RecordSink& sink)
    {
        constexpr std::uint64_t kMaxOfOneStretch = 64;
        if (sink.records() != m_recordsAtTrouble)
            m_troubles = 0;
        m_recordsAtTrouble = sink.records();
        if (++m_troubles > kMaxOfOneStretch)
            return;
        LogEvent event = makeEvent(kind, line);
        if (const auto rank = wholeBehind(line.text, "Rank ");
            rank && *rank >= 0 && *rank < 1000000)
            event.rank = static_cast<std::int32_t>(*rank);
        if (const auto step = wholeBehind(line.text, "iteration "); step && *step >= 0)
            event.step = step;
        else if (sink.records() > 0)
            event.step = sink.step();
        sink.addEvent(std::move(event));
    }

    void beginLaunch(
        std::string why, std::optional<std::int64_t> step, const TextLine& line, RecordSink& sink)
    {
        // Several lines tell of one launch: the one that names a checkpoint gives the reason.
        if (sink.records() == m_recordsAtLaunch) {
            if (step && m_hasBreak && !sink.data().breaks.empty())
                sink.data().breaks.back().why = std::move(why);
            return;
        }
        m_recordsAtLaunch = sink.records();
        m_hasBreak = true;
        sink.addBreak(std::move(why), std::nullopt, line.time);
    }

    std::uint64_t m_recordsAtLaunch = 0;
    bool m_hasBreak = false;
    std::uint64_t m_recordsAtTrouble = 0;
    std::uint64_t m_troubles = 0;
};

}  // namespace

LineDialect launchDialect() noexcept
{
    return {"launch", "launches, checkpoints, exceptions and signals", DialectRole::Companion,
        nullptr, [] { return std::unique_ptr<LineReader>(std::make_unique<LaunchReader>()); }};
}

}  // namespace firstbad::core
