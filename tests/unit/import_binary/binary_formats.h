// SPDX-License-Identifier: GPL-3.0-or-later
// Sniffs a file or folder as the loader does, for the tests.
//
// Stateless; any thread.
#pragma once

#include "core/import/importer.h"
#include "core/import/source_head.h"

#include <filesystem>

inline const firstbad::core::Importer* sniffPath(const std::filesystem::path& path)
{
    using namespace firstbad::core;
    if (std::filesystem::is_directory(path)) {
        SourceHead head;
        head.path = path;
        head.isFolder = true;
        return sniffImporter(head);
    }
    const auto bytes = readHead(path);
    return bytes ? sniffImporter(bytes->view()) : nullptr;
}
