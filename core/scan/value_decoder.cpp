// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scan/value_decoder.h"

#include "core/base/assert.h"

#include <cstring>

namespace firstbad::core {
namespace {

template <class Raw, class Convert>
void convertAll(std::span<const char> bytes, std::vector<double>& values, Convert convert)
{
    for (std::size_t i = 0; i < values.size(); ++i) {
        Raw raw;
        std::memcpy(&raw, bytes.data() + i * sizeof(Raw), sizeof(Raw));
        values[i] = convert(raw);
    }
}

const FloatFormat& formatOf(ElementType type)
{
    const FloatFormat* format = floatFormat(type);
    FB_ASSERT(format != nullptr);
    return *format;
}

}  // namespace

ValueDecoder::ValueDecoder(ElementType type)
    : m_format(formatOf(type))
{
    if (m_format.bytes > 2)
        return;
    m_table.resize(std::size_t{1} << (8U * m_format.bytes));
    for (std::size_t bits = 0; bits < m_table.size(); ++bits)
        m_table[bits] = decodeValue(m_format, bits);
}

std::span<const double> ValueDecoder::decode(std::span<const char> bytes)
{
    m_values.resize(bytes.size() / m_format.bytes);
    switch (m_format.bytes) {
    case 1:
        convertAll<std::uint8_t>(bytes, m_values, [&](std::uint8_t raw) { return m_table[raw]; });
        break;
    case 2:
        convertAll<std::uint16_t>(bytes, m_values, [&](std::uint16_t raw) { return m_table[raw]; });
        break;
    case 4:
        convertAll<float>(bytes, m_values, [](float raw) { return static_cast<double>(raw); });
        break;
    default:
        convertAll<double>(bytes, m_values, [](double raw) { return raw; });
        break;
    }
    return m_values;
}

}  // namespace firstbad::core
