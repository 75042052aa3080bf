// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the text path: decoding, dialect choice, every dialect and the field splitter.
#include "core/base/assert.h"
#include "core/import/text/dialect_choice.h"
#include "core/import/text/dialect_runner.h"
#include "core/import/text/fields.h"

#include <cstddef>
#include <cstdint>
#include <string>

using namespace firstbad::core;

namespace {

bool isInside(std::string_view part, std::string_view whole)
{
    return part.empty()
        || (part.data() >= whole.data()
            && part.data() + part.size() <= whole.data() + whole.size());
}

DialectScores scored(const std::string& bytes)
{
    DialectScores scores;
    JobContext job;
    RecordSink ignored;
    FieldSplitter splitter;
    const auto source = TextSource::fromMemory(bytes);
    if (!source)
        return scores;
    for (;;) {
        const auto line = (*source)->next(ignored, job);
        if (!line || !*line)
            return scores;
        scores.add(**line);
        for (const Field& field : splitter.split((*line)->text))
            FB_ASSERT(!field.name.empty() && isInside(field.value, (*line)->text));
    }
}

void runAll(const std::string& bytes, const DialectScores& scores)
{
    RecordSink sink;
    JobContext job;
    const auto source = TextSource::fromMemory(bytes);
    if (!source)
        return;
    DialectRunner runner(scores, sink);
    for (;;) {
        const auto line = (*source)->next(sink, job);
        if (!line || !*line)
            break;
        runner.read(**line);
    }
    runner.finish();
    const SourceData data = sink.take();
    FB_ASSERT(data.info.skipped.size() <= kMaxSkippedParts + 1);
}

/// Every dialect reads every text, whoever claims it.
void runEachDialect(const std::string& bytes)
{
    for (const LineDialect& dialect : dialectTable()) {
        RecordSink sink;
        JobContext job;
        const auto source = TextSource::fromMemory(bytes);
        if (!source)
            return;
        const auto reader = dialect.make();
        for (;;) {
            const auto line = (*source)->next(sink, job);
            if (!line || !*line)
                break;
            static_cast<void>(reader->read(**line, sink));
        }
        reader->finish(sink);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    runAll(bytes, scored(bytes));
    runEachDialect(bytes);
    return 0;
}
