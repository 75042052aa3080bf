// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/annotate_command.h"

#include "app/cli/case_access.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/base/user.h"
#include "core/present/text/line_builder.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace firstbad::cli {
namespace {

constexpr int kIndent = 6;

void writeAnnotation(core::JsonWriter& json, const core::Annotation& note)
{
    json.beginObject();
    json.member("id", note.id);
    json.member("time", core::toIso8601(note.time));
    json.member("target", note.target);
    json.member("note", note.note);
    json.member("who", note.who);
    json.member("withdraws", note.withdraws);
    json.member("withdrawn_by", note.withdrawnBy);
    json.endObject();
}

Answer listed(const std::vector<core::Annotation>& notes, const Environment& environment)
{
    core::JsonWriter json;
    json.beginObject();
    json.key("annotations");
    json.beginArray();
    core::StyledText out;
    for (const core::Annotation& note : notes) {
        writeAnnotation(json, note);
        if (note.withdraws || (note.withdrawnBy && !environment.verbose))
            continue;
        core::addLabelled(out, environment.style, std::to_string(note.id), kIndent,
            fmt::format("{}: {} ({}, {}){}", note.target, note.note, note.who,
                core::toIso8601(note.time), note.withdrawnBy ? " withdrawn" : ""));
    }
    json.endArray();
    json.endObject();
    Answer answer;
    answer.resultJson = json.take();
    answer.text = notes.empty() ? "no notes\n" : render(out, environment.style);
    return answer;
}

class AnnotateCommand : public CommandRun
{
public:
    void addOptions(CLI::App& app) override
    {
        app.add_option("TARGET", m_note.target, "Incident, attempt, ATTEMPT:FROM-TO or path");
        app.add_option("--note", m_note.note, "The text")->type_name("TEXT");
        app.add_option("--withdraw", m_note.withdraws, "Take note ID back")->type_name("ID");
    }

    core::Result<Answer> run(const Environment& environment, core::JobContext&) override
    {
        const bool lists = m_note.target.empty() && !m_note.withdraws;
        auto store
            = openCase(environment, lists ? core::CaseAccess::Read : core::CaseAccess::Write);
        if (!store)
            return tl::unexpected(store.error());
        if (!lists) {
            if (const auto written = write(*store); !written)
                return tl::unexpected(written.error());
        }
        const auto notes = store->annotations();
        if (!notes)
            return tl::unexpected(notes.error());
        return listed(*notes, environment);
    }

private:
    [[nodiscard]] core::Result<void> write(core::CaseStore& store)
    {
        if (!m_note.withdraws && m_note.note.empty())
            return core::fail(core::ErrorCode::InvalidArgument, "A note needs a text.",
                "firstbad annotate TARGET --note 'what you found'");
        if (const auto known = checkTarget(store); !known)
            return known;
        m_note.who = core::loginName();
        const auto id = store.append(m_note);
        return id ? core::Result<void>() : tl::unexpected(id.error());
    }

    /// A number has to be an incident of the case; other targets may be written before they exist.
    [[nodiscard]] core::Result<void> checkTarget(const core::CaseStore& store) const
    {
        const bool isNumber = !m_note.target.empty()
            && std::all_of(m_note.target.begin(), m_note.target.end(), core::isAsciiDigit);
        if (!isNumber)
            return {};
        const auto incidents = store.storedIncidents();
        if (!incidents)
            return tl::unexpected(incidents.error());
        for (const core::Incident& incident : *incidents) {
            if (incident.id == m_note.target)
                return {};
        }
        return core::fail(core::ErrorCode::NotFound,
            fmt::format(
                "The case has no incident {}; it has {}.", m_note.target, incidents->size()),
            "firstbad incidents lists them; an attempt is written a7.");
    }

    core::Annotation m_note;
};

}  // namespace

std::unique_ptr<CommandRun> makeAnnotateCommand()
{
    return std::make_unique<AnnotateCommand>();
}

}  // namespace firstbad::cli
