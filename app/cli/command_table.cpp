// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/add_command.h"
#include "app/cli/annotate_command.h"
#include "app/cli/audit_command.h"
#include "app/cli/bisect_command.h"
#include "app/cli/checkpoint_command.h"
#include "app/cli/command.h"
#include "app/cli/completion_command.h"
#include "app/cli/doctor_command.h"
#include "app/cli/export_command.h"
#include "app/cli/help_command.h"
#include "app/cli/incidents_command.h"
#include "app/cli/init_command.h"
#include "app/cli/isolate_command.h"
#include "app/cli/ledger_command.h"
#include "app/cli/lint_command.h"
#include "app/cli/look_command.h"
#include "app/cli/matrix_command.h"
#include "app/cli/open_command.h"
#include "app/cli/replay_command.h"
#include "app/cli/report_command.h"
#include "app/cli/scan_command.h"
#include "app/cli/series_command.h"
#include "app/cli/sources_command.h"
#include "app/cli/sweep_command.h"

#include <algorithm>
#include <array>

namespace firstbad::cli {
namespace {

constexpr std::array kCommands{
    kLookCommand,
    kInitCommand,
    kAddCommand,
    kOpenCommand,
    kSourcesCommand,
    kSeriesCommand,
    kIncidentsCommand,
    kAuditCommand,
    kLintCommand,
    kAnnotateCommand,
    kReportCommand,
    kExportCommand,
    kImportCommand,
    kReplayCommand,
    kSweepCommand,
    kBisectCommand,
    kMatrixCommand,
    kIsolateCommand,
    kLedgerCommand,
    kScanCommand,
    kCheckpointCommand,
    kDoctorCommand,
    kHelpCommand,
    kCompletionCommand,
};

}  // namespace

std::span<const Command> commandTable() noexcept
{
    return kCommands;
}

const Command* findCommand(std::string_view name) noexcept
{
    const auto* found = std::find_if(kCommands.begin(), kCommands.end(),
        [name](const Command& command) { return command.name == name; });
    return found == kCommands.end() ? nullptr : found;
}

}  // namespace firstbad::cli
