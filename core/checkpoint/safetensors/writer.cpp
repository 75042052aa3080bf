// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/safetensors/writer.h"

#include "core/base/file.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/checkpoint/folder/shape.h"
#include "core/checkpoint/safetensors/header.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <unordered_set>

namespace firstbad::core {

struct SafetensorsWriter::State {
    std::filesystem::path path;
    std::filesystem::path temporary;
    int descriptor = -1;
    std::uint64_t planned = 0;
    std::uint64_t written = 0;

    ~State()
    {
        if (descriptor < 0)
            return;
        ::close(descriptor);
        ::unlink(temporary.c_str());
    }

    Result<void> write(std::span<const char> bytes) const
    {
        while (!bytes.empty()) {
            const ssize_t sent = ::write(descriptor, bytes.data(), bytes.size());
            if (sent < 0 && errno == EINTR)
                continue;
            if (sent <= 0)
                return tl::unexpected(systemError("write", path, errno));
            bytes = bytes.subspan(static_cast<std::size_t>(sent));
        }
        return {};
    }
};

namespace {

tl::unexpected<Error> refuse(const std::string& name, std::string_view why)
{
    return fail(ErrorCode::InvalidArgument,
        fmt::format(
            "The tensor {} cannot be written to safetensors: {}.", escapedForTerminal(name), why));
}

Result<std::uint64_t> plannedBytes(const SafetensorsPlan& tensor)
{
    const ElementTypeInfo& info = elementTypeInfo(tensor.type);
    if (info.safetensors.empty())
        return refuse(tensor.name, fmt::format("the format has no type for {}", info.name));
    if (tensor.name == "__metadata__" || !isValidUtf8(tensor.name))
        return refuse(tensor.name, "this name is not allowed");
    const auto count = elementCount(tensor.shape);
    const auto bytes = count ? bytesOf(tensor.type, *count) : std::nullopt;
    if (!bytes || (info.bits < 8 && *count * info.bits % 8 != 0))
        return refuse(tensor.name, "its shape gives no whole number of bytes");
    return *bytes;
}

void writeEntry(
    JsonWriter& json, const SafetensorsPlan& tensor, std::uint64_t begin, std::uint64_t bytes)
{
    json.key(tensor.name);
    json.beginObject();
    json.member("dtype", elementTypeInfo(tensor.type).safetensors);
    json.key("shape");
    json.beginArray();
    for (const std::int64_t size : tensor.shape)
        json.value(size);
    json.endArray();
    json.key("data_offsets");
    json.beginArray();
    json.value(begin);
    json.value(begin + bytes);
    json.endArray();
    json.endObject();
}

struct HeaderText {
    std::string bytes;
    std::uint64_t dataBytes = 0;
};

Result<HeaderText> makeHeader(std::span<const SafetensorsPlan> plan,
    std::span<const std::pair<std::string, std::string>> metadata)
{
    std::unordered_set<std::string_view> names;
    JsonWriter json;
    HeaderText header;
    json.beginObject();
    if (!metadata.empty()) {
        json.key("__metadata__");
        json.beginObject();
        for (const auto& [key, value] : metadata)
            json.member(key, value);
        json.endObject();
    }
    for (const SafetensorsPlan& tensor : plan) {
        if (!names.insert(tensor.name).second)
            return refuse(tensor.name, "the name occurs twice");
        const auto bytes = plannedBytes(tensor);
        if (!bytes)
            return tl::unexpected(bytes.error());
        writeEntry(json, tensor, header.dataBytes, *bytes);
        if (__builtin_add_overflow(header.dataBytes, *bytes, &header.dataBytes))
            return refuse(tensor.name, "the file would be too large");
    }
    json.endObject();
    std::string text = json.take();
    text.resize((text.size() + 7) / 8 * 8, ' ');
    if (text.size() > kMaxSafetensorsHeader)
        return fail(ErrorCode::InvalidArgument,
            "The names of so many tensors do not fit in the header of a safetensors file.");
    for (unsigned i = 0; i < 8; ++i)
        header.bytes += static_cast<char>((text.size() >> (8 * i)) & 0xFFU);
    header.bytes += text;
    return header;
}

}  // namespace

SafetensorsWriter::SafetensorsWriter(std::unique_ptr<State> state)
    : m_state(std::move(state))
{ }
SafetensorsWriter::SafetensorsWriter(SafetensorsWriter&&) noexcept = default;
SafetensorsWriter& SafetensorsWriter::operator=(SafetensorsWriter&&) noexcept = default;
SafetensorsWriter::~SafetensorsWriter() = default;

Result<SafetensorsWriter> SafetensorsWriter::create(const std::filesystem::path& path,
    std::span<const SafetensorsPlan> plan,
    std::span<const std::pair<std::string, std::string>> metadata)
{
    const auto header = makeHeader(plan, metadata);
    if (!header)
        return tl::unexpected(header.error());
    auto state = std::make_unique<State>();
    state->path = path;
    state->temporary = fmt::format("{}.{}.tmp", path.string(), ::getpid());
    state->planned = header->dataBytes;
    constexpr int kEveryoneByMask = 0666;
    state->descriptor = ::open(
        state->temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kEveryoneByMask);
    if (state->descriptor < 0)
        return tl::unexpected(systemError("write", path, errno));
    if (auto written = state->write(header->bytes); !written)
        return tl::unexpected(std::move(written.error()));
    return SafetensorsWriter(std::move(state));
}

Result<void> SafetensorsWriter::append(std::span<const char> bytes)
{
    if (bytes.size() > m_state->planned - m_state->written)
        return fail(ErrorCode::InvalidArgument,
            fmt::format("More bytes than planned for {}.", m_state->path.string()));
    if (auto written = m_state->write(bytes); !written)
        return written;
    m_state->written += bytes.size();
    return {};
}

Result<void> SafetensorsWriter::finish()
{
    State& state = *m_state;
    if (state.written != state.planned)
        return fail(ErrorCode::InvalidArgument,
            fmt::format("{} of the {} planned bytes of {} were given.", state.written,
                state.planned, state.path.string()));
    if (::fsync(state.descriptor) != 0)
        return tl::unexpected(systemError("write", state.path, errno));
    if (::rename(state.temporary.c_str(), state.path.c_str()) != 0)
        return tl::unexpected(systemError("write", state.path, errno));
    ::close(state.descriptor);
    state.descriptor = -1;
    return {};
}

}  // namespace firstbad::core
