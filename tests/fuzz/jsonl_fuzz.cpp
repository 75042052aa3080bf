// SPDX-License-Identifier: GPL-3.0-or-later
// JSON lines of any bytes: what is no record is told, nothing crashes.
#include "core/base/assert.h"
#include "core/import/structured/json_lines_reader.h"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace firstbad::core;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    RecordSink sink;
    JsonLinesReader reader(sink, {});
    std::size_t at = 0;
    for (std::uint64_t number = 1; at < size; ++number) {
        const std::size_t end = std::min(text.find('\n', at), size);
        reader.add({text.substr(at, end - at), number, at, end == size});
        at = end + 1;
    }
    reader.finish();
    for (const SkippedPart& part : sink.data().info.skipped)
        FB_ASSERT(!part.reason.empty());
    return 0;
}
