// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/usage_answer.h"

namespace firstbad::cli {

Answer usageAnswer(std::string message)
{
    Answer answer;
    answer.status = ExitStatus::Usage;
    answer.resultJson = "null";
    answer.diagnostics.push_back({core::Severity::Error, "usage", std::move(message), {}});
    return answer;
}

}  // namespace firstbad::cli
