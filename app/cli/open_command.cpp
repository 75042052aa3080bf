// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/open_command.h"

#include "app/cli/case_access.h"
#include "app/cli/machine.h"
#include "core/base/file.h"
#include "core/base/json_writer.h"

#include <cerrno>
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

namespace firstbad::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "firstbad-workbench";

/// Beside this program, where both are installed; beside its folder in a build tree.
core::Result<fs::path> findWorkbench()
{
    std::error_code failed;
    const fs::path here = fs::read_symlink("/proc/self/exe", failed).parent_path();
    for (const fs::path& candidate :
        {here / kProgram, here.parent_path() / "workbench" / kProgram}) {
        if (!failed && ::access(candidate.c_str(), X_OK) == 0)
            return candidate;
    }
    return core::fail(core::ErrorCode::NotFound,
        fmt::format("{} does not lie beside this program.", kProgram),
        "It is built when Qt 6 is there: packaging/bootstrap.sh build.");
}

/// What the window could only say after the terminal is gone is said here.
core::Result<void> checkPlaces(const std::vector<std::string>& paths)
{
    for (const std::string& path : paths) {
        if (::access(path.c_str(), R_OK) != 0)
            return tl::unexpected(core::systemError("open", path, errno));
    }
    if (lookAtMachine().display.empty())
        return core::fail(core::ErrorCode::Unsupported, "There is no display to open a window on.",
            "Look in the terminal: firstbad look PATH. With ssh, try ssh -X.");
    return {};
}

/// The window outlives the terminal: a session of its own.
core::Result<void> startDetached(const fs::path& program, const std::vector<std::string>& paths)
{
    std::vector<std::string> words{program.string()};
    words.insert(words.end(), paths.begin(), paths.end());
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    pid_t child = 0;
    const int failed
        = ::posix_spawn(&child, program.c_str(), nullptr, &attributes, arguments.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    if (failed != 0)
        return tl::unexpected(core::systemError("start", program, failed));
    return {};
}

class OpenCommand : public CommandRun
{
public:
    void addOptions(CLI::App& app) override
    {
        app.add_option("PATH", m_paths, "A case, or files and folders")->type_name("PATH");
    }

    core::Result<Answer> run(const Environment& environment, core::JobContext& /*job*/) override
    {
        std::vector<std::string> paths = m_paths;
        if (paths.empty()) {
            // Without a case the start page is what to open.
            if (const auto found = findCaseFolder(environment))
                paths.push_back(found->string());
        }
        if (auto usable = checkPlaces(paths); !usable)
            return tl::unexpected(std::move(usable.error()));
        const auto program = findWorkbench();
        if (!program)
            return tl::unexpected(program.error());
        if (const auto started = startDetached(*program, paths); !started)
            return tl::unexpected(started.error());
        Answer answer;
        if (environment.json)
            answer.resultJson = startedJson(*program, paths);
        else
            answer.text
                = fmt::format("opened {}\n", paths.empty() ? "the start page" : paths.front());
        return answer;
    }

private:
    static std::string startedJson(const fs::path& program, const std::vector<std::string>& paths)
    {
        core::JsonWriter json;
        json.beginObject();
        json.member("program", program.string());
        json.key("paths");
        json.beginArray();
        for (const std::string& path : paths)
            json.value(path);
        json.endArray();
        json.endObject();
        return json.take();
    }

    std::vector<std::string> m_paths;
};

}  // namespace

std::unique_ptr<CommandRun> makeOpenCommand()
{
    return std::make_unique<OpenCommand>();
}

}  // namespace firstbad::cli
