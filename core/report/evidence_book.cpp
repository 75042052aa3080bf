// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/evidence_book.h"

#include "core/present/text/phrases.h"

#include <fmt/format.h>

namespace firstbad::core {
namespace {

/// Chronicles are quoted; everything else is a sentence of ours.
bool holdsQuotation(const Evidence& evidence)
{
    return evidence.what.find('"') != std::string::npos
        || evidence.what.find("\u201C") != std::string::npos;
}

}  // namespace

std::string EvidenceBook::placeOf(const Evidence& evidence) const
{
    if (evidence.source.empty())
        return {};
    if (!m_redact)
        return evidence.line ? fmt::format("{}:{}", evidence.source, *evidence.line)
                             : evidence.source;
    return placeText(evidence);
}

std::string EvidenceBook::idOf(const Evidence& evidence)
{
    const std::string place = placeOf(evidence);
    const auto [at, isNew]
        = m_ids.try_emplace(place + '\n' + evidence.what, fmt::format("E{}", m_pieces.size() + 1));
    if (!isNew)
        return at->second;
    ReportEvidence piece;
    piece.id = at->second;
    piece.place = place;
    piece.what = m_redact && holdsQuotation(evidence) ? "(quotation left out)" : evidence.what;
    if (evidence.sourceIndex && *evidence.sourceIndex < m_dataset.sources.size())
        piece.sha256 = m_dataset.sources[*evidence.sourceIndex].sha256;
    m_pieces.push_back(std::move(piece));
    return at->second;
}

}  // namespace firstbad::core
