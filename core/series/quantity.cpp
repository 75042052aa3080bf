// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series/quantity.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <string>

namespace firstbad::core {
namespace {

struct Alias {
    std::string_view
        name;  // normalised: lower case, words joined by '_', prefixes such as "train/" cut
    Quantity quantity;
};

constexpr std::array kAliases{
    Alias{"loss", Quantity::Loss},
    Alias{"lm_loss", Quantity::Loss},
    Alias{"train_loss", Quantity::Loss},
    Alias{"loss_train", Quantity::Loss},
    Alias{"training_loss", Quantity::Loss},
    Alias{"train_loss_step", Quantity::Loss},
    Alias{"loss_step", Quantity::Loss},
    Alias{"step_loss", Quantity::Loss},
    Alias{"reduced_train_loss", Quantity::Loss},
    Alias{"main_model_loss", Quantity::Loss},
    Alias{"crossentropyloss", Quantity::Loss},
    Alias{"ce_loss", Quantity::Loss},
    Alias{"trl", Quantity::Loss},
    Alias{"epoch_loss", Quantity::Loss},
    Alias{"global_avg_loss", Quantity::Loss},
    Alias{"grad_norm", Quantity::GradNorm},
    Alias{"gradnorm", Quantity::GradNorm},
    Alias{"gradient_norm", Quantity::GradNorm},
    Alias{"gnorm", Quantity::GradNorm},
    Alias{"norm", Quantity::GradNorm},
    Alias{"total_grad_norm", Quantity::GradNorm},
    Alias{"global_grad_norm", Quantity::GradNorm},
    Alias{"train_gnorm", Quantity::GradNorm},
    Alias{"loss_scale", Quantity::LossScale},
    Alias{"scale", Quantity::LossScale},
    Alias{"grad_scale", Quantity::LossScale},
    Alias{"scaler_scale", Quantity::LossScale},
    Alias{"amp_scale", Quantity::LossScale},
    Alias{"lr", Quantity::LearningRate},
    Alias{"learning_rate", Quantity::LearningRate},
    Alias{"current_lr", Quantity::LearningRate},
    Alias{"lrate", Quantity::LearningRate},
    Alias{"train_lrate", Quantity::LearningRate},
    Alias{"skipped", Quantity::Skipped},
    Alias{"skipped_step", Quantity::Skipped},
    Alias{"skipped_steps", Quantity::Skipped},
    Alias{"number_of_skipped_iterations", Quantity::Skipped},
    Alias{"overflow", Quantity::Skipped},
    Alias{"found_inf", Quantity::Skipped},
    Alias{"number_of_nan_iterations", Quantity::NanIterations},
    Alias{"nan_iterations", Quantity::NanIterations},
    Alias{"params_norm", Quantity::ParamNorm},
    Alias{"param_norm", Quantity::ParamNorm},
    Alias{"weight_norm", Quantity::ParamNorm},
    Alias{"update_norm", Quantity::UpdateNorm},
    Alias{"consumed_tokens", Quantity::Tokens},
    Alias{"tokens", Quantity::Tokens},
    Alias{"total_tokens", Quantity::Tokens},
    Alias{"trained_tokens", Quantity::Tokens},
    Alias{"consumed_samples", Quantity::Samples},
    Alias{"samples", Quantity::Samples},
    Alias{"tps", Quantity::Throughput},
};

std::string normalised(std::string_view name)
{
    std::string words;
    for (const char c : name) {
        const bool separator = c == ' ' || c == '-' || c == '.' || c == '/' || c == '_';
        if (!separator)
            words += toLowerAscii(c);
        else if (!words.empty() && words.back() != '_')
            words += '_';
    }
    while (!words.empty() && words.back() == '_')
        words.pop_back();
    return words;
}

Quantity lookUp(std::string_view name)
{
    const std::string words = normalised(name);
    const auto* const found = std::find_if(
        kAliases.begin(), kAliases.end(), [&](const Alias& alias) { return alias.name == words; });
    return found != kAliases.end() ? found->quantity : Quantity::Other;
}

bool namesEvaluation(std::string_view group)
{
    constexpr std::array<std::string_view, 4> kWords{"eval", "val", "test", "dev"};
    return std::any_of(kWords.begin(), kWords.end(),
        [&](std::string_view word) { return containsIgnoringCase(group, word); });
}

}  // namespace

std::string_view toString(Quantity quantity) noexcept
{
    constexpr std::array<std::string_view, 13> kNames{"loss", "grad_norm", "loss_scale",
        "learning_rate", "skipped", "nan_iterations", "param_norm", "update_norm", "tokens",
        "samples", "throughput", "step_time", "other"};
    return kNames.at(static_cast<std::size_t>(quantity));
}

Quantity quantityFromName(std::string_view name)
{
    const Quantity whole = lookUp(name);
    if (whole != Quantity::Other)
        return whole;
    if (name.starts_with("lr-"))  // Lightning: "lr-SGD", "lr-AdamW/pg1"
        return Quantity::LearningRate;
    // "train/loss", "optim/total_grad_norm", "loss-scale/loss-scale": a group before the last slash
    // says nothing, unless it says that this is no training value.
    const std::size_t slash = name.rfind('/');
    if (slash == std::string_view::npos || namesEvaluation(name.substr(0, slash)))
        return Quantity::Other;
    return lookUp(name.substr(slash + 1));
}

std::string_view unitFromName(std::string_view name, Quantity quantity)
{
    if (containsIgnoringCase(name, "(ms)"))
        return "ms";
    if (quantity == Quantity::StepTime || containsIgnoringCase(name, "(s)"))
        return "s";
    if (quantity == Quantity::Tokens)
        return "tokens";
    if (quantity == Quantity::Samples)
        return "samples";
    return "";
}

}  // namespace firstbad::core
