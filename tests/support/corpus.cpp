// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/corpus.h"

#include <cstdlib>

namespace firstbad::test {

namespace fs = std::filesystem;

fs::path corpusFolder()
{
    // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
    if (const char* const named = std::getenv("FIRSTBAD_CORPUS"))
        return named;
    const fs::path beside = fs::path(FIRSTBAD_SOURCE_DIR).parent_path() / "shared";
    return fs::exists(beside / "fixtures" / "logs" / "expected.json") ? beside : fs::path();
}

fs::path corpusLogs()
{
    return corpusFolder() / "fixtures" / "logs";
}

}  // namespace firstbad::test
