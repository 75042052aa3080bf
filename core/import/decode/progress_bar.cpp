// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/decode/progress_bar.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace firstbad::core {
namespace {

bool isRate(std::string_view part) noexcept
{
    part = trimmed(part);
    return part.ends_with("it/s") || part.ends_with("s/it");
}

/// The part behind the rate in "00:01<00:53, 4.1it/s, loss=3.6"; nullopt when that is no bar.
std::optional<std::string_view> postfixOf(std::string_view inside) noexcept
{
    if (inside.find(':') == std::string_view::npos)
        return std::nullopt;
    std::size_t at = 0;
    while (at < inside.size()) {
        const std::size_t comma = std::min(inside.find(',', at), inside.size());
        if (isRate(inside.substr(at, comma - at)))
            return trimmed(inside.substr(std::min(comma + 1, inside.size())));
        at = comma + 1;
    }
    return std::nullopt;
}

struct Count {
    std::size_t begin = 0;
    std::int64_t done = 0;
    std::optional<std::int64_t> total;
};

/// "320/2724", "17it", "1.2k/3k" at the end of `text`.
std::optional<Count> countAtEnd(std::string_view text) noexcept
{
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    std::size_t begin = text.size();
    while (begin > 0 && !isBlank(text[begin - 1]) && text[begin - 1] != '|')
        --begin;
    std::string_view word = text.substr(begin);
    if (word.ends_with("it"))
        word.remove_suffix(2);
    const std::size_t slash = word.find('/');
    const auto done = parseLooseNumber(word.substr(0, slash));
    constexpr double kMaxCount = 1e15;
    if (!done || !(done->value >= 0.0 && done->value < kMaxCount))
        return std::nullopt;
    Count count{begin, static_cast<std::int64_t>(done->value), std::nullopt};
    if (slash != std::string_view::npos) {
        const auto total = parseLooseNumber(word.substr(slash + 1));
        if (total && total->value > 0.0 && total->value < kMaxCount)
            count.total = static_cast<std::int64_t>(total->value);
    }
    return count;
}

/// Start of " 12%|###   |" that ends right before `end`; `end` when there is no drawn bar.
std::size_t drawnBegin(std::string_view text, std::size_t end) noexcept
{
    std::size_t at = end;
    while (at > 0 && isBlank(text[at - 1]))
        --at;
    if (at == 0 || text[at - 1] != '|')
        return end;
    const std::size_t open = at >= 2 ? text.rfind('|', at - 2) : std::string_view::npos;
    if (open == std::string_view::npos)
        return end;
    at = open;
    if (at > 0 && text[at - 1] == '%') {
        --at;
        while (at > 0 && isAsciiDigit(text[at - 1]))
            --at;
    }
    return at;
}

/// A title ends in ": "; words that belong to a record before the bar are left alone.
std::size_t titleBegin(std::string_view text, std::size_t end) noexcept
{
    const std::string_view before = trimmed(text.substr(0, end));
    return !before.empty() && before.back() == ':' ? 0 : end;
}

}  // namespace

std::optional<ProgressBar> findProgressBar(std::string_view text) noexcept
{
    std::size_t open = text.find('[');
    for (; open != std::string_view::npos; open = text.find('[', open + 1)) {
        const std::size_t close = text.find(']', open);
        if (close == std::string_view::npos)
            return std::nullopt;
        const auto postfix = postfixOf(text.substr(open + 1, close - open - 1));
        if (!postfix)
            continue;
        const auto count = countAtEnd(text.substr(0, open));
        if (!count)
            continue;
        ProgressBar bar;
        const std::size_t drawn = drawnBegin(text, count->begin);
        bar.begin = titleBegin(text, drawn);
        bar.end = close + 1;
        bar.done = count->done;
        bar.total = count->total;
        bar.title = trimmed(text.substr(bar.begin, drawn - bar.begin));
        while (!bar.title.empty() && bar.title.back() == ':')
            bar.title.remove_suffix(1);
        bar.postfix = *postfix;
        return bar;
    }
    return std::nullopt;
}

bool isSideBar(std::string_view title) noexcept
{
    constexpr std::array<std::string_view, 12> kWords{"valid", "eval", "sanity", "test", "download",
        "load", "map", "token", "generat", "predict", "fetch", "filter"};
    return std::any_of(kWords.begin(), kWords.end(),
        [&](std::string_view word) { return containsIgnoringCase(title, word); });
}

}  // namespace firstbad::core
