// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/capsule/capsule.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 20U;
constexpr std::array<std::string_view, 5> kWeightSuffixes{
    ".safetensors", ".pt", ".bin", ".pth", ".distcp"};

bool isWeightFile(const std::filesystem::path& path)
{
    return std::any_of(kWeightSuffixes.begin(), kWeightSuffixes.end(),
        [&](std::string_view suffix) { return path.extension() == suffix; });
}

void addFile(std::vector<CapsuleFile>& files, const CapsuleFile& file)
{
    const bool known = std::any_of(files.begin(), files.end(),
        [&](const CapsuleFile& other) { return other.name == file.name; });
    if (!known)
        files.push_back(file);
}

/// Adds the bytes of a file to every hash given.
Result<void> addBytes(
    const std::filesystem::path& path, std::initializer_list<Sha256*> hashes, JobContext& job)
{
    const auto file = InputFile::open(path);
    if (!file)
        return tl::unexpected(file.error());
    std::string buffer(kReadBytes, '\0');
    for (std::uint64_t offset = 0;;) {
        if (job.cancelled())
            return JobContext::cancelledError();
        const auto got = file->readAt(offset, buffer);
        if (!got)
            return tl::unexpected(got.error());
        if (*got == 0)
            return {};
        for (Sha256* hash : hashes)
            hash->add(std::string_view(buffer).substr(0, *got));
        offset += *got;
        job.advance(*got);
    }
}

void reportMissing(CapsuleCheck& check, const Capsule& capsule, const std::string& name)
{
    check.problems.push_back({"missing-file", name,
        fmt::format("{} of {} is not there or cannot be read.", name, capsule.shownPath)});
}

void compare(CapsuleCheck& check, const Capsule& capsule, const std::string& name,
    const std::string& recorded, const std::string& seen)
{
    if (recorded.empty()) {
        ++check.unhashed;
        return;
    }
    ++check.hashed;
    if (!equalsIgnoringCase(recorded, seen))
        check.problems.push_back({"hash-mismatch", name,
            fmt::format(
                "{} of {} has SHA-256 {}, the capsule records {}: it is not the file of that step.",
                name, capsule.shownPath, seen, recorded)});
}

/// Hashes one named file into `group` too. False when it is missing, which is reported.
Result<bool> checkFile(const Capsule& capsule, const CapsuleFile& file, Sha256& group,
    CapsuleCheck& check, JobContext& job)
{
    const auto path = pathOf(capsule, file.name);
    Sha256 own;
    const auto added
        = path ? addBytes(*path, {&own, &group}, job) : Result<void>(tl::unexpected(path.error()));
    if (!added && added.error().code == ErrorCode::Cancelled)
        return tl::unexpected(added.error());
    if (!added) {
        reportMissing(check, capsule, file.name);
        return false;
    }
    compare(check, capsule, file.name, file.sha256, own.finish());
    return true;
}

/// The hash over all files in order; empty when one is missing.
Result<std::string> checkGroup(const Capsule& capsule, const std::vector<CapsuleFile>& files,
    CapsuleCheck& check, JobContext& job)
{
    Sha256 group;
    bool complete = true;
    for (const auto& file : files) {
        const auto there = checkFile(capsule, file, group, check, job);
        if (!there)
            return tl::unexpected(there.error());
        complete = complete && *there;
    }
    const std::string hash = group.finish();
    return complete ? hash : std::string();
}

Result<std::string> checkCheckpoint(const Capsule& capsule, CapsuleCheck& check, JobContext& job)
{
    const std::string& name = capsule.weights.checkpointPath;
    const auto files = checkpointFiles(capsule);
    if (!files) {
        reportMissing(check, capsule, name);
        return std::string();
    }
    Sha256 group;
    for (const auto& file : *files) {
        const auto added = addBytes(file, {&group}, job);
        if (!added && added.error().code == ErrorCode::Cancelled)
            return tl::unexpected(added.error());
        if (!added) {
            reportMissing(check, capsule, name);
            return std::string();
        }
    }
    std::string seen = group.finish();
    compare(check, capsule, name, capsule.weights.checkpointSha256, seen);
    return seen;
}

std::vector<CapsuleFile> stateFiles(const Capsule& capsule)
{
    std::vector<CapsuleFile> files;
    if (capsule.optimizer && capsule.optimizer->file)
        addFile(files, *capsule.optimizer->file);
    if (capsule.buffers)
        addFile(files, *capsule.buffers);
    if (capsule.fp8)
        addFile(files, capsule.fp8->file);
    if (capsule.rngFile)
        addFile(files, *capsule.rngFile);
    return files;
}

}  // namespace

std::vector<CapsuleFile> filesOf(const Capsule& capsule)
{
    std::vector<CapsuleFile> files;
    for (const auto& file : capsule.batches)
        addFile(files, file);
    for (const auto& file : capsule.weights.files)
        addFile(files, file);
    for (const auto& file : stateFiles(capsule))
        addFile(files, file);
    return files;
}

Result<std::filesystem::path> pathOf(const Capsule& capsule, const std::string& name)
{
    std::error_code failed;
    const auto root = std::filesystem::weakly_canonical(capsule.folder, failed);
    const auto path = std::filesystem::weakly_canonical(capsule.folder / name, failed);
    const auto end = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
    if (failed || end.first != root.end())
        return fail(ErrorCode::Unsupported,
            fmt::format(
                "{} of {} leads out of the capsule and is not followed.", name, capsule.shownPath),
            "Copy the file into the capsule.");
    return path;
}

Result<std::vector<std::filesystem::path>> checkpointFiles(const Capsule& capsule)
{
    const auto root = pathOf(capsule, capsule.weights.checkpointPath);
    if (!root)
        return tl::unexpected(root.error());
    std::error_code failed;
    std::vector<std::filesystem::path> files;
    if (std::filesystem::is_regular_file(*root, failed)) {
        files.push_back(*root);
        return files;
    }
    std::filesystem::recursive_directory_iterator entries(*root, failed);
    for (const std::filesystem::recursive_directory_iterator end; !failed && entries != end;
         entries.increment(failed)) {
        if (entries->is_regular_file(failed) && !entries->is_symlink(failed)
            && isWeightFile(entries->path()))
            files.push_back(entries->path());
    }
    std::sort(files.begin(), files.end());
    if (files.empty())
        return fail(ErrorCode::NotFound,
            fmt::format("The checkpoint {} of {} holds no weights.", capsule.weights.checkpointPath,
                capsule.shownPath),
            "Put the checkpoint that the capsule names into its folder.");
    return files;
}

Result<CapsuleCheck> verifyCapsule(const Capsule& capsule, JobContext& job)
{
    CapsuleCheck check;
    auto batches = checkGroup(capsule, capsule.batches, check, job);
    if (!batches)
        return tl::unexpected(batches.error());
    check.batchSha256 = std::move(*batches);
    auto weights = capsule.weights.files.empty()
        ? checkCheckpoint(capsule, check, job)
        : checkGroup(capsule, capsule.weights.files, check, job);
    if (!weights)
        return tl::unexpected(weights.error());
    check.weightsSha256 = std::move(*weights);
    if (const auto state = checkGroup(capsule, stateFiles(capsule), check, job); !state)
        return tl::unexpected(state.error());
    return check;
}

}  // namespace firstbad::core
