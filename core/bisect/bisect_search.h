// SPDX-License-Identifier: GPL-3.0-or-later
// BisectSearch: what verdicts on boundaries leave of a model, and which boundary to look at next.
//
// Pure state, one thread. First over block outputs in the order of the lane, then over the ops of
// the block found. Verdicts come from a person or the program and may contradict a simple pattern:
// then the first bad counts, and the pattern is called non-monotone.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

/// What is searched.
struct BisectScope {
    std::string capsule;  ///< as the user named it
    std::string family;
    std::int64_t blocks = 0;
    std::string lane = "forward";  ///< forward or backward
    std::string precision;  ///< empty: the capsule's own
    std::string when = "nonfinite";
    std::string baseline;
    std::int64_t microStep = 0;
};

enum class ProbeVerdict : std::uint8_t { Good, Bad, Skip };

/// "good", "bad", "skip".
[[nodiscard]] std::string_view toString(ProbeVerdict verdict) noexcept;
[[nodiscard]] std::optional<ProbeVerdict> probeVerdictFrom(std::string_view word) noexcept;

enum class BisectState : std::uint8_t {
    Blocks,  ///< searching over block outputs
    Ops,  ///< searching inside one block
    Found,  ///< one op is left
    Clean,  ///< the end of the lane is good
    Stuck,  ///< only skipped boundaries are left
};

/// "blocks", "ops", "found", "clean", "stuck".
[[nodiscard]] std::string_view toString(BisectState state) noexcept;

struct BisectPlace {
    std::int64_t block = 0;
    std::string op;
    std::string locus;
};

class BisectSearch
{
public:
    explicit BisectSearch(BisectScope scope);

    [[nodiscard]] const BisectScope& scope() const noexcept { return m_scope; }

    /// Whether `probe` is a boundary or an op of this model and lane.
    [[nodiscard]] bool knows(std::string_view probe) const;
    /// Takes a verdict; a later one on the same probe replaces the earlier.
    void mark(const std::string& probe, ProbeVerdict verdict);

    [[nodiscard]] BisectState state() const { return m_state; }
    /// Empty when the search is at its end.
    [[nodiscard]] const std::string& nextProbe() const noexcept { return m_next; }
    /// The last good and the first bad boundary; empty: the input, or not known yet.
    [[nodiscard]] const std::string& lastGood() const noexcept { return m_from; }
    [[nodiscard]] const std::string& firstBad() const noexcept { return m_to; }
    /// When Found.
    [[nodiscard]] std::optional<BisectPlace> place() const;
    /// False when something good lies behind the first bad.
    [[nodiscard]] bool monotone() const noexcept { return m_monotone; }

private:
    struct Narrowed {
        std::int64_t good = -1;  // index into the probes of a level; -1: before the first
        std::optional<std::int64_t> bad;
        std::optional<std::int64_t> next;
    };
    [[nodiscard]] std::vector<std::string> opLoci(std::int64_t block) const;
    [[nodiscard]] Narrowed narrow(const std::vector<std::string>& probes, bool endIsBad);
    void update();
    void enterBlock(std::int64_t boundary);

    BisectScope m_scope;
    std::vector<std::int64_t> m_order;  // blocks in the order of the lane
    std::vector<std::string> m_boundaries;  // parallel to m_order
    std::map<std::string, ProbeVerdict, std::less<>> m_verdicts;
    BisectState m_state = BisectState::Blocks;
    std::string m_next;
    std::string m_from;
    std::string m_to;
    std::int64_t m_block = 0;  // once inside one
    bool m_monotone = true;
};

}  // namespace firstbad::core
