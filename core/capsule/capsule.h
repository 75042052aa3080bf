// SPDX-License-Identifier: GPL-3.0-or-later
// Capsule: everything needed to run one training step again, as its folder says it (version 1).
//
// Plain values without tensor data; tensors are named by file and read by whoever needs them.
// Owned by the caller, any thread once built.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

/// A file of the capsule, relative to its folder, checked not to leave it.
struct CapsuleFile {
    std::string name;
    std::string sha256;  ///< hex; empty when the capsule records none
};

/// Type names as in the capsule: fp64, fp32, fp16, bf16, fp8-e4m3, fp8-e5m2, mixed-fp16,
/// mixed-bf16.
struct CapsulePrecision {
    std::string compute = "fp32";
    std::string params = "fp32";
    std::string softmax = "fp32";
    std::string norm = "fp32";
    std::string logits = "fp32";
    double lossScale = 1.0;
    std::string attention = "eager";
};

struct CapsuleLoss {
    std::string kind = "cross_entropy";
    std::int64_t ignoreIndex = -100;
    bool shifted = false;  ///< labels are already shifted
    std::string reduction = "mean";
    std::optional<double> normalizer;  ///< sum / normalizer when given
    std::string accumulate = "mean";  ///< over micro-steps: "mean" or "sum"
    double labelSmoothing = 0.0;
    std::string dtype = "fp32";
};

struct CapsuleClip {
    double maxNorm = 0.0;
    double normType = 2.0;
};

struct CapsuleOptimizer {
    std::string type = "adamw";
    double lr = 0.0;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double eps = 1e-8;
    double weightDecay = 0.0;
    std::int64_t step = 0;  ///< updates done before this one
    bool master = false;
    std::optional<CapsuleClip> clip;
    std::string stateDtype = "fp32";
    std::optional<CapsuleFile> file;  ///< exp_avg/P, exp_avg_sq/P, master/P
};

struct CapsuleScaler {
    std::string policy;
    double scale = 1.0;
    double growthFactor = 2.0;
    double backoffFactor = 0.5;
    std::int64_t growthInterval = 2000;
    std::int64_t growthTracker = 0;
};

struct CapsuleFp8 {
    CapsuleFile file;  ///< NAME.input and NAME.weight scales
    std::string recipe;
    bool saturating = true;
    std::string backward;
};

/// Weights: files of the capsule, or a checkpoint of any format that scan reads.
struct CapsuleWeights {
    std::vector<CapsuleFile> files;
    std::string checkpointPath;  ///< as written; relative to the capsule
    std::string checkpointFormat;
    std::optional<std::int64_t> checkpointStep;
    std::int64_t tensorParallel = 1;
    std::string checkpointSha256;  ///< over the files in rank order
};

/// A place as the contract names it. Which fields are set depends on the lane.
struct CapsuleFirstBad {
    std::string lane;
    std::optional<std::int64_t> block;
    std::string op;
    std::string tensor;
    std::string kind;
    std::optional<std::int64_t> microStep;
};

struct CapsuleObserved {
    bool hasLoss = false;
    double loss = 0.0;  ///< may be non-finite
    bool hasGradNorm = false;
    double gradNorm = 0.0;
    std::optional<double> lossScale;
    std::optional<bool> foundInf;
    std::optional<CapsuleFirstBad> firstBad;
};

struct Capsule {
    std::filesystem::path folder;
    std::string shownPath;
    std::string runId;
    std::int64_t attempt = 0;
    std::int64_t step = 0;
    std::int64_t microStep = 0;
    std::int64_t rank = 0;
    std::string family;  ///< gpt2, llama, glm
    std::string configJson;  ///< the object as text, names of the family's config.json
    CapsulePrecision precision;
    CapsuleLoss loss;
    bool train = true;
    std::vector<CapsuleFile> batches;  ///< one per micro-step, in order
    std::vector<std::string> batchTensors;
    CapsuleWeights weights;
    std::optional<CapsuleOptimizer> optimizer;
    std::optional<CapsuleScaler> scaler;
    std::optional<CapsuleFile> buffers;
    std::optional<CapsuleFp8> fp8;
    std::optional<CapsuleFile> rngFile;
    bool hasRng = false;
    std::vector<std::string> sampleIds;  ///< as spelled: "47946", "s1200-0"
    CapsuleObserved observed;
    std::string environmentJson;  ///< the object as text
};

/// Reads capsule.json of a folder. Reads no tensor and checks no hash: verifyCapsule() does.
/// Malformed names the member; Unsupported a newer version; NotFound a folder without capsule.json.
[[nodiscard]] Result<Capsule> readCapsule(
    const std::filesystem::path& folder, const std::string& shownPath);

/// The same from the text of capsule.json; `folder` and `shownPath` are taken over, not looked at.
[[nodiscard]] Result<Capsule> parseCapsule(
    std::string_view json, const std::filesystem::path& folder, const std::string& shownPath);

/// Every file that the capsule names beside the checkpoint, each once, batches first.
[[nodiscard]] std::vector<CapsuleFile> filesOf(const Capsule& capsule);

/// Files of the checkpoint that the weights are in, in rank order. NotFound when there is none.
[[nodiscard]] Result<std::vector<std::filesystem::path>> checkpointFiles(const Capsule& capsule);

/// The path of a file that the capsule names. Unsupported when links lead it out of the folder.
[[nodiscard]] Result<std::filesystem::path> pathOf(const Capsule& capsule, const std::string& name);

/// What is wrong with one file of a capsule.
struct CapsuleProblem {
    std::string code;  ///< missing-file, hash-mismatch
    std::string file;
    std::string text;  ///< one sentence
};

struct CapsuleCheck {
    std::vector<CapsuleProblem> problems;
    std::uint64_t hashed = 0;  ///< files whose recorded hash was compared
    std::uint64_t unhashed = 0;  ///< files without a recorded hash
    std::string batchSha256;  ///< over the batch files in order; empty when one is missing
    std::string weightsSha256;  ///< over the weight files in order; empty when one is missing
};

/// Looks for every file and compares the recorded hashes; reads each file once. Problems are data:
/// an Error is only a disk that fails or a cancelled job.
[[nodiscard]] Result<CapsuleCheck> verifyCapsule(const Capsule& capsule, JobContext& job);

}  // namespace firstbad::core
