// SPDX-License-Identifier: GPL-3.0-or-later
// EvidenceBook: numbers the evidence of a report, each piece once, and names where it stands.
//
// One thread; owned by whoever makes the report. Refers to the data set while it lives.
#pragma once

#include "core/import/dataset.h"
#include "core/report/report.h"

#include <map>
#include <string>
#include <vector>

namespace firstbad::core {

class EvidenceBook
{
public:
    EvidenceBook(const Dataset& dataset, bool redact)
        : m_dataset(dataset)
        , m_redact(redact)
    { }

    /// The id of a piece of evidence; the same piece gets the same id.
    [[nodiscard]] std::string idOf(const Evidence& evidence);
    [[nodiscard]] std::vector<ReportEvidence> take() { return std::move(m_pieces); }

private:
    [[nodiscard]] std::string placeOf(const Evidence& evidence) const;

    const Dataset& m_dataset;
    bool m_redact;
    std::vector<ReportEvidence> m_pieces;
    std::map<std::string, std::string> m_ids;  // by place and sentence
};

}  // namespace firstbad::core
