// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/chronicle_words.h"

#include "core/base/text.h"
#include "core/import/dialects/line_scanner.h"

#include <algorithm>
#include <array>
#include <string>

namespace firstbad::core {
namespace {

template <std::size_t N> using Words = std::array<std::string_view, N>;

constexpr Words<36> kIncident{"spike", "diverg", "explod", "explosion", "blew up", "nans ", " nan ",
    "nans.", "overflow", "crash", "hanging", " hang ", " hung", "stuck", "ecc error",
    "hardware failure", "hardware issue", "corrupt", "out of sync", "drop in throughput",
    "loss scale hitting", "underflow", "爆炸", "炸了", "出现 nan", "又挂了", "挂掉", "挂了", "卡住",
    "卡在", "故障", "坏掉", "失联", "掉卡", "突然下跌", "坏点"};
constexpr Words<14> kLoad{"rolling back to ", "rollback to ", "rolled back to ", "roll back to ",
    "restarted from", "restart from", "resumed from", "resume from", "resuming from",
    "restarted after a rollback", "reloaded", "loaded from", "restored from", "restore from"};
constexpr Words<5> kSave{"saved checkpoint", "checkpoint saved", "checkpoint before",
    "checkpoints have been saved", "saved the checkpoint"};
constexpr Words<16> kData{"换中英", "换英文", "换清洗数据", "换新的多任务数据", "换上", "换成",
    "换纯文本", "修改数据分布", "数据集", "加 deepstruct 数据", "deepstruct 数据", "重新清洗",
    "data switch", "new dataset", "reshuffled data", "skip-train-iteration-range"};
constexpr Words<6> kDataSkip{"跳过", "skipped data", "skip the data", "skipping the data",
    "changed the data", "switched the data"};
constexpr Words<30> kChange{"switched to", "switch to", "lowered", "lowering", "reduced the",
    "reduced lr", "increased", "changed", "swapped", "fixed", "applied this workaround",
    "restarted with", "added", "学习率", "min-lr", "warmup", "shrink", "更改", "改成", "加入",
    "升级", "调整", "砍半", "换节点", "换一批节点", "踢出", "去掉", "恢复 position_id",
    "提升 alpha", "更换"};
constexpr Words<9> kGivenUp{"废除", "abandon", "gave up", "given up", "giving up",
    "terminated these", "decided to stop", "stopping training", "abort from"};
constexpr Words<8> kStepWords{"iteration ", "iterations ", "global_step", "opt_step-", "step ",
    "rollback to ", "back to ", "restarted from "};

// UTF-8 sequences of Chinese characters begin with these bytes; dashes and arrows do not.
constexpr unsigned char kFirstCjkLead = 0xE4;
constexpr unsigned char kLastCjkLead = 0xE9;

template <std::size_t N> bool says(std::string_view sentence, const Words<N>& words)
{
    return std::any_of(words.begin(), words.end(),
        [&](std::string_view word) { return sentence.find(word) != std::string_view::npos; });
}

bool isStepNumber(std::string_view text, std::size_t begin, std::size_t digits) noexcept
{
    if (digits < 3 || digits > 8)
        return false;
    // a node, a version, a range, a decimal or a power of ten is no step
    const char before = begin > 0 ? text[begin - 1] : ' ';
    const char after = begin + digits < text.size() ? text[begin + digits] : ' ';
    const bool glued = isAsciiAlpha(before) || before == '.' || before == '-' || before == '/'
        || before == '#' || before == '=' || after == '.' || after == '/' || after == '-'
        || after == '%' || after == ':';
    return !glued;
}

struct Number {
    std::size_t at = 0;
    std::size_t length = 0;
    std::int64_t value = 0;
};

std::vector<Number> stepNumbers(std::string_view sentence)
{
    std::vector<Number> found;
    for (std::size_t at = 0; at < sentence.size();) {
        std::size_t digits = 0;
        while (at + digits < sentence.size() && isAsciiDigit(sentence[at + digits]))
            ++digits;
        const std::string_view before = sentence.substr(0, at);
        const bool named = before.size() >= 4
            && (before.substr(before.size() - 4) == "step"
                || (before.size() >= 5 && before.substr(before.size() - 5) == "step-"));
        if (digits > 0 && (named || isStepNumber(sentence, at, digits))) {
            if (const auto value = parseInteger(sentence.substr(at, digits)))
                found.push_back({at, digits, *value});
        }
        at += std::max<std::size_t>(digits, 1);
    }
    return found;
}

// "iteration 21680", "rollback to 15611", "global_step17235"
std::optional<std::int64_t> namedStep(std::string_view sentence, const std::vector<Number>& numbers)
{
    for (const Number& number : numbers) {
        const std::string_view before = sentence.substr(0, number.at);
        const bool named
            = std::any_of(kStepWords.begin(), kStepWords.end(), [&](std::string_view word) {
                  return before.size() >= word.size()
                      && before.substr(before.size() - word.size()) == word;
              });
        const std::string_view after = sentence.substr(number.at + number.length);
        if (named || after.substr(0, 5) == " step" || after.substr(0, 4) == "step")
            return number.value;
    }
    return std::nullopt;
}

bool startsBelow(std::string_view after)
{
    constexpr Words<6> kStart{"开始", "加载", "恢复", "重启", "训练", "重新加载"};
    return says(after, kStart);
}

// "48100 从原先配置开始训练": the number stands before the word for "from".
bool continuesAsBefore(std::string_view next)
{
    constexpr std::string_view kFrom = "从";
    if (next.substr(0, kFrom.size()) != kFrom)
        return false;
    const std::string_view rest = trimmed(next.substr(kFrom.size()));
    return !rest.empty() && !isAsciiDigit(rest.front())
        && rest.find("开始训练") != std::string_view::npos;
}

// "从 33600 开始加载", "25800steps 开始", "23100 开始恢复", and "从 开始训练" whose number was
// forgotten.
std::optional<Statement> chineseLoad(std::string_view sentence, const std::vector<Number>& numbers)
{
    constexpr std::string_view kFrom = "从";
    for (const Number& number : numbers) {
        const std::string_view before = trimmed(sentence.substr(0, number.at));
        const std::string_view after = sentence.substr(number.at + number.length);
        std::string_view from = before;
        for (const std::string_view word : {"global_step"}) {
            if (from.size() >= word.size() && from.substr(from.size() - word.size()) == word)
                from = trimmed(from.substr(0, from.size() - word.size()));
        }
        const bool fromHere = from.size() >= kFrom.size()
            && from.substr(from.size() - kFrom.size()) == kFrom && startsBelow(after);
        const std::string_view next = trimmed(after);
        const bool plain = next.substr(0, 12) == "开始恢复"
            || (next.substr(0, 4) == "step" && next.find("开始") < 8) || continuesAsBefore(next);
        if (fromHere || plain)
            return Statement{EventKind::Load, number.value};
    }
    const bool forgotten = sentence.find("从 开始") != std::string_view::npos;
    return forgotten ? std::optional(Statement{EventKind::Load, std::nullopt}) : std::nullopt;
}

// "33700 开始 loss 炸了": in Chinese the first number that is no restart point; English prose has
// numbers of all kinds, so there a word must name it a step.
std::optional<std::int64_t> incidentStep(std::string_view sentence,
    const std::vector<Number>& numbers, const std::optional<Statement>& load)
{
    std::optional<std::int64_t> step;
    if (!says(sentence, kLoad))
        step = namedStep(sentence, numbers);
    const bool chinese = holdsChinese(sentence);
    for (auto number = numbers.rbegin(); chinese && number != numbers.rend(); ++number) {
        if (!load || load->step != number->value)
            step = number->value;
    }
    if (load && step == load->step)
        step.reset();
    return step;
}

// "tensorboard 记录：glm-130B-40800": what was recorded is named after the step of the incident.
std::optional<Statement> recordOfIncident(std::string_view sentence)
{
    const std::string_view text = trimmed(sentence);
    const std::size_t dash = text.rfind('-');
    if (text.find("记录") == std::string_view::npos || dash == std::string_view::npos)
        return std::nullopt;
    const std::string_view digits = text.substr(dash + 1);
    const bool whole = digits.size() >= 3
        && std::all_of(digits.begin(), digits.end(), [](char c) { return isAsciiDigit(c); });
    const auto step = whole ? parseInteger(digits) : std::nullopt;
    return step ? std::optional(Statement{EventKind::StatedIncident, step}) : std::nullopt;
}

}  // namespace

bool holdsChinese(std::string_view text) noexcept
{
    return std::any_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) >= kFirstCjkLead
            && static_cast<unsigned char>(c) <= kLastCjkLead;
    });
}

std::vector<Statement> statementsOf(std::string_view sentence)
{
    const std::string words = " " + toLowerAscii(sentence) + " ";
    const std::vector<Number> numbers = stepNumbers(words);
    const std::optional<std::int64_t> named = namedStep(words, numbers);
    std::vector<Statement> found;

    const auto load = chineseLoad(words, numbers);
    if (const auto record = recordOfIncident(words)) {
        found.push_back(*record);
    } else if (says(words, kIncident)) {
        found.push_back({EventKind::StatedIncident, incidentStep(words, numbers, load)});
    }
    if (load)
        found.push_back(*load);
    else if (says(words, kLoad))
        found.push_back({EventKind::Load, named});
    else if (says(words, kSave)) {
        const auto last = numbers.empty() ? named : std::optional(numbers.back().value);
        found.push_back({EventKind::Save, last});
    }
    if (says(words, kData) || says(words, kDataSkip))
        found.push_back({EventKind::DataChange, load ? load->step : named});
    if (says(words, kChange))
        found.push_back({EventKind::Intervention, load ? load->step : named});
    if (says(words, kGivenUp))
        found.push_back({EventKind::GivenUp, std::nullopt});
    return found;
}

}  // namespace firstbad::core
