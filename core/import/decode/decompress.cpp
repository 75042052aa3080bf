// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/decode/decompress.h"

#include <algorithm>
#include <vector>
#include <zlib.h>
#include <zstd.h>

namespace firstbad::core {
namespace {

constexpr std::size_t kInputBlock = 256U * 1024U;

/// What both decompressors share: an input block and how the stream ended.
class PackedStream : public ByteStream
{
public:
    PackedStream(std::unique_ptr<ByteStream> packed, std::string_view name)
        : m_packed(std::move(packed))
        , m_name(name)
        , m_input(kInputBlock)
    { }

    std::optional<SkippedPart> damage() const override { return m_damage; }
    std::string_view compression() const noexcept override { return m_name; }
    std::uint64_t bytesOnDisk() const noexcept override { return m_packed->bytesOnDisk(); }

protected:
    /// The bytes of the input block that are not used yet, after reading more if there are none.
    [[nodiscard]] Result<std::span<char>> input()
    {
        if (m_at == m_filled && !m_inputEnded) {
            const auto got = m_packed->read(m_input);
            if (!got)
                return tl::unexpected(got.error());
            m_at = 0;
            m_filled = *got;
            m_inputEnded = *got == 0;
        }
        return std::span(m_input).subspan(m_at, m_filled - m_at);
    }
    void use(std::size_t count) noexcept
    {
        m_at += count;
        m_used += count;
    }
    void endWith(std::string_view code, std::string reason)
    {
        SkippedPart part;
        part.code = std::string(code);
        part.reason = std::move(reason);
        part.offset = m_used;
        part.length = bytesOnDisk() > m_used ? bytesOnDisk() - m_used : 0;
        part.mayBeGrowing = code == "torn-compressed";
        m_damage = std::move(part);
        m_done = true;
    }

    bool m_done = false;

private:
    std::unique_ptr<ByteStream> m_packed;
    std::string_view m_name;
    std::vector<char> m_input;
    std::size_t m_at = 0;
    std::size_t m_filled = 0;
    std::uint64_t m_used = 0;
    bool m_inputEnded = false;
    std::optional<SkippedPart> m_damage;
};

class GzipStream final : public PackedStream
{
public:
    explicit GzipStream(std::unique_ptr<ByteStream> packed)
        : PackedStream(std::move(packed), "gzip")
    {
        constexpr int kGzipWindow = 15 + 16;
        m_ready = inflateInit2(&m_stream, kGzipWindow) == Z_OK;
    }
    ~GzipStream() override { inflateEnd(&m_stream); }
    GzipStream(const GzipStream&) = delete;
    GzipStream& operator=(const GzipStream&) = delete;

    Result<std::size_t> read(std::span<char> buffer) override
    {
        if (!m_ready)
            return fail(ErrorCode::OutOfMemory, "There is not enough memory to undo gzip.");
        while (!m_done) {
            const auto in = input();
            if (!in)
                return tl::unexpected(in.error());
            if (in->empty()) {
                if (m_insideMember)
                    endWith("torn-compressed", "The gzip data ends in the middle of a member.");
                m_done = true;
                break;
            }
            if (const std::size_t made = inflateSome(*in, buffer); made != 0)
                return made;
        }
        return 0;
    }

private:
    std::size_t inflateSome(std::span<char> in, std::span<char> buffer)
    {
        m_stream.next_in = reinterpret_cast<Bytef*>(in.data());
        m_stream.avail_in = static_cast<uInt>(in.size());
        m_stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
        m_stream.avail_out = static_cast<uInt>(buffer.size());
        m_insideMember = true;
        const int status = inflate(&m_stream, Z_NO_FLUSH);
        use(in.size() - m_stream.avail_in);
        if (status == Z_STREAM_END) {
            m_insideMember = false;
            m_members = true;
            inflateReset(&m_stream);
        } else if (status != Z_OK && status != Z_BUF_ERROR) {
            if (m_members && m_stream.total_out == 0)
                endWith("trailing-bytes", "Bytes that are no gzip data follow the last member.");
            else
                endWith("bad-compressed", "The gzip data is damaged; what follows is lost.");
        }
        return buffer.size() - m_stream.avail_out;
    }

    z_stream m_stream{};
    bool m_ready = false;
    bool m_insideMember = false;
    bool m_members = false;
};

class ZstdStream final : public PackedStream
{
public:
    explicit ZstdStream(std::unique_ptr<ByteStream> packed)
        : PackedStream(std::move(packed), "zstd")
        , m_context(ZSTD_createDCtx(), &ZSTD_freeDCtx)
    { }

    Result<std::size_t> read(std::span<char> buffer) override
    {
        if (!m_context)
            return fail(ErrorCode::OutOfMemory, "There is not enough memory to undo zstd.");
        while (!m_done) {
            const auto in = input();
            if (!in)
                return tl::unexpected(in.error());
            if (in->empty() && !m_moreOutput) {
                if (m_insideFrame)
                    endWith("torn-compressed", "The zstd data ends in the middle of a frame.");
                m_done = true;
                break;
            }
            if (const std::size_t made = decompressSome(*in, buffer); made != 0)
                return made;
        }
        return 0;
    }

private:
    std::size_t decompressSome(std::span<char> in, std::span<char> buffer)
    {
        ZSTD_inBuffer source{in.data(), in.size(), 0};
        ZSTD_outBuffer target{buffer.data(), buffer.size(), 0};
        const std::size_t left = ZSTD_decompressStream(m_context.get(), &target, &source);
        use(source.pos);
        m_moreOutput = target.pos == target.size;
        if (ZSTD_isError(left) != 0)
            endWith("bad-compressed", "The zstd data is damaged; what follows is lost.");
        else
            m_insideFrame = left != 0;
        return target.pos;
    }

    std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> m_context;
    bool m_insideFrame = false;
    bool m_moreOutput = false;
};

}  // namespace

bool looksLikeGzip(std::string_view head) noexcept
{
    return head.size() >= 3 && head.substr(0, 3) == "\x1F\x8B\x08";
}

bool looksLikeZstd(std::string_view head) noexcept
{
    return head.size() >= 4 && head.substr(0, 4) == "\x28\xB5\x2F\xFD";
}

std::unique_ptr<ByteStream> gunzip(std::unique_ptr<ByteStream> packed)
{
    return std::make_unique<GzipStream>(std::move(packed));
}

std::unique_ptr<ByteStream> unzstd(std::unique_ptr<ByteStream> packed)
{
    return std::make_unique<ZstdStream>(std::move(packed));
}

}  // namespace firstbad::core
