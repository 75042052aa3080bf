// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/engine/dump.h"

#include "core/base/file.h"
#include "core/base/json_writer.h"
#include "replay/families/family.h"
#include "replay/weights/tensor_io.h"

#include <array>
#include <cerrno>
#include <filesystem>
#include <fmt/format.h>

namespace firstbad::replay {

namespace {

constexpr std::size_t kCopyBytes = std::size_t{1} << 20U;

std::string nameOf(const TracePoint& point, const ModelShape& shape)
{
    const std::string_view lane = toString(point.lane);
    if (point.tensor.empty())
        return fmt::format("{}/{}", lane, locusOf(shape, point.block, point.op));
    if (point.lane == Lane::Optimizer)
        return fmt::format("{}/{}/{}", lane, point.op, point.tensor);
    return fmt::format("{}/{}", lane, point.tensor);
}

bool writeAll(std::FILE* file, const void* data, std::size_t bytes)
{
    return bytes == 0 || std::fwrite(data, 1, bytes, file) == bytes;
}

bool copyRange(std::FILE* from, std::uint64_t offset, std::uint64_t bytes, std::FILE* to)
{
    std::vector<char> buffer(kCopyBytes);
    if (std::fseek(from, static_cast<long>(offset), SEEK_SET) != 0)
        return false;
    while (bytes > 0) {
        const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, buffer.size()));
        if (std::fread(buffer.data(), 1, part, from) != part || !writeAll(to, buffer.data(), part))
            return false;
        bytes -= part;
    }
    return true;
}

}  // namespace

core::Result<TensorDump> TensorDump::open(const std::string& path, const ModelShape& shape)
{
    TensorDump dump;
    dump.m_path = path;
    dump.m_shape = shape;
    if (path.empty())
        return dump;
    const std::string part = path + ".part";
    dump.m_file.reset(std::fopen(part.c_str(), "wb+"));
    if (!dump.m_file)
        return tl::unexpected(core::systemError("write", part, errno));
    return dump;
}

void TensorDump::add(const TracePoint& point, const Tensor& tensor)
{
    if (!m_file || m_failed)
        return;
    const Tensor flat = tensor.contiguous();
    Entry entry{flat.scalar_type(), flat.sizes().vec(), m_written, flat.nbytes()};
    m_failed = !writeAll(m_file.get(), flat.const_data_ptr(), flat.nbytes());
    m_written += entry.bytes;
    m_entries.insert_or_assign(nameOf(point, m_shape), std::move(entry));
}

core::Result<void> TensorDump::finish()
{
    if (!m_file)
        return {};
    core::JsonWriter json;
    json.beginObject();
    std::uint64_t offset = 0;
    for (const auto& [name, entry] : m_entries) {
        json.key(name);
        json.beginObject();
        json.member("dtype", safetensorsName(entry.type));
        json.key("shape");
        json.beginArray();
        for (const auto size : entry.shape)
            json.value(size);
        json.endArray();
        json.key("data_offsets");
        json.beginArray();
        json.value(offset);
        json.value(offset + entry.bytes);
        json.endArray();
        json.endObject();
        offset += entry.bytes;
    }
    json.endObject();
    std::string header = json.take();
    header.resize((header.size() + 7) / 8 * 8, ' ');
    std::array<unsigned char, 8> length{};
    for (std::size_t i = 0; i < length.size(); ++i)
        length[i] = static_cast<unsigned char>(header.size() >> (8 * i));

    const std::string part = m_path + ".part";
    const std::string whole = m_path + ".new";
    const std::unique_ptr<std::FILE, Close> out(std::fopen(whole.c_str(), "wb"));
    bool ok = out != nullptr && !m_failed && std::fflush(m_file.get()) == 0
        && writeAll(out.get(), length.data(), length.size())
        && writeAll(out.get(), header.data(), header.size());
    for (const auto& [name, entry] : m_entries)
        ok = ok && copyRange(m_file.get(), entry.offset, entry.bytes, out.get());
    ok = ok && std::fflush(out.get()) == 0;
    const int problem = errno;
    m_file.reset();
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    if (!ok || std::rename(whole.c_str(), m_path.c_str()) != 0) {
        std::filesystem::remove(whole, ignored);
        return tl::unexpected(core::systemError("write", m_path, problem));
    }
    return {};
}

}  // namespace firstbad::replay
