// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of any bytes: no crash, no hang, and no more points than cells.
#include "core/base/assert.h"
#include "core/import/structured/csv_table.h"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace firstbad::core;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    RecordSink sink;
    CsvTable table(sink, "metrics", {});
    std::size_t at = 0;
    for (std::uint64_t number = 1; at < size; ++number) {
        const std::size_t end = std::min(text.find('\n', at), size);
        table.add({text.substr(at, end - at), number, at, end == size});
        at = end + 1;
    }
    table.finish();
    std::size_t points = 0;
    for (const RawColumn& column : sink.data().columns)
        points += column.points.size();
    FB_ASSERT(points <= size);
    return 0;
}
