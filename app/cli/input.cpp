// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/input.h"

#include "app/cli/case_access.h"
#include "app/cli/nearest.h"
#include "core/import/artifact.h"
#include "core/import/load.h"

#include <algorithm>
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>

namespace firstbad::cli {

void InputOptions::addTo(CLI::App& app)
{
    app.add_option("--format", m_format, "Read every file as this format instead of sniffing")
        ->type_name("FORMAT");
    addMappingTo(app);
}

void InputOptions::addMappingTo(CLI::App& app)
{
    app.add_option("--map", m_mappings,
           "What a name of the source means: 'nats_per_tok=loss', 'it=step' (may be repeated)")
        ->type_name("THEIRS=OURS")
        ->allow_extra_args(false);
}

core::Result<core::ImportOptions> InputOptions::importOptions() const
{
    core::ImportOptions options;
    options.format = m_format;
    std::vector<std::string> formats;
    for (const core::Importer& importer : core::importerTable())
        formats.emplace_back(importer.id);
    if (!m_format.empty() && std::find(formats.begin(), formats.end(), m_format) == formats.end()) {
        const auto meant = nearest(m_format, formats);
        return core::fail(core::ErrorCode::InvalidArgument,
            fmt::format("There is no format '{}'.", m_format),
            meant ? fmt::format("Did you mean --format {}? firstbad doctor lists them.", *meant)
                  : "firstbad doctor lists the formats.");
    }
    for (const std::string& mapping : m_mappings) {
        const std::size_t equals = mapping.rfind('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == mapping.size())
            return core::fail(core::ErrorCode::InvalidArgument,
                fmt::format("'{}' is no mapping.", mapping),
                "Write the name in the source, '=', and what it means: --map nats_per_tok=loss");
        options.nameMap.emplace_back(mapping.substr(0, equals), mapping.substr(equals + 1));
    }
    return options;
}

core::Result<std::shared_ptr<const core::Dataset>> InputOptions::load(
    const std::vector<std::string>& paths, const Environment& environment,
    core::JobContext& job) const
{
    if (paths.empty())
        return loadCase(environment, job);
    for (const std::string& path : paths) {
        if (!core::isCaseFolder(path))
            continue;
        if (paths.size() > 1)
            return core::fail(core::ErrorCode::InvalidArgument,
                fmt::format("{} is a case; it can not be read together with other paths.", path),
                "Name the case alone, or add the other paths to it: firstbad -C CASE add PATH...");
        const auto store = core::CaseStore::open(path, core::CaseAccess::Read);
        return store ? store->loadDataset(job) : tl::unexpected(store.error());
    }
    const auto options = importOptions();
    if (!options)
        return tl::unexpected(options.error());
    const std::vector<std::filesystem::path> files(paths.begin(), paths.end());
    return core::loadPaths(files, *options, job);
}

ExitStatus statusOf(bool foundBad, bool foundDamage) noexcept
{
    if (foundBad)
        return ExitStatus::Found;
    return foundDamage ? ExitStatus::Damaged : ExitStatus::Nothing;
}

bool isPath(const std::string& text)
{
    std::error_code ignored;
    return std::filesystem::exists(std::filesystem::symlink_status(text, ignored));
}

}  // namespace firstbad::cli
