// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"

#include "core/base/text.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace firstbad::core {

Error systemError(std::string_view action, const std::filesystem::path& path, int errnoValue)
{
    Error error;
    error.code = errnoValue == ENOENT ? ErrorCode::NotFound : ErrorCode::Unreadable;
    error.where = Where{path.string(), {}, {}};
    error.message = fmt::format(
        "Cannot {} {}: {}.", action, escapedForTerminal(path.string()), std::strerror(errnoValue));
    switch (errnoValue) {
    case ENOENT:
        error.hint = "Check the path; a relative path starts at the current folder.";
        break;
    case EACCES:
    case EPERM:
        error.hint = "Ask the owner for permission to read it, or copy it to a place you can read.";
        break;
    case EMFILE:
    case ENFILE:
        error.hint = "Too many files are open; raise the limit with ulimit -n.";
        break;
    case ENOSPC:
    case EDQUOT:
        error.hint = "Free some space on that disk, then run the command again.";
        break;
    case EIO:
    case ESTALE:
        error.hint = "The disk or the network mount reports a failure; check it and try again.";
        break;
    default:
        break;
    }
    return error;
}

Result<InputFile> InputFile::open(const std::filesystem::path& path)
{
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return tl::unexpected(systemError("open", path, errno));
    InputFile file(descriptor, path);
    struct stat status {
    };
    if (::fstat(descriptor, &status) != 0)
        return tl::unexpected(systemError("look at", path, errno));
    if (!S_ISREG(status.st_mode)) {
        return fail(ErrorCode::Unsupported,
            fmt::format("{} is not a regular file.", escapedForTerminal(path.string())),
            "Name a file; folders, pipes and devices are not read here.",
            Where{path.string(), {}, {}});
    }
    return file;
}

InputFile::InputFile(InputFile&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1))
    , m_path(std::move(other.m_path))
{ }

InputFile& InputFile::operator=(InputFile&& other) noexcept
{
    if (this != &other) {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
        m_descriptor = std::exchange(other.m_descriptor, -1);
        m_path = std::move(other.m_path);
    }
    return *this;
}

InputFile::~InputFile()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

Result<std::size_t> InputFile::readAt(std::uint64_t offset, std::span<char> buffer) const
{
    std::size_t filled = 0;
    while (filled < buffer.size()) {
        const ssize_t got = ::pread(m_descriptor, buffer.data() + filled, buffer.size() - filled,
            static_cast<off_t>(offset + filled));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return tl::unexpected(systemError("read", m_path, errno));
        if (got == 0)
            break;
        filled += static_cast<std::size_t>(got);
    }
    return filled;
}

Result<FileStamp> InputFile::stamp() const
{
    struct stat status {
    };
    if (::fstat(m_descriptor, &status) != 0)
        return tl::unexpected(systemError("look at", m_path, errno));
    const std::int64_t ns
        = static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec;
    return FileStamp{static_cast<std::uint64_t>(status.st_size), ns, status.st_ino};
}

Result<std::string> readWholeFile(const std::filesystem::path& path, std::uint64_t limit)
{
    auto file = InputFile::open(path);
    if (!file)
        return tl::unexpected(file.error());
    auto stamp = file->stamp();
    if (!stamp)
        return tl::unexpected(stamp.error());
    if (stamp->bytes > limit) {
        return fail(ErrorCode::Unsupported,
            fmt::format("{} has {}, more than the {} that this format is read up to.",
                escapedForTerminal(path.string()), humanBytes(stamp->bytes), humanBytes(limit)),
            "Split the file, or export it in a format that is read in pieces.",
            Where{path.string(), {}, {}});
    }
    std::string content(stamp->bytes, '\0');
    auto got = file->readAt(0, content);
    if (!got)
        return tl::unexpected(got.error());
    content.resize(*got);
    return content;
}

Result<void> writeWholeFile(const std::filesystem::path& path, std::string_view content)
{
    const std::filesystem::path partial = path.string() + ".part";
    const int descriptor = ::open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return tl::unexpected(systemError("write", path, errno));
    int failed = 0;
    while (!content.empty() && failed == 0) {
        const ssize_t written = ::write(descriptor, content.data(), content.size());
        if (written >= 0)
            content.remove_prefix(static_cast<std::size_t>(written));
        else if (errno != EINTR)
            failed = errno;
    }
    if (failed == 0 && ::fsync(descriptor) != 0)
        failed = errno;
    if (::close(descriptor) != 0 && failed == 0)
        failed = errno;
    if (failed == 0 && ::rename(partial.c_str(), path.c_str()) != 0)
        failed = errno;
    if (failed == 0)
        return {};
    ::unlink(partial.c_str());
    return tl::unexpected(systemError("write", path, failed));
}

}  // namespace firstbad::core
