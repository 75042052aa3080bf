// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/json/bisect_json.h"

#include "core/base/json_writer.h"
#include "core/present/json/json_members.h"
#include "core/protocol/replay_codec.h"

namespace firstbad::core {

std::string bisectJson(const std::optional<OpenBisect>& bisect)
{
    JsonWriter json;
    json.beginObject();
    json.member("state", bisect ? toString(bisect->search().state()) : std::string_view("none"));
    json.key("interval");
    json.beginObject();
    textMember(json, "from", bisect ? bisect->search().lastGood() : std::string());
    textMember(json, "to", bisect ? bisect->search().firstBad() : std::string());
    json.endObject();
    textMember(json, "next_probe", bisect ? bisect->search().nextProbe() : std::string());
    json.member("monotone", !bisect || bisect->search().monotone());
    json.key("log");
    json.beginArray();
    for (const auto& row : bisect ? bisect->rows() : std::vector<BisectEntry>()) {
        json.beginObject();
        json.member("n", row.n);
        json.member("probe", row.probe);
        json.member("verdict", row.verdict);
        json.member("by", row.by);
        textMember(json, "evidence", evidenceText(row));
        json.endObject();
    }
    json.endArray();
    json.key("first_bad");
    writePlace(json, bisect ? bisect->firstBad() : std::nullopt);
    json.endObject();
    return json.take();
}

}  // namespace firstbad::core
