// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/restore/find_checkpoints.h"

#include "core/base/file.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/checkpoint/checkpoint_reader.h"
#include "core/restore/merge_checkpoints.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 12;

template <std::size_t N>
bool isOneOf(std::string_view word, const std::array<std::string_view, N>& words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Logs, configurations and programs beside checkpoints: not worth opening.
bool isOtherFile(const fs::path& path)
{
    constexpr std::array<std::string_view, 16> kOther{".json", ".jsonl", ".txt", ".log", ".md",
        ".py", ".sh", ".yaml", ".yml", ".toml", ".csv", ".tsv", ".gz", ".zst", ".db", ".html"};
    return isOneOf(toLowerAscii(path.extension().string()), kOther);
}

/// A name that promises a checkpoint, whatever the bytes are.
bool isNamedLikeFile(const fs::path& path)
{
    constexpr std::array<std::string_view, 10> kPromise{
        ".pt", ".pth", ".ckpt", ".safetensors", ".distcp", ".npy", ".npz", ".h5", ".hdf5", ".pt2"};
    return isOneOf(toLowerAscii(path.extension().string()), kPromise);
}

bool isForeignFolder(const fs::path& folder)
{
    std::error_code ignored;
    const std::string name = folder.filename().string();
    return name == ".git" || fs::exists(folder / "capsule.json", ignored)
        || (fs::exists(folder / "case.db", ignored) && fs::exists(folder / "series", ignored));
}

std::string below(const std::string& shown, const fs::path& name)
{
    return shown.empty() || shown.back() == '/' ? shown + name.string()
                                                : shown + "/" + name.string();
}

class Finder
{
public:
    Finder(JobContext& job, FoundCheckpoints& found)
        : m_job(job)
        , m_found(found)
    { }

    Result<void> look(const std::string& shown)
    {
        const fs::path path(shown);
        std::error_code failure;
        const fs::file_status status = fs::status(path, failure);
        if (!fs::exists(status))
            return tl::unexpected(systemError("find", path, failure ? failure.value() : ENOENT));
        if (!fs::is_directory(status)) {
            add(shown, path);
            return {};
        }
        m_root = fs::weakly_canonical(path, failure);
        const std::size_t before = m_found.places.size();
        auto done = lookIn(shown, path, 0);
        if (done && m_found.places.size() == before)
            add(shown, path);  // nothing there: the scan of the folder says so
        return done;
    }

private:
    void add(const std::string& shown, const fs::path& location)
    {
        m_found.places.push_back({shown, location, {{shown, location, {}}}, {}, {}, false});
    }

    Result<void> lookIn(const std::string& shown, const fs::path& folder, int depth)
    {
        if (m_job.cancelled())
            return JobContext::cancelledError();
        if (depth > kDeepest)
            return {};
        if (isCheckpoint(folder))
            return addFolder(shown, folder);
        const std::size_t before = m_found.places.size();
        std::error_code failure;
        std::vector<fs::path> names;
        fs::directory_iterator entry(folder, failure);
        for (; !failure && entry != fs::directory_iterator(); entry.increment(failure))
            names.push_back(entry->path().filename());
        if (failure)
            return tl::unexpected(systemError("read the folder", folder, failure.value()));
        std::sort(names.begin(), names.end());
        for (const fs::path& name : names) {
            if (auto done = lookAt(below(shown, name), folder / name, depth); !done)
                return done;
        }
        if (isNamedLikeSave(folder.filename().string()))
            joinParts(shown, folder, before);
        return {};
    }

    Result<void> lookAt(const std::string& shown, const fs::path& path, int depth)
    {
        std::error_code failure;
        if (fs::is_symlink(fs::symlink_status(path, failure)) && !staysInside(path)) {
            m_found.diagnostics.push_back({Severity::Warning, "link-not-followed",
                fmt::format(
                    "{} is a link out of the folder: not followed.", escapedForTerminal(shown)),
                Where{shown, {}, {}}});
            return {};
        }
        const fs::file_status status = fs::status(path, failure);
        if (fs::is_directory(status))
            return isForeignFolder(path) ? Result<void>() : lookIn(shown, path, depth + 1);
        if (fs::is_regular_file(status) && !isOtherFile(path)
            && (isNamedLikeFile(path) || isCheckpoint(path)))
            add(shown, path);
        return {};
    }

    bool staysInside(const fs::path& link) const
    {
        std::error_code failure;
        const fs::path target = fs::weakly_canonical(link, failure);
        const auto end = std::mismatch(m_root.begin(), m_root.end(), target.begin(), target.end());
        return !failure && end.first == m_root.end();
    }

    /// A folder that a reader knows: one checkpoint, or the saves of a root.
    Result<void> addFolder(const std::string& shown, const fs::path& folder)
    {
        auto opened = openCheckpoint(folder, shown, m_job);
        if (!opened)
            return tl::unexpected(std::move(opened.error()));
        if (opened->saves.empty()) {
            add(shown, folder);
            return {};
        }
        for (const CheckpointSave& save : opened->saves) {
            add(save.path, save.location);
            CheckpointPlace& place = m_found.places.back();
            place.isTracked = save.newest;
            place.root = shown;
            place.rootFormat = opened->format;
        }
        return {};
    }

    /// What was found below a folder that is named like one save are its parts.
    void joinParts(const std::string& shown, const fs::path& folder, std::size_t first)
    {
        if (m_found.places.size() == first)
            return;
        CheckpointPlace whole{shown, folder, {}, {}, {}, false};
        for (std::size_t i = first; i < m_found.places.size(); ++i) {
            for (CheckpointPlace::Part& part : m_found.places[i].parts) {
                std::error_code ignored;
                part.prefix = fs::relative(part.location, folder, ignored).generic_string();
                whole.parts.push_back(std::move(part));
            }
        }
        m_found.places.resize(first);
        m_found.places.push_back(std::move(whole));
    }

    JobContext& m_job;
    FoundCheckpoints& m_found;
    fs::path m_root;
};

}  // namespace

bool isNamedLikeSave(std::string_view name)
{
    constexpr std::array<std::string_view, 7> kStems{
        "checkpoint-", "global_step", "iter_", "checkpoint_", "step_", "step-", "epoch_"};
    return std::any_of(kStems.begin(), kStems.end(), [&](std::string_view stem) {
        const std::string_view rest = name.substr(std::min(stem.size(), name.size()));
        return name.starts_with(stem) && !rest.empty()
            && std::all_of(rest.begin(), rest.end(), isAsciiDigit);
    });
}

Result<FoundCheckpoints> findCheckpoints(const std::vector<std::string>& paths, JobContext& job)
{
    FoundCheckpoints found;
    for (const std::string& path : paths) {
        if (auto done = Finder(job, found).look(path); !done)
            return tl::unexpected(std::move(done.error()));
    }
    return found;
}

Result<CheckpointPlace> findOneCheckpoint(const std::string& path, JobContext& job)
{
    auto found = findCheckpoints({path}, job);
    if (!found)
        return tl::unexpected(std::move(found.error()));
    if (found->places.size() == 1) {
        CheckpointPlace place = std::move(found->places.front());
        place.shown = path;
        return place;
    }
    CheckpointPlace whole{path, path, {}, {}, {}, false};
    for (const CheckpointPlace& place : found->places) {
        for (const CheckpointPlace::Part& part : place.parts) {
            std::error_code ignored;
            whole.parts.push_back({part.shown, part.location,
                fs::relative(part.location, path, ignored).generic_string()});
        }
    }
    return whole;
}

Result<Checkpoint> openPlace(const CheckpointPlace& place, JobContext& job)
{
    std::vector<Checkpoint> parts;
    for (const CheckpointPlace::Part& part : place.parts) {
        auto opened = openCheckpoint(part.location, part.shown, job);
        if (!opened)
            return opened;
        if (place.parts.size() == 1)
            return opened;
        addPrefix(*opened, part.prefix);
        parts.push_back(std::move(*opened));
    }
    return mergeCheckpoints(place.shown, std::move(parts));
}

}  // namespace firstbad::core
