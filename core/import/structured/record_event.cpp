// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/structured/record_event.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/import/structured/column_roles.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::size_t kMaxText = 400;

struct KindWord {
    std::string_view word;
    EventKind kind;
};

// The first that stands in the text wins.
constexpr std::array kKindWords{
    KindWord{"overflow", EventKind::Overflow},
    KindWord{"timeout", EventKind::Timeout},
    KindWord{"fail", EventKind::Exception},
    KindWord{"error", EventKind::Exception},
    KindWord{"exception", EventKind::Exception},
    KindWord{"abort", EventKind::Aborted},
    KindWord{"killed", EventKind::Signal},
    KindWord{"load", EventKind::Load},
    KindWord{"resume", EventKind::Load},
    KindWord{"restor", EventKind::Load},
    KindWord{"checkpoint", EventKind::Save},
    KindWord{"save", EventKind::Save},
    KindWord{"start", EventKind::RunStart},
    KindWord{"succe", EventKind::Finished},
    KindWord{"finish", EventKind::Finished},
    KindWord{"complete", EventKind::Finished},
};

bool namesTheEvent(std::string_view name)
{
    constexpr std::array<std::string_view, 8> kNames{
        "event", "kind", "type", "name", "status", "state", "msg", "message"};
    const std::string_view last = lastPart(name);
    return std::find(kNames.begin(), kNames.end(), last) != kNames.end();
}

bool namesAPath(std::string_view name)
{
    constexpr std::array<std::string_view, 5> kNames{"path", "checkpoint", "file", "dir", "ckpt"};
    return std::find(kNames.begin(), kNames.end(), lastPart(name)) != kNames.end();
}

}  // namespace

bool hasValues(const JsonRecord& record, std::size_t axes)
{
    std::size_t values = 0;
    for (const JsonLeaf& leaf : record.leaves) {
        if (leaf.kind != LeafKind::Text || parseNumber(record.text(leaf)))
            ++values;
    }
    return values > axes;
}

EventKind eventKindFromWords(std::string_view words)
{
    for (const KindWord& word : kKindWords) {
        if (containsIgnoringCase(words, word.word))
            return word.kind;
    }
    return EventKind::Note;
}

void addRecordEvent(RecordSink& sink, const JsonRecord& record, const JsonFlattener& names,
    const RecordContext& context)
{
    LogEvent event;
    event.step = context.step;
    event.rank = context.rank;
    if (isFinite(context.time))
        event.time = context.time;
    event.line = record.line;
    event.offset = record.offset;
    for (const JsonLeaf& leaf : record.leaves) {
        const std::string& name = names.name(leaf.node);
        const std::string_view text = record.text(leaf);
        if (leaf.kind != LeafKind::Text || text.empty())
            continue;
        if (event.kind == EventKind::Note && namesTheEvent(name))
            event.kind = eventKindFromWords(text);
        if (event.path.empty() && namesAPath(name))
            event.path = toValidUtf8(text);
        event.text += fmt::format("{}{}={}", event.text.empty() ? "" : " ", name, text);
    }
    event.text = toValidUtf8(event.text.substr(0, kMaxText));
    if (event.kind == EventKind::RunStart && sink.records() > 0)
        sink.addBreak("a worker was started", context.step, context.time);
    sink.addEvent(std::move(event));
}

}  // namespace firstbad::core
