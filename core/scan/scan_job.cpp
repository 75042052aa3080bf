// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scan/scan_job.h"

#include "core/base/text.h"
#include "core/checkpoint/checkpoint_reader.h"
#include "core/finite/crc32.h"
#include "core/finite/finite_scan.h"
#include "core/finite/float_format.h"

#include <algorithm>
#include <fmt/format.h>
#include <thread>
#include <zlib.h>

namespace firstbad::core {
namespace {

constexpr unsigned kMostThreads = 16;

std::vector<std::uint32_t> rawStorages(
    const Checkpoint& checkpoint, const std::vector<StoragePlan>& plans, bool checkCrc)
{
    std::vector<std::uint32_t> raw;
    for (std::size_t s = 0; s < plans.size(); ++s) {
        const Storage& storage = checkpoint.storages[s];
        const bool wanted = plans[s].needsBytes() || (checkCrc && storage.crc32);
        if (wanted && storage.coding == StorageCoding::Raw
            && storage.file < checkpoint.files.size())
            raw.push_back(static_cast<std::uint32_t>(s));
    }
    return raw;
}

}  // namespace

ScanJob::ScanJob(const Checkpoint& checkpoint, std::vector<StoragePlan>& plans,
    const ScanOptions& options, JobContext& job)
    : m_checkpoint(checkpoint)
    , m_plans(plans)
    , m_options(options)
    , m_job(job)
    , m_files(checkpoint.files.size())
    , m_cursor(checkpoint, rawStorages(checkpoint, plans, options.checkCrc), options.pieceBytes)
    , m_sums(checkpoint.storages.size())
{
    for (std::size_t s = 0; s < plans.size(); ++s) {
        const StorageCoding coding = checkpoint.storages[s].coding;
        if (coding != StorageCoding::Raw && coding != StorageCoding::Missing && isNeeded(s))
            m_streams.push_back(static_cast<std::uint32_t>(s));
    }
}

bool ScanJob::isNeeded(std::size_t storage) const
{
    return m_plans[storage].needsBytes()
        || (m_options.checkCrc && m_checkpoint.storages[storage].crc32.has_value());
}

Result<void> ScanJob::run()
{
    openFiles();
    const std::uint64_t worthAThread = 4 * m_options.pieceBytes;
    const std::uint64_t useful = bytesToScan(m_checkpoint) / worthAThread + 1;
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    const unsigned wanted
        = m_options.threads != 0 ? m_options.threads : std::min(cores, kMostThreads);
    const auto threads = static_cast<unsigned>(std::min<std::uint64_t>(wanted, useful));
    {
        std::vector<std::jthread> workers;
        for (unsigned i = 1; i < threads; ++i)
            workers.emplace_back([this] { work(); });
        work();
    }
    if (m_job.cancelled())
        return JobContext::cancelledError();
    checkSums();
    checkFiles();
    return {};
}

void ScanJob::openFiles()
{
    std::vector<bool> isRead(m_files.size(), false);
    for (std::size_t s = 0; s < m_plans.size(); ++s) {
        const Storage& storage = m_checkpoint.storages[s];
        if (storage.coding != StorageCoding::Missing && storage.coding != StorageCoding::Inline
            && storage.file < m_files.size() && isNeeded(s))
            isRead[storage.file] = true;
    }
    for (std::size_t f = 0; f < m_files.size(); ++f) {
        if (!isRead[f])
            continue;
        auto file = InputFile::open(fileLocation(m_checkpoint.files[f]));
        if (!file) {
            addDamage({"incomplete", m_checkpoint.files[f].path, file.error().message});
            continue;
        }
        if (const auto stamp = file->stamp())
            m_files[f].stamp = *stamp;
        m_files[f].file.emplace(std::move(*file));
    }
}

void ScanJob::work()
{
    std::vector<char> buffer(m_options.pieceBytes);
    ReadUnit unit;
    while (!m_job.cancelled() && m_cursor.next(unit))
        readUnit(unit, buffer);
    workOnStreams(buffer);
}

void ScanJob::readUnit(const ReadUnit& unit, std::span<char> buffer)
{
    const OpenFile& open = m_files[unit.file];
    if (!open.file)
        return;
    const auto got = open.file->readAt(unit.offset, buffer.first(unit.bytes));
    if (!got)
        addDamage({"incomplete", m_checkpoint.files[unit.file].path, got.error().message});
    const std::size_t there = got ? *got : 0;
    if (got && there < unit.bytes)
        addDamage({"truncated", m_checkpoint.files[unit.file].path,
            fmt::format("{} ends {} bytes early: it was cut while it was read.",
                m_checkpoint.files[unit.file].path, unit.bytes - there)});
    for (const ReadPart& part : unit.parts) {
        if (part.at < there)
            process(part.storage, part.begin,
                buffer.subspan(part.at, std::min(part.bytes, there - part.at)));
    }
    m_bytesRead += there;
    m_job.advance(there);
}

void ScanJob::workOnStreams(std::span<char> buffer)
{
    for (std::size_t i = m_nextStream++; i < m_streams.size() && !m_job.cancelled();
         i = m_nextStream++)
        readStream(m_streams[i], buffer);
}

void ScanJob::readStream(std::size_t storage, std::span<char> buffer)
{
    const std::string& member = m_checkpoint.storages[storage].member;
    auto stream = openStorage(m_checkpoint, storage);
    if (!stream)
        return addDamage({"incomplete", member, stream.error().message});
    std::uint64_t begin = 0;
    bool ended = false;
    while (!ended && !m_job.cancelled()) {
        std::size_t filled = 0;
        while (filled < buffer.size() && !ended) {
            const auto got = (*stream)->read(buffer.subspan(filled));
            if (!got)
                addDamage({"truncated", member, got.error().message});
            ended = !got || *got == 0;
            filled += got ? *got : 0;
        }
        process(storage, begin, buffer.first(filled));
        begin += filled;
        m_bytesRead += filled;
        m_job.advance(filled);
    }
}

void ScanJob::process(std::size_t storage, std::uint64_t begin, std::span<char> bytes)
{
    const Storage& described = m_checkpoint.storages[storage];
    if (m_options.checkCrc && described.crc32 && !bytes.empty()) {
        const std::uint32_t crc = crc32Of(bytes);
        const std::scoped_lock lock(m_mutex);
        m_sums[storage][begin] = {crc, bytes.size()};
    }
    for (Channel& channel : m_plans[storage].channels) {
        if (described.bigEndian)
            swapByteOrder(bytes, channel.valueBytes);
        countChannel(channel, begin, bytes);
        if (described.bigEndian)
            swapByteOrder(bytes, channel.valueBytes);
    }
}

void ScanJob::countChannel(Channel& channel, std::uint64_t begin, std::span<const char> bytes)
{
    const std::uint64_t from = begin / channel.valueBytes;
    const std::uint64_t to = from + bytes.size() / channel.valueBytes;
    auto segment = std::upper_bound(channel.segments.begin(), channel.segments.end(), from,
        [](std::uint64_t place, const StorageSegment& part) { return place < part.end; });
    bool anyBad = false;
    for (; segment != channel.segments.end() && segment->begin < to; ++segment) {
        const std::uint64_t first = std::max(segment->begin, from);
        const std::uint64_t last = std::min(segment->end, to);
        const ValueStats stats = countValues(channel.type,
            bytes.subspan(static_cast<std::size_t>(first - from) * channel.valueBytes,
                static_cast<std::size_t>(last - first) * channel.valueBytes));
        anyBad = anyBad || stats.firstBad;
        const std::scoped_lock lock(m_mutex);
        segment->stats.join(stats, first);
    }
    if (anyBad)
        findFirst(channel, begin, bytes);
    for (PlannedView& view : channel.views) {
        if (view.needsVisits())
            visitView(channel, view, begin, bytes);
    }
}

/// The first index of views that show their elements in another order than the storage.
void ScanJob::findFirst(Channel& channel, std::uint64_t begin, std::span<const char> bytes)
{
    const FloatFormat& format = *floatFormat(channel.type);
    const std::uint64_t from = begin / channel.valueBytes;
    const std::uint64_t count = bytes.size() / channel.valueBytes;
    for (PlannedView& view : channel.views) {
        if (view.geometry.form() != ViewGeometry::Form::Permuted)
            continue;
        const std::uint64_t low = std::max(from, view.geometry.begin() * channel.valuesPerElement);
        const std::uint64_t high
            = std::min(from + count, view.geometry.end() * channel.valuesPerElement);
        std::optional<std::uint64_t> first;
        for (std::uint64_t at = low; at < high; ++at) {
            const char* value = bytes.data() + (at - from) * channel.valueBytes;
            if (!isBadPattern(format, loadBits(format, value)))
                continue;
            const std::uint64_t logical = view.geometry.logicalOf(at / channel.valuesPerElement);
            first = first ? std::min(*first, logical) : logical;
        }
        if (!first)
            continue;
        const std::scoped_lock lock(m_mutex);
        auto& known = view.stats.firstBad;
        known = known ? std::min(*known, *first) : *first;
    }
}

void ScanJob::visitView(
    const Channel& channel, PlannedView& view, std::uint64_t begin, std::span<const char> bytes)
{
    const std::uint64_t elementBytes = std::uint64_t{channel.valueBytes} * channel.valuesPerElement;
    const std::uint64_t from = begin / elementBytes;
    const std::uint64_t to = from + bytes.size() / elementBytes;
    ValueStats sum;
    view.geometry.forEachRun(from, to, [&](const ViewRun& run) {
        ValueStats stats = countValues(channel.type,
            bytes.subspan(static_cast<std::size_t>((run.position - from) * elementBytes),
                static_cast<std::size_t>(run.count * elementBytes)));
        if (stats.firstBad)
            stats.firstBad
                = run.logical + *stats.firstBad / channel.valuesPerElement * run.logicalStride;
        sum.join(stats);
    });
    if (sum.values == 0)
        return;
    const std::scoped_lock lock(m_mutex);
    view.stats.join(sum);
}

void ScanJob::addDamage(CheckpointDamage damage)
{
    const std::scoped_lock lock(m_mutex);
    const bool known
        = std::any_of(m_damage.begin(), m_damage.end(), [&](const CheckpointDamage& one) {
              return one.error == damage.error && one.member == damage.member;
          });
    if (!known)
        m_damage.push_back(std::move(damage));
}

void ScanJob::checkSums()
{
    for (std::size_t s = 0; s < m_sums.size(); ++s) {
        const Storage& storage = m_checkpoint.storages[s];
        std::uint32_t crc = 0;
        std::uint64_t reached = 0;
        for (const auto& [begin, part] : m_sums[s]) {
            crc = static_cast<std::uint32_t>(
                crc32_combine(crc, part.crc, static_cast<z_off_t>(part.bytes)));
            reached += part.bytes;
        }
        if (m_sums[s].empty() || reached != storage.declaredBytes || crc == *storage.crc32)
            continue;
        addDamage({"crc-mismatch", storage.member,
            fmt::format("{}: the checksum of {} is {:08x}, but {:08x} was recorded: its bytes have "
                        "changed since it was saved.",
                m_checkpoint.files[storage.file].path, storage.member, crc, *storage.crc32)});
    }
}

void ScanJob::checkFiles()
{
    for (std::size_t f = 0; f < m_files.size(); ++f) {
        if (!m_files[f].file)
            continue;
        const auto now = m_files[f].file->stamp();
        const std::string& path = m_checkpoint.files[f].path;
        if (!now || *now != m_files[f].stamp || now->bytes != m_checkpoint.files[f].bytes)
            addDamage({"incomplete", path,
                fmt::format("{} changed while it was read: it may still be being written.", path)});
    }
}

}  // namespace firstbad::core
