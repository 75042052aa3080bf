// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/worker/capsule_key.h"

#include "core/base/file.h"
#include "tests/support/catch.h"
#include "tests/support/corpus.h"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>

namespace firstbad::test {

namespace fs = std::filesystem;

namespace {

std::string textOf(const core::JsonValue& object, const char* name)
{
    const auto* value = object.find(name);
    if (value == nullptr || value->kind == core::JsonValue::Kind::Null)
        return {};
    return value->integer ? fmt::format("{}", *value->integer) : std::string(value->asText());
}

}  // namespace

std::vector<fs::path> corpusCapsules()
{
    std::vector<fs::path> out;
    for (const auto& entry : fs::directory_iterator(corpusFolder() / "fixtures" / "capsules")) {
        if (entry.path().extension() == ".capsule")
            out.push_back(entry.path());
    }
    std::sort(out.begin(), out.end());
    return out;
}

KeyedCapsule readKeyed(const fs::path& folder)
{
    KeyedCapsule out;
    out.name = folder.stem().string();
    auto capsule = core::readCapsule(folder, folder.filename().string());
    REQUIRE(capsule);
    out.capsule = std::move(*capsule);
    const auto text = core::readWholeFile(folder / "expected.json", 16U << 20U);
    REQUIRE(text);
    auto key = core::parseJson(*text);
    REQUIRE(key);
    out.key = std::move(*key);
    return out;
}

std::string placeText(const core::JsonValue* key)
{
    if (key == nullptr || key->kind != core::JsonValue::Kind::Object)
        return "none";
    std::string text;
    for (const char* name : {"lane", "block", "op", "tensor", "kind"})
        text += (text.empty() ? "" : "/") + textOf(*key, name);
    return text;
}

std::string placeText(const std::optional<core::ReplayPlace>& place)
{
    if (!place)
        return "none";
    const bool placed = place->lane != "input" && place->op != "norm";
    return fmt::format("{}/{}/{}/{}/{}", place->lane, placed ? fmt::format("{}", place->block) : "",
        place->op, place->tensor, place->kind);
}

core::Result<replay::ReplayEngine> opened(const KeyedCapsule& keyed, Tally& tally)
{
    core::JobContext job;
    auto engine = replay::ReplayEngine::open(keyed.capsule, 0, job);
    if (!engine && engine.error().code == core::ErrorCode::Unsupported)
        std::cout << "NOT READ: " << engine.error().message << '\n';
    else
        tally.check(engine.has_value(), engine ? keyed.name : engine.error().message);
    return engine;
}

const core::JsonValue* member(const core::JsonValue& object, std::string_view name)
{
    const auto* value = object.find(name);
    return value != nullptr && value->kind != core::JsonValue::Kind::Null ? value : nullptr;
}

std::vector<std::int64_t> integers(const core::JsonValue& list)
{
    std::vector<std::int64_t> out;
    for (const auto& item : list.items)
        out.push_back(item.asInteger().value_or(-1));
    return out;
}

void Tally::check(bool ok, const std::string& what)
{
    ++m_checked;
    if (ok)
        return;
    ++m_failed;
    std::cout << "FAIL " << m_kind << ' ' << what << '\n';
}

Tally::~Tally()
{
    std::cout << m_kind << ": " << m_checked - m_failed << " passed, " << m_failed << " failed\n";
}

}  // namespace firstbad::test
