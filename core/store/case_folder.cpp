// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/case_folder.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <utility>

namespace firstbad::core {
namespace {

class Descriptor
{
public:
    explicit Descriptor(int value)
        : m_value(value)
    { }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor()
    {
        if (m_value >= 0)
            ::close(m_value);
    }
    [[nodiscard]] int get() const noexcept { return m_value; }

private:
    int m_value;
};

Result<void> syncPath(const std::filesystem::path& path, int flags)
{
    const Descriptor file(::open(path.c_str(), flags | O_RDONLY | O_CLOEXEC));
    if (file.get() < 0)
        return tl::unexpected(systemError("open", path, errno));
    // Some file systems can not sync a folder: they answer EINVAL and need no sync.
    if (::fsync(file.get()) != 0 && errno != EINVAL)
        return tl::unexpected(systemError("sync", path, errno));
    return {};
}

int writeAll(int descriptor, std::string_view bytes) noexcept
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return errno;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

std::string hostName()
{
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0)
        return "unknown host";
    return name.data();
}

std::string holderOf(int descriptor)
{
    std::array<char, 512> content{};
    const ssize_t got = ::pread(descriptor, content.data(), content.size(), 0);
    const std::string_view text(content.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    const std::string_view line = text.substr(0, text.find('\n'));
    return line.empty() ? std::string("another process") : escapedForTerminal(line);
}

}  // namespace

Result<void> syncFolder(const std::filesystem::path& folder)
{
    return syncPath(folder, O_DIRECTORY);
}

Result<void> syncFile(const std::filesystem::path& path)
{
    return syncPath(path, 0);
}

Result<void> writeDurably(const std::filesystem::path& path, std::string_view bytes)
{
    auto written = writeWholeFile(path, bytes);
    if (!written)
        return written;
    return syncFolder(path.parent_path());
}

bool isNetworkFileSystem(unsigned long type) noexcept
{
    constexpr std::array<unsigned long, 12> kTypes{
        0x6969,  // NFS
        0x517B,  // SMB
        0xFF534D42,  // CIFS
        0xFE534D42,  // SMB 2
        0x0BD00BD0,  // Lustre
        0x00C36400,  // Ceph
        0x47504653,  // GPFS
        0x65735546,  // FUSE: sshfs and the like
        0x01021997,  // 9P
        0x5346414F,  // AFS
        0x19830326,  // BeeGFS
        0x7461636F,  // OCFS2
    };
    return std::find(kTypes.begin(), kTypes.end(), type & 0xFFFFFFFFUL) != kTypes.end();
}

std::string journalFor(const std::filesystem::path& folder)
{
    struct statfs status {
    };
    const bool isNetwork = ::statfs(folder.c_str(), &status) == 0
        && isNetworkFileSystem(static_cast<unsigned long>(status.f_type));
    return isNetwork ? "delete" : "wal";
}

WriterLock::WriterLock(WriterLock&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1))
{ }

WriterLock& WriterLock::operator=(WriterLock&& other) noexcept
{
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

WriterLock::~WriterLock()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

Result<WriterLock> WriterLock::take(const std::filesystem::path& folder)
{
    const std::filesystem::path path = folder / "case.lock";
    WriterLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
    if (lock.m_descriptor < 0)
        return tl::unexpected(systemError("open", path, errno));
    if (::flock(lock.m_descriptor, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK)
            return tl::unexpected(systemError("lock", path, errno));
        return fail(ErrorCode::Unreadable,
            fmt::format("The case {} is being written by {}.", escapedForTerminal(folder.string()),
                holderOf(lock.m_descriptor)),
            "Wait until it is done; reading the case is possible meanwhile.",
            Where{path.string(), {}, {}});
    }
    // A lock file left by a dead process holds an old name: the lock itself went with the process.
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const std::string holder = fmt::format("process {} on {} since {}\n", ::getpid(), hostName(),
        std::chrono::duration_cast<std::chrono::seconds>(now).count());
    if (::ftruncate(lock.m_descriptor, 0) != 0)
        return tl::unexpected(systemError("write", path, errno));
    if (const int failure = writeAll(lock.m_descriptor, holder); failure != 0)
        return tl::unexpected(systemError("write", path, failure));
    return lock;
}

}  // namespace firstbad::core
