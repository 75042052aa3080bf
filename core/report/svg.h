// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of a report as SVG text: the curves around the onset, and the block map.
//
// Pure; size bounded by the pixels and cells, not by the data. Any thread. State is always shape
// and colour.
#pragma once

#include "core/protocol/replay_result.h"
#include "core/report/report.h"

#include <string>

namespace firstbad::core {

/// `title` becomes the accessible name.
[[nodiscard]] std::string timelineSvg(const ReportFigure& figure, std::string_view title);

/// Lanes as rows, blocks as columns; empty when no lane was reached.
[[nodiscard]] std::string blockMapSvg(const ReplayResult& replay, std::string_view title);

}  // namespace firstbad::core
