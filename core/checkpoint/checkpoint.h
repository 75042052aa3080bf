// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoint: what a checkpoint says it holds and where its bytes lie; the contract between the
// readers of formats and everything after (scan, judgement, replay).
//
// Plain values, built by a reader without executing anything and without reading tensor data.
// Memory is in the number of tensors, never in their bytes. Any thread once built.
#pragma once

#include "core/checkpoint/element_type.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

/// One component of the path to a value inside a checkpoint: a dict key, list index or attribute.
struct PathPart {
    enum class Kind : std::uint8_t { Text, Number, Other };
    Kind kind = Kind::Text;
    std::string text;  ///< the key; decimal for Number; Python's repr for Other (a tuple, a dtype)
    bool operator==(const PathPart&) const = default;
};

/// Components joined by '.': the name that JSON shows.
[[nodiscard]] std::string joinPath(const std::vector<PathPart>& path);

enum class TensorKind : std::uint8_t { Param, Buffer, Optimizer, Master, Scaler, Rng, Other };

/// "param", "buffer", "optimizer", "master", "scaler", "rng", "other".
[[nodiscard]] std::string_view toString(TensorKind kind) noexcept;

/// How the bytes of a storage are kept in its file.
enum class StorageCoding : std::uint8_t {
    Raw,  ///< contiguous at `offset`
    Deflate,  ///< raw deflate stream of `storedBytes` at `offset` (zip method 8)
    Zlib,  ///< zlib stream (zarr chunks)
    Inline,  ///< in `inlineBytes` (arrays inside pickles)
    Hdf5,  ///< dataset `member` of an HDF5 file, converted to row-major little-endian
    Missing,  ///< the record does not exist
};

/// Bytes that tensors view. Every storage is read at most once by a scan.
struct Storage {
    std::string member;  ///< zip record without prefix, legacy key, tensor name, dataset path
    std::uint32_t file = 0;  ///< index into Checkpoint::files
    ElementType type = ElementType::Unknown;  ///< as the format declares it; views may differ
    StorageCoding coding = StorageCoding::Raw;
    bool bigEndian = false;
    std::uint64_t offset = 0;  ///< of the first stored byte in the file
    std::uint64_t storedBytes = 0;  ///< bytes in the file (compressed size for Deflate and Zlib)
    std::uint64_t bytes = 0;  ///< decoded bytes that exist; less than declared when cut off
    std::uint64_t declaredBytes = 0;  ///< decoded bytes that the format promises
    std::optional<std::uint32_t> crc32;  ///< of the decoded bytes, where recorded and not zero
    std::vector<std::uint8_t> inlineBytes;
};

/// A rectangular part of a tensor in one storage. A plain tensor has exactly one, at offset 0.
struct TensorPiece {
    std::uint32_t storage = 0;  ///< index into Checkpoint::storages
    std::int64_t storageOffset = 0;  ///< in elements of the tensor's type
    std::vector<std::int64_t> offsets;  ///< place of its first element in the whole tensor
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides;  ///< in elements; 0 for an expanded dimension
};

/// A run of elements of a flat vector that is (part of) one parameter.
struct FlatSlice {
    std::string parameter;
    std::vector<std::int64_t> shape;  ///< of the whole parameter; empty when nothing tells it
    std::int64_t start = 0;  ///< of its first element in the flat vector
    std::int64_t count = 0;
    std::int64_t offset = 0;  ///< of that element in the flattened parameter
};

struct CheckpointTensor {
    std::vector<PathPart> path;
    std::string name;  ///< joinPath(path)
    std::vector<std::string> aliases;  ///< other names of the same object, in order of appearance
    TensorKind kind = TensorKind::Other;
    ElementType type = ElementType::Unknown;
    std::vector<std::int64_t> shape;  ///< logical; of the whole tensor when it is in pieces
    std::vector<TensorPiece> pieces;  ///< empty for meta tensors; already checked to be in bounds
    std::string object;  ///< "", or sparse_coo, sparse_csr, quantized, meta, subclass NAME, ndarray
    bool conjugate = false;  ///< a lazy view: the imaginary halves have the other sign
    bool negative = false;  ///< a lazy view: every value has the other sign
    bool valuesOnly = false;  ///< pieces hold the stored values of a sparse tensor, not its shape
    std::string belongsTo;  ///< parameter of a flat vector, where a mapping names only one
    std::vector<FlatSlice> slices;  ///< parameters of a flat vector by `start`, where known
    std::vector<double> scales;  ///< of a quantised tensor
};

/// A number kept in a checkpoint outside tensors: lr, loss scale, iteration, step.
struct CheckpointScalar {
    std::vector<PathPart> path;
    std::string name;
    double value = 0.0;
};

/// A piece of text kept in a checkpoint: tags, versions, class names. At most a few thousand.
struct CheckpointText {
    std::string name;
    std::string value;
};

/// What is wrong with a file. `error` is one of the words of `scan` in the JSON contract.
struct CheckpointDamage {
    std::string error;  ///< slug: truncated, crc-mismatch, dangerous-global, ...
    std::string member;  ///< record, file or tensor at fault
    std::string text;  ///< one sentence with the numbers
    bool hostile = false;  ///< makes the verdict `refused`
};

struct CheckpointWarning {
    std::string code;
    std::string tensor;
    std::string text;
    std::string severity = "warning";
    std::string file;
    std::vector<std::int64_t> rows;
    std::optional<std::int64_t> index;
    std::optional<std::uint64_t> count;
    std::optional<double> value;
    std::optional<double> limit;
};

struct CheckpointFile {
    std::string path;  ///< as the user would name it
    std::string location;  ///< to open it; `path` when empty
    std::uint64_t bytes = 0;
};

/// What to open: files keep the user's name for messages.
[[nodiscard]] inline const std::string& fileLocation(const CheckpointFile& file) noexcept
{
    return file.location.empty() ? file.path : file.location;
}

/// One save of a folder that holds several, oldest first.
struct CheckpointSave {
    std::string path;  ///< as the user would name it
    std::string location;  ///< to open it with openCheckpoint()
    std::optional<std::int64_t> step;
    bool newest = false;  ///< the tracker file (latest...) names it
};

struct Checkpoint {
    std::string path;  ///< file or folder, as the user named it
    std::string format;  ///< slug: torch-zip, safetensors, dcp, megatron, ...
    bool supported = true;  ///< false: known, but its data cannot be decoded here (see `reason`)
    std::string reason;  ///< one sentence for anything but a plain readable checkpoint
    std::string byteOrderNote;
    std::vector<CheckpointFile> files;
    std::vector<Storage> storages;
    std::vector<CheckpointTensor> tensors;  ///< distinct objects, in order of appearance
    std::vector<CheckpointScalar>
        scalars;  ///< bounded by kMaxCheckpointScalars, then damage says so
    std::vector<CheckpointText> texts;
    std::vector<CheckpointDamage> damage;
    std::vector<CheckpointWarning> warnings;
    std::vector<std::string> lost;  ///< names whose bytes are wholly or partly unreadable
    std::vector<std::string>
        missing;  ///< every name that should be there and is not readable in full
    std::optional<std::int64_t> step;  ///< iteration that the checkpoint itself states
    std::string parent;  ///< checkpoint it was continued from, where it says so
    /// A root with several saves (megatron-root, deepspeed) holds nothing but these: the caller
    /// opens each of them.
    std::vector<CheckpointSave> saves;
};

inline constexpr std::size_t kMaxCheckpointScalars = 100'000;

}  // namespace firstbad::core
