// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/case_archive.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/import/artifact.h"
#include "core/store/case_store.h"

#include <algorithm>
#include <archive.h>
#include <archive_entry.h>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <system_error>

namespace firstbad::core {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlock = 1U << 16U;
constexpr std::array<std::string_view, 3> kFolders{"series", "evidence", "reports"};
constexpr std::string_view kDatabase = "case.db";

struct CloseWriter {
    void operator()(archive* open) const noexcept { archive_write_free(open); }
};
struct CloseReader {
    void operator()(archive* open) const noexcept { archive_read_free(open); }
};
struct CloseEntry {
    void operator()(archive_entry* entry) const noexcept { archive_entry_free(entry); }
};
using Writer = std::unique_ptr<archive, CloseWriter>;
using Reader = std::unique_ptr<archive, CloseReader>;

/// Removes what a failed export or import has made.
class Undo
{
public:
    explicit Undo(fs::path path)
        : m_path(std::move(path))
    { }
    Undo(const Undo&) = delete;
    Undo& operator=(const Undo&) = delete;
    ~Undo()
    {
        std::error_code ignored;
        if (!m_path.empty())
            fs::remove_all(m_path, ignored);
    }
    void keep() { m_path.clear(); }

private:
    fs::path m_path;
};

tl::unexpected<Error> archiveError(archive* open, const fs::path& path)
{
    const char* text = archive_error_string(open);
    return fail(ErrorCode::Unreadable,
        fmt::format("{} can not be packed or unpacked: {}.", escapedForTerminal(path.string()),
            text == nullptr ? "unknown error" : escapedForTerminal(text)),
        "Check the free space, and that the file was copied completely.",
        Where{path.string(), {}, {}});
}

/// The files that make up a case, by name inside it, in name order.
std::vector<std::string> filesOf(const fs::path& folder)
{
    std::vector<std::string> names{std::string(kDatabase)};
    for (const std::string_view part : kFolders) {
        std::error_code ignored;
        for (const auto& entry : fs::directory_iterator(folder / part, ignored)) {
            if (entry.is_regular_file(ignored) && !entry.is_symlink(ignored))
                names.push_back(fmt::format("{}/{}", part, entry.path().filename().string()));
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

bool belongsToCase(const std::string& name)
{
    if (name == kDatabase)
        return true;
    const std::size_t slash = name.find('/');
    return slash != std::string::npos && name.find('/', slash + 1) == std::string::npos
        && name.find('\\') == std::string::npos
        && name.compare(slash + 1, std::string::npos, "..") != 0 && slash + 1 < name.size()
        && std::find(kFolders.begin(), kFolders.end(), name.substr(0, slash)) != kFolders.end();
}

Result<std::uint64_t> packFile(
    archive* out, const fs::path& folder, const std::string& name, JobContext& job)
{
    const auto file = InputFile::open(folder / name);
    if (!file)
        return tl::unexpected(file.error());
    const auto stamp = file->stamp();
    if (!stamp)
        return tl::unexpected(stamp.error());
    const std::unique_ptr<archive_entry, CloseEntry> entry(archive_entry_new());
    archive_entry_set_pathname_utf8(entry.get(), name.c_str());
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(stamp->bytes));
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0644);
    archive_entry_set_mtime(entry.get(), 0, 0);
    if (archive_write_header(out, entry.get()) != ARCHIVE_OK)
        return archiveError(out, folder / name);
    std::array<char, kBlock> block{};
    std::uint64_t offset = 0;
    while (offset < stamp->bytes) {
        if (job.cancelled())
            return JobContext::cancelledError();
        const auto got = file->readAt(offset, block);
        if (!got)
            return tl::unexpected(got.error());
        if (*got == 0)
            break;
        if (archive_write_data(out, block.data(), *got) < 0)
            return archiveError(out, folder / name);
        offset += *got;
        job.advance(*got);
    }
    return offset;
}

/// Moves the pages of the write-ahead log into case.db, so that one file holds all rows.
Result<void> settle(const fs::path& folder)
{
    std::error_code ignored;
    const fs::path log = (folder / kDatabase).string() + "-wal";
    if (!fs::exists(log, ignored) || fs::file_size(log, ignored) == 0)
        return {};
    const auto store = CaseStore::open(folder, CaseAccess::Write);
    if (!store)
        return tl::unexpected(store.error());
    return store->settle();
}

Result<std::uint64_t> unpackFile(
    archive* in, const fs::path& place, const fs::path& shown, JobContext& job)
{
    std::error_code ignored;
    fs::create_directories(place.parent_path(), ignored);
    std::ofstream out(place, std::ios::binary);
    if (!out)
        return tl::unexpected(systemError("write", place, errno));
    std::array<char, kBlock> block{};
    std::uint64_t bytes = 0;
    for (;;) {
        if (job.cancelled())
            return JobContext::cancelledError();
        const la_ssize_t got = archive_read_data(in, block.data(), block.size());
        if (got < 0)
            return archiveError(in, shown);
        if (got == 0)
            break;
        if (!out.write(block.data(), got))
            return tl::unexpected(systemError("write", place, ENOSPC));
        bytes += static_cast<std::uint64_t>(got);
        job.advance(static_cast<std::uint64_t>(got));
    }
    return bytes;
}

Result<CaseArchiveSummary> unpackAll(
    archive* in, const fs::path& archivePath, const fs::path& folder, JobContext& job)
{
    CaseArchiveSummary summary;
    for (archive_entry* entry = nullptr;;) {
        const int status = archive_read_next_header(in, &entry);
        if (status == ARCHIVE_EOF)
            return summary;
        if (status < ARCHIVE_WARN)
            return archiveError(in, archivePath);
        const char* text = archive_entry_pathname_utf8(entry);
        const std::string name = text == nullptr ? "" : text;
        if (archive_entry_filetype(entry) != AE_IFREG || !belongsToCase(name))
            return fail(ErrorCode::Malformed,
                fmt::format("{} is no exported case: it holds the member {}.",
                    escapedForTerminal(archivePath.string()), escapedForTerminal(name)),
                "Read an archive of logs with firstbad look or add.",
                Where{archivePath.string(), {}, {}});
        const auto bytes = unpackFile(in, folder / name, archivePath, job);
        if (!bytes)
            return tl::unexpected(bytes.error());
        ++summary.files;
        summary.bytes += *bytes;
    }
}

}  // namespace

Result<CaseArchiveSummary> exportCase(
    const fs::path& folder, const fs::path& archivePath, JobContext& job)
{
    if (const auto settled = settle(folder); !settled)
        return tl::unexpected(settled.error());
    const fs::path partial = archivePath.string() + ".part";
    Undo undo(partial);
    const Writer out(archive_write_new());
    archive_write_set_format_zip(out.get());
    if (archive_write_open_filename(out.get(), partial.c_str()) != ARCHIVE_OK)
        return archiveError(out.get(), archivePath);
    CaseArchiveSummary summary;
    job.setStage("packing");
    for (const std::string& name : filesOf(folder)) {
        const auto bytes = packFile(out.get(), folder, name, job);
        if (!bytes)
            return tl::unexpected(bytes.error());
        ++summary.files;
        summary.bytes += *bytes;
    }
    if (archive_write_close(out.get()) != ARCHIVE_OK)
        return archiveError(out.get(), archivePath);
    std::error_code failed;
    fs::rename(partial, archivePath, failed);
    if (failed)
        return tl::unexpected(systemError("write", archivePath, failed.value()));
    undo.keep();
    return summary;
}

Result<CaseArchiveSummary> importCase(
    const fs::path& archivePath, const fs::path& folder, JobContext& job)
{
    std::error_code ignored;
    if (fs::exists(folder, ignored) && !fs::is_empty(folder, ignored))
        return fail(ErrorCode::InvalidArgument,
            fmt::format("{} is not empty.", escapedForTerminal(folder.string())),
            "Name a folder that does not exist yet.", Where{folder.string(), {}, {}});
    const auto readable = InputFile::open(archivePath);
    if (!readable)
        return tl::unexpected(readable.error());
    const Reader in(archive_read_new());
    archive_read_support_format_zip(in.get());
    if (archive_read_open_filename(in.get(), archivePath.c_str(), kBlock) != ARCHIVE_OK)
        return archiveError(in.get(), archivePath);
    const fs::path partial = folder.string() + ".part";
    fs::remove_all(partial, ignored);
    Undo undo(partial);
    job.setStage("unpacking");
    auto summary = unpackAll(in.get(), archivePath, partial, job);
    if (!summary)
        return summary;
    fs::create_directories(partial / "series", ignored);
    if (!isCaseFolder(partial))
        return fail(ErrorCode::Malformed,
            fmt::format("{} holds no case.", escapedForTerminal(archivePath.string())),
            "Make one with firstbad export CASE -o FILE.", Where{archivePath.string(), {}, {}});
    if (const auto opened = CaseStore::open(partial, CaseAccess::Read); !opened)
        return tl::unexpected(opened.error());
    std::error_code failed;
    fs::remove(folder, ignored);  // an empty one
    fs::rename(partial, folder, failed);
    if (failed)
        return tl::unexpected(systemError("write", folder, failed.value()));
    undo.keep();
    return summary;
}

}  // namespace firstbad::core
