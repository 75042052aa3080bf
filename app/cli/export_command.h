// SPDX-License-Identifier: GPL-3.0-or-later
// firstbad export and import: a case as one file, and back on another machine.
#pragma once

#include "app/cli/command.h"

namespace firstbad::cli {

[[nodiscard]] std::unique_ptr<CommandRun> makeExportCommand();
[[nodiscard]] std::unique_ptr<CommandRun> makeImportCommand();

inline constexpr Command kExportCommand{"export", "[CASE]",
    "Pack a case into one file, to mail or archive it",
    "The file is an ordinary zip of the case: database, series, evidence. --redact leaves out "
    "folders, quotations and notes, and replaces names of users by a hash; numbers, steps, hashes "
    "and verdicts stay. The file appears in full or not at all.",
    "firstbad export case -o incident.zip\n"
    "firstbad export case -o public.zip --redact  # without folders, quotations and names",
    makeExportCommand};

inline constexpr Command kImportCommand{"import", "FILE CASE",
    "Unpack an exported case on this machine",
    "Makes the folder CASE from a file that export wrote. Members that do not belong to a case are "
    "refused, and nothing remains if anything fails.",
    "firstbad import incident.zip case && firstbad -C case incidents", makeImportCommand};

}  // namespace firstbad::cli
