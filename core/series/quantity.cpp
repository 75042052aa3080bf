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
    Alias{"time", Quantity::Throughput},
    Alias{"tok_s", Quantity::Throughput},
    Alias{"tok_sec", Quantity::Throughput},
    Alias{"tokens_per_sec", Quantity::Throughput},
    Alias{"tokens_per_second", Quantity::Throughput},
    Alias{"samples_sec", Quantity::Throughput},
    Alias{"samples_per_second", Quantity::Throughput},
    Alias{"throughput", Quantity::Throughput},
    Alias{"wps", Quantity::Throughput},
    Alias{"mfu", Quantity::Throughput},
    Alias{"verlust", Quantity::Loss},
    Alias{"gradientennorm", Quantity::GradNorm},
    Alias{"lernrate", Quantity::LearningRate},
    Alias{"verlustskalierung", Quantity::LossScale},
    Alias{"\xe6\x8d\x9f\xe5\xa4\xb1", Quantity::Loss},
    Alias{"\xe6\xa2\xaf\xe5\xba\xa6\xe8\x8c\x83\xe6\x95\xb0", Quantity::GradNorm},
    Alias{"\xe5\xad\xa6\xe4\xb9\xa0\xe7\x8e\x87", Quantity::LearningRate},
    Alias{"\xe6\x8d\x9f\xe5\xa4\xb1\xe7\xbc\xa9\xe6\x94\xbe", Quantity::LossScale},
    Alias{"tps", Quantity::Throughput},
    Alias{"tflops", Quantity::Throughput},
    Alias{"throughput_per_gpu_(tflop_s_gpu)", Quantity::Throughput},
    Alias{"currsamplespersec", Quantity::Throughput},
    Alias{"samplespersec", Quantity::Throughput},
    // How long one iteration took is what Megatron's throughput is judged by.
    Alias{"elapsed_time_per_iteration_(ms)", Quantity::Throughput},
    Alias{"elapsed_time_per_iteration_(s)", Quantity::Throughput},
    Alias{"elapsed_time_per_iteration", Quantity::Throughput},
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

/// Without what only says which of several: "[0]" of a list, a quoted norm, ", mean".
std::string_view withoutQualifier(std::string_view name)
{
    if (!name.empty() && name.back() == ']')
        return name.substr(0, name.rfind('['));
    if (!name.empty() && name.back() == '"')
        return name.substr(0, name.find('"'));
    constexpr std::string_view kMean = ", mean";
    if (name.size() > kMean.size() && name.substr(name.size() - kMean.size()) == kMean)
        return name.substr(0, name.size() - kMean.size());
    return name;
}

/// Groups of nested names that say nothing about the value: "train.grad.norm", "perf.tok_s".
bool isPlainGroup(std::string_view group)
{
    constexpr std::array<std::string_view, 10> kGroups{"train", "training", "optim", "optimizer",
        "perf", "metrics", "data", "stats", "tracked_stats", "log"};
    return std::any_of(kGroups.begin(), kGroups.end(),
        [&](std::string_view word) { return equalsIgnoringCase(group, word); });
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
    name = withoutQualifier(name);
    const Quantity whole = lookUp(name);
    if (whole != Quantity::Other)
        return whole;
    if (const std::size_t dot = name.find('.'); isPlainGroup(name.substr(0, dot)))
        return dot == std::string_view::npos ? Quantity::Other : lookUp(name.substr(dot + 1));
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
