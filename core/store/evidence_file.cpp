// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/evidence_file.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/store/hdf5_silence.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{4} << 20U;

tl::unexpected<Error> writeFailed(const std::filesystem::path& to, const std::string& member)
{
    return fail(ErrorCode::Unreadable,
        fmt::format("Cannot write {} into {}.", escapedForTerminal(member),
            escapedForTerminal(to.string())),
        "Look whether the disk is full.", Where{to.string(), {}, {}});
}

tl::unexpected<Error> readFailed(const std::filesystem::path& file, const std::string& member)
{
    return fail(ErrorCode::Unreadable,
        fmt::format("Cannot read {} out of {}.", escapedForTerminal(member),
            escapedForTerminal(file.string())),
        "firstbad doctor checks the files of a case.", Where{file.string(), {}, {}});
}

/// A dataset of `bytes` bytes; folders in its name become groups.
Handle createDataset(const Handle& file, const std::string& name, std::uint64_t bytes)
{
    const hsize_t size = bytes;
    const Handle space(
        bytes == 0 ? H5Screate(H5S_NULL) : H5Screate_simple(1, &size, nullptr), H5Sclose);
    const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(links.get(), 1);
    const Handle options(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(options.get(), false);
    return {H5Dcreate2(file.get(), name.c_str(), H5T_STD_U8LE, space.get(), links.get(),
                options.get(), H5P_DEFAULT),
        H5Dclose};
}

/// Selects `count` bytes at `offset` and hands the selection to a read or write.
template <class Transfer>
bool transferPiece(
    const Handle& dataset, std::uint64_t offset, std::size_t count, Transfer transfer)
{
    const hsize_t start = offset;
    const hsize_t size = count;
    const Handle memory(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const Handle space(H5Dget_space(dataset.get()), H5Sclose);
    return memory.ok() && space.ok()
        && H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &start, nullptr, &size, nullptr) >= 0
        && transfer(memory.get(), space.get()) >= 0;
}

bool writePiece(const Handle& dataset, std::uint64_t offset, std::string_view bytes)
{
    return transferPiece(dataset, offset, bytes.size(), [&](hid_t memory, hid_t space) {
        return H5Dwrite(dataset.get(), H5T_NATIVE_UINT8, memory, space, H5P_DEFAULT, bytes.data());
    });
}

Result<void> copyFile(const std::filesystem::path& to, const Handle& file,
    const EvidenceMember& member, JobContext& job)
{
    const auto source = InputFile::open(member.path);
    if (!source)
        return tl::unexpected(source.error());
    const auto stamp = source->stamp();
    if (!stamp)
        return tl::unexpected(stamp.error());
    const Handle dataset = createDataset(file, member.name, stamp->bytes);
    if (!dataset.ok())
        return writeFailed(to, member.name);
    std::string piece(kPieceBytes, '\0');
    for (std::uint64_t offset = 0; offset < stamp->bytes;) {
        if (job.cancelled())
            return JobContext::cancelledError();
        const std::size_t wanted
            = static_cast<std::size_t>(std::min<std::uint64_t>(kPieceBytes, stamp->bytes - offset));
        const auto got = source->readAt(offset, std::span(piece.data(), wanted));
        if (!got)
            return tl::unexpected(got.error());
        if (*got == 0 || !writePiece(dataset, offset, std::string_view(piece).substr(0, *got)))
            return writeFailed(to, member.name);
        offset += *got;
        job.advance(*got);
    }
    return {};
}

Result<void> writeMember(const std::filesystem::path& to, const Handle& file,
    const EvidenceMember& member, JobContext& job)
{
    if (!member.path.empty())
        return copyFile(to, file, member, job);
    const Handle dataset = createDataset(file, member.name, member.bytes.size());
    const bool done
        = dataset.ok() && (member.bytes.empty() || writePiece(dataset, 0, member.bytes));
    return done ? Result<void>() : writeFailed(to, member.name);
}

Result<void> writeMembers(
    const std::filesystem::path& to, const std::vector<EvidenceMember>& members, JobContext& job)
{
    Handle file(H5Fcreate(to.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    if (!file.ok())
        return writeFailed(to, "a new file");
    for (const auto& member : members) {
        auto written = writeMember(to, file, member, job);
        if (!written)
            return written;
    }
    // Close writes what is cached: on a full disk it is here that it fails.
    return H5Fflush(file.get(), H5F_SCOPE_GLOBAL) >= 0 ? Result<void>()
                                                       : writeFailed(to, "the end");
}

herr_t collectDataset(hid_t, const char* name, const H5O_info_t* info, void* names)
{
    if (info->type == H5O_TYPE_DATASET)
        static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
}

}  // namespace

Result<void> writeEvidenceFile(
    const std::filesystem::path& to, const std::vector<EvidenceMember>& members, JobContext& job)
{
    const Silence silence;
    auto written = writeMembers(to, members, job);
    if (!written) {
        std::error_code ignored;
        std::filesystem::remove(to, ignored);
    }
    return written;
}

Result<std::vector<std::string>> evidenceMembers(const std::filesystem::path& path)
{
    const Silence silence;
    const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    std::vector<std::string> names;
    if (!file.ok() || H5Ovisit(file.get(), H5_INDEX_NAME, H5_ITER_INC, collectDataset, &names) < 0)
        return readFailed(path, "its list of members");
    return names;
}

Result<void> readEvidenceMember(const std::filesystem::path& path, const std::string& name,
    const std::function<Result<void>(std::string_view)>& take)
{
    const Silence silence;
    const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    const Handle dataset(
        file.ok() ? H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT) : H5I_INVALID_HID, H5Dclose);
    const Handle space(dataset.ok() ? H5Dget_space(dataset.get()) : H5I_INVALID_HID, H5Sclose);
    if (!space.ok())
        return readFailed(path, name);
    const auto bytes = static_cast<std::uint64_t>(
        std::max<hssize_t>(H5Sget_simple_extent_npoints(space.get()), 0));
    std::string piece;
    for (std::uint64_t offset = 0; offset < bytes; offset += piece.size()) {
        piece.resize(
            static_cast<std::size_t>(std::min<std::uint64_t>(kPieceBytes, bytes - offset)));
        const bool read
            = transferPiece(dataset, offset, piece.size(), [&](hid_t memory, hid_t from) {
                  return H5Dread(
                      dataset.get(), H5T_NATIVE_UINT8, memory, from, H5P_DEFAULT, piece.data());
              });
        if (!read)
            return readFailed(path, name);
        if (auto taken = take(piece); !taken)
            return taken;
    }
    return {};
}

}  // namespace firstbad::core
