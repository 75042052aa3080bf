// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/audit_statements.h"
#include "core/detect/data_order.h"
#include "core/detect/quoted_field.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

namespace firstbad::core {
namespace {

constexpr std::array<std::string_view, 5> kIdentities{
    "config_hash", "dataset_version", "tokenizer_hash", "model_commit", "precision"};
constexpr std::size_t kMostNamed = 20;

using Config = std::map<std::string, std::string>;

/// What a launch says of itself: the header of a ledger, and the configuration that a log prints.
Config configOf(const AttemptView& attempt)
{
    Config config;
    for (const LogEvent* event : attempt.events) {
        if (event->kind == EventKind::ConfigValue && !event->text.empty())
            config.emplace(event->text, event->path);
        if (event->kind != EventKind::RunStart)
            continue;
        for (const std::string_view name : kIdentities) {
            if (const std::string value = quotedText(event->text, name); !value.empty())
                config.emplace(name, value);
        }
    }
    return config;
}

/// The attempt that this one continues, else the one before it.
const AttemptView* earlier(const RunView& run, std::size_t at)
{
    if (at == 0)
        return nullptr;
    const auto parent = run.attempts[at].attempt->parent;
    for (std::size_t i = 0; parent && i < at; ++i) {
        if (run.attempts[i].index == *parent)
            return &run.attempts[i];
    }
    return &run.attempts[at - 1];
}

void stateConfig(Audit& audit, const AttemptView& before, const AttemptView& now)
{
    const Config old = configOf(before);
    std::size_t told = 0;
    for (const auto& [name, value] : configOf(now)) {
        const auto found = old.find(name);
        if (found == old.end() || found->second == value || ++told > kMostNamed)
            continue;
        // A ledger's identities are the training itself; what a log prints holds paths and ports.
        const bool identity
            = std::find(kIdentities.begin(), kIdentities.end(), name) != kIdentities.end();
        addStatement(audit, "config-changed", identity ? Severity::Warning : Severity::Info,
            fmt::format("{} is {} in attempt {} and {} in attempt {}", name, found->second,
                before.attempt->id.value, value, now.attempt->id.value),
            now.first ? std::vector<std::int64_t>{*now.first} : std::vector<std::int64_t>{});
    }
}

}  // namespace

void addStatement(Audit& audit, std::string code, Severity severity, std::string text,
    std::vector<std::int64_t> steps)
{
    audit.statements.push_back({std::move(code), severity, std::move(text), std::move(steps)});
}

void stateSeams(Audit& audit, const RunView& run)
{
    for (std::size_t i = 1; i < run.attempts.size(); ++i)
        stateConfig(audit, *earlier(run, i), run.attempts[i]);
    for (DataSeam& seam : dataSeams(run))
        addStatement(audit, seam.kind == DataSeamKind::LeftOut ? "data-gap" : "data-repeat",
            Severity::Warning, std::move(seam.text), {seam.step, seam.lastStep});
}

}  // namespace firstbad::core
