// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/segment_file.h"

#include "core/base/text.h"
#include "core/series/pyramid.h"
#include "core/store/hdf5_silence.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <hdf5.h>
#include <limits>
#include <utility>
#include <xxhash.h>

namespace firstbad::core {
namespace {

/// Not with newer libver bounds: HDF5 1.10 then spoils the superblock's checksum in an image.
Handle memoryAccess()
{
    Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fapl_core(access.get(), 1U << 20U, false);
    return access;
}

tl::unexpected<Error> writeFailed(std::string_view what)
{
    return fail(ErrorCode::OutOfMemory, fmt::format("Cannot build the HDF5 segment {}.", what),
        "Free some memory and run the command again.");
}

/// An empty dataset is left out.
bool writeDataset(hid_t group, const char* name, hid_t type, const void* data, std::size_t count)
{
    if (count == 0)
        return true;
    const hsize_t size = count;
    const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const Handle options(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(options.get(), false);
    const Handle dataset(
        H5Dcreate2(group, name, type, space.get(), H5P_DEFAULT, options.get(), H5P_DEFAULT),
        H5Dclose);
    return dataset.ok() && H5Dwrite(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
}

bool writeTitle(hid_t group, std::string_view title)
{
    const std::string text = toValidUtf8(title).substr(0, 1024);
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.get(), std::max<std::size_t>(text.size(), 1));
    H5Tset_cset(type.get(), H5T_CSET_UTF8);
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle attribute(
        H5Acreate2(group, "title", type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    return attribute.ok() && H5Awrite(attribute.get(), type.get(), text.c_str()) >= 0;
}

template <class T>
bool writeSlice(hid_t group, const char* name, hid_t type, const std::vector<T>& all,
    std::size_t from, std::size_t to)
{
    return writeDataset(group, name, type, all.data() + from, to - from);
}

struct Spans {
    std::vector<std::uint64_t> firstPoints;
    std::vector<std::uint32_t> numbers;
};

/// Spans that begin in the slice; those at the very end of the column go with its last slice.
Spans spansOf(
    const Column& column, const ColumnSlice& slice, std::span<const std::uint32_t> numbers)
{
    Spans spans;
    for (const SourceSpan& span : column.sources) {
        const bool atEnd = slice.to == column.size() && span.firstPoint >= slice.to;
        if (span.firstPoint >= slice.from && (span.firstPoint < slice.to || atEnd)) {
            spans.firstPoints.push_back(span.firstPoint);
            spans.numbers.push_back(numbers[span.source]);
        }
    }
    return spans;
}

/// The lowest level of the min/max pyramid, for programs that show a column without reading it all:
/// extremes of the finite values of each kBasePoints points (empty: +Infinity above -Infinity).
bool writeBuckets(hid_t group, const Column& column, const ColumnSlice& slice)
{
    if (slice.to - slice.from <= Pyramid::kBasePoints)
        return true;
    std::vector<double> lows;
    std::vector<double> highs;
    std::vector<std::uint8_t> nonfinite;
    for (std::size_t i = slice.from; i < slice.to; ++i) {
        if ((i - slice.from) % Pyramid::kBasePoints == 0) {
            lows.push_back(std::numeric_limits<double>::infinity());
            highs.push_back(-lows.back());
            nonfinite.push_back(0);
        }
        const double value = column.values[i];
        if (isFinite(value)) {
            lows.back() = std::min(lows.back(), value);
            highs.back() = std::max(highs.back(), value);
        } else {
            ++nonfinite.back();
        }
    }
    return writeSlice(group, "bucket_min", H5T_NATIVE_DOUBLE, lows, 0, lows.size())
        && writeSlice(group, "bucket_max", H5T_NATIVE_DOUBLE, highs, 0, highs.size())
        && writeSlice(group, "bucket_nonfinite", H5T_NATIVE_UINT8, nonfinite, 0, nonfinite.size());
}

std::optional<hsize_t> datasetSize(hid_t dataset)
{
    const Handle space(H5Dget_space(dataset), H5Sclose);
    if (!space.ok() || H5Sget_simple_extent_ndims(space.get()) != 1)
        return std::nullopt;
    hsize_t size = 0;
    if (H5Sget_simple_extent_dims(space.get(), &size, nullptr) != 1)
        return std::nullopt;
    return size;
}

/// Reads a dataset that has to hold `expected` values (nullopt: at most `limit`); one that is not
/// there is empty.
template <class T>
bool readDataset(hid_t group, const char* name, hid_t type, std::optional<std::uint64_t> expected,
    std::uint64_t limit, std::vector<T>& out)
{
    if (H5Lexists(group, name, H5P_DEFAULT) <= 0)
        return expected.value_or(0) == 0;
    const Handle dataset(H5Dopen2(group, name, H5P_DEFAULT), H5Dclose);
    if (!dataset.ok())
        return false;
    const auto size = datasetSize(dataset.get());
    if (!size || *size > limit || (expected && *size != *expected))
        return false;
    out.resize(static_cast<std::size_t>(*size));
    return *size == 0
        || H5Dread(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) >= 0;
}

/// Times or lines: as many as points, or none.
template <class T>
bool readOptional(hid_t group, const char* name, hid_t type, std::uint64_t points,
    std::uint64_t limit, std::vector<T>& out)
{
    return readDataset(group, name, type, std::nullopt, limit, out)
        && (out.empty() || out.size() == points);
}

template <class T>
void hashSlice(XXH3_state_t* state, const std::vector<T>& all, std::size_t from, std::size_t to)
{
    if (to > from)
        XXH3_128bits_update(state, all.data() + from, (to - from) * sizeof(T));
}

/// Absent and unknown are one: a column whose first time appears late must not look changed.
template <class T, class IsUnknown>
void hashOptional(
    XXH3_state_t* state, const std::vector<T>& all, const ColumnSlice& slice, IsUnknown isUnknown)
{
    if (all.empty())
        return;
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(slice.from);
    const auto last = all.begin() + static_cast<std::ptrdiff_t>(slice.to);
    if (!std::all_of(first, last, isUnknown))
        hashSlice(state, all, slice.from, slice.to);
}

}  // namespace

std::string fingerprint(
    const Column& column, const ColumnSlice& slice, std::span<const std::uint32_t> numbers)
{
    const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(
        XXH3_createState(), XXH3_freeState);
    XXH3_128bits_reset(state.get());
    hashSlice(state.get(), column.steps, slice.from, slice.to);
    hashSlice(state.get(), column.values, slice.from, slice.to);
    hashOptional(state.get(), column.times, slice,
        [](double time) { return classify(time) == ValueKind::NotANumber; });
    hashOptional(state.get(), column.lines, slice, [](std::uint32_t line) { return line == 0; });
    hashSlice(state.get(), column.missingSteps, slice.missingFrom, slice.missingTo);
    const Spans spans = spansOf(column, slice, numbers);
    hashSlice(state.get(), spans.firstPoints, 0, spans.firstPoints.size());
    hashSlice(state.get(), spans.numbers, 0, spans.numbers.size());
    const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

struct SegmentWriter::State {
    Handle file{H5I_INVALID_HID, H5Fclose};
};

SegmentWriter::SegmentWriter()
    : m_state(std::make_unique<State>())
{
    const Silence silence;
    const Handle access = memoryAccess();
    m_state->file
        = Handle(H5Fcreate("segment", H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose);
}

SegmentWriter::~SegmentWriter() = default;

Result<void> SegmentWriter::add(const std::string& place, std::string_view title,
    const Column& column, const ColumnSlice& slice, std::span<const std::uint32_t> numbers)
{
    const Silence silence;
    const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(links.get(), 1);
    const Handle options(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
    // Makes the group one of the compact kind: a tenth of the bytes.
    H5Pset_link_creation_order(options.get(), H5P_CRT_ORDER_TRACKED);
    const Handle group(
        H5Gcreate2(m_state->file.get(), place.c_str(), links.get(), options.get(), H5P_DEFAULT),
        H5Gclose);
    if (!group.ok() || !writeTitle(group.get(), title))
        return writeFailed(place);
    const auto [from, to, missingFrom, missingTo] = slice;
    const Spans spans = spansOf(column, slice, numbers);
    bool good = writeSlice(group.get(), "steps", H5T_NATIVE_INT64, column.steps, from, to)
        && writeSlice(group.get(), "values", H5T_NATIVE_DOUBLE, column.values, from, to)
        && writeSlice(
            group.get(), "missing", H5T_NATIVE_INT64, column.missingSteps, missingFrom, missingTo)
        && writeSlice(group.get(), "source_from", H5T_NATIVE_UINT64, spans.firstPoints, 0,
            spans.firstPoints.size())
        && writeSlice(
            group.get(), "source", H5T_NATIVE_UINT32, spans.numbers, 0, spans.numbers.size())
        && writeBuckets(group.get(), column, slice);
    if (good && !column.times.empty())
        good = writeSlice(group.get(), "times", H5T_NATIVE_DOUBLE, column.times, from, to);
    if (good && !column.lines.empty())
        good = writeSlice(group.get(), "lines", H5T_NATIVE_UINT32, column.lines, from, to);
    if (!good)
        return writeFailed(place);
    constexpr std::size_t kGroupOverhead = 2048;
    m_bytes += (to - from) * 28 + (missingTo - missingFrom) * 8 + kGroupOverhead;
    return {};
}

Result<std::string> SegmentWriter::take()
{
    const Silence silence;
    const hid_t file = m_state->file.get();
    const ssize_t size
        = H5Fflush(file, H5F_SCOPE_LOCAL) >= 0 ? H5Fget_file_image(file, nullptr, 0) : -1;
    if (size <= 0)
        return writeFailed("file");
    std::string image(static_cast<std::size_t>(size), '\0');
    if (H5Fget_file_image(file, image.data(), image.size()) != size)
        return writeFailed("file");
    return image;
}

struct SegmentReader::State {
    std::string name;
    std::size_t imageBytes = 0;
    Handle file{H5I_INVALID_HID, H5Fclose};

    [[nodiscard]] tl::unexpected<Error> malformed(std::string_view place) const
    {
        return fail(ErrorCode::Malformed,
            fmt::format("{}: the part {} is not what the case wrote there.",
                escapedForTerminal(name), escapedForTerminal(place)),
            "Restore the file from a copy of the case, or add the sources again to a new case.",
            Where{name, {}, {}});
    }
};

SegmentReader::SegmentReader(std::unique_ptr<State> state)
    : m_state(std::move(state))
{ }
SegmentReader::SegmentReader(SegmentReader&& other) noexcept = default;
SegmentReader& SegmentReader::operator=(SegmentReader&& other) noexcept = default;
SegmentReader::~SegmentReader() = default;

Result<SegmentReader> SegmentReader::open(std::string name, std::string image)
{
    const Silence silence;
    auto state = std::make_unique<State>();
    state->name = std::move(name);
    state->imageBytes = image.size();
    const Handle access = memoryAccess();
    H5Pset_file_image(access.get(), image.data(), image.size());
    state->file = Handle(H5Fopen("segment", H5F_ACC_RDONLY, access.get()), H5Fclose);
    if (!state->file.ok())
        return state->malformed("file");
    return SegmentReader(std::move(state));
}

Result<Column> SegmentReader::read(
    const std::string& place, std::uint64_t points, std::uint64_t missing) const
{
    const Silence silence;
    const std::uint64_t limit = m_state->imageBytes / sizeof(std::uint32_t);
    const Handle group(H5Gopen2(m_state->file.get(), place.c_str(), H5P_DEFAULT), H5Gclose);
    if (!group.ok())
        return m_state->malformed(place);
    const hid_t id = group.get();
    Column column;
    std::vector<std::uint64_t> firstPoints;
    std::vector<std::uint32_t> numbers;
    const bool good = readDataset(id, "steps", H5T_NATIVE_INT64, points, limit, column.steps)
        && readDataset(id, "values", H5T_NATIVE_DOUBLE, points, limit, column.values)
        && readDataset(id, "missing", H5T_NATIVE_INT64, missing, limit, column.missingSteps)
        && readDataset(id, "source_from", H5T_NATIVE_UINT64, std::nullopt, limit, firstPoints)
        && readDataset(id, "source", H5T_NATIVE_UINT32, firstPoints.size(), limit, numbers)
        && readOptional(id, "times", H5T_NATIVE_DOUBLE, points, limit, column.times)
        && readOptional(id, "lines", H5T_NATIVE_UINT32, points, limit, column.lines);
    if (!good)
        return m_state->malformed(place);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        column.sources.push_back({firstPoints[i], numbers[i]});
    return column;
}

}  // namespace firstbad::core
