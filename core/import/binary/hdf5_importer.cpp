// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/binary/hdf5_importer.h"

#include "core/base/text.h"
#include "core/import/binary/hdf5_child.h"
#include "core/import/binary/source_frame.h"

#include <cstring>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::string_view kFormat = "hdf5";
constexpr std::string_view kMagic = "\x89HDF\r\n\x1a\n";

/// Turns the child's messages into columns and sentences.
class TableReceiver
{
public:
    void take(Hdf5Message kind, std::string_view bytes)
    {
        const std::string text = toValidUtf8(bytes.substr(0, 1000));
        switch (kind) {
        case Hdf5Message::Column:
            m_column = m_sink.column(toValidUtf8(bytes));
            break;
        case Hdf5Message::Points:
            addPoints(bytes);
            break;
        case Hdf5Message::Note:
            addNote(m_sink, text);
            break;
        case Hdf5Message::Skipped:
            addSkipped("unreadable", text);
            break;
        case Hdf5Message::Refused:
            m_refused = text;
            break;
        case Hdf5Message::Broken:
            m_broken = text;
            break;
        case Hdf5Message::End:
            break;
        }
    }

    void addSkipped(const char* code, std::string reason)
    {
        SkippedPart part;
        part.code = code;
        part.reason = std::move(reason);
        m_sink.addSkipped(std::move(part));
    }

    [[nodiscard]] RecordSink& sink() noexcept { return m_sink; }
    [[nodiscard]] const std::string& refused() const noexcept { return m_refused; }
    [[nodiscard]] const std::string& broken() const noexcept { return m_broken; }

private:
    void addPoints(std::string_view bytes)
    {
        if (!m_column)
            return;
        Hdf5Row row;
        for (; bytes.size() >= sizeof row; bytes.remove_prefix(sizeof row)) {
            std::memcpy(&row, bytes.data(), sizeof row);
            m_sink.beginRecord(row.step, row.time, 0, false);
            m_sink.add(*m_column, row.value);
        }
    }

    RecordSink m_sink;
    std::optional<ColumnHandle> m_column;
    std::string m_refused;
    std::string m_broken;
};

std::vector<std::string> stepNames(const ImportOptions& options)
{
    std::vector<std::string> names;
    for (const auto& [theirs, canonical] : options.nameMap) {
        if (canonical == "step")
            names.push_back(theirs);
    }
    return names;
}

/// The answer once the child has said all it could.
SourceData sourceFrom(TableReceiver& receiver, bool whole, const SourceRef& source, SourceInfo info)
{
    const std::string hint = "Check the file with h5dump, or copy it again from where it was made.";
    if (!receiver.broken().empty()) {
        return damagedSource(std::move(info), "corrupt-file",
            fmt::format("{} can not be read as HDF5: {}.", shownName(source), receiver.broken()),
            "A file that was open when its writer died can be repaired on a copy with h5clear -s.");
    }
    if (!whole && receiver.sink().records() == 0) {
        return damagedSource(std::move(info), "corrupt-file",
            fmt::format("The HDF5 library failed while it read {}.", shownName(source)), hint);
    }
    if (!whole)
        receiver.addSkipped("corrupt-file",
            "The HDF5 library failed in the middle of the file; what is behind is missing.");
    SourceData data = receiver.sink().take();
    info.records = data.info.records;
    info.skipped = std::move(data.info.skipped);
    data.info = std::move(info);
    if (!receiver.refused().empty()) {
        data.info.state = SourceState::Unsupported;
        data.info.message = fmt::format("{}: {}", shownName(source), receiver.refused());
        data.info.hint = "Series are 1-D datasets of numbers, or tables with a step column.";
    }
    data.traits.dialect = kFormat;
    return data;
}

}  // namespace

int sniffHdf5(const SourceHead& head)
{
    // A user block of 512, 1024, 2048, ... bytes may stand before the signature.
    for (std::size_t at = 0; at < head.head.size(); at = at == 0 ? 512 : at * 2) {
        if (head.head.substr(at).starts_with(kMagic))
            return 95;
    }
    return 0;
}

Result<std::vector<SourceData>> readHdf5(
    const SourceRef& source, const ImportOptions& options, JobContext& job)
{
    auto info = describeFile(source, kFormat, options, job);
    if (!info)
        return tl::unexpected(std::move(info.error()));
    TableReceiver receiver;
    const auto whole = readHdf5InChild(source.path, stepNames(options), job,
        [&receiver](Hdf5Message kind, std::string_view bytes) { receiver.take(kind, bytes); });
    if (!whole)
        return tl::unexpected(whole.error());
    return asList(sourceFrom(receiver, *whole, source, std::move(*info)));
}

}  // namespace firstbad::core
