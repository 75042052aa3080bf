// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the readers of numbers, times and text that every importer stands on.
#include "core/base/assert.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/base/time.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

using namespace firstbad::core;

namespace {

void checkNumbers(std::string_view text)
{
    if (const auto number = parseNumberPrefix(text))
        FB_ASSERT(number->length > 0 && number->length <= text.size());
    if (const auto number = parseLooseNumber(text))
        FB_ASSERT(number->length <= text.size());
    (void)parseNumber(text);
    (void)parseInteger(text);
}

void checkText(std::string_view text)
{
    FB_ASSERT(isValidUtf8(toValidUtf8(text)));
    const std::string printable = escapedForTerminal(text);
    FB_ASSERT(isValidUtf8(printable));
    FB_ASSERT(printable.find('\x1b') == std::string::npos);
    FB_ASSERT(trimmed(text).size() <= text.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    checkNumbers(text);
    checkText(text);
    if (const auto time = parseTimePrefix(text)) {
        FB_ASSERT(time->length > 0 && time->length <= text.size());
        (void)toIso8601(time->seconds);
    }
    return 0;
}
