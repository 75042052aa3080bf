// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bisect/bisect_search.h"
#include "core/bisect/loci.h"
#include "tests/support/catch.h"

#include <cmath>

using namespace firstbad::core;

namespace {

BisectScope scopeOf(std::string family, std::int64_t blocks, std::string lane = "forward")
{
    BisectScope scope;
    scope.capsule = "step.capsule";
    scope.family = std::move(family);
    scope.blocks = blocks;
    scope.lane = std::move(lane);
    return scope;
}

/// Position of a probe in the order of the forward pass; a boundary is the op of its block that the
/// lane passes last.
std::size_t orderOf(const BisectScope& scope, const std::string& probe)
{
    std::size_t at = 0;
    for (std::int64_t block = -1; block <= scope.blocks; ++block) {
        const std::size_t first = at + 1;
        for (const auto op : opsOf(scope.family, block, scope.blocks)) {
            ++at;
            if (locusOf(block, op, scope.blocks) == probe)
                return at;
        }
        if (boundaryOf(block, scope.blocks) == probe)
            return scope.lane == "backward" ? first : at;
    }
    return 0;
}

/// Steps a search to its end as a program would that knows where the fault is.
int stepToEnd(BisectSearch& search, const std::string& fault)
{
    const bool backward = search.scope().lane == "backward";
    int steps = 0;
    while (!search.nextProbe().empty() && steps < 100) {
        const auto at = orderOf(search.scope(), search.nextProbe());
        const auto from = orderOf(search.scope(), fault);
        search.mark(search.nextProbe(),
            (backward ? at <= from : at >= from) ? ProbeVerdict::Bad : ProbeVerdict::Good);
        ++steps;
    }
    return steps;
}

}  // namespace

TEST_CASE("the loci are those of the contract", "[core][bisect]")
{
    CHECK(opsOf("gpt2", 0, 4).size() == 12);
    CHECK(opsOf("llama", 0, 4).size() == 16);
    CHECK(opsOf("glm", 0, 4).size() == 14);
    CHECK(opsOf("glm", 4, 4) == std::vector<std::string_view>{"final_norm", "logits", "loss"});
    CHECK(opsOf("mamba", 0, 4).empty());
    CHECK(locusOf(3, "attn.scores", 4) == "blocks.3.attn.scores");
    CHECK(locusOf(4, "loss", 4) == "loss");
}

TEST_CASE("every op of a model is found, in few probes", "[core][bisect]")
{
    const auto* family = GENERATE("gpt2", "llama", "glm");
    const std::int64_t blocks = GENERATE(1, 12, 70);
    const BisectScope scope = scopeOf(family, blocks);
    const double most = 3 + std::ceil(std::log2(blocks + 2)) + std::ceil(std::log2(16));
    for (std::int64_t block = -1; block <= blocks; ++block) {
        for (const auto op : opsOf(family, block, blocks)) {
            BisectSearch search(scope);
            const std::string locus = locusOf(block, op, blocks);
            const int steps = stepToEnd(search, locus);
            CAPTURE(locus);
            CHECK(search.state() == BisectState::Found);
            REQUIRE(search.place());
            CHECK(search.place()->locus == locus);
            CHECK(search.place()->block == block);
            CHECK(search.place()->op == op);
            CHECK(steps <= most);
        }
    }
}

TEST_CASE("the backward lane is searched from the loss to the embedding", "[core][bisect]")
{
    BisectSearch search(scopeOf("gpt2", 4, "backward"));
    CHECK(search.nextProbe() == "embedding");
    stepToEnd(search, "blocks.2.mlp.act");
    REQUIRE(search.place());
    CHECK(search.place()->locus == "blocks.2.mlp.act");
    CHECK(search.lastGood() == "blocks.2.mlp.out");
}

TEST_CASE("a lane whose end is good is clean", "[core][bisect]")
{
    BisectSearch search(scopeOf("gpt2", 4));
    CHECK(search.nextProbe() == "head");
    search.mark("head", ProbeVerdict::Good);
    CHECK(search.state() == BisectState::Clean);
    CHECK(search.nextProbe().empty());
}

TEST_CASE(
    "skipped boundaries are gone around, and only skipped ones leave no answer", "[core][bisect]")
{
    BisectSearch search(scopeOf("gpt2", 4));
    search.mark("head", ProbeVerdict::Bad);
    CHECK(search.nextProbe() == "blocks.1");
    search.mark("blocks.1", ProbeVerdict::Skip);
    CHECK(search.nextProbe() != "blocks.1");
    for (const auto* name : {"embedding", "blocks.0", "blocks.2", "blocks.3"})
        search.mark(name, ProbeVerdict::Skip);
    CHECK(search.state() == BisectState::Stuck);
    CHECK_FALSE(search.place());
    search.mark("blocks.2", ProbeVerdict::Good);
    CHECK(search.state() == BisectState::Stuck);
    search.mark("blocks.3", ProbeVerdict::Good);
    CHECK(search.state() == BisectState::Ops);
}

TEST_CASE("something good behind the first bad is called non-monotone", "[core][bisect]")
{
    BisectSearch search(scopeOf("gpt2", 4));
    search.mark("head", ProbeVerdict::Bad);
    search.mark("blocks.1", ProbeVerdict::Bad);
    CHECK(search.monotone());
    search.mark("blocks.3", ProbeVerdict::Good);
    CHECK_FALSE(search.monotone());
    CHECK(search.firstBad() == "blocks.1");
    search.mark("blocks.1", ProbeVerdict::Good);
    CHECK(search.monotone());
}

TEST_CASE("only places of the model are known", "[core][bisect]")
{
    const BisectSearch search(scopeOf("llama", 2));
    CHECK(search.knows("blocks.1"));
    CHECK(search.knows("blocks.0.attn.rope"));
    CHECK(search.knows("loss"));
    CHECK_FALSE(search.knows("blocks.2"));
    CHECK_FALSE(search.knows("blocks.0.ln_1"));
    CHECK_FALSE(search.knows(""));
}
