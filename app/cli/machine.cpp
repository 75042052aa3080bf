// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/machine.h"

#include "core/base/file.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <thread>
#include <vector>

namespace firstbad::cli {
namespace {

namespace fs = std::filesystem;

bool holdsTorch(const fs::path& folder)
{
    std::error_code ignored;
    return fs::exists(folder / "torch" / "lib" / "libtorch_cpu.so", ignored);
}

/// FIRSTBAD_TORCH first; then .deps/torch of the source tree that the program was built in.
std::optional<fs::path> findTorch()
{
    std::vector<fs::path> candidates;
    if (const char* chosen = std::getenv("FIRSTBAD_TORCH"); chosen != nullptr && *chosen != '\0')
        candidates.emplace_back(chosen);
    std::error_code ignored;
    for (fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
         folder.has_relative_path(); folder = folder.parent_path())
        candidates.push_back(folder / ".deps" / "torch");
    for (const fs::path& candidate : candidates) {
        if (holdsTorch(candidate))
            return candidate;
    }
    return std::nullopt;
}

/// torch/version.py has a line: __version__ = '2.15.0+cpu'
std::string versionOf(const fs::path& torchFolder)
{
    constexpr std::uint64_t kLimit = 1U << 16U;
    const auto text = core::readWholeFile(torchFolder / "torch" / "version.py", kLimit);
    if (!text)
        return {};
    const std::size_t at = text->find("\n__version__");
    const std::size_t open = at == std::string::npos ? at : text->find('\'', at);
    const std::size_t close = open == std::string::npos ? open : text->find('\'', open + 1);
    return close == std::string::npos ? std::string() : text->substr(open + 1, close - open - 1);
}

}  // namespace

Machine lookAtMachine()
{
    Machine machine;
    if (const auto torch = findTorch()) {
        machine.torchFolder = torch->string();
        machine.torchVersion = versionOf(*torch);
    }
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"}) {
        const char* value = std::getenv(name);
        if (value != nullptr && machine.display.empty())
            machine.display = value;
    }
    std::error_code failed;
    const fs::space_info space = fs::space(".", failed);
    if (!failed)
        machine.freeBytes = space.available;
    machine.cores = std::thread::hardware_concurrency();
    return machine;
}

}  // namespace firstbad::cli
