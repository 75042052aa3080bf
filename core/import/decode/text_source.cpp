// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/decode/text_source.h"

#include "core/import/decode/line_cutter.h"
#include "core/import/decode/prefix.h"

#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::uint64_t kLinesPerCancelCheck = 4096;

class PlainTextSource final : public TextSource
{
public:
    PlainTextSource(std::unique_ptr<ByteStream> bytes, bool stripPrefixes)
        : m_cutter(std::move(bytes))
        , m_stripPrefixes(stripPrefixes)
    { }

    Result<std::optional<TextLine>> next(RecordSink& sink, JobContext& job) override
    {
        if (m_number % kLinesPerCancelCheck == 0) {
            if (job.cancelled())
                return JobContext::cancelledError();
            job.advance(m_cutter.consumed() - m_reported);
            m_reported = m_cutter.consumed();
        }
        auto physical = m_cutter.next();
        if (!physical)
            return tl::unexpected(physical.error());
        if (!*physical) {
            if (auto damage = m_cutter.bytes().damage())
                sink.addSkipped(std::move(*damage));
            return std::nullopt;
        }
        return clean(**physical);
    }

    std::string_view encoding() const noexcept override { return "utf-8"; }
    std::uint64_t bytesOnDisk() const noexcept override { return m_cutter.bytes().bytesOnDisk(); }

private:
    TextLine clean(const PhysicalLine& physical)
    {
        TextLine line;
        line.raw = physical.text;
        if (!line.raw.empty() && line.raw.back() == '\r')
            line.raw.remove_suffix(1);
        line.text = line.raw;
        line.number = ++m_number;
        line.offset = physical.offset;
        line.unterminated = !physical.terminated;
        if (m_stripPrefixes) {
            LinePrefix prefix;
            line.text = firstbad::core::stripPrefixes(line.raw, prefix);
            line.rank = prefix.rank;
            line.time = prefix.time;
        }
        return line;
    }

    LineCutter m_cutter;
    bool m_stripPrefixes;
    std::uint64_t m_number = 0;
    std::uint64_t m_reported = 0;
};

}  // namespace

Result<std::unique_ptr<TextSource>> TextSource::open(
    const std::filesystem::path& path, bool stripPrefixes)
{
    auto bytes = openBytes(path);
    if (!bytes)
        return tl::unexpected(bytes.error());
    return std::make_unique<PlainTextSource>(std::move(*bytes), stripPrefixes);
}

}  // namespace firstbad::core
