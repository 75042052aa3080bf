// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the mlflow importer: any bytes give sources or an error, never a crash.
#include "core/import/binary/mlflow_importer.h"
#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const firstbad::test::MemoryFile file(data, size);
    firstbad::core::JobContext job;
    const auto sources = firstbad::core::readMlflowSqlite({file.path(), "fuzz/input", ""}, {}, job);
    if (sources && sources->empty())
        std::abort();  // a file that gave nothing must at least be described
    return 0;
}
