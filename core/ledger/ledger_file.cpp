// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ledger/ledger_file.h"

#include "core/import/decode/byte_stream.h"

#include <atomic>
#include <fmt/format.h>
#include <thread>

namespace firstbad::core {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20U;
constexpr std::size_t kMaxLine = std::size_t{64} << 20U;

class LineCutter
{
public:
    explicit LineCutter(const std::function<void(const LedgerLine&)>& take)
        : m_take(take)
    { }

    /// False when a line is longer than any ledger writes.
    bool add(std::string_view block)
    {
        while (!block.empty()) {
            const std::size_t end = block.find('\n');
            if (end == std::string_view::npos) {
                m_begun.append(block);
                return m_begun.size() <= kMaxLine;
            }
            if (m_begun.empty()) {
                emit(block.substr(0, end), true);
            } else {
                m_begun.append(block.substr(0, end));
                emit(m_begun, true);
                m_begun.clear();
            }
            block.remove_prefix(end + 1);
        }
        return true;
    }

    void finish()
    {
        if (!m_begun.empty())
            emit(m_begun, false);
    }

private:
    void emit(std::string_view line, bool terminated)
    {
        m_take({line, ++m_number, m_offset, terminated});
        m_offset += line.size() + 1;
    }

    const std::function<void(const LedgerLine&)>& m_take;
    std::string m_begun;  // of a line that goes on in the next block
    std::uint64_t m_number = 0;
    std::uint64_t m_offset = 0;
};

RankLedger unreadable(const LedgerPath& path, const Error& error)
{
    RankLedger ledger;
    ledger.path = path.shownPath;
    ledger.damage.push_back({"unreadable", error.message, 0, 0, 0, false});
    return ledger;
}

RankLedger readOne(const LedgerPath& path, JobContext& job)
{
    RankLedgerReader reader;
    const auto stream = eachLedgerLine(path.path, path.shownPath, job,
        [&](const LedgerLine& line) { static_cast<void>(reader.add(line)); });
    if (!stream)
        return unreadable(path, stream.error());
    RankLedger ledger = reader.take();
    ledger.path = path.shownPath;
    if (stream->damage)
        ledger.damage.push_back({stream->damage->code, stream->damage->reason, 0,
            stream->damage->offset, stream->damage->length, stream->damage->mayBeGrowing});
    return ledger;
}

}  // namespace

Result<LedgerStream> eachLedgerLine(const std::filesystem::path& path, const std::string& shownPath,
    JobContext& job, const std::function<void(const LedgerLine&)>& take)
{
    auto bytes = openBytes(path);
    if (!bytes)
        return tl::unexpected<Error>(std::move(bytes.error()));
    LineCutter cutter(take);
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
                fmt::format("{} has a line of more than 64 MiB: it is no ledger.", shownPath));
    }
    cutter.finish();
    return LedgerStream{
        (*bytes)->bytesOnDisk(), std::string((*bytes)->compression()), (*bytes)->damage()};
}

Result<std::vector<RankLedgerPtr>> readLedgers(std::span<const LedgerPath> paths, JobContext& job)
{
    std::vector<RankLedgerPtr> ledgers(paths.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next++; i < paths.size() && !job.cancelled(); i = next++)
            ledgers[i] = std::make_shared<const RankLedger>(readOne(paths[i], job));
    };
    const std::size_t workers
        = std::min<std::size_t>(std::max(1U, std::thread::hardware_concurrency()), paths.size());
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 1; i < workers; ++i)
            threads.emplace_back(work);
        work();
    }
    if (job.cancelled())
        return JobContext::cancelledError();
    return ledgers;
}

}  // namespace firstbad::core
