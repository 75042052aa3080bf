// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/torch/torch_readers.h"

#include "core/checkpoint/byte_source.h"
#include "core/checkpoint/little_endian.h"
#include "core/checkpoint/torch/torch_file.h"
#include "core/checkpoint/torch/torch_sniff.h"
#include "core/checkpoint/zip/zip_archive.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace firstbad::core {

namespace {

using namespace std::string_view_literals;

constexpr int kCertain = 90;

using ReadPart = Result<TorchFile> (*)(const ByteSource&, const TorchFileOptions&, JobContext&);

Checkpoint describe(const CheckpointHead& head, Checkpoint part)
{
    part.path = head.shownPath;
    part.files.push_back({head.shownPath, head.path.string(), head.bytes});
    if (part.reason.empty() && !part.damage.empty())
        part.reason = part.damage.front().text;
    return part;
}

Result<Checkpoint> openFile(const CheckpointHead& head, ReadPart read, JobContext& job)
{
    const auto source = ByteSource::ofWholeFile(head.path);
    if (!source)
        return tl::unexpected(source.error());
    TorchFileOptions options;
    options.shownPath = head.shownPath;
    auto file = read(*source, options, job);
    if (!file)
        return tl::unexpected(std::move(file.error()));
    return describe(head, std::move(file->part));
}

Checkpoint unsupported(const CheckpointHead& head, std::string format, std::string reason)
{
    Checkpoint checkpoint;
    checkpoint.format = std::move(format);
    checkpoint.supported = false;
    checkpoint.reason = std::move(reason);
    return describe(head, std::move(checkpoint));
}

bool isTorchRecord(std::string_view name)
{
    const std::string_view record = name.substr(name.find('/') + 1);
    constexpr std::array kRecords{"data.pkl"sv, "version"sv, "byteorder"sv, ".format_version"sv,
        ".storage_alignment"sv, ".data/serialization_id"sv, "constants.pkl"sv, "archive_format"sv};
    return std::find(kRecords.begin(), kRecords.end(), record) != kRecords.end()
        || record.starts_with("data/") || record.starts_with("code/");
}

/// Name in the first local header.
std::string_view firstName(std::string_view head)
{
    constexpr std::size_t kLocalBytes = 30;
    if (head.size() < kLocalBytes)
        return {};
    return head.substr(kLocalBytes, littleEndian<std::uint16_t>(head, 26));
}

/// A file that was zipped again may begin with anything.
bool directoryIsTorch(const std::filesystem::path& path)
{
    const auto source = ByteSource::ofWholeFile(path);
    if (!source)
        return false;
    JobContext job;
    const auto archive = readZipDirectory(*source, ZipLayout::OneFolder, job);
    return archive && *archive && (*archive)->find("data.pkl") != nullptr;
}

}  // namespace

int sniffTorchZip(const CheckpointHead& head)
{
    if (isTorchPreviewHead(head.head))
        return kCertain;
    if (!isZipHead(head.head))
        return 0;
    if (isTorchRecord(firstName(head.head)))
        return kCertain;
    constexpr std::array kExtensions{".pt"sv, ".pth"sv, ".ckpt"sv, ".bin"sv, ".pt2"sv};
    const std::string extension = head.path.extension().string();
    if (std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end())
        return 50;
    return directoryIsTorch(head.path) ? kCertain : 0;
}

Result<Checkpoint> openTorchZip(const CheckpointHead& head, JobContext& job)
{
    if (isTorchPreviewHead(head.head))
        return unsupported(head, "torch-zip",
            fmt::format("{} is in the preview format of PyTorch before 1.0, which was abandoned",
                head.shownPath));
    return openFile(head, &readTorchZip, job);
}

int sniffTorchLegacy(const CheckpointHead& head)
{
    return isTorchLegacyHead(head.head) || isTorchTarHead(head.head) ? kCertain : 0;
}

Result<Checkpoint> openTorchLegacy(const CheckpointHead& head, JobContext& job)
{
    if (isTorchTarHead(head.head))
        return unsupported(head, "torch-legacy",
            fmt::format("{} is a tar of PyTorch 0.1, which is not read: save it again with a newer "
                        "PyTorch",
                head.shownPath));
    return openFile(head, &readTorchLegacy, job);
}

}  // namespace firstbad::core
