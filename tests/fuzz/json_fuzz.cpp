// SPDX-License-Identifier: GPL-3.0-or-later
// JSON documents of any bytes: the tree of values and the search for records.
#include "core/base/assert.h"
#include "core/base/json_reader.h"
#include "core/import/structured/json_importer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace firstbad::core;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto value = parseJson(text);
    FB_ASSERT(value || !value.error().message.empty());
    const SourceData source = readJsonText(text, "log.json", {});
    FB_ASSERT(source.info.state == SourceState::Read || !source.info.message.empty());
    return 0;
}
