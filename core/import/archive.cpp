// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/archive.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <archive.h>
#include <archive_entry.h>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <system_error>
#include <utility>

namespace firstbad::core {
namespace {

namespace fs = std::filesystem;

struct CloseArchive {
    void operator()(archive* open) const noexcept { archive_read_free(open); }
};
using ArchivePtr = std::unique_ptr<archive, CloseArchive>;

SkippedPart skippedEntry(std::string code, std::string reason)
{
    SkippedPart part;
    part.code = std::move(code);
    part.reason = std::move(reason);
    return part;
}

/// The place inside `folder` for a member's name; empty when the name leads out of it or is none.
fs::path placeOf(const fs::path& folder, const char* name)
{
    const fs::path member = fs::path(name == nullptr ? "" : name).lexically_normal();
    if (member.empty() || member.is_absolute() || *member.begin() == "..")
        return {};
    return folder / member;
}

std::string errorOf(archive* open)
{
    const char* text = archive_error_string(open);
    return text == nullptr ? "unknown error" : escapedForTerminal(text);
}

class Unpacker
{
public:
    Unpacker(archive* open, fs::path folder, std::vector<SkippedPart>& skipped, JobContext& job)
        : m_open(open)
        , m_folder(std::move(folder))
        , m_skipped(skipped)
        , m_job(job)
    { }

    Result<void> run()
    {
        for (archive_entry* entry = nullptr;;) {
            if (m_job.cancelled())
                return JobContext::cancelledError();
            const int status = archive_read_next_header(m_open, &entry);
            if (status == ARCHIVE_EOF)
                return {};
            if (status < ARCHIVE_WARN) {
                m_skipped.push_back(skippedEntry("damaged-archive",
                    fmt::format("The archive is damaged from here on: {}.", errorOf(m_open))));
                return {};
            }
            if (auto taken = take(entry); !taken)
                return taken;
            if (m_full)
                return {};
        }
    }

private:
    Result<void> take(archive_entry* entry)
    {
        const char* name = archive_entry_pathname(entry);
        if (archive_entry_filetype(entry) == AE_IFDIR)
            return {};
        const fs::path place = placeOf(m_folder, name);
        if (archive_entry_filetype(entry) != AE_IFREG || place.empty()) {
            m_skipped.push_back(skippedEntry("archive-member",
                fmt::format("Member {} is no regular file inside the archive; not unpacked.",
                    escapedForTerminal(name == nullptr ? "?" : name))));
            return {};
        }
        if (++m_files > kMaxUnpackedFiles) {
            stopAtLimit();
            return {};
        }
        std::error_code code;
        fs::create_directories(place.parent_path(), code);
        std::ofstream out(place, std::ios::binary);
        if (!out)
            return tl::unexpected(systemError("write", place, errno));
        return copyTo(out, place);
    }

    Result<void> copyTo(std::ofstream& out, const fs::path& place)
    {
        std::array<char, 1U << 16U> block{};
        for (;;) {
            if (m_job.cancelled())
                return JobContext::cancelledError();
            const la_ssize_t got = archive_read_data(m_open, block.data(), block.size());
            if (got < 0) {
                m_skipped.push_back(skippedEntry("damaged-archive",
                    fmt::format("Member {} ends early: {}.",
                        escapedForTerminal(place.lexically_relative(m_folder).string()),
                        errorOf(m_open))));
                return {};
            }
            if (got == 0)
                return {};
            m_bytes += static_cast<std::uint64_t>(got);
            if (m_bytes > kMaxUnpackedBytes) {
                stopAtLimit();
                return {};
            }
            if (!out.write(block.data(), got))
                return tl::unexpected(systemError("unpack into", place, ENOSPC));
        }
    }

    void stopAtLimit()
    {
        m_full = true;
        m_skipped.push_back(skippedEntry("archive-limit",
            fmt::format("Unpacked {} and {} files, the limit; the rest was not read.",
                humanBytes(m_bytes), m_files)));
    }

    archive* m_open;
    fs::path m_folder;
    std::vector<SkippedPart>& m_skipped;
    JobContext& m_job;
    std::uint64_t m_bytes = 0;
    std::size_t m_files = 0;
    bool m_full = false;
};

}  // namespace

bool isArchive(const HeadBytes& head)
{
    const std::string_view bytes = head.head;
    const bool zip = bytes.starts_with("PK\x03\x04")
        && bytes.find("data.pkl") == std::string_view::npos
        && bytes.find(".npy") == std::string_view::npos;
    const bool tar = bytes.size() > 262 && bytes.substr(257, 5) == "ustar";
    const bool sevenZip = bytes.starts_with("7z\xBC\xAF\x27\x1C");
    const std::string extension = toLowerAscii(head.path.extension().string());
    const bool torch = extension == ".pt" || extension == ".pth" || extension == ".bin"
        || extension == ".ckpt" || extension == ".npz" || extension == ".keras"
        || extension == ".distcp";
    return (zip && !torch) || tar || sevenZip;
}

Result<UnpackedArchive> UnpackedArchive::unpack(const fs::path& archivePath, JobContext& job)
{
    std::string pattern = (fs::temp_directory_path() / "firstbad-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr)
        return tl::unexpected(systemError("make a folder in", fs::temp_directory_path(), errno));
    UnpackedArchive unpacked;
    unpacked.m_folder = pattern;
    const ArchivePtr open(archive_read_new());
    archive_read_support_filter_all(open.get());
    archive_read_support_format_all(open.get());
    constexpr std::size_t kBlock = 1U << 16U;
    if (archive_read_open_filename(open.get(), archivePath.c_str(), kBlock) != ARCHIVE_OK) {
        return fail(ErrorCode::Malformed,
            fmt::format("{} cannot be unpacked: {}.", escapedForTerminal(archivePath.string()),
                errorOf(open.get())),
            "Unpack it yourself and name the folder.", Where{archivePath.string(), {}, {}});
    }
    if (auto done = Unpacker(open.get(), unpacked.m_folder, unpacked.m_skipped, job).run(); !done)
        return tl::unexpected(done.error());
    return unpacked;
}

UnpackedArchive::UnpackedArchive(UnpackedArchive&& other) noexcept
    : m_folder(std::exchange(other.m_folder, {}))
    , m_skipped(std::move(other.m_skipped))
{ }

UnpackedArchive& UnpackedArchive::operator=(UnpackedArchive&& other) noexcept
{
    std::swap(m_folder, other.m_folder);
    std::swap(m_skipped, other.m_skipped);
    return *this;
}

UnpackedArchive::~UnpackedArchive()
{
    std::error_code ignored;
    if (!m_folder.empty())
        fs::remove_all(m_folder, ignored);
}

}  // namespace firstbad::core
