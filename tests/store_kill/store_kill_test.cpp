// SPDX-License-Identifier: GPL-3.0-or-later
// Kills a writer at many points, and lets its disk run full: what was acknowledged stays.
#include "tests/store_kill/growing_case.h"
#include "tests/support/catch.h"
#include "tests/unit/store/case_fixture.h"

#include <array>
#include <csignal>
#include <iostream>
#include <poll.h>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

/// A child process whose standard output is read here.
class Child
{
public:
    explicit Child(const std::vector<std::string>& arguments)
    {
        std::array<int, 2> ends{};
        REQUIRE(::pipe(ends.data()) == 0);
        m_process = ::fork();
        REQUIRE(m_process >= 0);
        if (m_process == 0) {
            ::dup2(ends[1], STDOUT_FILENO);
            ::close(ends[0]);
            ::close(ends[1]);
            std::vector<char*> argv;
            for (const std::string& argument : arguments)
                argv.push_back(const_cast<char*>(argument.c_str()));
            argv.push_back(nullptr);
            ::execv(argv[0], argv.data());
            ::_exit(127);
        }
        ::close(ends[1]);
        m_output = ends[0];
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child() { ::close(m_output); }

    /// Reads what comes within `milliseconds`, or all of it when negative.
    void read(int milliseconds)
    {
        pollfd waiting{m_output, POLLIN, 0};
        std::array<char, 4096> buffer{};
        while (::poll(&waiting, 1, milliseconds) > 0) {
            const ssize_t got = ::read(m_output, buffer.data(), buffer.size());
            if (got <= 0)
                return;
            text.append(buffer.data(), static_cast<std::size_t>(got));
            if (milliseconds >= 0)
                return;
        }
    }
    void kill() const { ::kill(m_process, SIGKILL); }
    int wait() const
    {
        int status = 0;
        ::waitpid(m_process, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

    std::string text;

private:
    pid_t m_process = -1;
    int m_output = -1;
};

/// Takes the complete "ack SOURCE POINTS" lines into `acknowledged`.
void takeAcknowledged(const std::string& text, Acknowledged& acknowledged)
{
    std::size_t from = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos;
         from = end + 1, end = text.find('\n', from)) {
        int source = 0;
        long long points = 0;
        if (std::sscanf(text.c_str() + from, "ack %d %lld", &source, &points) == 2)
            acknowledged[source] = points;
    }
}

}  // namespace

TEST_CASE("a writer killed anywhere loses nothing that it acknowledged", "[store][kill]")
{
    constexpr int kKills = 70;
    const TemporaryFolder folder;
    const auto path = folder.path() / "case";
    Acknowledged acknowledged;
    std::mt19937 random(20);
    int beforeFirst = 0;
    for (int kill = 0; kill < kKills; ++kill) {
        Child writer({FIRSTBAD_STORE_WRITER, "killed", path.string()});
        const auto acknowledgements = random() % 5;
        for (std::uint64_t i = 0; i < acknowledgements; ++i)
            writer.read(2000);
        // The rest of the delay falls anywhere within an add, which takes a few milliseconds.
        ::usleep(static_cast<useconds_t>(random() % 12000));
        writer.kill();
        writer.read(-1);
        CHECK(writer.wait() == -1);
        CAPTURE(kill, writer.text);
        REQUIRE(writer.text.find("error") == std::string::npos);
        takeAcknowledged(writer.text, acknowledged);
        beforeFirst += writer.text.empty() ? 1 : 0;
        if (acknowledged.empty() && !std::filesystem::exists(path / "case.db"))
            continue;
        const auto held = heldBy(path);
        if (!held)
            FAIL(held.error().message);
        REQUIRE(holdsAll(*held, acknowledged));
    }
    CHECK(acknowledged.size() == 3);
    CHECK(beforeFirst < kKills);
    std::cout << kKills << " kills, " << beforeFirst << " before the first acknowledgement\n";
}

TEST_CASE("a full disk gives a sentence and loses nothing acknowledged", "[store][kill]")
{
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "case").string();
    const char* bytes = GENERATE("900000", "3000000");
    Child writer({FIRSTBAD_STORE_WRITER, "file-limit", path, bytes});
    writer.read(-1);
    CAPTURE(writer.text);
    CHECK(writer.wait() == 0);
    CHECK_THAT(writer.text, Catch::Matchers::ContainsSubstring("ack 0"));
    CHECK_THAT(writer.text, Catch::Matchers::ContainsSubstring("error "));
    CHECK_THAT(writer.text, Catch::Matchers::ContainsSubstring("sound"));
}

TEST_CASE("a small file system that fills up is no danger", "[store][kill]")
{
    const TemporaryFolder folder;
    Child writer({FIRSTBAD_STORE_WRITER, "small-disk", (folder.path() / "case").string()});
    writer.read(-1);
    const int status = writer.wait();
    if (status == 77) {
        std::cout << "SKIPPED: no permission to mount a small file system for this test\n";
        return;
    }
    CAPTURE(writer.text);
    CHECK(status == 0);
    CHECK_THAT(writer.text, Catch::Matchers::ContainsSubstring("error "));
    CHECK_THAT(writer.text, Catch::Matchers::ContainsSubstring("sound"));
}
