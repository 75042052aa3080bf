// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/pipe_transport.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/protocol/worker_message.h"
#include "core/worker/line_splitter.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace firstbad::core {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kReadBytes = std::size_t{64} << 10U;
constexpr std::size_t kLogLineBytes = 500;
constexpr auto kSendPatience = std::chrono::seconds(10);
constexpr auto kEndPatience = std::chrono::seconds(2);

/// Owner of one descriptor.
class Descriptor
{
public:
    explicit Descriptor(int number = -1)
        : m_number(number)
    { }
    Descriptor(Descriptor&& other) noexcept
        : m_number(std::exchange(other.m_number, -1))
    { }
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        close();
        m_number = std::exchange(other.m_number, -1);
        return *this;
    }
    ~Descriptor() { close(); }

    [[nodiscard]] int get() const noexcept { return m_number; }
    void close() noexcept
    {
        if (m_number >= 0)
            ::close(m_number);
        m_number = -1;
    }

private:
    int m_number;
};

struct Streams {
    Descriptor input, output, log;  // our ends
    Descriptor childInput, childOutput, childLog;
};

/// Input is a socket: writing to one whose reader is gone gives an error instead of a signal.
bool openStreams(Streams& streams)
{
    std::array<int, 2> input{};
    std::array<int, 2> output{};
    std::array<int, 2> log{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input.data()) != 0)
        return false;
    streams.input = Descriptor(input[0]);
    streams.childInput = Descriptor(input[1]);
    if (::pipe2(output.data(), O_CLOEXEC) != 0)
        return false;
    streams.output = Descriptor(output[0]);
    streams.childOutput = Descriptor(output[1]);
    if (::pipe2(log.data(), O_CLOEXEC) != 0)
        return false;
    streams.log = Descriptor(log[0]);
    streams.childLog = Descriptor(log[1]);
    return true;
}

/// 0 or the errno of posix_spawn.
int spawn(const std::filesystem::path& program, const std::vector<std::string>& arguments,
    const Streams& streams, pid_t& process)
{
    std::vector<char*> words{const_cast<char*>(program.c_str())};
    for (const auto& argument : arguments)
        words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, streams.childInput.get(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, streams.childOutput.get(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, streams.childLog.get(), STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    const int failed
        = posix_spawn(&process, program.c_str(), &actions, &attributes, words.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

std::string endText(int status)
{
    if (WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        return fmt::format("died of signal {} ({})", signal, ::strsignal(signal));
    }
    return fmt::format("ended with status {}", WEXITSTATUS(status));
}

class PipeTransport : public WorkerTransport
{
public:
    PipeTransport(pid_t process, Streams streams)
        : m_process(process)
        , m_input(std::move(streams.input))
        , m_output(std::move(streams.output))
        , m_log(std::move(streams.log))
        , m_lines(kMaxProtocolLineBytes)
        , m_logLines(kLogLineBytes)
    {
        for (const Descriptor* descriptor : {&m_input, &m_output, &m_log})
            ::fcntl(descriptor->get(), F_SETFL, ::fcntl(descriptor->get(), F_GETFL) | O_NONBLOCK);
    }

    ~PipeTransport() override
    {
        m_input.close();  // a worker that listens ends by itself
        if (!m_ended && !waitUntilEnded(kEndPatience)) {
            kill();
            waitUntilEnded(std::chrono::hours(1));
        }
    }

    Result<void> send(std::string_view line) override
    {
        std::string bytes(line);
        bytes.push_back('\n');
        const auto until = Clock::now() + kSendPatience;
        for (std::size_t sent = 0; sent < bytes.size();) {
            const ssize_t got
                = ::send(m_input.get(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
            if (got > 0) {
                sent += static_cast<std::size_t>(got);
                continue;
            }
            if (errno != EAGAIN && errno != EINTR)
                return fail(ErrorCode::WorkerCrashed, "The worker no longer listens.");
            if (Clock::now() > until)
                return fail(ErrorCode::WorkerCrashed, "The worker does not take what it is told.");
            pollfd writable{m_input.get(), POLLOUT, 0};
            ::poll(&writable, 1, 100);
        }
        return {};
    }

    Received receive(std::chrono::milliseconds wait) override
    {
        const auto until = Clock::now() + wait;
        for (;;) {
            if (auto line = m_lines.take())
                return {line->tooLong ? Received::Kind::TooLong : Received::Kind::Line,
                    std::move(line->text)};
            if (m_output.get() < 0)
                return {Received::Kind::Closed, {}};
            const auto left
                = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
            if (left.count() < 0)
                return {};
            listen(left);
        }
    }

    void terminate() override { signal(SIGTERM); }
    void kill() override { signal(SIGKILL); }

    std::vector<std::string> lastLog() override
    {
        readLog();
        return {m_kept.begin(), m_kept.end()};
    }

    std::string howItEnded() override
    {
        if (!waitUntilEnded(kEndPatience))
            return "closed its output and went on";
        return endText(m_status);
    }

private:
    void signal(int number)
    {
        if (!m_ended)
            ::kill(m_process, number);
    }

    void listen(std::chrono::milliseconds wait)
    {
        std::array<pollfd, 2> ready{
            pollfd{m_output.get(), POLLIN, 0}, pollfd{m_log.get(), POLLIN, 0}};
        if (::poll(ready.data(), ready.size(), static_cast<int>(wait.count())) <= 0)
            return;
        if (ready[1].revents != 0)
            readLog();
        if (ready[0].revents != 0)
            readOutput();
    }

    /// Bytes that are there now. Closes the descriptor at its end.
    static std::string readNow(Descriptor& descriptor)
    {
        std::string bytes(kReadBytes, '\0');
        const ssize_t got
            = descriptor.get() < 0 ? 0 : ::read(descriptor.get(), bytes.data(), bytes.size());
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
            descriptor.close();
        bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
        return bytes;
    }

    void readOutput() { m_lines.add(readNow(m_output)); }

    void readLog()
    {
        for (std::string bytes = readNow(m_log); !bytes.empty(); bytes = readNow(m_log))
            m_logLines.add(bytes);
        if (m_log.get() < 0)
            m_logLines.add("\n");
        while (auto line = m_logLines.take()) {
            if (line->text.empty())
                break;
            m_kept.push_back(toValidUtf8(line->text));
            if (m_kept.size() > kLogLinesKept)
                m_kept.pop_front();
        }
    }

    bool waitUntilEnded(Clock::duration patience)
    {
        const auto until = Clock::now() + patience;
        while (!m_ended) {
            const pid_t got = ::waitpid(m_process, &m_status, WNOHANG);
            m_ended = got == m_process || (got < 0 && errno == ECHILD);
            if (m_ended || Clock::now() > until)
                break;
            readLog();  // a full pipe would keep it from ending
            ::poll(nullptr, 0, 5);
        }
        return m_ended;
    }

    pid_t m_process;
    Descriptor m_input;
    Descriptor m_output;
    Descriptor m_log;
    LineSplitter m_lines;
    LineSplitter m_logLines;
    std::deque<std::string> m_kept;
    bool m_ended = false;
    int m_status = 0;
};

}  // namespace

Result<std::unique_ptr<WorkerTransport>> startProcess(
    const std::filesystem::path& program, const std::vector<std::string>& arguments)
{
    Streams streams;
    if (!openStreams(streams))
        return tl::unexpected(systemError("cannot open pipes for", program, errno));
    pid_t process = 0;
    if (const int failed = spawn(program, arguments, streams, process); failed != 0)
        return fail(ErrorCode::NotFound,
            fmt::format(
                "The worker {} cannot be started: {}.", program.string(), std::strerror(failed)),
            "Install firstbad with replay, or name the program in FIRSTBAD_WORKER.");
    return std::make_unique<PipeTransport>(process, std::move(streams));
}

}  // namespace firstbad::core
