// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/capsule_evidence.h"

#include "app/cli/case_access.h"
#include "core/base/hash.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"

#include <fmt/format.h>

namespace firstbad::cli {
namespace {

/// Larger files (weights of a large model) stay where they are; their hashes are in the capsule.
constexpr std::uint64_t kLargestKept = std::uint64_t{2} << 30U;

struct CapsuleContent {
    std::vector<core::EvidenceMember> members;
    std::vector<std::string> leftOut;
    std::string hash;  ///< over names and hashes of all members
};

core::Result<void> addMember(CapsuleContent& content, core::Sha256& hash, const std::string& name,
    const std::filesystem::path& path, core::JobContext& job)
{
    std::error_code failed;
    const auto bytes = std::filesystem::file_size(path, failed);
    if (failed || bytes > kLargestKept) {
        content.leftOut.push_back(name);
        return {};
    }
    const auto own = core::sha256OfFile(path, job);
    if (!own)
        return tl::unexpected(own.error());
    hash.add(name);
    hash.add(*own);
    content.members.push_back({name, {}, path});
    return {};
}

core::Result<CapsuleContent> contentOf(const core::Capsule& capsule, core::JobContext& job)
{
    CapsuleContent content;
    core::Sha256 hash;
    auto added = addMember(content, hash, "capsule.json", capsule.folder / "capsule.json", job);
    for (const auto& file : core::filesOf(capsule)) {
        const auto path = core::pathOf(capsule, file.name);
        if (added && path)
            added = addMember(content, hash, file.name, *path, job);
    }
    if (!capsule.weights.checkpointPath.empty())
        content.leftOut.push_back(capsule.weights.checkpointPath);
    if (!added)
        return tl::unexpected(added.error());
    content.hash = hash.finish();
    return content;
}

std::string capsuleBody(const CapsuleContent& content)
{
    core::JsonWriter json;
    json.beginObject();
    json.key("left_out");
    json.beginArray();
    for (const auto& name : content.leftOut)
        json.value(name);
    json.endArray();
    json.endObject();
    return json.take();
}

core::Diagnostics leftOutNotes(const core::Capsule& capsule, const CapsuleContent& content)
{
    core::Diagnostics notes;
    for (const auto& name : content.leftOut)
        notes.push_back({core::Severity::Info, "left-out",
            fmt::format("{} of {} is not copied into the case; keep it where it is.", name,
                capsule.shownPath),
            {name, {}, {}}});
    return notes;
}

core::Result<core::EvidenceRecord> keepResult(core::CaseStore& store, std::string_view kind,
    const core::EvidenceRecord& capsule, const std::string& resultJson, core::JobContext& job)
{
    core::JsonWriter body;
    body.beginObject();
    body.member("capsule_sha256", capsule.content);
    body.endObject();
    core::EvidenceRecord record;
    record.kind = kind;
    record.name = capsule.name;
    record.content = core::sha256Hex(resultJson);
    record.body = body.take();
    return store.keep(std::move(record), {{"result.json", resultJson, {}}}, job);
}

}  // namespace

core::Result<core::Diagnostics> keepEvidence(const core::Capsule& capsule, std::string_view kind,
    const std::string& resultJson, const Environment& environment, core::JobContext& job)
{
    if (!findCaseFolder(environment))
        return core::Diagnostics{};
    auto store = openCase(environment, core::CaseAccess::Write);
    if (!store)
        return tl::unexpected(store.error());
    const auto content = contentOf(capsule, job);
    if (!content)
        return tl::unexpected(content.error());
    core::EvidenceRecord record;
    record.kind = "capsule";
    record.name = core::toValidUtf8(capsule.folder.lexically_normal().filename().string());
    record.content = content->hash;
    record.body = capsuleBody(*content);
    const auto kept = store->keep(std::move(record), content->members, job);
    if (!kept)
        return tl::unexpected(kept.error());
    const auto result = keepResult(*store, kind, *kept, resultJson, job);
    if (!result)
        return tl::unexpected(result.error());
    return leftOutNotes(capsule, *content);
}

}  // namespace firstbad::cli
