// SPDX-License-Identifier: GPL-3.0-or-later
// A worker that behaves as its argument says: the faults that the client has to live with.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>

namespace {

void say(const std::string& line)
{
    std::fwrite(line.data(), 1, line.size(), stdout);
    std::fputc('\n', stdout);
    std::fflush(stdout);
}

std::string idOf(const std::string& line)
{
    const auto at = line.find(":");
    return line.substr(at + 1, line.find(",") - at - 1);
}

/// Answers one request in the way of `mode`.
void answer(const std::string& mode, const std::string& line)
{
    const std::string id = "{\"id\":" + idOf(line);
    if (line.find("\"shutdown\"") != std::string::npos) {
        say(id + ",\"result\":{}}");
        std::exit(0);
    }
    if (mode == "crash") {
        for (int i = 1; i <= 60; ++i)
            std::fprintf(stderr, "log line %d\n", i);
        std::abort();
    }
    if (mode == "die-midway") {
        say(id
            + ",\"finding\":{\"kind\":\"probe\",\"step\":{\"probe\":\"blocks.3\",\"result\":"
              "\"bad\"}}}");
        std::_Exit(7);
    }
    if (mode == "garbage")
        say("Segmentation is going on");
    if (mode == "flood")
        say(std::string(3U << 20U, 'x'));
    if (mode == "hang" || (mode == "obedient" && line.find("\"cancel\"") == std::string::npos))
        return;
    if (mode == "obedient") {
        say("{\"id\":" + std::to_string(std::atoi(idOf(line).c_str()) - 1)
            + ",\"error\":{\"code\":\"cancelled\",\"message\":\"Cancelled.\",\"hint\":\"\"}}");
        return;
    }
    say(id + ",\"progress\":{\"stage\":\"forward\",\"done\":1,\"total\":2}}");
    say(id + ",\"result\":{\"echo\":" + line + "}}");
}

}  // namespace

int main(int argc, char** argv)
{
    const std::string mode = argc > 1 ? argv[1] : "good";
    if (mode == "mute")
        ::pause();
    if (mode == "no-start") {
        std::fputs("cannot load libtorch_cpu.so\n", stderr);
        return 127;
    }
    say(std::string("{\"hello\":{\"protocol\":") + (mode == "old" ? "0" : "1")
        + ",\"version\":\"0\",\"libtorch\":\"0\",\"cuda\":null,\"devices\":[],\"families\":["
          "\"gpt2\"]}}");
    std::string line;
    for (int byte = std::getchar(); byte != EOF; byte = std::getchar()) {
        if (byte != '\n') {
            line.push_back(static_cast<char>(byte));
            continue;
        }
        answer(mode, line);
        line.clear();
    }
    return 0;
}
