// SPDX-License-Identifier: GPL-3.0-or-later
// The importers of core/import/binary alone, and sniffing among them, for the tests.
//
// Stateless; any thread.
#pragma once

#include "core/import/binary/tfevents_importer.h"
#include "core/import/importer.h"
#include "core/import/source_head.h"

#include <array>
#include <filesystem>

inline const firstbad::core::Importer* sniffBinary(const std::filesystem::path& path)
{
    using namespace firstbad::core;
    static constexpr std::array kImporters{
        Importer{"tfevents", "TensorBoard event files", false, &sniffTfevents, &readTfevents},
    };
    const bool folder = std::filesystem::is_directory(path);
    HeadBytes bytes;
    if (!folder) {
        auto read = readHead(path);
        if (!read)
            return nullptr;
        bytes = std::move(*read);
    }
    SourceHead head = bytes.view();
    head.path = path;
    head.isFolder = folder;
    const Importer* best = nullptr;
    int bestScore = 0;
    for (const Importer& importer : kImporters) {
        const int score = importer.takesFolder == folder ? importer.sniff(head) : 0;
        if (score > bestScore) {
            best = &importer;
            bestScore = score;
        }
    }
    return best;
}
