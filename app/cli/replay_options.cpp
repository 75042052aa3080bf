// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/replay_options.h"

#include <CLI/CLI.hpp>
#include <filesystem>

namespace firstbad::cli {
namespace {

std::string absolutePath(const std::string& path)
{
    if (path.empty())
        return path;
    std::error_code failed;
    const auto absolute = std::filesystem::absolute(path, failed);
    return failed ? path : absolute.lexically_normal().string();
}

}  // namespace

void ReplayOptions::addPrecision(CLI::App& app)
{
    app.add_option(
           "--precision", m_request.precision, "Run in this precision, not the capsule's own")
        ->type_name("P")
        ->check(CLI::IsMember(
            {"fp64", "fp32", "fp16", "bf16", "fp8-e4m3", "fp8-e5m2", "mixed-fp16", "mixed-bf16"}));
    app.add_option("--device", m_request.device, "cpu, cuda:0, ...")->type_name("D");
}

void ReplayOptions::addCommon(CLI::App& app)
{
    app.add_option("CAPSULE", m_request.shownPath, "A capsule's folder")
        ->required()
        ->type_name("CAPSULE");
    addPrecision(app);
}

void ReplayOptions::addPredicate(CLI::App& app)
{
    app.add_option("--when", m_request.when, "What counts as bad")
        ->type_name("P")
        ->check(CLI::IsMember({"nonfinite", "overflow-risk", "diverges", "grows"}));
    app.add_option("--limit", m_request.limit,
           "Bound of --when: share of the type's limit, relative error, or factor of growth")
        ->type_name("X");
    app.add_option("--baseline", m_request.baseline, "Capsule that --when grows compares with")
        ->type_name("CAPSULE");
}

void ReplayOptions::addTimes(CLI::App& app)
{
    app.add_option("--times", m_request.times, "Run so often: transient or persistent?")
        ->type_name("N")
        ->check(CLI::Range(1, 1000));
    app.add_option("--seed-from", m_request.seedFrom, "Generators from the capsule, or fixed ones")
        ->type_name("capsule|fixed")
        ->check(CLI::IsMember({"capsule", "fixed"}));
}

void ReplayOptions::addDump(CLI::App& app)
{
    app.add_option("--dump", m_request.dump, "Write every tensor that was seen, as safetensors")
        ->type_name("FILE");
}

void ReplayOptions::addLane(CLI::App& app)
{
    app.add_option("--lane", m_request.lane, "Search this lane only")
        ->type_name("L")
        ->check(CLI::IsMember(
            {"forward", "backward", "grad", "reduced", "clipped", "optimizer", "param"}));
}

std::string ReplayOptions::problem() const
{
    if (m_request.when == "grows" && m_request.baseline.empty())
        return "--when grows needs --baseline CAPSULE.";
    return {};
}

core::ReplayRequest ReplayOptions::request() const
{
    core::ReplayRequest request = m_request;
    request.capsule = absolutePath(request.shownPath);
    request.baseline = absolutePath(request.baseline);
    request.dump = absolutePath(request.dump);
    return request;
}

}  // namespace firstbad::cli
