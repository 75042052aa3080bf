// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/attempt_rule.h"
#include "core/detect/data_rule.h"
#include "core/detect/join_rule.h"
#include "core/detect/ledger_rule.h"
#include "core/detect/nonfinite_rule.h"
#include "core/detect/rank_rule.h"
#include "core/detect/rule.h"
#include "core/detect/scale_move_rule.h"
#include "core/detect/scale_rule.h"
#include "core/detect/speed_rule.h"
#include "core/detect/spike_rule.h"
#include "core/detect/stated_rule.h"
#include "core/detect/update_rule.h"
#include "core/detect/zero_loss_rule.h"

#include <array>

namespace firstbad::core {
namespace {

constexpr std::array kRules{
    Rule{"nonfinite", "Losses and gradient norms that are not finite, shown or hidden.",
        &evaluateNonfinite},
    Rule{"scale", "Skipped updates: probes, collapse, bursts, runaway of the loss scale.",
        &evaluateScale},
    Rule{"spike", "Losses and gradient norms that leave their recent level.", &evaluateSpikes},
    Rule{"attempt", "Restarts, empty attempts, jumps at a resume.", &evaluateAttempts},
    Rule{"update", "Updates without effect, and schedules that drift away from them.",
        &evaluateUpdates},
    Rule{"scale-move", "Moves of the loss scale that no policy makes.", &evaluateScaleMoves},
    Rule{"ledger", "Bad values that an evidence ledger names.", &evaluateLedger},
    Rule{"join", "Ledgers of all ranks side by side: decisions, hangs, gradients that stayed.",
        &evaluateJoin},
    Rule{"rank", "Ranks that disagree or wait for each other.", &evaluateRanks},
    Rule{"speed", "Throughput that falls and stays low.", &evaluateSpeed},
    Rule{"data", "Samples that a restart repeats, leaves out or reorders.", &evaluateData},
    Rule{"zero-loss", "Losses that are 0 by design.", &evaluateZeroLoss},
    Rule{"stated", "Incidents that people wrote down and no curve shows.", &evaluateStated},
};

}  // namespace

std::span<const Rule> ruleTable() noexcept
{
    return kRules;
}

}  // namespace firstbad::core
