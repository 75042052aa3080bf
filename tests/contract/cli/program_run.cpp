// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/contract/cli/program_run.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sys/wait.h>
#include <unistd.h>

namespace firstbad::test {
namespace {

std::string takeFile(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    ::unlink(path.c_str());
    return text;
}

std::string temporaryFile(int& descriptor)
{
    std::string path = "/tmp/firstbad-test-XXXXXX";
    descriptor = ::mkstemp(path.data());
    return path;
}

[[noreturn]] void becomeFirstbad(const std::vector<std::string>& arguments,
    const RunOptions& options, const std::array<int, 2>& output)
{
    if (options.closeStdout)
        ::close(STDOUT_FILENO);
    else
        ::dup2(output[0], STDOUT_FILENO);
    ::dup2(output[1], STDERR_FILENO);
    ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
    ::setenv("LC_ALL", "C.UTF-8", 1);
    for (const std::string& variable : options.environment) {
        const std::size_t equals = variable.find('=');
        ::setenv(variable.substr(0, equals).c_str(), variable.substr(equals + 1).c_str(), 1);
    }
    if (!options.folder.empty() && ::chdir(options.folder.c_str()) != 0)
        std::_Exit(126);
    std::vector<char*> argv{const_cast<char*>("firstbad")};
    for (const std::string& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    ::execv(FIRSTBAD_PROGRAM, argv.data());
    std::_Exit(127);
}

}  // namespace

ProgramRun runFirstbad(const std::vector<std::string>& arguments, const RunOptions& options)
{
    std::array<int, 2> output{};
    const std::string outPath = temporaryFile(output[0]);
    const std::string errPath = temporaryFile(output[1]);
    const pid_t pid = ::fork();
    if (pid == 0)
        becomeFirstbad(arguments, options, output);
    if (options.whileRunning)
        options.whileRunning(pid);
    int state = 0;
    ::waitpid(pid, &state, 0);
    ::close(output[0]);
    ::close(output[1]);
    ProgramRun run;
    run.status = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    run.out = takeFile(outPath);
    run.err = takeFile(errPath);
    return run;
}

}  // namespace firstbad::test
