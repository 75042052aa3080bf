// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/decode/controls.h"
#include "core/import/decode/encoding.h"
#include "core/import/decode/prefix.h"
#include "core/import/decode/progress_bar.h"
#include "core/import/decode/text_source.h"
#include "tests/unit/import/text_support.h"

#include <algorithm>
#include <zlib.h>
#include <zstd.h>

namespace firstbad::test {
namespace {

const std::string kTwoSteps = "step=1 loss=3.5\nstep=2 loss=2.5\n";
const std::vector<double> kTwoLosses{3.5, 2.5};

std::string gzipped(std::string_view plain)
{
    z_stream stream{};
    constexpr int kGzipWindow = 15 + 16;
    deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY);
    std::string packed(plain.size() + 256, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
    stream.avail_in = static_cast<uInt>(plain.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(packed.size() - stream.avail_out);
    deflateEnd(&stream);
    return packed;
}

std::string zstdPacked(std::string_view plain)
{
    std::string packed(ZSTD_compressBound(plain.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), 3));
    return packed;
}

std::string utf16(std::string_view ascii, bool bigEndian, bool mark)
{
    std::string wide = !mark ? "" : bigEndian ? "\xFE\xFF" : "\xFF\xFE";
    for (const char c : ascii) {
        if (bigEndian)
            wide += '\0';
        wide += c;
        if (!bigEndian)
            wide += '\0';
    }
    return wide;
}

std::string manySteps()
{
    std::string text;
    for (int step = 1; step <= 400; ++step)
        text += "step=" + std::to_string(step) + " loss=2.5 t=" + std::to_string(step * 7919 % 997)
            + "\n";
    return text;
}

}  // namespace

TEST_CASE("Compressed logs read like plain ones, also in several pieces", "[import][decode]")
{
    const std::string first = "step=1 loss=3.5\n";
    const std::string second = "step=2 loss=2.5\n";
    const auto gz = readLog(gzipped(first) + gzipped(second), "a.log.gz");
    CHECK(valuesOf(gz, "loss") == kTwoLosses);
    CHECK(gz.info.encoding == "utf-8+gzip");
    const auto zst = readLog(zstdPacked(first) + zstdPacked(second), "a.log.zst");
    CHECK(valuesOf(zst, "loss") == kTwoLosses);
    CHECK(zst.info.encoding == "utf-8+zstd");
    CHECK(zst.info.skipped.empty());
}

TEST_CASE("A compressed log that is cut gives what came before and says so", "[import][decode]")
{
    const std::string plain = manySteps();
    const auto pack = GENERATE(values<std::string (*)(std::string_view)>({&gzipped, &zstdPacked}));
    const std::string packed = pack(plain);
    const auto data = readLog(packed.substr(0, packed.size() / 2), "a.log");
    const bool said = std::any_of(data.info.skipped.begin(), data.info.skipped.end(),
        [](const core::SkippedPart& part) { return part.code == "torn-compressed"; });
    CHECK(said);
    CHECK(valuesOf(data, "loss").size() < 400);
}

TEST_CASE("UTF-16 logs are read with and without a mark", "[import][decode]")
{
    const bool bigEndian = GENERATE(false, true);
    const bool mark = GENERATE(false, true);
    CAPTURE(bigEndian, mark);
    const auto data = readLog(utf16(kTwoSteps, bigEndian, mark));
    CHECK(valuesOf(data, "loss") == kTwoLosses);
    CHECK(data.info.encoding == (bigEndian ? "utf-16be" : "utf-16le"));
}

TEST_CASE("A log in another encoding keeps its names", "[import][decode]")
{
    std::string gbk;
    for (int step = 1; step <= 20; ++step)  // "step=N loss in GBK=2.5"
        gbk += "step=" + std::to_string(step)
            + " \xCB\xF0\xCA\xA7=2.5 \xD1\xA7\xCF\xB0\xC2\xCA=0.1\n";
    const auto data = readLog(gbk);
    CHECK(data.info.encoding == "gb18030");
    CHECK(valuesOf(data, "\xE6\x8D\x9F\xE5\xA4\xB1").size() == 20);
}

TEST_CASE("Zero bytes in the middle cost their line only", "[import][decode]")
{
    const std::string zeros(300, '\0');
    const auto data = readLog(manySteps() + zeros + "\nstep=401 loss=1.5\n");
    CHECK(valuesOf(data, "loss").size() == 401);
    REQUIRE(data.info.skipped.size() == 1);
    CHECK(data.info.skipped[0].code == "garbage");
    CHECK(data.info.skipped[0].length == 300);
}

TEST_CASE("Binary files are refused with a sentence", "[import][decode]")
{
    const TempFolder folder;
    std::string binary;
    for (int i = 0; i < 4096; ++i)
        binary += static_cast<char>(i * 7 % 256);
    const auto source = core::TextSource::open(folder.write("a.bin", binary));
    REQUIRE_FALSE(source);
    CHECK(source.error().message.find("a.bin") != std::string::npos);
}

TEST_CASE("A line of any length is read or named", "[import][decode]")
{
    const std::string mega(1U << 20U, 'x');
    const auto data = readLog("step=1 loss=3.5\n" + mega + "\nstep=2 loss=2.5\n");
    CHECK(valuesOf(data, "loss") == kTwoLosses);
    const std::string huge(20U << 20U, 'y');
    const auto cut = readLog("step=1 loss=3.5\n" + huge + "\nstep=2 loss=2.5\n");
    CHECK(valuesOf(cut, "loss") == kTwoLosses);
    REQUIRE(cut.info.skipped.size() == 1);
    CHECK(cut.info.skipped[0].code == "long-line");
}

TEST_CASE("The text outputs of a notebook are a log", "[import][decode]")
{
    const auto data = readLog(R"({"cells": [{"cell_type": "code", "source": ["step=9 loss=9.5"],
        "outputs": [{"output_type": "stream", "text": ["step=1 loss=3.5\n", "step=2 loss=2.5\n"]}]}],
        "nbformat": 4})",
        "run.ipynb");
    CHECK(valuesOf(data, "loss") == kTwoLosses);
}

TEST_CASE("Prefixes are stripped and what they tell is kept", "[import][prefix]")
{
    struct Case {
        const char* line;
        const char* rest;
        std::optional<std::int32_t> rank;
        bool timed;
    };
    const auto c = GENERATE(values<Case>({
        {" iteration 5", "iteration 5", std::nullopt, false},
        {"[default3]:step 1", "step 1", 3, false},
        {"[rank12]: step 1", "step 1", 12, false},
        {"7: step 1", "step 1", 7, false},
        {"34:step 1", "step 1", 34, false},
        {"4 :: step 1", "step 1", 4, false},
        {"slurm_procid 5 : step 1", "step 1", 5, false},
        {"[1,6]<stdout>:step 1", "step 1", 6, false},
        {"[host041:2]: step 1", "step 1", 2, false},
        {"[2031-02-03 04:05:06,123] [INFO] [a.py:190:f] [Rank 2] step=3", "step=3", 2, true},
        {"2031-02-03 04:05:06,123 - trainer - INFO - step: 1", "step: 1", std::nullopt, true},
        {"2031-02-03 04:05:06 | INFO | fairseq.trainer | x", "x", std::nullopt, true},
        {"[rank0]:[titan] 2031-02-03 04:05:06,789 - root - INFO - step: 14", "step: 14", 0, true},
        {"> iteration 5", "iteration 5", std::nullopt, false},
        {"12:34 is a clock", "12:34 is a clock", std::nullopt, false},
        {"{'loss': 1.0}", "{'loss': 1.0}", std::nullopt, false},
        {"250 train 3.21", "250 train 3.21", std::nullopt, false},
    }));
    CAPTURE(c.line);
    core::LinePrefix prefix;
    CHECK(core::stripPrefixes(c.line, prefix) == c.rest);
    CHECK(prefix.rank == c.rank);
    CHECK(core::isFinite(prefix.time) == c.timed);
}

TEST_CASE("Escapes leave the text and nothing else", "[import][controls]")
{
    std::string clean;
    const std::size_t rubbish = core::appendWithoutControls(
        "\x1B[31mstep: 1\x1B[0m \x1B]0;title\x07loss: 2\x1B[A", clean);
    CHECK(clean == "step: 1 loss: 2");
    CHECK(rubbish == 0);
}

TEST_CASE("A progress bar gives its count and what stands behind it", "[import][bar]")
{
    const auto bar = core::findProgressBar(
        "Epoch 3:  12%|##8   | 320/2724 [11:49<88:41, 132.80s/it, loss=1.5]{'x': 1}");
    REQUIRE(bar);
    CHECK(bar->done == 320);
    CHECK(bar->total == 2724);
    CHECK(bar->title == "Epoch 3");
    CHECK(bar->postfix == "loss=1.5");
    CHECK_FALSE(core::findProgressBar("[2031-02-03 04:05:06] step 1 | loss 2"));
    CHECK_FALSE(core::findProgressBar("model: 100%|##| 5.2G/5.2G [01:02<00:00, 45MB/s]"));
}

TEST_CASE("Every rewrite of a progress bar is a point, the last of one count wins", "[import][bar]")
{
    std::string text;
    for (int step = 1; step <= 5; ++step) {
        const std::string head
            = "\rSteps:  10%|#  | " + std::to_string(step) + "/5 [00:01<00:01,  4.10it/s, loss=";
        text += head + "9.9]" + head + std::to_string(step) + ".5]";
    }
    const auto data = readLog(text);
    CHECK(data.info.format == "tqdm");
    CHECK(valuesOf(data, "loss") == std::vector<double>{1.5, 2.5, 3.5, 4.5, 5.5});
}

}  // namespace firstbad::test
