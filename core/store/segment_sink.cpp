// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"
#include "core/store/case_folder.h"
#include "core/store/run_book.h"
#include "core/store/segment_file.h"

#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::size_t kFileCell = 2;  // of a row of `segments`

}  // namespace

SegmentSink::SegmentSink(std::filesystem::path folder, std::int64_t commit)
    : m_folder(std::move(folder))
    , m_commit(commit)
{ }

SegmentSink::~SegmentSink()
{
    for (const std::filesystem::path& path : m_written) {
        std::error_code ignored;
        std::filesystem::remove(path, ignored);
    }
}

Result<void> SegmentSink::add(std::int64_t columnId, std::int64_t part, const std::string& place,
    const std::string& title, const Column& column, const ColumnSlice& slice,
    std::span<const std::uint32_t> numbers)
{
    if (!m_writer)
        m_writer = std::make_unique<SegmentWriter>();
    const std::string whole = fmt::format("{}.part{}", place, part);
    auto done = m_writer->add(whole, title, column, slice, numbers);
    if (!done)
        return done;
    const auto points = static_cast<std::int64_t>(slice.to - slice.from);
    const auto missing = static_cast<std::int64_t>(slice.missingTo - slice.missingFrom);
    m_waiting.push_back({"segments",
        {columnId, part, std::string(), whole, points, missing,
            fingerprint(column, slice, numbers)}});
    m_points += static_cast<std::uint64_t>(points);
    return m_writer->bytes() < kSegmentImageBytes ? Result<void>() : finish();
}

Result<void> SegmentSink::finish()
{
    if (!m_writer)
        return {};
    auto image = m_writer->take();
    m_writer.reset();
    if (!image)
        return tl::unexpected(image.error());
    const std::string hash = sha256Hex(*image);
    const std::string name = fmt::format("series/{:06}-{}.h5", m_commit, hash.substr(0, 16));
    const std::filesystem::path path = m_folder / name;
    auto written = writeDurably(path, *image);
    if (!written)
        return written;
    m_written.push_back(path);
    m_rows.push_back({"files", {name, static_cast<std::int64_t>(image->size()), hash}});
    for (PendingRow& row : m_waiting) {
        row.cells.at(kFileCell) = name;
        m_rows.push_back(std::move(row));
    }
    m_waiting.clear();
    m_bytes += image->size();
    return {};
}

}  // namespace firstbad::core
