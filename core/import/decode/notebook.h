// SPDX-License-Identifier: GPL-3.0-or-later
// Jupyter notebooks: the text that their cells printed, in order, as one stream.
//
// The whole notebook is parsed in memory (at most 256 MiB); one thread.
#pragma once

#include "core/import/decode/byte_stream.h"

namespace firstbad::core {

/// Whether `head` (UTF-8) begins like a notebook.
[[nodiscard]] bool looksLikeNotebook(std::string_view head);

/// Reads `bytes` (UTF-8) to the end and gives the output texts of all cells.
[[nodiscard]] Result<std::unique_ptr<ByteStream>> notebookOutputs(
    std::unique_ptr<ByteStream> bytes);

}  // namespace firstbad::core
