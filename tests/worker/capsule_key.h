// SPDX-License-Identifier: GPL-3.0-or-later
// A capsule of the corpus with its answer key, and how places are compared with it.
#pragma once

#include "core/base/json_reader.h"
#include "core/capsule/capsule.h"
#include "core/protocol/replay_result.h"
#include "replay/engine/replay_engine.h"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace firstbad::test {

struct KeyedCapsule {
    std::string name;
    core::Capsule capsule;
    core::JsonValue key;
};

/// All capsules of the corpus, sorted by name.
std::vector<std::filesystem::path> corpusCapsules();
KeyedCapsule readKeyed(const std::filesystem::path& folder);

/// "forward/1/attn.scores/output/Infinity", "none".
std::string placeText(const core::JsonValue* key);
std::string placeText(const std::optional<core::ReplayPlace>& place);

/// Counts checks by kind and remembers what failed.
class Tally
{
public:
    explicit Tally(std::string kind)
        : m_kind(std::move(kind))
    { }
    ~Tally();
    Tally(const Tally&) = delete;
    Tally& operator=(const Tally&) = delete;

    void check(bool ok, const std::string& what);
    [[nodiscard]] int failed() const noexcept { return m_failed; }
    [[nodiscard]] int checked() const noexcept { return m_checked; }

private:
    std::string m_kind;
    int m_checked = 0;
    int m_failed = 0;
};

/// The engine of a capsule; what cannot be opened counts as failed.
core::Result<replay::ReplayEngine> opened(const KeyedCapsule& keyed, Tally& tally);

/// The member unless it is absent or null.
const core::JsonValue* member(const core::JsonValue& object, std::string_view name);
std::vector<std::int64_t> integers(const core::JsonValue& list);

/// Runs `check` for every capsule, or for those whose name holds FIRSTBAD_ONLY.
template <class Check> int eachCapsule(Check check)
{
    const char* only = std::getenv("FIRSTBAD_ONLY");  // NOLINT(concurrency-mt-unsafe): one thread
    int count = 0;
    for (const auto& folder : corpusCapsules()) {
        if (only != nullptr && folder.string().find(only) == std::string::npos)
            continue;
        check(readKeyed(folder));
        ++count;
    }
    return count;
}

}  // namespace firstbad::test
