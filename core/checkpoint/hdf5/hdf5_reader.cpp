// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/hdf5/hdf5_reader.h"

#include "core/base/text.h"
#include "core/checkpoint/hdf5/hdf5_describe.h"
#include "core/checkpoint/hdf5/hdf5_part.h"
#include "core/checkpoint/hdf5/hdf5_receiver.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::string_view kMagic = "\x89HDF\r\n\x1a\n";

/// A user block of 512, 1024, 2048, ... bytes may stand before the signature.
bool hasMagic(std::string_view head)
{
    for (std::size_t at = 0; at < head.size(); at = at == 0 ? 512 : at * 2) {
        if (head.substr(at).starts_with(kMagic))
            return true;
    }
    return false;
}

template <std::size_t N>
bool containsAny(std::string_view text, const std::array<std::string_view, N>& words)
{
    return std::any_of(words.begin(), words.end(),
        [text](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

/// Damage of a file that the library cannot open: its own words tell a cut file from a broken one.
CheckpointDamage brokenFile(const std::string& reason, const std::string& name)
{
    const bool isCut = reason.find("truncated") != std::string::npos;
    if (isCut)
        return {"truncated", name,
            fmt::format("{} is shorter than its superblock says: {}", name, reason), false};
    return {"bad-header", name, fmt::format("{} cannot be read as HDF5: {}", name, reason), false};
}

}  // namespace

Result<void> addHdf5(Checkpoint& checkpoint, std::uint32_t file, const Hdf5Window& window,
    const std::string& name, JobContext& job)
{
    auto child = ForkedReader::start(
        window.path, [&window](int descriptor) { sendHdf5Layout(window, descriptor); });
    if (!child)
        return tl::unexpected(std::move(child.error()));
    Hdf5Receiver receiver(checkpoint, file, window);
    ForkedReader::Message message;
    bool sound = true;
    for (;;) {
        const auto outcome = child->next(job, message);
        if (!outcome)
            return tl::unexpected(outcome.error());
        sound = *outcome != ForkedReader::Outcome::Broken;
        if (*outcome != ForkedReader::Outcome::Message)
            break;
        sound = receiver.take(message);
        if (!sound)
            break;
    }
    if (!sound)
        checkpoint.damage.push_back({"bad-header", name,
            fmt::format("the HDF5 library failed while it read {}", name), false});
    if (!receiver.broken().empty())
        checkpoint.damage.push_back(brokenFile(receiver.broken(), name));
    return {};
}

int sniffHdf5Checkpoint(const CheckpointHead& head)
{
    constexpr std::array<std::string_view, 7> kKerasMarks{"layer_names", "keras_version",
        "weight_names", "model_weights", "optimizer_weights", "model_config", "_layer_checkpoint"};
    constexpr std::array<std::string_view, 6> kNames{
        "weight", "model", "ckpt", "checkpoint", "param", "state"};
    if (!hasMagic(head.head))
        return 0;
    if (containsAny(head.head, kKerasMarks))
        return 80;
    // Measurements are kept in HDF5 too: without a sign the file is one only when asked for.
    return containsAny(toLowerAscii(head.path.filename().string()), kNames) ? 60 : 20;
}

Result<Checkpoint> openHdf5Checkpoint(const CheckpointHead& head, JobContext& job)
{
    Checkpoint checkpoint;
    checkpoint.path = head.shownPath;
    checkpoint.format = "hdf5";
    checkpoint.files.push_back({head.shownPath, head.path.string(), head.bytes});
    const Hdf5Window window{head.path.string(), 0, head.bytes};
    const std::string name = head.path.filename().string();
    if (auto added = addHdf5(checkpoint, 0, window, name, job); !added)
        return tl::unexpected(std::move(added.error()));
    if (!checkpoint.damage.empty())
        checkpoint.reason = checkpoint.damage.front().text;
    return checkpoint;
}

}  // namespace firstbad::core
