// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scan/view_geometry.h"

#include <algorithm>
#include <limits>

namespace firstbad::core {
namespace {

constexpr std::uint64_t kMost
    = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

/// Multiplies unless the product leaves 63 bits.
bool multiply(std::uint64_t& product, std::uint64_t factor) noexcept
{
    if (factor != 0 && product > kMost / factor)
        return false;
    product *= factor;
    return true;
}

}  // namespace

std::optional<ViewGeometry> ViewGeometry::of(const TensorPiece& piece)
{
    ViewGeometry view;
    if (piece.storageOffset < 0 || piece.sizes.size() != piece.strides.size())
        return std::nullopt;
    view.m_begin = static_cast<std::uint64_t>(piece.storageOffset);
    if (!view.addAxes(piece) || !view.measure())
        return std::nullopt;
    const bool isEmpty = std::find(piece.sizes.begin(), piece.sizes.end(), 0) != piece.sizes.end();
    view.m_form = isEmpty ? Form::Empty : view.classifyForm();
    return view;
}

bool ViewGeometry::addAxes(const TensorPiece& piece)
{
    std::uint64_t logicalStride = 1;
    for (std::size_t i = piece.sizes.size(); i-- > 0;) {
        if (piece.sizes[i] < 0 || piece.strides[i] < 0)
            return false;
        const auto size = static_cast<std::uint64_t>(piece.sizes[i]);
        const auto stride = static_cast<std::uint64_t>(piece.strides[i]);
        if (stride == 0) {
            if (!multiply(m_repeats, size))
                return false;
        } else if (size > 1) {
            m_axes.push_back({size, stride, logicalStride, 0});
        }
        if (!multiply(logicalStride, size))
            return false;
    }
    std::stable_sort(m_axes.begin(), m_axes.end(), [](const Axis& a, const Axis& b) {
        return a.stride != b.stride ? a.stride > b.stride : a.logicalStride > b.logicalStride;
    });
    return true;
}

bool ViewGeometry::measure()
{
    std::uint64_t span = 0;
    std::uint64_t shown = 1;
    for (std::size_t i = m_axes.size(); i-- > 0;) {
        m_axes[i].spanBelow = span;
        std::uint64_t reach = m_axes[i].size - 1;
        if (!multiply(reach, m_axes[i].stride) || span > kMost - reach)
            return false;
        span += reach;
        if (!multiply(shown, m_axes[i].size))
            return false;
    }
    if (m_begin > kMost - span - 1)
        return false;
    m_end = m_begin + span + 1;
    constexpr std::uint64_t kMostFolds = 16;
    constexpr std::uint64_t kAlwaysFine = 1U << 20U;
    m_isFolded = shown > kAlwaysFine && shown / kMostFolds > span;
    return true;
}

ViewGeometry::Form ViewGeometry::classifyForm() const noexcept
{
    std::uint64_t dense = 1;
    bool inOrder = true;
    for (std::size_t i = m_axes.size(); i-- > 0;) {
        if (m_axes[i].stride != dense)
            return Form::Strided;
        inOrder = inOrder && m_axes[i].stride == m_axes[i].logicalStride;
        dense *= m_axes[i].size;
    }
    return inOrder ? Form::Contiguous : Form::Permuted;
}

std::uint64_t ViewGeometry::logicalOf(std::uint64_t position) const noexcept
{
    std::uint64_t rest = position - m_begin;
    std::uint64_t logical = 0;
    for (const Axis& axis : m_axes) {
        logical += rest / axis.stride * axis.logicalStride;
        rest %= axis.stride;
    }
    return logical;
}

std::uint64_t flatIndex(
    const std::vector<std::int64_t>& index, const std::vector<std::int64_t>& shape) noexcept
{
    std::uint64_t flat = 0;
    for (std::size_t i = 0; i < shape.size() && i < index.size(); ++i)
        flat = flat * static_cast<std::uint64_t>(shape[i]) + static_cast<std::uint64_t>(index[i]);
    return flat;
}

std::vector<std::int64_t> unravelIndex(std::uint64_t flat, const std::vector<std::int64_t>& shape)
{
    std::vector<std::int64_t> index(shape.size(), 0);
    for (std::size_t i = shape.size(); i-- > 0;) {
        const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(shape[i], 1));
        index[i] = static_cast<std::int64_t>(flat % size);
        flat /= size;
    }
    return index;
}

std::optional<std::uint64_t> elementCount(const std::vector<std::int64_t>& shape)
{
    std::uint64_t count = 1;
    for (const std::int64_t size : shape) {
        if (size < 0 || !multiply(count, static_cast<std::uint64_t>(size)))
            return std::nullopt;
    }
    return count;
}

}  // namespace firstbad::core
