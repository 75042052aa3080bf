// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/source_head.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <algorithm>
#include <memory>
#include <zlib.h>
#include <zstd.h>

namespace firstbad::core {
namespace {

constexpr std::size_t kHeadBytes = std::size_t{64} * 1024U;

std::string inflateHead(std::string_view packed)
{
    z_stream stream{};
    constexpr int kGzipWindow = 15 + 16;
    if (inflateInit2(&stream, kGzipWindow) != Z_OK)
        return {};
    std::string plain(kHeadBytes, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(plain.data());
    stream.avail_out = static_cast<uInt>(plain.size());
    static_cast<void>(inflate(&stream, Z_SYNC_FLUSH));  // a torn head still gives what came before
    const std::size_t filled = kHeadBytes - std::min<std::size_t>(stream.avail_out, kHeadBytes);
    plain.erase(filled);
    inflateEnd(&stream);
    return plain;
}

std::string decompressHead(std::string_view packed)
{
    const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(
        ZSTD_createDCtx(), &ZSTD_freeDCtx);
    std::string plain(kHeadBytes, '\0');
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    ZSTD_outBuffer out{plain.data(), plain.size(), 0};
    while (context && in.pos < in.size && out.pos < out.size) {
        const std::size_t left = ZSTD_decompressStream(context.get(), &out, &in);
        if (ZSTD_isError(left) != 0)
            break;
    }
    plain.resize(out.pos);
    return plain;
}

void appendUtf8(std::string& text, std::uint32_t point)
{
    if (point < 0x80) {
        text += static_cast<char>(point);
    } else if (point < 0x800) {
        text += static_cast<char>(0xC0U | (point >> 6U));
        text += static_cast<char>(0x80U | (point & 0x3FU));
    } else {
        text += static_cast<char>(0xE0U | (point >> 12U));
        text += static_cast<char>(0x80U | ((point >> 6U) & 0x3FU));
        text += static_cast<char>(0x80U | (point & 0x3FU));
    }
}

/// Good enough to sniff by: surrogates become '?'.
std::string utf16ToUtf8(std::string_view bytes, bool bigEndian)
{
    std::string text;
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
        const auto first = static_cast<unsigned char>(bytes[i]);
        const auto second = static_cast<unsigned char>(bytes[i + 1]);
        const auto unit = static_cast<std::uint32_t>(
            bigEndian ? (first << 8U) | second : (second << 8U) | first);
        const bool surrogate = unit >= 0xD800 && unit <= 0xDFFF;
        if (unit != 0xFEFF)
            appendUtf8(text, surrogate ? static_cast<std::uint32_t>('?') : unit);
    }
    return text;
}

bool looksLikeUtf16(std::string_view head, std::size_t zeroAt) noexcept
{
    std::size_t zeros = 0;
    const std::size_t pairs = std::min<std::size_t>(head.size() / 2, 512);
    for (std::size_t i = 0; i < pairs; ++i)
        zeros += head[2 * i + zeroAt] == '\0' && head[2 * i + 1 - zeroAt] != '\0' ? 1U : 0U;
    return pairs >= 8 && zeros * 10 >= pairs * 9;
}

/// UTF-8 of a head that is text; empty when it is not. Single-byte and multi-byte code pages pass
/// as they are: their ASCII part is what sniffing looks at.
std::string textOf(std::string_view head)
{
    if (head.starts_with("\xFF\xFE") || looksLikeUtf16(head, 1))
        return utf16ToUtf8(head, false);
    if (head.starts_with("\xFE\xFF") || looksLikeUtf16(head, 0))
        return utf16ToUtf8(head, true);
    if (head.starts_with("\xEF\xBB\xBF"))
        head.remove_prefix(3);
    const auto controls
        = static_cast<std::size_t>(std::count_if(head.begin(), head.end(), [](char c) {
              const auto byte = static_cast<unsigned char>(c);
              return byte < 0x20 && !isBlank(c) && byte != 0x1B && byte != 0x08;
          }));
    // A block of zeros or a few stray bytes inside a log do not make it binary.
    if (controls * 20 > head.size())
        return {};
    return std::string(head);
}

}  // namespace

Result<HeadBytes> readHead(const std::filesystem::path& path)
{
    auto file = InputFile::open(path);
    if (!file)
        return tl::unexpected(file.error());
    const auto stamp = file->stamp();
    if (!stamp)
        return tl::unexpected(stamp.error());
    HeadBytes result;
    result.path = path;
    result.bytes = stamp->bytes;
    result.head.resize(std::min<std::uint64_t>(kHeadBytes, stamp->bytes));
    const auto got = file->readAt(0, result.head);
    if (!got)
        return tl::unexpected(got.error());
    result.head.resize(*got);
    if (result.head.starts_with("\x1F\x8B"))
        result.head = inflateHead(result.head);
    else if (result.head.starts_with("\x28\xB5\x2F\xFD"))
        result.head = decompressHead(result.head);
    result.text = textOf(result.head);
    return result;
}

}  // namespace firstbad::core
