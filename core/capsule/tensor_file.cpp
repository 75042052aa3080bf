// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capsule/tensor_file.h"

#include "core/base/json_members.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>

namespace firstbad::core {
namespace {

constexpr std::uint64_t kMaxHeaderBytes = std::uint64_t{100} << 20U;  // as the reference reader
constexpr std::size_t kLengthBytes = 8;

tl::unexpected<Error> malformed(const std::string& file, std::string_view problem)
{
    return fail(ErrorCode::Malformed,
        fmt::format("{} is not a safetensors file: {}.", file, problem),
        "Write the capsule again; a copy may have been cut off.", Where{file, {}, {}});
}

std::uint64_t littleEndian(const std::array<char, kLengthBytes>& bytes)
{
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = (value << 8U) | static_cast<unsigned char>(bytes[i]);
    return value;
}

/// Product of the shape; refuses negative sizes and overflow.
std::uint64_t countOf(const std::vector<std::int64_t>& shape, const JsonMembers& members)
{
    std::uint64_t count = 1;
    for (const std::int64_t size : shape) {
        if (size < 0) {
            members.refuse("shape", "holds a negative size");
            return 0;
        }
        const auto factor = static_cast<std::uint64_t>(size);
        if (factor != 0 && count > std::numeric_limits<std::uint64_t>::max() / factor) {
            members.refuse("shape", "is too large");
            return 0;
        }
        count *= factor;
    }
    return count;
}

/// `room`: bytes of the file behind its header.
TensorEntry readEntry(const std::string& name, const JsonMembers& members, std::uint64_t room)
{
    TensorEntry tensor;
    tensor.name = name;
    tensor.type = elementTypeFromSafetensors(members.text("dtype"));
    if (tensor.type == ElementType::Unknown)
        members.refuse("dtype", fmt::format("\"{}\" is unknown", members.text("dtype")));
    tensor.shape = members.integers("shape");
    tensor.elements = countOf(tensor.shape, members);
    const auto range = members.integers("data_offsets");
    const bool inside = range.size() == 2 && range[0] >= 0 && range[1] >= range[0]
        && static_cast<std::uint64_t>(range[1]) <= room;
    if (!inside) {
        members.refuse("data_offsets", "is outside the file");
        return tensor;
    }
    tensor.offset = static_cast<std::uint64_t>(range[0]);
    tensor.bytes = static_cast<std::uint64_t>(range[1] - range[0]);
    if (bytesOf(tensor.type, tensor.elements) != tensor.bytes)
        members.refuse("data_offsets", "does not fit shape and type");
    return tensor;
}

}  // namespace

Result<TensorFile> TensorFile::open(const std::filesystem::path& path, const std::string& shownPath)
{
    auto file = InputFile::open(path);
    if (!file)
        return tl::unexpected(file.error());
    const auto stamp = file->stamp();
    if (!stamp)
        return tl::unexpected(stamp.error());
    std::array<char, kLengthBytes> length{};
    const auto got = file->readAt(0, length);
    if (!got)
        return tl::unexpected(got.error());
    const std::uint64_t headerBytes = littleEndian(length);
    if (*got != kLengthBytes || headerBytes > kMaxHeaderBytes
        || headerBytes > stamp->bytes - kLengthBytes)
        return malformed(shownPath, "its header is longer than the file");
    std::string header(headerBytes, '\0');
    const auto read = file->readAt(kLengthBytes, header);
    if (!read)
        return tl::unexpected(read.error());
    const auto document = *read == header.size() ? parseJson(header) : parseJson("");
    if (!document)
        return malformed(shownPath, "its header is no JSON");

    TensorFile result(std::move(*file), shownPath);
    std::string problem;
    const JsonMembers root(*document, {}, problem);
    const std::uint64_t dataStart = kLengthBytes + headerBytes;
    for (const auto& [name, value] : document->members) {
        if (name == "__metadata__")
            continue;
        TensorEntry tensor = readEntry(name, root.object(name), stamp->bytes - dataStart);
        tensor.offset += dataStart;
        result.m_tensors.push_back(std::move(tensor));
    }
    if (!problem.empty())
        return malformed(shownPath, problem);
    return result;
}

const TensorEntry* TensorFile::find(std::string_view name) const noexcept
{
    const auto found = std::find_if(m_tensors.begin(), m_tensors.end(),
        [name](const TensorEntry& tensor) { return tensor.name == name; });
    return found == m_tensors.end() ? nullptr : &*found;
}

Result<void> TensorFile::read(
    const TensorEntry& tensor, std::uint64_t offset, std::span<char> buffer) const
{
    if (offset > tensor.bytes || buffer.size() > tensor.bytes - offset)
        return fail(ErrorCode::InvalidArgument,
            fmt::format(
                "{}: bytes beyond the tensor {} were asked for.", m_shownPath, tensor.name));
    const auto got = m_file.readAt(tensor.offset + offset, buffer);
    if (!got)
        return tl::unexpected(got.error());
    if (*got != buffer.size())
        return fail(ErrorCode::Unreadable,
            fmt::format("{} became shorter while it was read.", m_shownPath),
            "Copy the capsule to a disk that nothing writes to.");
    return {};
}

}  // namespace firstbad::core
