// SPDX-License-Identifier: GPL-3.0-or-later
// The replaying commands against a worker without LibTorch: documents, exit status, evidence.
#include "core/base/job_context.h"
#include "core/store/case_store.h"
#include "tests/contract/cli/json_check.h"
#include "tests/contract/cli/program_run.h"
#include "tests/support/capsule_example.h"
#include "tests/support/catch.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

using namespace firstbad;
using Catch::Matchers::ContainsSubstring;
using test::documentOf;
using test::runFirstbad;

namespace {

std::string textOf(const rapidjson::Value& value)
{
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
    value.Accept(writer);
    return buffer.GetString();
}

/// A folder with step.capsule (gpt2, four blocks), to be used as the current one.
class Workplace
{
public:
    Workplace()
    {
        using Ids = std::vector<std::int64_t>;
        m_folder.write(
            "step.capsule/capsule.json", test::capsuleJson({{R"("n_layer":1)", R"("n_layer":4)"}}));
        m_folder.write("step.capsule/weights.safetensors",
            test::safetensorsBytes({test::exampleTensor<float>(
                "transformer.wte.weight", "F32", {10, 4}, std::vector<float>(40))}));
        m_folder.write("step.capsule/batch.safetensors",
            test::safetensorsBytes(
                {test::exampleTensor<std::int64_t>("input_ids", "I64", {2, 2}, Ids{1, 2, 3, 4}),
                    test::exampleTensor<std::int64_t>("labels", "I64", {2, 2}, Ids{1, 2, 3, 4})}));
        m_options.folder = m_folder.path().string();
        m_options.environment = {"FIRSTBAD_WORKER=" FIRSTBAD_FAKE_WORKER, "FAKE_WORKER="};
    }

    [[nodiscard]] test::ProgramRun run(
        const std::vector<std::string>& arguments, const std::string& mode = {})
    {
        m_options.environment.back() = "FAKE_WORKER=" + mode;
        return runFirstbad(arguments, m_options);
    }
    [[nodiscard]] std::vector<core::EvidenceRecord> evidence() const
    {
        const auto store = core::CaseStore::open(m_folder.path() / "case", core::CaseAccess::Read);
        REQUIRE(store);
        core::JobContext job;
        CHECK(store->check(job)->sound());
        return *store->evidence();
    }
    [[nodiscard]] const test::TempFolder& folder() const { return m_folder; }

private:
    test::TempFolder m_folder;
    test::RunOptions m_options;
};

}  // namespace

TEST_CASE("sweep, replay and bisect answer with lanes, place and exit 3 for a fault",
    "[contract][cli][replay]")
{
    Workplace place;
    const std::string command = GENERATE("sweep", "replay", "bisect");
    const auto json = place.run({command, "step.capsule", "--json"});
    CHECK(json.status == 3);
    const auto document = documentOf(json.out, command);
    const auto& result = document["result"];
    CHECK(result["first_bad"]["locus"].GetString() == std::string("blocks.1.attn.scores"));
    CHECK(result["lanes"]["forward"].Size() == 52);  // embedding, 4 x 12, head 3
    CHECK(result["lanes"]["param"].IsNull());
    CHECK(result["loss"].GetString() == std::string("NaN"));
    CHECK(result["input_findings"].IsArray());
    CHECK(result["fidelity"].HasMember("weights"));
    const auto text = place.run({command, "step.capsule"});
    CHECK(text.status == 3);
    CHECK_THAT(text.out, ContainsSubstring("blocks.1.attn.scores[1, 2, 7, 3]"));
    CHECK(place.run({command, "step.capsule"}).out == text.out);
}

TEST_CASE("matrix and isolate exit 3 when they find a fault", "[contract][cli][replay]")
{
    Workplace place;
    const auto matrix = place.run({"matrix", "step.capsule", "--json"});
    CHECK(matrix.status == 3);
    CHECK(documentOf(matrix.out, "matrix")["result"]["fp32_blocks"]["minimal"][0].GetInt() == 1);
    const auto isolate = place.run({"isolate", "step.capsule", "--json"});
    CHECK(isolate.status == 3);
    CHECK(documentOf(isolate.out, "isolate")["result"]["rows"][0].GetInt() == 1);
    CHECK(place.run({"isolate", "step.capsule"}).status == 3);
}

TEST_CASE("wrong use is exit 2, what is not there 1, what is damaged 4", "[contract][cli][replay]")
{
    Workplace place;
    CHECK(place.run({"sweep", "step.capsule", "--precision", "int4"}).status == 2);
    CHECK(place.run({"sweep", "step.capsule", "--when", "grows"}).status == 2);
    CHECK(place.run({"bisect", "next"}).status == 2);
    CHECK(place.run({"bisect", "step.capsule", "other.capsule"}).status == 2);
    CHECK(place.run({"sweep", "no.capsule"}).status == 1);
    place.folder().write("bad.capsule/capsule.json", "{\"firstbad_capsule\": 1}");
    for (const std::string command : {"lint", "sweep", "matrix"}) {
        const auto damaged = place.run({command, "bad.capsule", "--json"});
        CHECK(damaged.status == 4);
        const auto document = documentOf(damaged.out, command);
        CHECK(document["result"].IsNull());
        CHECK(document["diagnostics"].Size() == 1);
    }
    std::filesystem::remove(place.folder().path() / "step.capsule/weights.safetensors");
    const auto missing = place.run({"sweep", "step.capsule"});
    CHECK(missing.status == 4);
    CHECK_THAT(missing.err, ContainsSubstring("weights.safetensors"));
}

TEST_CASE(
    "a worker that refuses a capsule is exit 4, one that dies exit 1", "[contract][cli][replay]")
{
    Workplace place;
    const auto refused = place.run({"sweep", "step.capsule", "--json"}, "refuse");
    CHECK(refused.status == 4);
    CHECK_THAT(refused.out, ContainsSubstring("The weights lie."));
    const auto dead = place.run({"sweep", "step.capsule"}, "die");
    CHECK(dead.status == 1);
    CHECK_THAT(dead.err, ContainsSubstring("signal 6"));
}

TEST_CASE("a case keeps capsule and results, each once, and what a dying worker proved",
    "[contract][cli][replay]")
{
    Workplace place;
    REQUIRE(place.run({"init", "case"}).status == 0);
    CHECK(place.run({"sweep", "step.capsule"}).status == 3);
    CHECK(place.run({"sweep", "step.capsule"}).status == 3);
    CHECK(place.run({"matrix", "step.capsule"}).status == 3);
    auto evidence = place.evidence();
    REQUIRE(evidence.size() == 3);
    CHECK(evidence[0].kind == "capsule");
    CHECK(evidence[1].kind == "sweep");
    CHECK(evidence[2].kind == "matrix");
    CHECK(place.run({"replay", "step.capsule"}, "die").status == 1);
    evidence = place.evidence();
    REQUIRE(evidence.size() == 4);
    CHECK(evidence[3].kind == "replay-partial");
}

TEST_CASE("a bisect is stepped by hand to the element, and its log replayed to the same end",
    "[contract][cli][replay]")
{
    Workplace place;
    REQUIRE(place.run({"init", "case"}).status == 0);
    const auto started = place.run({"bisect", "start", "step.capsule", "--json"});
    CHECK(started.status == 0);
    CHECK(documentOf(started.out, "bisect")["result"]["next_probe"].GetString()
        == std::string("head"));
    CHECK(place.run({"bisect", "start", "step.capsule"}).status == 2);
    CHECK(documentOf(
              place.run({"bisect", "next", "--json"}).out, "bisect")["result"]["interval"]["to"]
              .GetString()
        == std::string("head"));
    CHECK(place.run({"bisect", "bad", "blocks.9"}).status == 2);
    CHECK(place.run({"bisect", "good", "blocks.0"}).status == 0);
    CHECK(place.run({"bisect", "skip"}).status == 0);
    const auto done = place.run({"bisect", "auto", "--json"});
    CHECK(done.status == 3);
    const auto document = documentOf(done.out, "bisect");
    CHECK(document["result"]["state"].GetString() == std::string("found"));
    CHECK(document["result"]["first_bad"]["element_index"][2].GetInt() == 7);
    const auto log = place.run({"bisect", "log"});
    CHECK(log.status == 0);
    CHECK_THAT(log.out, ContainsSubstring("good blocks.0 person"));
    place.folder().write("steps.log", log.out);
    CHECK(place.run({"bisect", "replay", "steps.log"}).status == 2);
    CHECK(place.run({"bisect", "reset"}).status == 0);
    CHECK(place.run({"bisect", "next"}).status == 2);
    const auto again = place.run({"bisect", "replay", "steps.log", "--json"});
    CHECK(again.status == 3);
    const auto replayed = documentOf(again.out, "bisect");
    CHECK(textOf(replayed["result"]["first_bad"]) == textOf(document["result"]["first_bad"]));
    CHECK(replayed["result"]["log"].Size() == document["result"]["log"].Size());
}
