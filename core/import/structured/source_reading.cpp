// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/structured/source_reading.h"

namespace firstbad::core {

std::vector<SourceData> finishSource(
    SourceData data, const SourceRef& source, std::string_view format, const TextSource& text)
{
    data.info.path = source.shownPath.empty() ? source.path.string() : source.shownPath;
    if (data.info.format.empty())
        data.info.format = format;
    if (data.traits.dialect.empty())
        data.traits.dialect = data.info.format;
    data.info.bytes = text.bytesOnDisk();
    data.info.encoding = text.encoding();
    std::vector<SourceData> all;
    all.push_back(std::move(data));
    return all;
}

}  // namespace firstbad::core
