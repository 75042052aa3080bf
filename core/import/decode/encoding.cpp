// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/decode/encoding.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <iconv.h>
#include <uchardet.h>
#include <vector>

namespace firstbad::core {
namespace {

constexpr std::size_t kBlock = 256U * 1024U;

std::optional<Encoding> byMark(std::string_view head)
{
    if (head.substr(0, 3) == "\xEF\xBB\xBF")
        return Encoding{"utf-8", 3, true};
    if (head.substr(0, 2) == "\xFF\xFE")
        return Encoding{"utf-16le", 2, true};
    if (head.substr(0, 2) == "\xFE\xFF")
        return Encoding{"utf-16be", 2, true};
    return std::nullopt;
}

/// UTF-16 without a mark: nearly every second byte of Western text is zero.
std::optional<Encoding> byZeros(std::string_view head)
{
    std::array<std::size_t, 2> zeros{};
    for (std::size_t i = 0; i < head.size(); ++i)
        zeros.at(i % 2) += head[i] == '\0' ? 1U : 0U;
    const std::size_t half = head.size() / 2;
    if (half < 8)
        return std::nullopt;
    if (zeros[1] * 10 > half * 6 && zeros[0] * 20 < half)
        return Encoding{"utf-16le", 0, true};
    if (zeros[0] * 10 > half * 6 && zeros[1] * 20 < half)
        return Encoding{"utf-16be", 0, true};
    return std::nullopt;
}

bool holdsBinary(std::string_view line)
{
    return std::any_of(line.begin(), line.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 && !isBlank(c) && c != '\x1B' && c != '\b' && c != '\a';
    });
}

/// Most lines of a binary file hold control bytes; a burst of them in a log is one line.
bool isBinary(std::string_view head)
{
    std::size_t lines = 0;
    std::size_t binary = 0;
    for (std::size_t at = 0; at < head.size(); ++lines) {
        const std::size_t end = std::min(head.find('\n', at), head.size());
        binary += holdsBinary(head.substr(at, end - at)) ? 1U : 0U;
        at = end + 1;
    }
    return binary * 2 > lines;
}

/// Without the sequence that the end of the head may have cut.
std::string_view wholeSequences(std::string_view head)
{
    std::size_t end = head.size();
    for (int back = 0; back < 3 && end > 0; ++back) {
        const auto byte = static_cast<unsigned char>(head[end - 1]);
        if (byte < 0x80)
            break;
        --end;
        if (byte >= 0xC0)
            break;
    }
    return isValidUtf8(head) ? head : head.substr(0, end);
}

std::string byStatistics(std::string_view head)
{
    const std::unique_ptr<std::remove_pointer_t<uchardet_t>, void (*)(uchardet_t)> detector(
        uchardet_new(), &uchardet_delete);
    uchardet_handle_data(detector.get(), head.data(), head.size());
    uchardet_data_end(detector.get());
    std::string name = toLowerAscii(uchardet_get_charset(detector.get()));
    if (name == "gbk" || name == "gb2312")
        name = "gb18030";  // the largest of the family reads all of it
    if (name == "ascii" || name.empty())
        name = "latin-1";
    return name == "iso-8859-1" ? "latin-1" : name;
}

/// A few bad bytes in UTF-8 text are damage, not another encoding.
bool isMostlyUtf8(std::string_view head)
{
    std::size_t good = 0;
    std::size_t bad = 0;
    for (std::size_t at = 0; at < head.size();) {
        const std::size_t end = std::min(head.find('\n', at), head.size());
        const std::string_view line = head.substr(at, end - at);
        const bool ascii = std::none_of(
            line.begin(), line.end(), [](char c) { return static_cast<signed char>(c) < 0; });
        if (!ascii)
            ++(isValidUtf8(line) ? good : bad);
        at = end + 1;
    }
    const auto lines = static_cast<std::size_t>(std::count(head.begin(), head.end(), '\n'));
    return bad == 0 || good > bad || bad * 20 < lines;
}

class Utf8Stream final : public ByteStream
{
public:
    Utf8Stream(std::unique_ptr<ByteStream> bytes, iconv_t converter, std::string name)
        : m_bytes(std::move(bytes))
        , m_converter(converter)
        , m_name(std::move(name))
        , m_input(kBlock)
    { }
    ~Utf8Stream() override { iconv_close(m_converter); }
    Utf8Stream(const Utf8Stream&) = delete;
    Utf8Stream& operator=(const Utf8Stream&) = delete;

    Result<std::size_t> read(std::span<char> buffer) override
    {
        for (;;) {
            if (const std::size_t made = convert(buffer); made != 0)
                return made;
            if (m_ended)
                return 0;
            std::copy(m_input.begin() + static_cast<std::ptrdiff_t>(m_at),
                m_input.begin() + static_cast<std::ptrdiff_t>(m_filled), m_input.begin());
            m_filled -= m_at;
            m_at = 0;
            const auto got = m_bytes->read(std::span(m_input).subspan(m_filled));
            if (!got)
                return got;
            m_filled += *got;
            m_ended = *got == 0;
        }
    }

    std::optional<SkippedPart> damage() const override
    {
        if (auto inner = m_bytes->damage())
            return inner;
        if (m_invalid == 0)
            return std::nullopt;
        SkippedPart part;
        part.code = "bad-encoding";
        part.reason = fmt::format("{} bytes are not valid {}.", m_invalid, m_name);
        part.offset = m_firstInvalid;
        part.length = m_invalid;
        return part;
    }
    std::string_view compression() const noexcept override { return m_bytes->compression(); }
    std::uint64_t bytesOnDisk() const noexcept override { return m_bytes->bytesOnDisk(); }

private:
    std::size_t convert(std::span<char> buffer)
    {
        char* out = buffer.data();
        std::size_t room = buffer.size();
        constexpr std::size_t kReplacement = 3;
        while (m_at < m_filled && room >= kReplacement) {
            char* in = m_input.data() + m_at;
            std::size_t left = m_filled - m_at;
            const std::size_t status = iconv(m_converter, &in, &left, &out, &room);
            const std::size_t used = m_filled - m_at - left;
            m_at += used;
            m_used += used;
            if (status != static_cast<std::size_t>(-1) || errno == E2BIG)
                break;
            if (errno == EINVAL && !m_ended)
                break;  // the end of the block cut a character
            replaceOne(out, room);
        }
        return buffer.size() - room;
    }

    void replaceOne(char*& out, std::size_t& room)
    {
        constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
        if (room < kReplacement.size())
            return;
        if (m_invalid == 0)
            m_firstInvalid = m_used;
        ++m_invalid;
        out = std::copy(kReplacement.begin(), kReplacement.end(), out);
        room -= kReplacement.size();
        ++m_at;
        ++m_used;
    }

    std::unique_ptr<ByteStream> m_bytes;
    iconv_t m_converter;
    std::string m_name;
    std::vector<char> m_input;
    std::size_t m_at = 0;
    std::size_t m_filled = 0;
    std::uint64_t m_used = 0;
    std::uint64_t m_invalid = 0;
    std::uint64_t m_firstInvalid = 0;
    bool m_ended = false;
};

class HeadedStream final : public ByteStream
{
public:
    HeadedStream(std::string head, std::unique_ptr<ByteStream> rest)
        : m_head(std::move(head))
        , m_rest(std::move(rest))
    { }

    Result<std::size_t> read(std::span<char> buffer) override
    {
        const std::size_t count = std::min(buffer.size(), m_head.size() - m_at);
        if (count == 0)
            return m_rest->read(buffer);
        std::copy_n(m_head.data() + m_at, count, buffer.data());
        m_at += count;
        return count;
    }

    std::optional<SkippedPart> damage() const override { return m_rest->damage(); }
    std::string_view compression() const noexcept override { return m_rest->compression(); }
    std::uint64_t bytesOnDisk() const noexcept override { return m_rest->bytesOnDisk(); }

private:
    std::string m_head;
    std::unique_ptr<ByteStream> m_rest;
    std::size_t m_at = 0;
};

}  // namespace

Encoding detectEncoding(std::string_view head)
{
    if (const auto marked = byMark(head))
        return *marked;
    if (const auto wide = byZeros(head))
        return *wide;
    if (isBinary(head))
        return Encoding{"binary", 0, false};
    const std::string_view whole = wholeSequences(head);
    if (isValidUtf8(whole) || isMostlyUtf8(whole))
        return {};
    return Encoding{byStatistics(head), 0, true};
}

Result<std::unique_ptr<ByteStream>> toUtf8(
    std::unique_ptr<ByteStream> bytes, const std::string& encoding)
{
    const std::string known = encoding == "latin-1" ? "iso-8859-1" : encoding;
    const iconv_t converter = iconv_open("utf-8", known.c_str());
    if (reinterpret_cast<std::intptr_t>(converter) == -1)
        return fail(ErrorCode::Unsupported,
            fmt::format("The text is encoded as {}, which this system cannot convert.", encoding),
            "Convert the file to UTF-8 with iconv and try again.");
    return std::make_unique<Utf8Stream>(std::move(bytes), converter, encoding);
}

std::unique_ptr<ByteStream> withHead(std::string head, std::unique_ptr<ByteStream> rest)
{
    return std::make_unique<HeadedStream>(std::move(head), std::move(rest));
}

}  // namespace firstbad::core
