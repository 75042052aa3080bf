// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capsule/capsule.h"

#include "core/base/file.h"
#include "core/base/json_members.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::uint64_t kMaxCapsuleJsonBytes = std::uint64_t{64} << 20U;
constexpr std::int64_t kVersion = 1;
constexpr std::array<std::string_view, 8> kComputeTypes{
    "fp64", "fp32", "fp16", "bf16", "fp8-e4m3", "fp8-e5m2", "mixed-fp16", "mixed-bf16"};

/// A name inside the folder: relative, no "..", no empty part.
bool staysInside(const std::string& name)
{
    const std::filesystem::path path(name);
    if (name.empty() || path.is_absolute() || name.find('\0') != std::string::npos)
        return false;
    return std::none_of(
        path.begin(), path.end(), [](const std::filesystem::path& part) { return part == ".."; });
}

CapsuleFile checkedFile(const JsonMembers& members, std::string_view name)
{
    CapsuleFile file{members.text(name), members.text("sha256")};
    if (!staysInside(file.name))
        members.refuse(name, "is not the name of a file in the capsule");
    return file;
}

std::optional<CapsuleFile> optionalFile(const JsonMembers& members, std::string_view name)
{
    const JsonMembers object = members.object(name);
    if (!object.has("file"))
        return std::nullopt;
    return checkedFile(object, "file");
}

/// Files of a list: texts, or objects with `file` and `sha256`.
std::vector<CapsuleFile> fileList(const JsonMembers& members, std::string_view name)
{
    std::vector<CapsuleFile> files;
    const auto& items = members.list(name);
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].kind == JsonValue::Kind::Text) {
            files.push_back({items[i].words, {}});
            if (!staysInside(items[i].words))
                members.refuse(name, "names a file that is not in the capsule");
        } else {
            files.push_back(checkedFile(members.element(items[i], name, i), "file"));
        }
    }
    return files;
}

CapsulePrecision readPrecision(const JsonMembers& members)
{
    CapsulePrecision precision;
    precision.compute = members.text("compute", precision.compute);
    const bool known = std::find(kComputeTypes.begin(), kComputeTypes.end(), precision.compute)
        != kComputeTypes.end();
    if (!known)
        members.refuse("compute", fmt::format("names no precision (\"{}\")", precision.compute));
    precision.params = members.text("params", "fp32");
    precision.softmax = members.text("softmax", precision.softmax);
    precision.norm = members.text("norm", precision.norm);
    precision.logits = members.text("logits", precision.params);
    precision.lossScale = members.number("loss_scale", precision.lossScale);
    precision.attention = members.text("attention", precision.attention);
    return precision;
}

CapsuleLoss readLoss(const JsonMembers& members)
{
    CapsuleLoss loss;
    loss.kind = members.text("kind", loss.kind);
    loss.ignoreIndex = members.integer("ignore_index", loss.ignoreIndex);
    loss.shifted = members.flag("shifted", loss.shifted);
    loss.reduction = members.text("reduction", loss.reduction);
    loss.normalizer = members.optionalNumber("normalizer");
    loss.accumulate = members.text("accumulate", loss.accumulate);
    loss.labelSmoothing = members.number("label_smoothing", loss.labelSmoothing);
    loss.dtype = members.text("dtype", loss.dtype);
    return loss;
}

CapsuleOptimizer readOptimizer(const JsonMembers& members)
{
    CapsuleOptimizer optimizer;
    optimizer.type = members.text("type", optimizer.type);
    optimizer.lr = members.number("lr", optimizer.lr);
    const auto betas = members.numbers("betas");
    if (betas.size() == 2) {
        optimizer.beta1 = betas[0];
        optimizer.beta2 = betas[1];
    } else if (!betas.empty()) {
        members.refuse("betas", "does not hold two numbers");
    }
    optimizer.eps = members.number("eps", optimizer.eps);
    optimizer.weightDecay = members.number("weight_decay", optimizer.weightDecay);
    optimizer.step = members.integer("step", optimizer.step);
    optimizer.master = members.flag("master", optimizer.master);
    if (members.has("clip")) {
        const JsonMembers clip = members.object("clip");
        optimizer.clip = CapsuleClip{clip.number("max_norm", 0.0), clip.number("norm_type", 2.0)};
    }
    optimizer.stateDtype = members.text("state_dtype", optimizer.stateDtype);
    if (members.has("file"))
        optimizer.file = checkedFile(members, "file");
    return optimizer;
}

CapsuleScaler readScaler(const JsonMembers& members)
{
    CapsuleScaler scaler;
    scaler.policy = members.text("policy");
    scaler.scale = members.number("scale", scaler.scale);
    scaler.growthFactor = members.number("growth_factor", scaler.growthFactor);
    scaler.backoffFactor = members.number("backoff_factor", scaler.backoffFactor);
    scaler.growthInterval = members.integer("growth_interval", scaler.growthInterval);
    scaler.growthTracker = members.integer("growth_tracker", scaler.growthTracker);
    return scaler;
}

void readState(const JsonMembers& members, Capsule& capsule)
{
    if (members.has("optimizer"))
        capsule.optimizer = readOptimizer(members.object("optimizer"));
    if (members.has("scaler"))
        capsule.scaler = readScaler(members.object("scaler"));
    capsule.buffers = optionalFile(members, "buffers");
    if (const auto file = optionalFile(members, "fp8")) {
        const JsonMembers fp8 = members.object("fp8");
        capsule.fp8 = CapsuleFp8{
            *file, fp8.text("recipe"), fp8.flag("saturating", true), fp8.text("backward")};
    }
}

CapsuleWeights readWeights(const JsonMembers& members)
{
    CapsuleWeights weights;
    if (members.has("file"))
        weights.files.push_back(checkedFile(members, "file"));
    else if (members.has("files"))
        weights.files = fileList(members, "files");
    if (members.has("checkpoint")) {
        const JsonMembers checkpoint = members.object("checkpoint");
        weights.checkpointPath = checkpoint.text("path");
        if (!staysInside(weights.checkpointPath))
            checkpoint.refuse("path", "leads out of the capsule");
        weights.checkpointFormat = checkpoint.text("format");
        weights.checkpointStep = checkpoint.optionalInteger("step");
        weights.tensorParallel = checkpoint.integer("tensor_parallel", 1);
        weights.checkpointSha256 = checkpoint.text("sha256");
        if (weights.tensorParallel < 1)
            checkpoint.refuse("tensor_parallel", "is below 1");
    }
    if (weights.files.empty() && weights.checkpointPath.empty())
        members.refuse("file", "is missing: there are no weights");
    return weights;
}

void readBatches(const JsonMembers& root, Capsule& capsule)
{
    const JsonMembers batch = root.object("batch");
    capsule.batchTensors = batch.texts("tensors");
    if (root.has("micro_steps")) {
        capsule.batches = fileList(root, "micro_steps");
        const std::string first = batch.text("file");
        for (auto& file : capsule.batches) {
            if (file.name == first && file.sha256.empty())
                file.sha256 = batch.text("sha256");
        }
    } else if (batch.has("file")) {
        capsule.batches.push_back(checkedFile(batch, "file"));
    }
    if (capsule.batches.empty())
        batch.refuse("file", "is missing: there is no batch");
}

CapsuleObserved readObserved(const JsonMembers& members)
{
    CapsuleObserved observed;
    const auto loss = members.optionalNumber("loss");
    observed.hasLoss = loss.has_value();
    observed.loss = loss.value_or(0.0);
    const auto norm = members.optionalNumber("grad_norm");
    observed.hasGradNorm = norm.has_value();
    observed.gradNorm = norm.value_or(0.0);
    observed.lossScale = members.optionalNumber("loss_scale");
    observed.foundInf = members.optionalFlag("found_inf");
    if (members.has("first_bad")) {
        const JsonMembers place = members.object("first_bad");
        observed.firstBad
            = CapsuleFirstBad{place.text("lane"), place.optionalInteger("block"), place.text("op"),
                place.text("tensor"), place.text("kind"), place.optionalInteger("micro_step")};
    }
    return observed;
}

void readRun(const JsonMembers& root, Capsule& capsule)
{
    capsule.runId = root.text("run_id");
    capsule.attempt = root.integer("attempt", 0);
    capsule.step = root.integer("step", 0);
    capsule.microStep = root.integer("micro_step", 0);
    capsule.rank = root.integer("rank", 0);
    capsule.family = root.text("family");
    if (capsule.family.empty())
        root.refuse("family", "is missing");
    if (!root.has("config"))
        root.refuse("config", "is missing");
    capsule.configJson = toJsonText(root.object("config").value());
    capsule.train = root.flag("train", true);
    capsule.sampleIds = root.texts("sample_ids");
    capsule.environmentJson = toJsonText(root.object("environment").value());
}

void readParts(const JsonMembers& root, Capsule& capsule)
{
    readRun(root, capsule);
    capsule.precision = readPrecision(root.object("precision"));
    capsule.loss = readLoss(root.object("loss"));
    readBatches(root, capsule);
    capsule.weights = readWeights(root.object("weights"));
    readState(root.object("state"), capsule);
    capsule.hasRng = root.has("rng");
    capsule.rngFile = optionalFile(root, "rng");
    capsule.observed = readObserved(root.object("observed"));
}

tl::unexpected<Error> malformed(const std::string& file, std::string_view problem)
{
    return fail(ErrorCode::Malformed, fmt::format("{} is not a capsule: {}.", file, problem),
        "capsule.json holds firstbad_capsule, family, config, batch, weights, ...",
        Where{file, {}, {}});
}

}  // namespace

Result<Capsule> readCapsule(const std::filesystem::path& folder, const std::string& shownPath)
{
    const std::filesystem::path path = folder / "capsule.json";
    std::error_code failed;
    if (!std::filesystem::exists(path, failed))
        return fail(ErrorCode::NotFound,
            fmt::format("{} is no capsule: it holds no capsule.json.", shownPath),
            "A capsule is a folder that the recorder wrote; name the folder itself.");
    const auto text = readWholeFile(path, kMaxCapsuleJsonBytes);
    if (!text)
        return tl::unexpected(text.error());
    return parseCapsule(*text, folder, shownPath);
}

Result<Capsule> parseCapsule(
    std::string_view json, const std::filesystem::path& folder, const std::string& shownPath)
{
    const std::string shown = (std::filesystem::path(shownPath) / "capsule.json").string();
    const auto document = parseJson(json);
    if (!document)
        return addContext(document.error(), fmt::format("while reading {}", shown));
    std::string problem;
    const JsonMembers root(*document, {}, problem);
    const auto version = root.optionalInteger("firstbad_capsule");
    if (problem.empty() && !version)
        problem = "\"firstbad_capsule\" is missing";
    if (!problem.empty())
        return malformed(shown, problem);
    if (*version != kVersion)
        return fail(ErrorCode::Unsupported,
            fmt::format("{} is a capsule of version {}; this program reads version {}.", shown,
                *version, kVersion),
            "Use a newer firstbad, or the recorder that came with this one.");
    Capsule capsule;
    capsule.folder = folder;
    capsule.shownPath = shownPath;
    readParts(root, capsule);
    if (!problem.empty())
        return malformed(shown, problem);
    return capsule;
}

}  // namespace firstbad::core
