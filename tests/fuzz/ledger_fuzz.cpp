// SPDX-License-Identifier: GPL-3.0-or-later
// Ledgers of any bytes: every line is a record, an event or named as damage.
#include "core/base/assert.h"
#include "core/import/structured/ledger_reader.h"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace firstbad::core;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    RecordSink sink;
    LedgerReader reader(sink);
    std::uint64_t lines = 0;
    std::size_t at = 0;
    while (at < size) {
        const std::size_t end = std::min(text.find('\n', at), size);
        reader.add({text.substr(at, end - at), ++lines, at, end < size});
        at = end + 1;
    }
    reader.finish();
    const SourceData& found = sink.data();
    FB_ASSERT(found.info.records + found.events.size() + found.info.skipped.size() >= lines
        || found.info.skipped.size() >= kMaxSkippedParts);
    return 0;
}
