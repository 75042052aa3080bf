// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/structured/ledger_importer.h"

#include "core/import/decode/byte_stream.h"
#include "core/import/structured/ledger_reader.h"

#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20U;
constexpr std::size_t kMaxLine = std::size_t{64} << 20U;

/// Cuts bytes into lines at '\n' only: the hashes cover everything else, '\r' included.
class LedgerCutter
{
public:
    explicit LedgerCutter(LedgerReader& reader)
        : m_reader(reader)
    { }

    /// False when a line is longer than any ledger writes.
    bool add(std::string_view block)
    {
        while (!block.empty()) {
            const std::size_t end = block.find('\n');
            m_line.append(block.substr(0, end));
            if (end == std::string_view::npos)
                return m_line.size() <= kMaxLine;
            emit(true);
            block.remove_prefix(end + 1);
        }
        return true;
    }

    void finish()
    {
        if (!m_line.empty())
            emit(false);
    }

private:
    void emit(bool terminated)
    {
        m_reader.add({m_line, ++m_number, m_offset, terminated});
        m_offset += m_line.size() + 1;
        m_line.clear();
    }

    LedgerReader& m_reader;
    std::string m_line;
    std::uint64_t m_number = 0;
    std::uint64_t m_offset = 0;
};

}  // namespace

int sniffLedger(const SourceHead& head)
{
    if (head.isFolder)
        return 0;
    const std::string_view first = head.head.substr(0, head.head.find('\n'));
    if (first.find("\"firstbad_ledger\"") != std::string_view::npos)
        return 100;
    return head.path.filename().string().find(".ledger.jsonl") != std::string::npos ? 95 : 0;
}

Result<std::vector<SourceData>> readLedger(
    const SourceRef& source, const ImportOptions& /*options*/, JobContext& job)
{
    auto bytes = openBytes(source.path);
    if (!bytes)
        return tl::unexpected<Error>(std::move(bytes.error()));
    RecordSink sink;
    LedgerReader reader(sink);
    LedgerCutter cutter(reader);
    std::vector<char> block(kBlock);
    while (true) {
        if (job.cancelled())
            return JobContext::cancelledError();
        const auto got = (*bytes)->read(block);
        if (!got)
            return tl::unexpected<Error>(got.error());
        if (*got == 0)
            break;
        job.advance(*got);
        if (!cutter.add({block.data(), *got}))
            return fail(ErrorCode::Malformed,
                fmt::format(
                    "{} has a line of more than 64 MiB: it is no ledger.", source.shownPath));
    }
    cutter.finish();
    reader.finish();
    if (auto damage = (*bytes)->damage())
        sink.addSkipped(std::move(*damage));
    std::vector<SourceData> all;
    SourceData& data = all.emplace_back(sink.take());
    data.info.path = source.shownPath.empty() ? source.path.string() : source.shownPath;
    data.info.format = "ledger";
    data.traits.dialect = "ledger";
    data.info.bytes = (*bytes)->bytesOnDisk();
    data.info.encoding = "utf-8";
    if (!(*bytes)->compression().empty())
        data.info.encoding += fmt::format("+{}", (*bytes)->compression());
    return all;
}

}  // namespace firstbad::core
