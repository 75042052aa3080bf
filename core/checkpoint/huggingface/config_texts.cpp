// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/huggingface/config_texts.h"

#include "core/base/file.h"
#include "core/base/json_reader.h"

namespace firstbad::core {

void addConfigTexts(Checkpoint& checkpoint, const CheckpointFolder& folder)
{
    constexpr std::uint64_t kMaxConfigBytes = std::uint64_t{16} << 20U;
    const FolderFile file = folder.find("config.json");
    if (file.fault != FolderFault::None)
        return;
    const auto text = readWholeFile(file.path, kMaxConfigBytes);
    const auto config = text ? parseJson(*text) : Result<JsonValue>(tl::unexpected(text.error()));
    if (!config) {
        checkpoint.damage.push_back({"bad-index", file.name, config.error().message, false});
        return;
    }
    const auto add = [&checkpoint](std::string_view name, const JsonValue* value) {
        if (value != nullptr && !value->asText().empty())
            checkpoint.texts.push_back({std::string(name), std::string(value->asText())});
    };
    add("config.model_type", config->find("model_type"));
    const JsonValue* type = config->find("torch_dtype");
    add("config.torch_dtype", type != nullptr ? type : config->find("dtype"));
    const JsonValue* architectures = config->find("architectures");
    if (architectures != nullptr && !architectures->items.empty())
        add("config.architectures", &architectures->items.front());
}

}  // namespace firstbad::core
