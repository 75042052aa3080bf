// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/fairseq_notes.h"

#include "core/import/dialects/line_scanner.h"
#include "core/import/dialects/pair_recorder.h"

namespace firstbad::core {
namespace {

constexpr std::string_view kOverflow = "overflow detected, ";
constexpr std::string_view kNewScale = "setting loss scale to: ";
constexpr std::string_view kFloor = "Minimum loss scale reached";

bool contains(std::string_view line, std::string_view part) noexcept
{
    return line.find(part) != std::string_view::npos;
}

bool isOverflow(std::string_view line) noexcept
{
    return contains(line, kOverflow) && contains(line, kNewScale);
}

std::optional<std::int64_t> currentStep(RecordSink& sink)
{
    return sink.records() > 0 ? std::optional(sink.step()) : std::nullopt;
}

// "... checkpoint PATH (epoch 1 @ 479 updates, ...": the update in the brackets.
std::optional<std::int64_t> stepInBrackets(std::string_view text)
{
    LineScanner scan(text);
    if (!scan.jumpBehind(" @ "))
        return std::nullopt;
    return scan.takeCounter();
}

}  // namespace

bool isFairseqNote(std::string_view line)
{
    return isOverflow(line) || contains(line, "FloatingPointError: Minimum loss scale reached");
}

LineVerdict FairseqNotes::overflow(const TextLine& line, RecordSink& sink) const
{
    LineScanner scan(line.text);
    scan.jumpBehind(kNewScale);
    const auto scale = parseNumberPrefix(scan.rest());
    if (!scale
        || (line.unterminated && scale->length == scan.rest().size()
            && !contains(scan.rest(), "."))) {
        reportTornLine(line, sink);
        return LineVerdict::Damaged;
    }
    // the note names no step: it follows the last update that was shown
    LogEvent event = makeEvent(EventKind::Overflow, line, currentStep(sink));
    event.after = scale->value;
    sink.addEvent(std::move(event));
    return LineVerdict::Taken;
}

LineVerdict FairseqNotes::checkpoint(const TextLine& line, RecordSink& sink) const
{
    for (const bool load : {false, true}) {
        LineScanner scan(line.text);
        const bool mine
            = load ? scan.jumpBehind("oaded checkpoint ") : scan.jumpBehind("aved checkpoint ");
        const auto path = mine ? scan.takeUntil(" (epoch ") : std::nullopt;
        if (!path)
            continue;
        if (load && sink.records() > 0)
            sink.addBreak("a checkpoint was loaded", stepInBrackets(scan.rest()), line.time);
        LogEvent event = makeEvent(
            load ? EventKind::Load : EventKind::Save, line, stepInBrackets(scan.rest()));
        event.path = eventText(*path);
        sink.addEvent(std::move(event));
        return LineVerdict::Taken;
    }
    return LineVerdict::NotMine;
}

LineVerdict FairseqNotes::read(const TextLine& line, RecordSink& sink)
{
    const std::string_view text = line.text;
    if (isOverflow(text))
        return overflow(line, sink);
    if (contains(text, kFloor)) {
        sink.addEvent(makeEvent(EventKind::Aborted, line, currentStep(sink)));
        // also an exception that ends the launch: whoever reads tracebacks wants it too
        return LineVerdict::NotMine;
    }
    if (contains(text, "gradients are Nan/Inf") || contains(text, "aN detected in output of ")
        || contains(text, "nf detected in output of ")) {
        sink.addEvent(makeEvent(EventKind::NonfiniteReport, line, currentStep(sink)));
        return LineVerdict::Taken;
    }
    if (contains(text, "done training in ")) {
        sink.addEvent(makeEvent(EventKind::Finished, line, currentStep(sink)));
        return LineVerdict::Taken;
    }
    return checkpoint(line, sink);
}

}  // namespace firstbad::core
