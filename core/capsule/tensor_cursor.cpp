// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capsule/tensor_cursor.h"

#include "core/base/value_kind.h"

#include <algorithm>

namespace firstbad::core {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{64} << 10U;

bool isPlainNumber(ElementType type)
{
    constexpr char kZero[8] = {};
    return elementValue(type, kZero).has_value();
}

}  // namespace

TensorCursor::TensorCursor(const TensorFile& file, const TensorEntry& tensor, JobContext& job)
    : m_file(&file)
    , m_tensor(&tensor)
    , m_job(&job)
    , m_width(isPlainNumber(tensor.type) ? elementTypeInfo(tensor.type).bits / 8U : 0U)
{ }

bool TensorCursor::fill()
{
    if (m_job->cancelled()) {
        m_error = JobContext::cancelledError().value();
        return false;
    }
    const std::uint64_t left = m_tensor->bytes - m_read;
    m_held = static_cast<std::size_t>(std::min<std::uint64_t>(left, kBufferBytes));
    if (m_held < m_width)
        return false;
    m_buffer.resize(m_held);
    if (auto got = m_file->read(*m_tensor, m_read, m_buffer); !got) {
        m_error = std::move(got.error());
        return false;
    }
    m_read += m_held;
    m_at = 0;
    return true;
}

bool TensorCursor::next()
{
    if (m_width == 0 || m_error)
        return false;
    if (!m_begun) {
        m_begun = true;
        return fill();
    }
    m_at += m_width;
    ++m_index;
    return m_at + m_width <= m_held || fill();
}

double TensorCursor::value() const noexcept
{
    return elementValue(m_tensor->type, m_buffer.data() + m_at).value_or(0.0);
}

std::int64_t TensorCursor::integer() const noexcept
{
    if (const auto whole = integerElement(m_tensor->type, m_buffer.data() + m_at))
        return *whole;
    constexpr double kLimit = 9.0e18;  // inside int64
    const double real = value();
    return isFinite(real) ? static_cast<std::int64_t>(std::clamp(real, -kLimit, kLimit)) : 0;
}

}  // namespace firstbad::core
