// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/discover.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/import/archive.h"
#include "core/import/artifact.h"
#include "core/import/source_head.h"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <set>
#include <system_error>

namespace firstbad::core {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxDepth = 64;

const Importer* importerById(std::string_view id)
{
    const auto table = importerTable();
    const auto found = std::find_if(
        table.begin(), table.end(), [&](const Importer& importer) { return importer.id == id; });
    return found != table.end() ? &*found : nullptr;
}

class Walker
{
public:
    Walker(const ImportOptions& options, JobContext& job)
        : m_options(options)
        , m_job(job)
        , m_forced(options.format.empty() ? nullptr : importerById(options.format))
    { }

    Result<void> addRoot(const fs::path& root)
    {
        std::error_code code;
        const fs::file_status status = fs::status(root, code);
        if (!fs::exists(status))
            return tl::unexpected(systemError("open", root, code ? code.value() : ENOENT));
        setRoot(root);
        if (fs::is_directory(status))
            return walkFolder(root, 0);
        auto head = readHead(root);
        if (!head)
            return tl::unexpected(head.error());
        return takeFile(*head, true);
    }

    Discovery take() { return std::move(m_found); }

private:
    void setRoot(const fs::path& root)
    {
        std::error_code code;
        m_root = root;
        m_realRoot = fs::canonical(root, code);
    }

    Result<void> walkFolder(const fs::path& folder, std::size_t depth)
    {
        if (isCapsuleFolder(folder)) {
            m_found.capsules.push_back({shown(folder), "capsule", "capsule", 0});
            return {};
        }
        if (depth > 0 && isCaseFolder(folder)) {
            noteNotRead(folder, SourceState::Ignored, "A case of firstbad, not a log.", "");
            return {};
        }
        const SourceHead head{folder, true, 0, {}, {}};
        if (const Importer* importer = sniffImporter(head); importer && importer->takesFolder) {
            addSource(folder, importer, 0);
            return {};
        }
        auto entries = listFolder(folder, depth == 0);
        if (!entries)
            return tl::unexpected(entries.error());
        for (const fs::path& entry : *entries) {
            if (m_job.cancelled())
                return JobContext::cancelledError();
            if (auto visited = visit(entry, depth); !visited)
                return visited;
        }
        return {};
    }

    Result<std::vector<fs::path>> listFolder(const fs::path& folder, bool isRoot)
    {
        std::error_code code;
        std::vector<fs::path> entries;
        for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
            if (m_job.cancelled())
                return JobContext::cancelledError();
            entries.push_back(at->path());
        }
        if (code && isRoot)
            return tl::unexpected(systemError("list", folder, code.value()));
        if (code)
            noteError(folder, systemError("list", folder, code.value()));
        std::sort(entries.begin(), entries.end());
        return entries;
    }

    Result<void> visit(const fs::path& entry, std::size_t depth)
    {
        std::error_code code;
        const fs::file_status link = fs::symlink_status(entry, code);
        if (fs::is_symlink(link) && !staysInside(entry)) {
            noteNotRead(entry, SourceState::Ignored,
                "A link that leads out of the folder; not followed.",
                "Name its target on the command line to read it.");
            return {};
        }
        if (fs::is_directory(link)) {
            if (depth < kMaxDepth)
                return walkFolder(entry, depth + 1);
            noteNotRead(entry, SourceState::Ignored, "Nested too deeply; not read.", "");
            return {};
        }
        if (fs::is_symlink(link) && fs::is_directory(entry, code))
            return {};  // a link to a folder inside: its files are met where they are
        if (!fs::is_regular_file(fs::status(entry, code))) {
            noteNotRead(entry, SourceState::Ignored, "Not a regular file; not read.", "");
            return {};
        }
        auto head = readHead(entry);
        if (!head) {
            noteError(entry, head.error());
            return {};
        }
        return takeFile(*head, false);
    }

    bool staysInside(const fs::path& link) const
    {
        std::error_code code;
        const fs::path target = fs::canonical(link, code);
        if (code)
            return false;
        const auto [rootEnd, ignored]
            = std::mismatch(m_realRoot.begin(), m_realRoot.end(), target.begin(), target.end());
        return rootEnd == m_realRoot.end();
    }

    /// Reads an archive as the folder that it holds; its files are shown as archive!member.
    Result<void> walkArchive(const HeadBytes& head)
    {
        auto unpacked = UnpackedArchive::unpack(head.path, m_job);
        if (!unpacked && unpacked.error().code == ErrorCode::Cancelled)
            return tl::unexpected(unpacked.error());
        if (!unpacked) {
            noteError(head.path, unpacked.error());
            return {};
        }
        if (!unpacked->skipped().empty()) {
            noteNotRead(head.path, SourceState::Damaged, unpacked->skipped().front().reason, "",
                head.bytes);
            m_found.notRead.back().skipped = unpacked->skipped();
        }
        const fs::path outerRoot = m_root;
        m_found.archives.push_back(std::move(*unpacked));
        const fs::path folder = m_found.archives.back().folder();
        m_shownAs.emplace_back(folder.string(), head.path.string() + "!");
        setRoot(folder);
        m_rootName = head.path.filename().string();
        auto walked = walkFolder(folder, 1);
        m_shownAs.pop_back();
        m_rootName.clear();
        setRoot(outerRoot);
        return walked;
    }

    /// Path for people: inside an archive the archive's own path, "!" and the member.
    std::string shown(const fs::path& path) const
    {
        const std::string plain = path.string();
        for (const auto& [folder, name] : m_shownAs) {
            if (plain.starts_with(folder + "/"))
                return name + plain.substr(folder.size() + 1);
        }
        return plain;
    }

    Result<void> takeFile(const HeadBytes& head, bool named)
    {
        if (m_shownAs.empty() && !m_forced && isArchive(head))
            return walkArchive(head);
        const Importer* importer = m_forced ? m_forced : sniffImporter(head.view());
        if (!m_forced) {
            if (const std::string why = reasonToIgnore(head); !why.empty() && !named) {
                noteNotRead(
                    head.path, SourceState::Ignored, "Not read: " + why + ".", "", head.bytes);
                return {};
            }
            if (auto save = checkpointOf(head); save && !importer) {
                addCheckpoint(std::move(*save));
                return {};
            }
        }
        if (importer) {
            addSource(head.path, importer, head.bytes);
            return {};
        }
        noteNotRead(head.path, SourceState::NotRecognised,
            head.bytes == 0 ? "The file is empty." : "No reader recognises this file.",
            head.bytes == 0 ? "" : "Name the format with --format if you know it.", head.bytes);
        return {};
    }

    void addCheckpoint(FoundArtifact save)
    {
        save.path = shown(save.path);
        auto& all = m_found.checkpoints;
        const auto same = std::find_if(all.begin(), all.end(),
            [&](const FoundArtifact& one) { return one.path == save.path; });
        if (same == all.end())
            all.push_back(std::move(save));
        else
            same->bytes += save.bytes;
    }

    void addSource(const fs::path& path, const Importer* importer, std::uint64_t bytes)
    {
        std::error_code code;
        const fs::path real = fs::canonical(path, code);
        if (!m_seen.insert(code ? path : real).second)
            return;
        const fs::path folder = fs::is_directory(m_root, code)
            ? path.parent_path().lexically_relative(m_root)
            : fs::path();
        m_found.sources.push_back(
            {{path, shown(path), folder.string()}, importer, bytes, m_root, m_rootName});
    }

    void noteNotRead(const fs::path& path, SourceState state, std::string message, std::string hint,
        std::uint64_t bytes = 0)
    {
        SourceInfo info;
        info.path = shown(path);
        info.format = state == SourceState::Ignored ? "ignored" : "unknown";
        info.state = state;
        info.bytes = bytes;
        info.message = std::move(message);
        info.hint = std::move(hint);
        m_found.notRead.push_back(std::move(info));
    }

    void noteError(const fs::path& path, const Error& error)
    {
        noteNotRead(path, SourceState::Damaged, error.message, error.hint);
    }

    const ImportOptions& m_options;
    JobContext& m_job;
    const Importer* m_forced;
    fs::path m_root;
    fs::path m_realRoot;
    std::string m_rootName;
    std::vector<std::pair<std::string, std::string>> m_shownAs;  // unpacked folder -> "archive!"
    std::set<fs::path> m_seen;  // the same file named twice is read once
    Discovery m_found;
};

}  // namespace

Result<Discovery> discover(
    std::span<const fs::path> paths, const ImportOptions& options, JobContext& job)
{
    if (!options.format.empty() && !importerById(options.format)) {
        return fail(ErrorCode::InvalidArgument,
            fmt::format("There is no format '{}'.", escapedForTerminal(options.format)),
            "firstbad help look lists the formats.");
    }
    job.setStage("looking for logs");
    Walker walker(options, job);
    for (const fs::path& path : paths) {
        if (auto added = walker.addRoot(path); !added)
            return tl::unexpected(added.error());
    }
    return walker.take();
}

}  // namespace firstbad::core
