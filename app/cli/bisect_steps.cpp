// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bisect_steps.h"

#include "app/cli/case_access.h"
#include "app/cli/input.h"
#include "app/cli/replay_session.h"
#include "core/base/file.h"
#include "core/capsule/model_shape.h"
#include "core/present/json/bisect_json.h"
#include "core/present/text/bisect_text.h"
#include "core/present/text/replay_text.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>

namespace firstbad::cli {
namespace {

constexpr std::array<std::string_view, 9> kWords{
    "start", "good", "bad", "skip", "next", "auto", "log", "replay", "reset"};
constexpr std::uint64_t kMaxLogBytes = std::uint64_t{16} << 20U;

std::string absolutePath(const std::string& path)
{
    std::error_code failed;
    return std::filesystem::absolute(path, failed).lexically_normal().string();
}

core::ReplayRequest probeRequest(const core::BisectScope& scope, const std::string& probe)
{
    core::ReplayRequest request;
    request.capsule = scope.capsule;
    request.shownPath = scope.capsule;
    request.precision = scope.precision;
    request.when = scope.when;
    request.baseline = scope.baseline;
    request.lane = scope.lane;
    request.microStep = scope.microStep;
    request.probe = probe;
    return request;
}

core::ProbeEvidence evidenceOf(const core::ProbeResult& result, const std::string& probe)
{
    core::ProbeEvidence evidence;
    evidence.text = result.step.evidence;
    if (evidence.text.empty() && result.cell)
        evidence.text = core::cellText(*result.cell);
    if (result.firstBad && result.firstBad->locus == probe)
        evidence.place = result.firstBad;
    return evidence;
}

}  // namespace

bool BisectSteps::isWord(const std::string& argument)
{
    return std::find(kWords.begin(), kWords.end(), argument) != kWords.end();
}

core::Result<void> BisectSteps::open()
{
    auto store = openCase(m_environment, core::CaseAccess::Write);
    if (!store)
        return tl::unexpected(store.error());
    m_store.emplace(std::move(*store));
    auto rows = m_store->bisectLog(core::kBisectName);
    if (!rows)
        return tl::unexpected(rows.error());
    m_rows = std::move(*rows);
    auto open = core::OpenBisect::from(m_rows);
    if (!open)
        return tl::unexpected(open.error());
    m_open = std::move(*open);
    return {};
}

core::Result<void> BisectSteps::append(const core::BisectEntry& row)
{
    const auto id = m_store->append(row);
    if (!id)
        return tl::unexpected(id.error());
    m_rows.push_back(row);
    auto open = core::OpenBisect::from(m_rows);
    if (!open)
        return tl::unexpected(open.error());
    m_open = std::move(*open);
    return {};
}

core::Result<Answer> BisectSteps::run(const std::string& word,
    const std::vector<std::string>& arguments, const core::ReplayRequest& options)
{
    if (!findCaseFolder(m_environment))
        return usageAnswer("The stepped bisect keeps its log in a case, and there is none here.");
    const bool takesPath = word == "start" || word == "replay";
    const auto verdict = core::probeVerdictFrom(word);
    const std::size_t most = takesPath || verdict ? 1 : 0;
    if (arguments.size() > most || (takesPath && arguments.empty()))
        return usageAnswer(fmt::format("'bisect {}' takes {}.", word,
            most == 0       ? "nothing more"
                : takesPath ? "one path"
                            : "one place at most"));
    if (auto opened = open(); !opened)
        return tl::unexpected(opened.error());
    if (word == "start")
        return start(arguments.front(), options);
    if (word == "replay")
        return replay(arguments.front());
    if (word == "log")
        return log();
    if (!m_open)
        return usageAnswer("No bisect is open in this case: begin with bisect start CAPSULE.");
    if (verdict)
        return say(*verdict, arguments.empty() ? std::string() : arguments.front());
    return word == "reset" ? reset() : look(word == "auto");
}

core::Result<Answer> BisectSteps::start(const std::string& path, const core::ReplayRequest& options)
{
    if (m_open)
        return usageAnswer("A bisect is open already: bisect reset gives it up.");
    auto opened = openCapsule(path);
    if (!opened)
        return tl::unexpected(std::move(opened.error()));
    if (auto* refused = std::get_if<Answer>(&*opened))
        return std::move(*refused);
    const auto& capsule = std::get<core::Capsule>(*opened);
    const core::ModelShape shape = core::modelShape(capsule);
    core::BisectScope scope;
    scope.capsule = absolutePath(path);
    scope.family = capsule.family;
    scope.blocks = shape.blocks.value_or(-1);
    scope.lane = options.lane.empty() ? "forward" : options.lane;
    scope.precision = options.precision;
    scope.when = options.when;
    scope.baseline = options.baseline;
    scope.microStep = capsule.microStep;
    if (scope.lane != "forward" && scope.lane != "backward")
        return usageAnswer("The stepped bisect searches the lane forward or backward.");
    if (!shape.known || scope.blocks < 0)
        return core::fail(core::ErrorCode::Unsupported,
            fmt::format("The blocks of {} are not known: family {}.", path, capsule.family),
            "The families are gpt2, llama and glm.");
    if (auto done = append(core::startRow(scope, m_rows)); !done)
        return tl::unexpected(done.error());
    return standing();
}

core::Result<Answer> BisectSteps::say(core::ProbeVerdict verdict, std::string probe)
{
    const core::BisectSearch& search = m_open->search();
    if (probe.empty())
        probe = search.nextProbe();
    if (probe.empty())
        return usageAnswer("The search is at its end; name a place to say something else of it.");
    if (!search.knows(probe))
        return usageAnswer(fmt::format(
            "'{}' is no place of this model; places are embedding, blocks.3, blocks.3.OP, head.",
            probe));
    const auto row = core::verdictRow(probe, verdict, "person", {}, m_rows);
    if (auto done = append(row); !done)
        return tl::unexpected(done.error());
    return standing();
}

std::string BisectSteps::wanted() const
{
    const core::BisectSearch& search = m_open->search();
    const auto place = m_open->firstBad();
    if (place && place->elementIndex.empty())
        return place->locus;
    return search.nextProbe();
}

core::Result<Answer> BisectSteps::look(bool toTheEnd)
{
    if (wanted().empty())
        return standing();
    auto client = core::ReplayClient::start(m_job);
    if (!client)
        return tl::unexpected(std::move(client.error()));
    std::string before;
    do {
        const std::string probe = wanted();
        const auto result = client->probe(probeRequest(m_open->search().scope(), probe), m_job);
        if (!result)
            return tl::unexpected(result.error());
        const auto verdict = core::probeVerdictFrom(result->step.result);
        if (!verdict)
            return core::fail(core::ErrorCode::ProtocolMismatch,
                fmt::format("The worker calls {} \"{}\", which is no verdict.", probe,
                    result->step.result));
        const auto row
            = core::verdictRow(probe, *verdict, "program", evidenceOf(*result, probe), m_rows);
        if (auto done = append(row); !done)
            return tl::unexpected(done.error());
        before = probe;
    } while (toTheEnd && !wanted().empty() && wanted() != before);
    return standing();
}

core::Result<Answer> BisectSteps::reset()
{
    if (auto done = append(core::resetRow(m_rows)); !done)
        return tl::unexpected(done.error());
    Answer answer;
    answer.resultJson = core::bisectJson(m_open);
    answer.text = "The bisect is given up; its log stays in the case.\n";
    return answer;
}

core::Result<Answer> BisectSteps::log() const
{
    Answer answer;
    answer.resultJson = core::bisectJson(m_open);
    if (m_open)
        answer.text = core::bisectLogText(m_open->rows());
    return answer;
}

core::Result<Answer> BisectSteps::replay(const std::string& path)
{
    if (m_open)
        return usageAnswer("A bisect is open already: bisect reset gives it up.");
    const auto text = core::readWholeFile(path, kMaxLogBytes);
    if (!text)
        return tl::unexpected(text.error());
    auto rows = core::parseBisectLog(*text, path);
    if (!rows)
        return tl::unexpected(rows.error());
    if (const auto whole = core::OpenBisect::from(*rows); !whole)
        return tl::unexpected(whole.error());
    for (auto& row : *rows) {
        row.n = m_rows.empty() ? 1 : m_rows.back().n + 1;
        if (auto done = append(row); !done)
            return tl::unexpected(done.error());
    }
    return standing();
}

Answer BisectSteps::standing() const
{
    Answer answer;
    answer.resultJson = core::bisectJson(m_open);
    if (m_open)
        answer.text = render(core::bisectText(*m_open, m_environment.style), m_environment.style);
    const bool found = m_open && m_open->search().state() == core::BisectState::Found;
    answer.status = statusOf(found, false);
    return answer;
}

}  // namespace firstbad::cli
