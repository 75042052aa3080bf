// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/megatron_validation.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

/// "validation", "test", and the set in "validation loss at iteration 50 on wiki set".
std::string setName(std::string_view head)
{
    std::string name(head.substr(0, head.find(' ')));
    const std::size_t on = head.find(" on ");
    if (on == std::string_view::npos)
        return name;
    std::string_view set = trimmed(head.substr(on + 4));
    if (set.ends_with(" set"))
        set.remove_suffix(4);
    return set == name ? name : fmt::format("{} {}", name, set);
}

}  // namespace

bool isMegatronValidation(std::string_view line) noexcept
{
    const bool kind = line.starts_with("validation ") || line.starts_with("test ");
    if (!kind || line.find('|') == std::string_view::npos)
        return false;
    const std::string_view head = line.substr(0, line.find('|'));
    const bool what = head.find(" loss at ") != std::string_view::npos
        || head.find(" results at ") != std::string_view::npos;
    return what && line.find(" value") != std::string_view::npos;
}

LineVerdict MegatronValidation::read(const TextLine& line, RecordSink& sink)
{
    if (!isMegatronValidation(line.text))
        return LineVerdict::NotMine;
    const std::size_t bar = line.text.find('|');
    const std::string_view head = line.text.substr(0, bar);
    std::int64_t step = sink.step();  // "at the end of training" names no iteration
    constexpr std::string_view kAt = "iteration ";
    if (const std::size_t at = head.find(kAt); at != std::string_view::npos) {
        const std::string_view digits = trimmed(head.substr(at + kAt.size()));
        const std::size_t end = std::min(digits.find_first_not_of("0123456789"), digits.size());
        step = parseInteger(digits.substr(0, end)).value_or(step);
    }
    const std::string set = setName(head);
    sink.beginRecord(step, line.time, line.number, false);
    for (const Field& field : m_splitter.split(line.text.substr(bar + 1))) {
        if (!field.isNumber)
            continue;
        const ColumnHandle column = sink.column(fmt::format("{} ({})", field.name, set));
        sink.raw(column).quantity = Quantity::Other;
        sink.add(column, field.number);
    }
    return LineVerdict::Taken;
}

}  // namespace firstbad::core
