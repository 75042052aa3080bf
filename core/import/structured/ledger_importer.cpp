// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/structured/ledger_importer.h"

#include "core/import/structured/ledger_reader.h"
#include "core/ledger/ledger_file.h"

#include <fmt/format.h>

namespace firstbad::core {
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
    RecordSink sink;
    LedgerReader reader(sink);
    const std::string shown = source.shownPath.empty() ? source.path.string() : source.shownPath;
    auto stream = eachLedgerLine(
        source.path, shown, job, [&](const LedgerLine& line) { reader.add(line); });
    if (!stream)
        return tl::unexpected<Error>(std::move(stream.error()));
    reader.finish(shown);
    if (stream->damage)
        sink.addSkipped(std::move(*stream->damage));
    std::vector<SourceData> all;
    SourceData& data = all.emplace_back(sink.take());
    data.info.path = shown;
    data.info.format = "ledger";
    data.traits.dialect = "ledger";
    data.info.bytes = stream->bytesOnDisk;
    data.info.encoding = "utf-8";
    if (!stream->compression.empty())
        data.info.encoding += fmt::format("+{}", stream->compression);
    return all;
}

}  // namespace firstbad::core
