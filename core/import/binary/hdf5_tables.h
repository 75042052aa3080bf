// SPDX-License-Identifier: GPL-3.0-or-later
// Walks an HDF5 file and sends its tables of scalars: 1-D datasets and compound tables.
//
// Runs in a child process (hdf5_child.h), because the library may crash on a hostile file. Follows
// hard links only, loads no filter plugins, reads in slices of 32,768 rows.
#pragma once

#include "core/import/importer.h"

#include <string>

namespace firstbad::core {

/// Reads `path` and writes Hdf5Messages to `descriptor`, End last. `stepNames` are names of step
/// columns given by the user, looked for before the usual ones.
void sendHdf5Tables(
    const std::string& path, const std::vector<std::string>& stepNames, int descriptor) noexcept;

}  // namespace firstbad::core
