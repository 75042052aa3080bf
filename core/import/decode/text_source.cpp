// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/decode/text_source.h"

#include "core/import/decode/encoding.h"
#include "core/import/decode/line_cutter.h"
#include "core/import/decode/line_pieces.h"
#include "core/import/decode/notebook.h"

#include <array>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::uint64_t kLinesPerCancelCheck = 4096;
constexpr std::size_t kHeadBytes = 256U * 1024U;

class DecodedText final : public TextSource
{
public:
    DecodedText(std::unique_ptr<ByteStream> bytes, std::string encoding, bool stripPrefixes)
        : m_bytesOnDisk(bytes->bytesOnDisk())
        , m_cutter(std::move(bytes))
        , m_pieces(stripPrefixes)
        , m_encoding(std::move(encoding))
    { }

    Result<std::optional<TextLine>> next(RecordSink& sink, JobContext& job) override
    {
        while (m_pieces.empty()) {
            if (m_number % kLinesPerCancelCheck == 0 && !goOn(job))
                return JobContext::cancelledError();
            const auto physical = m_cutter.next();
            reportDropped(sink);
            if (!physical)
                return tl::unexpected(physical.error());
            if (!*physical) {
                if (auto damage = m_cutter.bytes().damage())
                    sink.addSkipped(std::move(*damage));
                return std::nullopt;
            }
            TextLine line = numbered(**physical);
            if (!(*physical)->plain)
                m_pieces.split(line, sink);
            else if (m_pieces.clean(line, sink))
                return line;
        }
        return m_pieces.next();
    }

    std::string_view encoding() const noexcept override { return m_encoding; }
    std::uint64_t bytesOnDisk() const noexcept override { return m_bytesOnDisk; }

private:
    [[nodiscard]] bool goOn(JobContext& job)
    {
        job.advance(m_cutter.consumed() - m_reported);
        m_reported = m_cutter.consumed();
        return !job.cancelled();
    }

    [[nodiscard]] TextLine numbered(const PhysicalLine& physical)
    {
        TextLine line;
        line.raw = physical.text;
        line.number = ++m_number;
        line.offset = physical.offset;
        line.unterminated = !physical.terminated;
        if (!line.raw.empty() && line.raw.back() == '\r')
            line.raw.remove_suffix(1);
        return line;
    }

    void reportDropped(RecordSink& sink)
    {
        const std::uint64_t dropped = m_cutter.takeDropped();
        if (dropped == 0)
            return;
        SkippedPart part;
        part.code = "long-line";
        part.reason = fmt::format("Line {} is longer than {} MiB; the rest of it was not read.",
            m_number, kMaxLineBytes >> 20U);
        part.length = dropped;
        part.line = m_number;
        sink.addSkipped(std::move(part));
    }

    std::uint64_t m_bytesOnDisk;
    LineCutter m_cutter;
    LinePieces m_pieces;
    std::string m_encoding;
    std::uint64_t m_number = 0;
    std::uint64_t m_reported = 0;
};

Result<std::string> readHead(ByteStream& bytes)
{
    std::string head(kHeadBytes, '\0');
    std::size_t filled = 0;
    while (filled < head.size()) {
        const auto got = bytes.read(std::span(head).subspan(filled));
        if (!got)
            return tl::unexpected(got.error());
        if (*got == 0)
            break;
        filled += *got;
    }
    head.resize(filled);
    return head;
}

/// `shown` names the text in sentences.
Result<std::unique_ptr<TextSource>> openDecoded(
    std::unique_ptr<ByteStream> bytes, const std::string& shown, bool stripPrefixes)
{
    auto head = readHead(*bytes);
    if (!head)
        return tl::unexpected(std::move(head.error()));
    const Encoding encoding = detectEncoding(*head);
    if (!encoding.isText)
        return fail(ErrorCode::Malformed,
            fmt::format("{} is no text: its first bytes are binary.", shown),
            "Name the reader with --format if you know what it is.");
    std::string name = encoding.name;
    if (!bytes->compression().empty())
        name += fmt::format("+{}", bytes->compression());
    bytes = withHead(head->substr(encoding.markBytes), std::move(bytes));
    if (encoding.name != "utf-8") {
        auto converted = toUtf8(std::move(bytes), encoding.name);
        if (!converted)
            return tl::unexpected(std::move(converted.error()));
        bytes = std::move(*converted);
    }
    if (looksLikeNotebook(*head)) {
        auto outputs = notebookOutputs(std::move(bytes));
        if (!outputs)
            return tl::unexpected(std::move(outputs.error()));
        bytes = std::move(*outputs);
    }
    return std::make_unique<DecodedText>(std::move(bytes), std::move(name), stripPrefixes);
}

}  // namespace

Result<std::unique_ptr<TextSource>> TextSource::open(
    const std::filesystem::path& path, bool stripPrefixes)
{
    auto bytes = openBytes(path);
    if (!bytes)
        return tl::unexpected(std::move(bytes.error()));
    return openDecoded(std::move(*bytes), path.string(), stripPrefixes);
}

Result<std::unique_ptr<TextSource>> TextSource::fromMemory(std::string bytes, bool stripPrefixes)
{
    return openDecoded(undoCompression(bytesFromMemory(bytes), bytes), "The text", stripPrefixes);
}

}  // namespace firstbad::core
