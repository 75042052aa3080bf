// SPDX-License-Identifier: GPL-3.0-or-later
// SingleSpikes: the values of one trace that leave its level for a step and are back at once.
//
// A bad batch looks like that, and so does any noisy one. A few are told one by one; many say one
// thing together, but for those that stand far above the rest. One owner, one thread; n log n in
// the spikes.
#pragma once

#include "core/detect/excursion.h"
#include "core/detect/settings.h"

#include <vector>

namespace firstbad::core {

class SingleSpikes
{
public:
    SingleSpikes(const AttemptView& attempt, const Trace& trace, const Settings& settings);

    void addWeak(const Excursion& spike);
    void add(const Excursion& spike, Finding finding);
    /// Appends what is to be told; empties this.
    void giveTo(std::vector<Finding>& findings);

private:
    struct Single {
        Excursion spike;
        double ratio = 1.0;  ///< to the level
        std::optional<Finding> finding;  ///< none: too weak to be told alone
    };

    [[nodiscard]] double ratioOf(const Excursion& spike) const;
    [[nodiscard]] std::size_t standOuts() const;
    [[nodiscard]] Finding gathered(std::size_t first) const;
    void tellAlone(Single& single, std::vector<Finding>& findings) const;

    const AttemptView& m_attempt;
    const Trace& m_trace;
    double m_weakRatio;
    std::vector<Single> m_singles;
};

}  // namespace firstbad::core
