// SPDX-License-Identifier: GPL-3.0-or-later
// DataSeam: what a restart did to the order of the data: samples seen again, left out, or others in
// the same step.
//
// Read from counters of consumed samples and tokens, and from the fingerprints of sample ids that
// ledgers carry. Pure; n log n in the points of an attempt and its parents; any thread.
#pragma once

#include "core/detect/run_view.h"

#include <cstdint>
#include <string>
#include <vector>

namespace firstbad::core {

enum class DataSeamKind : std::uint8_t {
    Repeated,  ///< samples are seen again
    LeftOut,  ///< samples are never seen
    Reordered,  ///< a step that was done again used other samples
};

struct DataSeam {
    DataSeamKind kind = DataSeamKind::Repeated;
    std::size_t attempt = 0;  ///< index into RunView::attempts: the one that resumed
    std::int64_t step = 0;  ///< its first step that shows it
    std::int64_t lastStep = 0;
    std::int64_t amount = 0;  ///< samples, tokens or steps
    std::string text;
    std::vector<Evidence> evidence;
};

/// The seams of all attempts that continue another one; the first of each kind and series.
[[nodiscard]] std::vector<DataSeam> dataSeams(const RunView& run);

}  // namespace firstbad::core
