// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/huggingface/trainer_reader.h"

#include "core/checkpoint/dcp/dcp_part.h"
#include "core/checkpoint/deepspeed/deepspeed_files.h"
#include "core/checkpoint/deepspeed/deepspeed_save.h"
#include "core/checkpoint/folder/step_name.h"
#include "core/checkpoint/folder/torch_member.h"
#include "core/checkpoint/huggingface/config_texts.h"
#include "core/checkpoint/huggingface/trainer_state.h"
#include "core/checkpoint/huggingface/weights.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace firstbad::core {

namespace {

constexpr std::array<std::string_view, 6> kStateFiles{"optimizer.pt", "scheduler.pt", "scaler.pt",
    "rng_state.pth", "training_args.bin", "optimizer.bin"};

bool isStateFile(const std::string& name)
{
    if (std::find(kStateFiles.begin(), kStateFiles.end(), name) != kStateFiles.end())
        return true;
    const bool isTorch = name.ends_with(".pth") || name.ends_with(".pt") || name.ends_with(".bin")
        || name.ends_with(".pkl");
    return isTorch
        && (name.starts_with("rng_state_") || name.starts_with("optimizer_")
            || name.starts_with("scheduler_") || name.starts_with("random_states_")
            || name.starts_with("sampler"));
}

class TrainerFolder
{
public:
    TrainerFolder(const CheckpointHead& head, JobContext& job)
        : m_entries(head.entries)
        , m_folder(head.path, head.shownPath)
        , m_job(job)
    {
        m_checkpoint.path = head.shownPath;
        m_checkpoint.format = "hf-trainer";
    }

    Result<Checkpoint> run()
    {
        if (auto added = addModels(); !added)
            return tl::unexpected(std::move(added.error()));
        for (const std::string& name : m_entries) {
            auto added = addEntry(name);
            if (!added)
                return tl::unexpected(std::move(added.error()));
        }
        const auto step = std::exchange(m_checkpoint.step, std::nullopt);
        addTrainerState(m_checkpoint, m_folder);
        if (!m_checkpoint.step)
            m_checkpoint.step = step ? step : stepOfName(m_folder.path().filename().string());
        addConfigTexts(m_checkpoint, m_folder);
        if (!m_checkpoint.damage.empty())
            m_checkpoint.reason = m_checkpoint.damage.front().text;
        return std::move(m_checkpoint);
    }

private:
    Result<void> addModels()
    {
        const auto models = findWeights(m_entries);
        for (std::size_t i = 0; i < models.size(); ++i) {
            std::vector<PathPart> prefix;
            if (i > 0 && !models[i].files.empty())
                prefix.push_back(stemPart(models[i].files.front()));
            if (auto added = addWeights(m_checkpoint, m_folder, models[i], prefix, m_job); !added)
                return added;
        }
        return {};
    }

    Result<void> addEntry(const std::string& name)
    {
        if (isStateFile(name)) {
            const auto member
                = addTorchMember(m_checkpoint, m_folder.find(name), {stemPart(name)}, false, m_job);
            if (!member)
                return tl::unexpected(member.error());
            return {};
        }
        if (!m_folder.isFolder(name))
            return {};
        const CheckpointFolder inner(
            m_folder.path() / name, fmt::format("{}/{}", m_folder.shownPath(), name));
        const auto entries = inner.list();
        const std::vector<PathPart> prefix{{PathPart::Kind::Text, name}};
        if (isDeepSpeedSave(entries))
            return addDeepSpeedSave(m_checkpoint, inner, prefix, m_job);
        if (!isDcpFolder(entries))
            return {};
        const auto added = addDcp(m_checkpoint, inner, prefix, m_job);
        if (!added)
            return tl::unexpected(added.error());
        return {};
    }

    const std::vector<std::string>& m_entries;
    CheckpointFolder m_folder;
    JobContext& m_job;
    Checkpoint m_checkpoint;
};

}  // namespace

int sniffTrainer(const CheckpointHead& head)
{
    const auto has = [&head](std::string_view name) {
        return std::binary_search(head.entries.begin(), head.entries.end(), name);
    };
    const bool hasData = !findWeights(head.entries).empty() || has("optimizer.pt")
        || has("rng_state.pth") || has("scheduler.pt");
    const bool hasFolders
        = std::any_of(head.entries.begin(), head.entries.end(), [](const std::string& name) {
              return name.starts_with("global_step") || name.starts_with("pytorch_model_fsdp");
          });
    if (has("trainer_state.json") && (hasData || hasFolders))
        return 95;
    return has("optimizer.pt") && hasData && has("scheduler.pt") ? 92 : 0;
}

Result<Checkpoint> openTrainer(const CheckpointHead& head, JobContext& job)
{
    return TrainerFolder(head, job).run();
}

}  // namespace firstbad::core
