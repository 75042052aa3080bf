// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/huggingface/trainer_state.h"

#include "core/base/file.h"
#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/base/value_kind.h"

#include <fmt/format.h>

namespace firstbad::core {

namespace {

constexpr auto kName = "trainer_state.json";
constexpr std::size_t kMaxNotes = 100;

/// The depth is limited by the JSON reader.
void noteNonfinite(Checkpoint& checkpoint, const JsonValue& value, const std::string& path)
{
    if (checkpoint.warnings.size() >= kMaxNotes)
        return;
    if (value.kind == JsonValue::Kind::Number && !isFinite(value.real)) {
        CheckpointWarning note;
        note.code = "nonfinite-log";
        note.severity = "info";
        note.file = kName;
        note.text = fmt::format(
            "{}: {} is {}", kName, escapedForTerminal(path), toString(classify(value.real)));
        note.value = value.real;
        checkpoint.warnings.push_back(std::move(note));
    }
    for (std::size_t i = 0; i < value.items.size(); ++i)
        noteNonfinite(checkpoint, value.items[i], fmt::format("{}.{}", path, i));
    for (const auto& [key, member] : value.members)
        noteNonfinite(checkpoint, member, path.empty() ? key : fmt::format("{}.{}", path, key));
}

}  // namespace

void addTrainerState(Checkpoint& checkpoint, const CheckpointFolder& folder)
{
    constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20U;
    const FolderFile file = folder.find(kName);
    if (file.fault != FolderFault::None) {
        if (file.fault != FolderFault::Missing)
            checkpoint.damage.push_back(describeFault(file, 0));
        return;
    }
    const auto text = readWholeFile(file.path, kMaxBytes);
    const auto state = text ? parseJson(*text) : Result<JsonValue>(tl::unexpected(text.error()));
    if (!state) {
        checkpoint.damage.push_back({file.bytes == 0 ? "empty-file" : "bad-index", kName,
            fmt::format("{} cannot be read: {}", kName, state.error().message), false});
        return;
    }
    addFile(checkpoint, file);
    if (const JsonValue* step = state->find("global_step"))
        checkpoint.step = step->asInteger();
    for (const char* key : {"best_model_checkpoint", "trial_name"}) {
        const JsonValue* value = state->find(key);
        if (value != nullptr && !value->asText().empty())
            checkpoint.texts.push_back(
                {fmt::format("trainer_state.{}", key), std::string(value->asText())});
    }
    noteNonfinite(checkpoint, *state, {});
}

}  // namespace firstbad::core
