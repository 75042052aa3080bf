// SPDX-License-Identifier: GPL-3.0-or-later
// CompactColumn: numbers of which most stay, count on, or are missing; every bit is kept.
//
// Stretches of start and slope (24 bytes each) while they pay, plain doubles when they do not:
// a constant or a counter costs nothing a row, a noisy value 8 bytes. One writer; then any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace firstbad::core {

class CompactColumn
{
public:
    void add(double value);
    void addMissing();
    /// Missing rows up to `rows`: for a field that begins late or leaves rows out.
    void fillTo(std::size_t rows);

    [[nodiscard]] std::size_t size() const noexcept { return m_size; }
    /// nullopt: missing. Logarithmic in the stretches.
    [[nodiscard]] std::optional<double> at(std::size_t row) const noexcept;
    /// Whether the first `rows` of both are the same, bit by bit.
    [[nodiscard]] bool startsLike(const CompactColumn& other, std::size_t rows) const noexcept;
    [[nodiscard]] bool isMissingUpTo(std::size_t rows) const noexcept;
    [[nodiscard]] std::size_t bytes() const noexcept;
    void shrink();

private:
    struct Stretch {
        std::uint32_t first = 0;
        std::uint32_t sloped = 0;  // 1 when `slope` counts
        double start = 0.0;
        double slope = 0.0;
    };

    [[nodiscard]] static double valueIn(const Stretch& stretch, std::size_t row) noexcept;
    [[nodiscard]] std::uint64_t bitsAt(std::size_t row) const noexcept;
    void addBits(double value);
    void makePlain();

    std::vector<Stretch> m_stretches;
    std::vector<double> m_plain;  // instead of stretches once those cost more
    bool m_isPlain = false;
    std::size_t m_size = 0;
};

}  // namespace firstbad::core
