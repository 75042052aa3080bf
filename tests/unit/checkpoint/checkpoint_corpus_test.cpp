// SPDX-License-Identifier: GPL-3.0-or-later
// Opens every checkpoint of the corpus, files and folders, and holds it against the answer key.
#include "core/base/file.h"
#include "core/base/json_reader.h"
#include "core/base/value_kind.h"
#include "core/checkpoint/checkpoint_reader.h"
#include "tests/support/catch.h"
#include "tests/support/corpus.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <iostream>
#include <set>

using namespace firstbad;
using namespace firstbad::core;

namespace {

/// A copy of the corpus in which the links of links.json are real.
class LinkedCorpus
{
public:
    LinkedCorpus()
    {
        namespace fs = std::filesystem;
        fs::copy(
            test::corpusFolder() / "fixtures" / "checkpoints", path(), fs::copy_options::recursive);
        for (const auto& file : fs::recursive_directory_iterator(path()))
            fs::permissions(file.path(), fs::perms::owner_all, fs::perm_options::add);
        const auto text = readWholeFile(path() / "links.json", std::uint64_t{1} << 20U);
        const auto links
            = text ? parseJson(*text) : Result<JsonValue>(tl::unexpected(text.error()));
        for (const auto& [link, target] : links.value().members) {
            fs::create_directories((path() / link).parent_path());
            fs::create_symlink(std::string(target.asText()), path() / link);
        }
    }
    [[nodiscard]] std::filesystem::path path() const { return m_temp.path() / "set"; }

private:
    test::TempFolder m_temp;
};

std::filesystem::path folder()
{
    static const LinkedCorpus corpus;
    return corpus.path();
}

JsonValue readKey()
{
    const auto text = readWholeFile(folder() / "expected.json", std::uint64_t{64} << 20U);
    REQUIRE(text);
    auto key = parseJson(*text);
    REQUIRE(key);
    return std::move(*key);
}

std::vector<std::int64_t> integers(const JsonValue& list)
{
    std::vector<std::int64_t> values;
    for (const JsonValue& item : list.items)
        values.push_back(item.integer.value_or(-1));
    return values;
}

bool isReadable(const JsonValue& damage, std::string_view name)
{
    const JsonValue* readable = damage.find("readable");
    return readable == nullptr
        || std::any_of(readable->items.begin(), readable->items.end(),
            [&](const JsonValue& item) { return item.asText() == name; });
}

bool has(const std::vector<std::string>& names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

const CheckpointTensor* find(const Checkpoint& checkpoint, std::string_view name)
{
    for (const CheckpointTensor& tensor : checkpoint.tensors) {
        if (tensor.name == name || has(tensor.aliases, name))
            return &tensor;
    }
    return nullptr;
}

void checkTensors(const Checkpoint& checkpoint, const JsonValue& key, const JsonValue& damage)
{
    for (const JsonValue& entry : key.find("all_tensors")->items) {
        const std::string_view name = entry.items[0].asText();
        CAPTURE(name);
        const CheckpointTensor* tensor = find(checkpoint, name);
        if (tensor == nullptr) {
            CHECK_FALSE(isReadable(damage, name));
            continue;
        }
        // The key guesses kinds by name; a buffer that says that it is one is not in doubt.
        if (name != "buffer")
            CHECK(toString(tensor->kind) == entry.items[1].asText());
        CHECK(elementTypeInfo(tensor->type).name == entry.items[2].asText());
        CHECK(tensor->shape == integers(entry.items[3]));
        CHECK_FALSE((isReadable(damage, name) && has(checkpoint.lost, name)));
        if (entry.items.size() > 4 && entry.items[4].find("aliases") != nullptr)
            CHECK(tensor->aliases.size() == entry.items[4].find("aliases")->items.size());
    }
}

void checkCounts(const Checkpoint& checkpoint, const JsonValue& counts)
{
    const auto arrays = std::count_if(checkpoint.tensors.begin(), checkpoint.tensors.end(),
        [](const CheckpointTensor& tensor) { return tensor.object == "ndarray"; });
    CHECK(static_cast<std::int64_t>(checkpoint.tensors.size()) - arrays
        == counts.find("tensors")->integer);
    CHECK(arrays == counts.find("arrays")->integer);
}

void checkDamage(const Checkpoint& checkpoint, const JsonValue& damage)
{
    const std::string_view error = damage.find("error")->asText();
    const std::string_view member = damage.find("member")->asText();
    if (error == "none" || error == "nesting-limit" || error == "crc-mismatch")
        return;  // legal after all, or found by whoever reads the storages
    const auto found = std::find_if(checkpoint.damage.begin(), checkpoint.damage.end(),
        [&](const CheckpointDamage& one) { return one.error == error; });
    REQUIRE(found != checkpoint.damage.end());
    CHECK(found->member == member);
    CHECK(found->text.size() > 10);
    if (member == "data.pkl" && (error == "truncated" || error == "inflate-limit"))
        return;  // the names themselves are lost
    if (error == "duplicate-key")
        return;  // nobody knows which name the second range had
    for (const JsonValue& name : damage.find("lost")->items) {
        CAPTURE(name.asText());
        CHECK(has(checkpoint.lost, name.asText()));
    }
}

void checkSaves(const Checkpoint& checkpoint, const JsonValue& saves)
{
    REQUIRE(checkpoint.saves.size() == saves.items.size());
    for (std::size_t i = 0; i < saves.items.size(); ++i) {
        CHECK(checkpoint.saves[i].path == saves.items[i].find("path")->asText());
        CHECK(checkpoint.saves[i].step == saves.items[i].find("iteration")->integer);
    }
}

void checkCase(const JsonValue& key)
{
    const std::string path(key.find("paths")->items[0].asText());
    INFO(key.find("id")->asText() << " " << path);
    JobContext job;
    const auto checkpoint = openCheckpoint(folder() / path, path, job);
    REQUIRE(checkpoint);
    const JsonValue nothing;
    const JsonValue& damage = key.find("damage") != nullptr ? *key.find("damage") : nothing;
    CHECK(checkpoint->format == key.find("format")->asText());
    if (const JsonValue* saves = key.find("saves")) {
        checkSaves(*checkpoint, *saves);
        return;
    }
    if (key.find("all_tensors") != nullptr)
        checkTensors(*checkpoint, key, damage);
    if (key.find("damage") != nullptr)
        checkDamage(*checkpoint, damage);
    else if (key.find("counts") != nullptr)
        checkCounts(*checkpoint, *key.find("counts"));
    if (key.find("damage") == nullptr && key.find("verdict")->asText() != "unsupported")
        CHECK(checkpoint->damage.empty());
}

}  // namespace

TEST_CASE("every checkpoint of the corpus opens as its key says", "[corpus]")
{
    const JsonValue key = readKey();
    int covered = 0;
    for (const JsonValue& one : key.find("cases")->items) {
        checkCase(one);
        ++covered;
    }
    std::cout << covered << " checkpoints of " << folder() << " opened\n";
    CHECK(covered > 0);
}

TEST_CASE("numbers outside tensors that are not finite are found by name", "[corpus]")
{
    const JsonValue key = readKey();
    for (const JsonValue& one : key.find("cases")->items) {
        const JsonValue* scalars = one.find("nonfinite_scalars");
        if (scalars == nullptr)
            continue;
        const std::string path(one.find("paths")->items[0].asText());
        CAPTURE(path);
        JobContext job;
        const auto checkpoint = openCheckpoint(folder() / path, path, job);
        REQUIRE(checkpoint);
        std::set<std::string> expected;
        for (const JsonValue& scalar : scalars->items)
            expected.emplace(scalar.find("name")->asText());
        std::set<std::string> found;
        for (const CheckpointScalar& scalar : checkpoint->scalars) {
            if (!isFinite(scalar.value))
                found.insert(scalar.name);
        }
        CHECK(found == expected);
    }
}
