// SPDX-License-Identifier: GPL-3.0-or-later
// firstbad-worker: speaks JSON lines on stdin and stdout, one incident a process; stderr is a log.
#include "replay/device/devices.h"
#include "replay/worker/session.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

namespace {

using namespace firstbad;

void say(const std::string& line)
{
    std::fwrite(line.data(), 1, line.size(), stdout);
    std::fputc('\n', stdout);
    std::fflush(stdout);
}

/// Reads one line without its newline, keeping no more than one byte over the limit of the
/// protocol, so that a flood is refused and not stored. False at the end of the input.
bool readLine(std::string& line)
{
    line.clear();
    int byte = std::fgetc(stdin);
    if (byte == EOF)
        return false;
    for (; byte != EOF && byte != '\n'; byte = std::fgetc(stdin)) {
        if (line.size() <= core::kMaxProtocolLineBytes)
            line.push_back(static_cast<char>(byte));
    }
    return true;
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc == 2 && std::strcmp(argv[1], "--version") == 0)
        return std::puts("firstbad-worker " FIRSTBAD_VERSION) < 0 ? 1 : 0;
    if (argc != 1) {
        std::fputs(
            "usage: firstbad-worker [--version]; speaks JSON lines on stdin and stdout\n", stderr);
        return 2;
    }
    std::string log;
    replay::Session session(replay::describeThisWorker(log), say);
    if (!log.empty())
        std::fprintf(stderr, "firstbad-worker: %s\n", log.c_str());
    session.greet();
    // Lines are read on a thread of their own, so that a cancel is heard while a request runs.
    std::thread reader([&session] {
        for (std::string line; readLine(line);)
            session.offer(line);
        session.close();
    });
    session.serve();
    // After a shutdown the reader may still wait for a client that does not close its end.
    std::fflush(stdout);
    std::_Exit(0);
}
