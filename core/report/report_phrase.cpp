// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report_phrase.h"

#include <array>
#include <cstddef>

namespace firstbad::core {
namespace {

struct Words {
    ReportPhrase phrase;
    std::string_view english;
    std::string_view chinese;
};

using enum ReportPhrase;

// In the order of the enum: phrase() indexes it.
constexpr std::array kWords{
    Words{InShort, "In short.", "概要。"},
    Words{IncidentWord, "incident", "事件"},
    Words{RunWord, "run", "训练"},
    Words{KindAndClass, "kind, class", "类型、判定"},
    Words{Onset, "onset", "起点"},
    Words{Peak, "peak", "峰值"},
    Words{End, "end", "结束"},
    Words{TimeOfOnset, "time of the onset", "起点时间"},
    Words{RestoreAtOrBefore, "restore at or before", "可恢复至（含）"},
    Words{FiveQuestionsWord, "Five questions", "五个问题"},
    Words{WhereFirst, "Where did the first non-finite value appear?", "首个非有限值出现在哪里？"},
    Words{HowFar, "Did it reach a collective, the optimizer state, a checkpoint?",
        "它是否进入了集合通信、优化器状态或检查点？"},
    Words{RanksAlike, "Did all ranks decide alike?", "所有 Rank 的决定是否一致？"},
    Words{Reproduced, "Can it be reproduced with the same batch, RNG state and configuration?",
        "用相同的批次、随机数状态和配置能否复现？"},
    Words{KeptOut, "What keeps the bad checkpoint out after recovery?",
        "恢复之后，什么能防止坏检查点再次进入？"},
    Words{AroundTheOnset, "Around the onset", "起点附近"},
    Words{FigureCaption,
        "Each pixel column shows its true smallest and largest value. Crosses: NaN; triangles: "
        "infinities. Gaps are not joined.",
        "每个像素列都显示其真实的最小值和最大值。叉号：NaN；三角：无穷。缺口不连线。"},
    Words{WhereItAppears, "Where it appears", "出现的位置"},
    Words{Fidelity, "What was the same in the replay", "重放时相同与不同之处"},
    Words{Checkpoints, "Checkpoints", "检查点"},
    Words{WhatWasTried, "What was tried", "已做的尝试"},
    Words{Against, "What speaks against it", "反面证据"},
    Words{WhatIsUnknown, "What is unknown", "未知之处"},
    Words{SettledBy, "settled by", "可由此确定："},
    Words{UnknownWord, "unknown", "未知"},
    Words{Limits, "What these sources cannot show", "这些来源无法显示的内容"},
    Words{Checklist, "Checklist for going live", "上线检查清单"},
    Words{CheckBoundaries,
        "Input, loss, gradients and parameters are each checked before the next stage",
        "输入、Loss、梯度和参数更新前都有有限性检查"},
    Words{CheckScaler, "Loss scale, skipped steps and skips in a row are recorded",
        "Loss Scale、跳步结果和连续跳步次数已记录"},
    Words{CheckRanks, "All ranks skip, stop or roll back alike",
        "所有 Rank 的跳过、终止或恢复动作一致"},
    Words{CheckLinks,
        "The first bad step is linked to data version, samples, configuration, code and parent "
        "checkpoint",
        "首个坏步可关联数据版本、样本、配置、代码和父检查点"},
    Words{CheckReplay, "The step can be replayed with its batch, RNG state and environment",
        "可用固定批次、随机数状态和环境指纹回放"},
    Words{CheckBisect, "The search through the layers needs no slowdown of the training",
        "层二分不会常态拖慢训练"},
    Words{CheckCheckpoints, "Suspect and bad checkpoints are not picked by an automatic restart",
        "可疑和损坏的检查点不会被自动恢复选中"},
    Words{CheckDrills,
        "Input NaN, gradient Inf, skips in a row and a single bad rank were rehearsed",
        "已演练输入 NaN、梯度 Inf、连续跳步和单 Rank 异常"},
    Words{Shown, "shown", "已见到"},
    Words{Violated, "violated", "被违反"},
    Words{NotShown, "not shown here", "此处未见"},
    Words{OtherIncidents, "Other incidents", "其他事件"},
    Words{Notes, "Notes", "备注"},
    Words{EvidenceWord, "Evidence", "证据"},
    Words{SourceWord, "source", "来源"},
    Words{Redacted, "Redacted: folders and quotations were left out.",
        "已脱敏：省略了文件夹和引文。"},
    Words{SourcesUpTo, "sources up to", "来源截至"},
    Words{NotLookedAt, "not looked at", "未查看"},
    Words{Finite, "finite", "有限"},
    Words{FirstBad, "first bad", "首个坏值"},
    Words{Nothing, "nothing", "无"},
};

static_assert(kWords.size() == static_cast<std::size_t>(Nothing) + 1);

}  // namespace

std::optional<ReportLanguage> reportLanguageFrom(std::string_view name) noexcept
{
    if (name == "en")
        return ReportLanguage::English;
    if (name == "zh" || name == "zh_CN" || name == "zh-CN")
        return ReportLanguage::Chinese;
    return std::nullopt;
}

std::string_view toString(ReportLanguage language) noexcept
{
    return language == ReportLanguage::Chinese ? "zh-CN" : "en";
}

std::string_view phrase(ReportPhrase which, ReportLanguage language) noexcept
{
    const Words& words = kWords.at(static_cast<std::size_t>(which));
    return language == ReportLanguage::Chinese ? words.chinese : words.english;
}

}  // namespace firstbad::core
