// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/forked_reader.h"

#include "core/base/file.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace firstbad::core {
namespace {

constexpr int kPollMs = 50;
constexpr int kSilenceMs = 60000;
constexpr rlim_t kCpuSeconds = 300;
constexpr rlim_t kMemoryBytes = rlim_t{8} << 30U;
constexpr std::size_t kHeadBytes = 5;

// Sanitizers reserve terabytes of addresses; GCC and clang tell of them in different ways.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
#else
constexpr bool kSanitized = false;
#endif

void limitTo(int what, rlim_t most)
{
    const rlimit limit{most, most};
    ::setrlimit(static_cast<__rlimit_resource>(what), &limit);
}

[[noreturn]] void runChild(const std::function<void(int)>& body, int descriptor)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTERM, SIGINT, SIGPIPE})
        ::signal(signal, SIG_DFL);
    const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int standard = 0; standard <= 2; ++standard)
        ::dup2(nowhere, standard);
    limitTo(RLIMIT_CORE, 0);
    limitTo(RLIMIT_CPU, kCpuSeconds);
    if (!kSanitized)
        limitTo(RLIMIT_AS, kMemoryBytes);
    body(descriptor);
    ::syscall(SYS_exit_group, 0);  // not _exit: sanitizers hook it and would look for leaks
    __builtin_unreachable();
}

}  // namespace

bool writeForkedMessage(int descriptor, std::uint8_t kind, std::string_view bytes) noexcept
{
    std::array<char, kHeadBytes> head{static_cast<char>(kind)};
    const auto length = static_cast<std::uint32_t>(bytes.size());
    std::memcpy(head.data() + 1, &length, sizeof length);
    for (std::string_view left : {std::string_view(head.data(), head.size()), bytes}) {
        while (!left.empty()) {
            const ssize_t sent = ::write(descriptor, left.data(), left.size());
            if (sent < 0 && errno == EINTR)
                continue;
            if (sent <= 0)
                return false;
            left.remove_prefix(static_cast<std::size_t>(sent));
        }
    }
    return true;
}

/// The child, the reading end of its pipe, and bytes that are no whole message yet.
struct ForkedReader::State {
    pid_t process = -1;
    int descriptor = -1;
    std::string pending;
    std::size_t used = 0;  // of pending, by the message passed on last

    ~State()
    {
        ::close(descriptor);
        ::kill(process, SIGKILL);
        while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) { }
    }

    /// True when a whole message lies at the front; nullopt when the bytes are none.
    std::optional<bool> cut(Message& message)
    {
        pending.erase(0, used);
        used = 0;
        if (pending.size() < kHeadBytes)
            return false;
        std::uint32_t length = 0;
        std::memcpy(&length, pending.data() + 1, sizeof length);
        if (length > kMaxForkedMessage)
            return std::nullopt;
        if (pending.size() - kHeadBytes < length)
            return false;
        message.kind = static_cast<std::uint8_t>(pending[0]);
        message.bytes = std::string_view(pending).substr(kHeadBytes, length);
        used = kHeadBytes + length;
        return true;
    }
};

ForkedReader::ForkedReader(std::unique_ptr<State> state)
    : m_state(std::move(state))
{ }
ForkedReader::ForkedReader(ForkedReader&&) noexcept = default;
ForkedReader& ForkedReader::operator=(ForkedReader&&) noexcept = default;
ForkedReader::~ForkedReader() = default;

Result<ForkedReader> ForkedReader::start(
    const std::filesystem::path& path, const std::function<void(int)>& body)
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return tl::unexpected(systemError("open a pipe to read", path, errno));
    const pid_t process = ::fork();
    if (process == 0) {
        ::close(ends[0]);
        runChild(body, ends[1]);
    }
    const int failure = errno;
    ::close(ends[1]);
    if (process < 0) {
        ::close(ends[0]);
        return tl::unexpected(systemError("start a process to read", path, failure));
    }
    auto state = std::make_unique<State>();
    state->process = process;
    state->descriptor = ends[0];
    return ForkedReader(std::move(state));
}

Result<ForkedReader::Outcome> ForkedReader::next(JobContext& job, Message& message)
{
    std::array<char, 65536> buffer{};
    for (int silentMs = 0; silentMs < kSilenceMs;) {
        const auto whole = m_state->cut(message);
        if (!whole)
            return Outcome::Broken;
        if (*whole)
            return message.kind == kForkedEnd ? Outcome::End : Outcome::Message;
        if (job.cancelled())
            return JobContext::cancelledError();
        pollfd waiting{m_state->descriptor, POLLIN, 0};
        if (::poll(&waiting, 1, kPollMs) <= 0) {
            silentMs += kPollMs;
            continue;
        }
        const ssize_t got = ::read(m_state->descriptor, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return Outcome::Broken;
        m_state->pending.append(buffer.data(), static_cast<std::size_t>(got));
        silentMs = 0;
    }
    return Outcome::Broken;
}

}  // namespace firstbad::core
