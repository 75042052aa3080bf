// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"
#include "core/base/value_kind.h"
#include "core/capsule/capsule.h"
#include "tests/support/capsule_example.h"
#include "tests/support/catch.h"

using namespace firstbad::core;
using namespace firstbad::test;
using Catch::Matchers::ContainsSubstring;

namespace {

Result<Capsule> readJson(const TempFolder& folder, const std::string& json)
{
    folder.write("c.capsule/capsule.json", json);
    return readCapsule(folder.path() / "c.capsule", "c.capsule");
}

}  // namespace

TEST_CASE("a capsule says what ran and what was seen", "[core][capsule]")
{
    const TempFolder folder;
    const auto capsule = readJson(folder, capsuleJson());
    REQUIRE(capsule);
    CHECK(capsule->family == "gpt2");
    CHECK(capsule->step == 12);
    CHECK(capsule->sampleIds == std::vector<std::string>{"a", "2"});
    CHECK(capsule->observed.hasLoss);
    CHECK(classify(capsule->observed.loss) == ValueKind::NotANumber);
    CHECK(classify(capsule->observed.gradNorm) == ValueKind::PlusInfinity);
    REQUIRE(capsule->observed.firstBad);
    CHECK(capsule->observed.firstBad->op == "ln_1");
    REQUIRE(capsule->batches.size() == 1);
    CHECK(capsule->batches[0].name == "batch.safetensors");
    CHECK_FALSE(capsule->optimizer);
    CHECK_THAT(capsule->configJson, ContainsSubstring(R"("n_layer":1)"));
}

TEST_CASE("micro-steps, optimizer, scaler and fp8 are read", "[core][capsule]")
{
    const TempFolder folder;
    const auto capsule = readJson(folder,
        capsuleJson({{R"("micro_steps":null)",
                         R"("micro_steps":["m0.safetensors",{"file":"m1.safetensors","sha256":"ab"}])"},
            {R"("optimizer":null)",
                R"("optimizer":{"type":"adamw","lr":0.5,"betas":[0.8,0.9],"eps":0.0,"weight_decay":0.1,"step":40,"master":true,"clip":{"max_norm":1.0,"norm_type":2.0},"state_dtype":"fp16","file":"o.safetensors"})"},
            {R"("scaler":null)",
                R"("scaler":{"policy":"pytorch","scale":16.0,"growth_tracker":7})"},
            {R"("fp8":null)",
                R"("fp8":{"file":"f.safetensors","recipe":"per-tensor","saturating":false,"backward":"straight-through"})"}}));
    REQUIRE(capsule);
    REQUIRE(capsule->batches.size() == 2);
    CHECK(capsule->batches[1].sha256 == "ab");
    REQUIRE(capsule->optimizer);
    CHECK(capsule->optimizer->beta1 == 0.8);
    CHECK(capsule->optimizer->eps == 0.0);
    CHECK(capsule->optimizer->clip->maxNorm == 1.0);
    CHECK(capsule->scaler->growthTracker == 7);
    CHECK_FALSE(capsule->fp8->saturating);
    std::vector<std::string> names;
    for (const auto& file : filesOf(*capsule))
        names.push_back(file.name);
    CHECK(names
        == std::vector<std::string>{"m0.safetensors", "m1.safetensors", "weights.safetensors",
            "o.safetensors", "f.safetensors"});
}

TEST_CASE("a capsule that does not fit is refused in a sentence", "[core][capsule]")
{
    struct Case {
        std::pair<std::string, std::string> change;
        ErrorCode code;
        const char* why;
    };
    const auto c = GENERATE(values<Case>({
        {{R"("firstbad_capsule":1)", R"("firstbad_capsule":2)"}, ErrorCode::Unsupported,
            "version 2"},
        {{R"("firstbad_capsule":1,)", ""}, ErrorCode::Malformed, "firstbad_capsule"},
        {{R"("family":"gpt2",)", ""}, ErrorCode::Malformed, "\"family\" is missing"},
        {{R"("step":12)", R"("step":"twelve")"}, ErrorCode::Malformed,
            "\"step\" is not a whole number"},
        {{R"("compute":"fp32")", R"("compute":"int4")"}, ErrorCode::Malformed, "precision.compute"},
        {{R"("file":"batch.safetensors")", R"("file":"../../etc/passwd")"}, ErrorCode::Malformed,
            "batch.file"},
        {{R"("file":"batch.safetensors",)", ""}, ErrorCode::Malformed, "no batch"},
        {{R"({"file":"weights.safetensors"})", R"({"file":"/etc/passwd"})"}, ErrorCode::Malformed,
            "weights.file"},
        {{R"({"file":"weights.safetensors"})", "{}"}, ErrorCode::Malformed, "no weights"},
        {{R"({"file":"weights.safetensors"})", R"({"checkpoint":{"path":"../step-100"}})"},
            ErrorCode::Malformed, "weights.checkpoint.path"},
        {{R"("micro_steps":null})", R"("micro_steps":null)"}, ErrorCode::Malformed, ""},
        {{R"("train":true)", R"("train":"yes")"}, ErrorCode::Malformed, "\"train\""},
    }));
    CAPTURE(c.change.second);
    const TempFolder folder;
    const auto capsule = readJson(folder, capsuleJson({c.change}));
    REQUIRE_FALSE(capsule);
    CHECK(capsule.error().code == c.code);
    CHECK_THAT(capsule.error().message, ContainsSubstring(c.why));
}

TEST_CASE("a folder without capsule.json is NotFound", "[core][capsule]")
{
    const TempFolder folder;
    const auto capsule = readCapsule(folder.path(), "here");
    REQUIRE_FALSE(capsule);
    CHECK(capsule.error().code == ErrorCode::NotFound);
}

TEST_CASE("missing files and other hashes are told by name", "[core][capsule]")
{
    const TempFolder folder;
    folder.write("c.capsule/batch.safetensors", "batch bytes");
    const auto wrong = readJson(folder,
        capsuleJson({{R"("tensors":["input_ids","labels"])",
            R"("sha256":")" + sha256Hex("other") + "\""}}));
    REQUIRE(wrong);
    JobContext job;
    const auto check = verifyCapsule(*wrong, job);
    REQUIRE(check);
    REQUIRE(check->problems.size() == 2);
    CHECK(check->problems[0].code == "hash-mismatch");
    CHECK(check->problems[0].file == "batch.safetensors");
    CHECK(check->problems[1].code == "missing-file");
    CHECK(check->problems[1].file == "weights.safetensors");
    CHECK(check->batchSha256 == sha256Hex("batch bytes"));
    CHECK(check->weightsSha256.empty());
}

TEST_CASE("a checkpoint's hash is over its files in rank order", "[core][capsule]")
{
    const TempFolder folder;
    folder.write("c.capsule/batch.safetensors", "b");
    folder.write("c.capsule/ck/latest", "7");
    folder.write("c.capsule/ck/7/mp_rank_01_model_states.pt", "second");
    folder.write("c.capsule/ck/7/mp_rank_00_model_states.pt", "first ");
    const auto capsule = readJson(folder,
        capsuleJson({{R"({"file":"weights.safetensors"})",
            R"({"checkpoint":{"path":"ck","format":"sat-tp","step":7,"tensor_parallel":2,"sha256":")"
                + sha256Hex("first second") + "\"}}"}}));
    REQUIRE(capsule);
    CHECK(capsule->weights.tensorParallel == 2);
    JobContext job;
    const auto check = verifyCapsule(*capsule, job);
    REQUIRE(check);
    CHECK(check->problems.empty());
    CHECK(check->hashed == 1);
}

TEST_CASE("a link out of the capsule is not followed", "[core][capsule]")
{
    const TempFolder folder;
    folder.write("secret", "s");
    folder.write("c.capsule/weights.safetensors", "w");
    std::filesystem::create_symlink(
        folder.path() / "secret", folder.path() / "c.capsule/batch.safetensors");
    const auto capsule = readJson(folder, capsuleJson());
    REQUIRE(capsule);
    CHECK_FALSE(pathOf(*capsule, "batch.safetensors"));
    JobContext job;
    const auto check = verifyCapsule(*capsule, job);
    REQUIRE(check);
    REQUIRE(check->problems.size() == 1);
    CHECK(check->problems[0].code == "missing-file");
}
