// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"
#include "core/import/structured/ledger_reader.h"
#include "tests/unit/import_structured/support.h"

#include <fmt/format.h>

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

/// Writes lines with the chain of hashes that contracts.md asks for.
class Ledger
{
public:
    Ledger& add(std::string_view kind, std::string_view fields)
    {
        return raw(fmt::format("{{\"kind\":\"{}\",\"prev\":\"{}\",{}}}", kind, m_hash, fields));
    }
    Ledger& raw(const std::string& line)
    {
        m_hash = sha256Hex(line).substr(0, 16);
        m_lines.push_back(line);
        return *this;
    }
    Ledger& header(int world = 2)
    {
        return add("header",
            fmt::format("\"firstbad_ledger\":1,\"run_id\":\"run-7\",\"attempt\":3,\"rank\":1,"
                        "\"world_size\":{},\"precision\":\"fp16\",\"checkpoint_parent\":\"ckpt/5\","
                        "\"started\":\"2031-02-03T04:05:06.000Z\"",
                world));
    }
    std::vector<std::string>& lines() { return m_lines; }

    [[nodiscard]] SourceData read(bool lastTerminated = true) const
    {
        RecordSink sink;
        LedgerReader reader(sink);
        std::uint64_t number = 0;
        std::uint64_t offset = 0;
        for (const std::string& line : m_lines) {
            const bool last = ++number == m_lines.size();
            reader.add({line, number, offset, !last || lastTerminated});
            offset += line.size() + 1;
        }
        reader.finish();
        return sink.take();
    }

private:
    std::vector<std::string> m_lines;
    std::string m_hash;
};

constexpr const char* kStep
    = "\"step\":{},\"micro_step\":0,\"sample_ids\":[4,5],\"loss\":{},\"loss_scale\":1024.0,"
      "\"total_grad_norm\":\"Infinity\",\"skipped_step\":true,\"first_bad_stage\":null,\"rng_state_"
      "hash\":\"12345e67\","
      "\"optimizer_steps\":null,\"input\":{{\"rows\":2}},\"time\":\"2031-02-03T04:05:07.500Z\"";

std::string stepLine(int step, std::string_view loss)
{
    return fmt::format(fmt::runtime(kStep), step, loss);
}

}  // namespace

TEST_CASE("A ledger gives its run, rank and the series of its step lines", "[import][ledger]")
{
    Ledger ledger;
    ledger.header().add("step", stepLine(8, "2.5")).add("step", stepLine(9, "NaN"));
    const SourceData data = ledger.read();
    CHECK(data.info.skipped.empty());
    CHECK(data.runId == "run-7");
    CHECK(data.orderHint == 3.0);
    CHECK(data.traits.precision == "fp16");
    const Column loss = columnOf(data, "loss [rank 1]");
    CHECK(loss.steps == Steps{8, 9});
    CHECK(classify(loss.values[1]) == ValueKind::NotANumber);
    CHECK(loss.timeAt(0) == 1927857907.5);
    CHECK(find(data, "total_grad_norm [rank 1]")->quantity == Quantity::GradNorm);
    CHECK(summarise(columnOf(data, "total_grad_norm [rank 1]")).counts.posInf == 2);
    CHECK(columnOf(data, "skipped_step [rank 1]").values == Values{1, 1});
    CHECK(columnOf(data, "input.rows [rank 1]").values == Values{2, 2});
    CHECK(find(data, "sample_ids[0] [rank 1]") == nullptr);
    CHECK(find(data, "rng_state_hash [rank 1]") == nullptr);
    CHECK(find(data, "first_bad_stage [rank 1]") == nullptr);
    REQUIRE(data.events.size() == 2);
    CHECK(data.events[0].kind == EventKind::RunStart);
    CHECK(data.events[1].kind == EventKind::Load);
    CHECK(data.events[1].path == "ckpt/5");
}

TEST_CASE("The only rank of a run needs no suffix", "[import][ledger]")
{
    Ledger ledger;
    ledger.header(1).add("step", stepLine(1, "2.5"));
    CHECK(columnOf(ledger.read(), "loss").values == Values{2.5});
}

TEST_CASE("Lines that are no steps become events with all they say", "[import][ledger]")
{
    Ledger ledger;
    ledger.header()
        .add("bad",
            "\"step\":9,\"micro_step\":0,\"stage\":\"backward\",\"tensor\":\"h.3.w\",\"nan\":4")
        .add("decision",
            "\"step\":9,\"action\":\"skip\",\"scope\":\"global\",\"reason\":\"overflow\"")
        .add("checkpoint", "\"step\":10,\"path\":\"ckpt/10\",\"parent\":\"ckpt/5\"")
        .add("capsule", "\"step\":9,\"path\":\"c9.capsule\"")
        .add("note", "\"text\":\"by hand\"")
        .add("end", "\"how\":\"exception\",\"message\":\"stopped\"");
    const SourceData data = ledger.read();
    CHECK(data.info.skipped.empty());
    REQUIRE(data.events.size() == 8);
    CHECK(data.events[2].kind == EventKind::BadEvidence);
    CHECK(data.events[2].rank == 1);
    CHECK_THAT(data.events[2].text, Catch::Matchers::ContainsSubstring("\"nan\":4"));
    CHECK(data.events[3].kind == EventKind::Decision);
    CHECK_THAT(data.events[3].text, Catch::Matchers::ContainsSubstring("skip"));
    CHECK(data.events[4].kind == EventKind::Save);
    CHECK(data.events[4].path == "ckpt/10");
    CHECK(data.events[5].kind == EventKind::CapsuleSaved);
    CHECK(data.events[6].text == "by hand");
    CHECK(data.events[7].kind == EventKind::Exception);
}

TEST_CASE(
    "A changed line breaks the chain at the next one, and reading goes on", "[import][ledger]")
{
    Ledger ledger;
    ledger.header().add("step", stepLine(1, "2.5")).add("step", stepLine(2, "2.4"));
    ledger.add("step", stepLine(3, "2.3"));
    std::string& changed = ledger.lines()[1];
    changed.replace(changed.find("2.5"), 3, "9.5");
    const SourceData data = ledger.read();
    REQUIRE(data.info.skipped.size() == 1);
    CHECK(data.info.skipped[0].code == "chain-break");
    CHECK(data.info.skipped[0].line == 3);
    CHECK(columnOf(data, "loss [rank 1]").steps == Steps{1, 2, 3});
}

TEST_CASE("A line that was taken out breaks the chain", "[import][ledger]")
{
    Ledger ledger;
    ledger.header().add("step", stepLine(1, "2.5")).add("step", stepLine(2, "2.4"));
    ledger.lines().erase(ledger.lines().begin() + 1);
    const SourceData data = ledger.read();
    REQUIRE(data.info.skipped.size() == 1);
    CHECK(data.info.skipped[0].line == 2);
}

TEST_CASE("A torn last line is a note; reopened, it is damage but no break", "[import][ledger]")
{
    Ledger ledger;
    ledger.header().add("step", stepLine(1, "2.5")).raw("{\"kind\":\"step\",\"pre");
    const SourceData growing = ledger.read(false);
    REQUIRE(growing.info.skipped.size() == 1);
    CHECK(growing.info.skipped[0].code == "torn-tail");
    CHECK(growing.info.skipped[0].mayBeGrowing);

    ledger.add("step", stepLine(2, "2.4"));
    const SourceData reopened = ledger.read();
    REQUIRE(reopened.info.skipped.size() == 1);
    CHECK(reopened.info.skipped[0].code == "not-json");
    CHECK_FALSE(reopened.info.skipped[0].mayBeGrowing);
    CHECK(columnOf(reopened, "loss [rank 1]").steps == Steps{1, 2});
}

TEST_CASE("The first bad line is frozen: an earlier claim is a contradiction", "[import][ledger]")
{
    Ledger ledger;
    ledger.header()
        .add("bad", "\"step\":9,\"micro_step\":0,\"stage\":\"loss\"")
        .add("bad", "\"step\":7,\"micro_step\":1,\"stage\":\"forward\"");
    const SourceData data = ledger.read();
    REQUIRE(data.info.skipped.size() == 1);
    CHECK(data.info.skipped[0].code == "contradiction");
    CHECK_THAT(data.info.skipped[0].reason, Catch::Matchers::ContainsSubstring("step 9"));
}

TEST_CASE("A ledger without header and a blank line are damage", "[import][ledger]")
{
    Ledger ledger;
    ledger.add("step", stepLine(1, "2.5")).raw("").add("step", stepLine(2, "2.5"));
    const SourceData data = ledger.read();
    REQUIRE(data.info.skipped.size() == 2);
    CHECK(data.info.skipped[0].code == "blank-line");
    CHECK(data.info.skipped[1].code == "no-header");
}
