// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/binary/hdf5_child.h"

#include "core/base/file.h"
#include "core/import/binary/hdf5_tables.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
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

[[noreturn]] void runChild(
    const std::filesystem::path& path, const std::vector<std::string>& stepNames, int descriptor)
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
    ::setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);  // read-only mounts can not lock
    sendHdf5Tables(path.string(), stepNames, descriptor);
    ::syscall(SYS_exit_group, 0);  // not _exit: sanitizers hook it and would look for leaks
    __builtin_unreachable();
}

/// Cuts the bytes of a pipe into messages.
class MessageCutter
{
public:
    explicit MessageCutter(const std::function<void(Hdf5Message, std::string_view)>& take)
        : m_take(take)
    { }

    /// False when the bytes are no messages.
    bool add(std::string_view bytes)
    {
        m_pending.append(bytes);
        std::size_t at = 0;
        while (m_pending.size() - at >= kHdf5MessageHead && !m_ended) {
            std::uint32_t length = 0;
            std::memcpy(&length, m_pending.data() + at + 1, sizeof length);
            const auto kind = static_cast<std::uint8_t>(m_pending[at]);
            if (length > kMaxHdf5Message || kind < 1
                || kind > static_cast<std::uint8_t>(Hdf5Message::End))
                return false;
            if (m_pending.size() - at - kHdf5MessageHead < length)
                break;
            m_ended = kind == static_cast<std::uint8_t>(Hdf5Message::End);
            m_take(static_cast<Hdf5Message>(kind),
                std::string_view(m_pending).substr(at + kHdf5MessageHead, length));
            at += kHdf5MessageHead + length;
        }
        m_pending.erase(0, at);
        return true;
    }

    [[nodiscard]] bool ended() const noexcept { return m_ended; }

private:
    const std::function<void(Hdf5Message, std::string_view)>& m_take;
    std::string m_pending;
    bool m_ended = false;
};

/// Owns the child and the reading end of its pipe.
class Child
{
public:
    Child(pid_t process, int descriptor)
        : m_process(process)
        , m_descriptor(descriptor)
    { }
    ~Child()
    {
        ::close(m_descriptor);
        ::kill(m_process, SIGKILL);
        while (::waitpid(m_process, nullptr, 0) < 0 && errno == EINTR) { }
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    Result<bool> listen(JobContext& job, MessageCutter& cutter) const
    {
        std::array<char, 65536> buffer{};
        for (int silentMs = 0; silentMs < kSilenceMs && !cutter.ended();) {
            if (job.cancelled())
                return JobContext::cancelledError();
            pollfd waiting{m_descriptor, POLLIN, 0};
            if (::poll(&waiting, 1, kPollMs) <= 0) {
                silentMs += kPollMs;
                continue;
            }
            const ssize_t got = ::read(m_descriptor, buffer.data(), buffer.size());
            if (got < 0 && errno == EINTR)
                continue;
            if (got <= 0 || !cutter.add({buffer.data(), static_cast<std::size_t>(got)}))
                return false;
            silentMs = 0;
        }
        return cutter.ended();
    }

private:
    pid_t m_process;
    int m_descriptor;
};

}  // namespace

bool writeHdf5Message(int descriptor, Hdf5Message kind, std::string_view bytes) noexcept
{
    std::array<char, kHdf5MessageHead> head{static_cast<char>(kind)};
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

Result<bool> readHdf5InChild(const std::filesystem::path& path,
    const std::vector<std::string>& stepNames, JobContext& job,
    const std::function<void(Hdf5Message, std::string_view)>& take)
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return tl::unexpected(systemError("open a pipe to read", path, errno));
    const pid_t process = ::fork();
    if (process == 0) {
        ::close(ends[0]);
        runChild(path, stepNames, ends[1]);
    }
    const int failure = errno;
    ::close(ends[1]);
    if (process < 0) {
        ::close(ends[0]);
        return tl::unexpected(systemError("start a process to read", path, failure));
    }
    const Child child(process, ends[0]);
    MessageCutter cutter(take);
    return child.listen(job, cutter);
}

}  // namespace firstbad::core
