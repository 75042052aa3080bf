// SPDX-License-Identifier: GPL-3.0-or-later
// ViewGeometry: which elements of a storage one piece of a tensor shows, and in what logical order.
//
// Plain value in element units; any thread. Mapping costs a division an axis.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace firstbad::core {

/// Neighbouring elements of a view: `count` of them from `position` on, one element apart in the
/// storage and `logicalStride` apart in the piece.
struct ViewRun {
    std::uint64_t position = 0;
    std::uint64_t count = 0;
    std::uint64_t logical = 0;
    std::uint64_t logicalStride = 1;
};

class ViewGeometry
{
public:
    enum class Form : std::uint8_t {
        Empty,
        Contiguous,  ///< storage order is logical order
        Permuted,  ///< every element between the first and the last once, in another order
        Strided,  ///< with holes, or with elements shown more than once
    };

    /// nullopt when sizes, strides and offset do not describe a view or overflow.
    [[nodiscard]] static std::optional<ViewGeometry> of(const TensorPiece& piece);

    [[nodiscard]] Form form() const noexcept { return m_form; }
    [[nodiscard]] std::uint64_t begin() const noexcept { return m_begin; }
    [[nodiscard]] std::uint64_t end() const noexcept { return m_end; }  ///< past the last touched
    /// How often each touched element is shown by dimensions of stride 0.
    [[nodiscard]] std::uint64_t repeats() const noexcept { return m_repeats; }
    /// True when elements overlap so often that visiting each of them could take for ever.
    [[nodiscard]] bool isFolded() const noexcept { return m_isFolded; }

    /// Smallest index inside the piece of the element at `position`; for Contiguous and Permuted.
    [[nodiscard]] std::uint64_t logicalOf(std::uint64_t position) const noexcept;

    /// Visits the part of a view that lies in [from, to) of the storage.
    template <class Visit>
    void forEachRun(std::uint64_t from, std::uint64_t to, Visit&& visit) const
    {
        if (m_form != Form::Empty)
            visitAxis(0, m_begin, 0, {from, to}, visit);
    }

private:
    struct Axis {
        std::uint64_t size = 1;
        std::uint64_t stride = 1;
        std::uint64_t logicalStride = 1;
        std::uint64_t spanBelow = 0;  ///< distance of first and last element of the axes below
    };
    struct Range {
        std::uint64_t from = 0;
        std::uint64_t to = 0;
    };

    [[nodiscard]] bool addAxes(const TensorPiece& piece);
    [[nodiscard]] bool measure();
    [[nodiscard]] Form classifyForm() const noexcept;

    template <class Visit>
    void visitAxis(std::size_t depth, std::uint64_t position, std::uint64_t logical,
        const Range& range, Visit& visit) const
    {
        if (depth == m_axes.size()) {
            if (position >= range.from && position < range.to)
                visit(ViewRun{position, 1, logical, 1});
            return;
        }
        const Axis& axis = m_axes[depth];
        std::uint64_t i = 0;
        if (position + axis.spanBelow < range.from)
            i = (range.from - position - axis.spanBelow + axis.stride - 1) / axis.stride;
        if (axis.stride == 1 && depth + 1 == m_axes.size()) {
            const std::uint64_t last = range.to > position ? range.to - position : 0;
            const std::uint64_t count = last < axis.size ? last : axis.size;
            if (i < count)
                visit(ViewRun{
                    position + i, count - i, logical + i * axis.logicalStride, axis.logicalStride});
            return;
        }
        for (; i < axis.size && position + i * axis.stride < range.to; ++i)
            visitAxis(depth + 1, position + i * axis.stride, logical + i * axis.logicalStride,
                range, visit);
    }

    std::vector<Axis> m_axes;  // strides above 0 and sizes above 1, widest stride first
    std::uint64_t m_begin = 0;
    std::uint64_t m_end = 0;
    std::uint64_t m_repeats = 1;
    Form m_form = Form::Empty;
    bool m_isFolded = false;
};

/// Row-major index of `index` in `shape`; the vectors are equally long.
[[nodiscard]] std::uint64_t flatIndex(
    const std::vector<std::int64_t>& index, const std::vector<std::int64_t>& shape) noexcept;
/// The inverse.
[[nodiscard]] std::vector<std::int64_t> unravelIndex(
    std::uint64_t flat, const std::vector<std::int64_t>& shape);
/// Product of the sizes; nullopt when negative or beyond 2^63.
[[nodiscard]] std::optional<std::uint64_t> elementCount(const std::vector<std::int64_t>& shape);

}  // namespace firstbad::core
