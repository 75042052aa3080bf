// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/checkpoint_command.h"

#include "app/cli/checkpoint_notes.h"
#include "app/cli/input.h"
#include "app/cli/saves_input.h"
#include "core/judge/judge_file.h"
#include "core/present/json/save_json.h"
#include "core/present/text/save_text.h"

#include <algorithm>
#include <CLI/CLI.hpp>

namespace firstbad::cli {
namespace {

class CheckpointCommand : public CommandRun
{
public:
    void addOptions(CLI::App& app) override
    {
        app.add_option("ACTION", m_action, "What to do")
            ->required()
            ->check(CLI::IsMember({"list", "pick", "gate", "lineage", "status", "annotate"}));
        app.add_option("PATH", m_query.paths, "Checkpoints, or folders of them")->type_name("PATH");
        app.add_option("--status", m_note.status, "annotate: the new status")
            ->check(CLI::IsMember({"committed", "suspect", "quarantined"}));
        app.add_option("--because", m_note.because, "annotate: why, in a sentence")
            ->type_name("TEXT");
        app.add_option("--note", m_note.note, "annotate: a note that changes nothing")
            ->type_name("TEXT");
        app.add_flag("--override", m_note.override, "annotate: release a file that is bad itself");
        app.add_option("--clean-steps", m_query.cleanSteps,
               "Steps without a fault after an incident before a save counts again")
            ->capture_default_str()
            ->type_name("N");
        app.add_flag("!--no-hashes", m_query.checkHashes,
            "Compare sizes with the ledger, not SHA-256 (faster)");
    }

    core::Result<Answer> run(const Environment& environment, core::JobContext& job) override
    {
        if (m_action == "annotate")
            return annotateCheckpoint(m_query.paths, m_note, environment, job);
        if (m_action == "status" && meansCase(m_query, environment))
            return checkpointHistory(m_query.paths, environment);
        m_query.asOne = m_action == "gate";
        if (m_query.asOne && m_query.paths.size() != 1)
            return usageAnswer("checkpoint gate takes exactly one path.");
        auto saves = loadSaves(m_query, environment, job);
        if (!saves)
            return tl::unexpected(std::move(saves.error()));
        Answer answer = answerFor(*saves, environment);
        answer.diagnostics = std::move(saves->diagnostics);
        return answer;
    }

private:
    [[nodiscard]] Answer answerFor(const Saves& saves, const Environment& environment) const
    {
        if (m_action == "pick")
            return pick(saves, environment);
        if (m_action == "gate")
            return gate(saves.records.front(), environment);
        const std::vector<std::string> rotation = core::rotationWarnings(saves.records);
        Answer answer;
        answer.status = worstOf(saves.records);
        if (m_action == "lineage") {
            answer.text = render(
                core::lineageText(saves.records, rotation, environment.style), environment.style);
            answer.resultJson = core::lineageJson(
                saves.records, saves.assessment ? &*saves.assessment : nullptr, rotation);
            answer.status = ExitStatus::Nothing;
            return answer;
        }
        answer.text = render(
            core::saveListText(saves.records, rotation, environment.style, environment.verbose),
            environment.style);
        answer.resultJson = core::saveListJson(saves.records, rotation);
        return answer;
    }

    [[nodiscard]] static ExitStatus worstOf(const std::vector<core::SaveRecord>& records)
    {
        const bool bad = std::any_of(records.begin(), records.end(),
            [](const auto& record) { return core::holdsNonfinite(record.scan); });
        const bool damaged = std::any_of(records.begin(), records.end(),
            [](const auto& record) { return record.scan.verdict != core::ScanVerdict::Finite; });
        return statusOf(bad, damaged);
    }

    [[nodiscard]] static Answer pick(const Saves& saves, const Environment& environment)
    {
        const core::PickResult picked = core::pickSave(saves.records);
        Answer answer;
        answer.text = environment.quiet && picked.picked
            ? saves.records[*picked.picked].place.shown + "\n"
            : render(core::pickText(saves.records, picked, environment.style, environment.verbose),
                environment.style);
        answer.resultJson = core::pickJson(saves.records, picked);
        answer.status = picked.picked ? ExitStatus::Nothing : ExitStatus::Refused;
        return answer;
    }

    [[nodiscard]] static Answer gate(const core::SaveRecord& record, const Environment& environment)
    {
        Answer answer;
        const bool isOpen = record.status == core::SaveStatus::Committed;
        if (!environment.quiet || !isOpen)
            answer.text = render(core::gateText(record, environment.style), environment.style);
        answer.resultJson = core::gateJson(record);
        answer.status = isOpen ? ExitStatus::Nothing : ExitStatus::Refused;
        return answer;
    }

    std::string m_action;
    SavesQuery m_query;
    CheckpointNote m_note;
};

}  // namespace

std::unique_ptr<CommandRun> makeCheckpointCommand()
{
    return std::make_unique<CheckpointCommand>();
}

}  // namespace firstbad::cli
