// SPDX-License-Identifier: GPL-3.0-or-later
// Ledgers for tests: written line by line with a valid chain of hashes, read back in memory.
#pragma once

#include "core/base/hash.h"
#include "core/ledger/ledger_report.h"
#include "core/ledger/rank_ledger_reader.h"
#include "tests/support/catch.h"

#include <fmt/format.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::test {

struct StepFields {
    std::string loss = "2.5";
    std::string norm = "0.5";
    std::string skipped = "false";
    std::string localBad = "false";
    std::string globalBad = "false";
    std::string stage = "null";
    std::string after = "1024.0";
    std::string ids = "[1,2]";
    int micro = 0;
    std::string more;  ///< further members, each with a comma before it
};

class WrittenLedger
{
public:
    explicit WrittenLedger(int rank, int world = 2, int attempt = 1, std::string_view more = {})
    {
        line("header",
            fmt::format("\"firstbad_ledger\":1,\"run_id\":\"r\",\"attempt\":{},\"rank\":{},"
                        "\"world_size\":{},\"precision\":\"fp16\",\"scale_policy\":{{\"name\":"
                        "\"torch-gradscaler\"}}{}",
                attempt, rank, world, more));
    }

    WrittenLedger& line(std::string_view kind, std::string_view members)
    {
        return raw(fmt::format("{{\"kind\":\"{}\",\"prev\":\"{}\",{}}}", kind, m_hash, members));
    }
    WrittenLedger& raw(const std::string& text)
    {
        m_hash = core::sha256Hex(text).substr(0, 16);
        m_lines.push_back(text);
        return *this;
    }
    WrittenLedger& step(int step, const StepFields& f = {})
    {
        return line("step",
            fmt::format("\"step\":{},\"micro_step\":{},\"sample_ids\":{},\"loss\":{},"
                        "\"loss_scale_after\":{},\"total_grad_norm\":{},\"skipped_step\":{},"
                        "\"local_bad\":{},\"global_bad\":{},\"first_bad_stage\":{}{}",
                step, f.micro, f.ids, f.loss, f.after, f.norm, f.skipped, f.localBad, f.globalBad,
                f.stage, f.more));
    }
    WrittenLedger& steps(int from, int to)
    {
        for (int s = from; s <= to; ++s)
            step(s);
        return *this;
    }
    WrittenLedger& bad(
        int step, std::string_view stage, std::string_view module = "blocks.4.mlp", int micro = 0)
    {
        return line("bad",
            fmt::format("\"step\":{},\"micro_step\":{},\"stage\":\"{}\",\"module\":\"{}\","
                        "\"tensor\":\"output\",\"nan\":3,\"posinf\":0,\"neginf\":0,"
                        "\"max_abs\":\"NaN\"",
                step, micro, stage, module));
    }
    WrittenLedger& decision(int step, std::string_view action)
    {
        return line("decision",
            fmt::format("\"step\":{},\"action\":\"{}\",\"scope\":\"global\",\"reason\":\"\"", step,
                action));
    }
    WrittenLedger& end(std::string_view how, std::string_view message = {})
    {
        return line("end", fmt::format("\"how\":\"{}\",\"message\":\"{}\"", how, message));
    }
    std::vector<std::string>& lines() { return m_lines; }

    [[nodiscard]] core::RankLedger read(bool lastTerminated = true) const
    {
        core::RankLedgerReader reader;
        std::uint64_t number = 0;
        for (const std::string& text : m_lines) {
            const bool last = ++number == m_lines.size();
            static_cast<void>(reader.add({text, number, 0, !last || lastTerminated}));
        }
        return reader.take();
    }
    [[nodiscard]] core::RankLedgerPtr pointer() const
    {
        return std::make_shared<const core::RankLedger>(read());
    }

private:
    std::vector<std::string> m_lines;
    std::string m_hash;
};

/// The report of the only run that these ledgers are of.
inline core::LedgerReport reportOf(const std::vector<WrittenLedger>& written)
{
    std::vector<core::RankLedgerPtr> ledgers;
    for (const WrittenLedger& one : written)
        ledgers.push_back(one.pointer());
    core::JobContext job;
    auto reports = core::reportLedgers(ledgers, job);
    REQUIRE(reports);
    REQUIRE(reports->size() == 1);
    return std::move(reports->front());
}

}  // namespace firstbad::test
