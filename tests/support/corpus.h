// SPDX-License-Identifier: GPL-3.0-or-later
// Where the corpus of logs with answer keys lies. Corpus tests link firstbad_corpus_main, whose
// main() skips the whole program loudly (77) when there is none.
#pragma once

#include <filesystem>

namespace firstbad::test {

/// FIRSTBAD_CORPUS as it is, else ../shared beside the source tree if it holds the key; else empty.
/// A named folder without the key is no skip: the tests fail on it.
[[nodiscard]] std::filesystem::path corpusFolder();

/// fixtures/logs of the corpus: expected.json and the files it speaks of.
[[nodiscard]] std::filesystem::path corpusLogs();

}  // namespace firstbad::test
