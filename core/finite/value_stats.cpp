// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/finite/value_stats.h"

#include <algorithm>

namespace firstbad::core {

void ValueStats::join(const ValueStats& part, std::uint64_t offset) noexcept
{
    values += part.values;
    nan += part.nan;
    posInf += part.posInf;
    negInf += part.negInf;
    zeros += part.zeros;
    subnormals += part.subnormals;
    atLargest += part.atLargest;
    if (part.firstBad)
        firstBad
            = firstBad ? std::min(*firstBad, *part.firstBad + offset) : *part.firstBad + offset;
    if (part.smallest)
        smallest = smallest ? std::min(*smallest, *part.smallest) : *part.smallest;
    if (part.largest)
        largest = largest ? std::max(*largest, *part.largest) : *part.largest;
}

void ValueStats::repeat(std::uint64_t times) noexcept
{
    for (std::uint64_t* count : {&values, &nan, &posInf, &negInf, &zeros, &subnormals, &atLargest})
        *count *= times;
}

}  // namespace firstbad::core
