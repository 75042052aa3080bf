// SPDX-License-Identifier: GPL-3.0-or-later
// Messages between firstbad and firstbad-worker, protocol version 1: types and their JSON lines.
//
// Plain values and pure functions, any thread. Encoded lines carry no newline.
#pragma once

#include "core/base/json_reader.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace firstbad::core {

inline constexpr int kProtocolVersion = 1;
inline constexpr std::size_t kMaxProtocolLineBytes = std::size_t{1} << 20U;

struct WorkerDevice {
    std::string id;  ///< "cpu", "cuda:0"
    std::string name;
    std::uint64_t memoryBytes = 0;
    std::vector<std::string> dtypes;  ///< types in which a matrix product ran on it
};

struct WorkerCuda {
    int driver = 0;  ///< as the driver counts: 13020 is 13.2
};

/// The first line a worker says.
struct WorkerHello {
    std::string version;
    std::string libtorch;
    std::optional<WorkerCuda> cuda;
    std::vector<WorkerDevice> devices;
    std::vector<std::string> families;
};

struct WorkerRequest {
    std::int64_t id = 0;
    std::string method;
    std::string paramsJson;  ///< "{}" when the request has none
};

[[nodiscard]] std::string encodeHello(const WorkerHello& hello);
[[nodiscard]] std::string encodeResult(std::int64_t id, std::string_view resultJson);
/// `id` is nullopt when the request could not be read far enough to know it.
[[nodiscard]] std::string encodeError(std::optional<std::int64_t> id, const Error& error);

[[nodiscard]] std::string encodeRequest(const WorkerRequest& request);
/// `stage` is a word for people; total 0: unknown.
[[nodiscard]] std::string encodeProgress(
    std::int64_t id, std::string_view stage, std::uint64_t done, std::uint64_t total);
[[nodiscard]] std::string encodeFinding(std::int64_t id, std::string_view findingJson);
/// The params of `cancel`: which request to give up.
[[nodiscard]] std::string cancelParams(std::int64_t id);
[[nodiscard]] std::optional<std::int64_t> cancelledId(const WorkerRequest& request);

/// What a worker says while it works on a request, or as its first line.
struct WorkerProgress {
    std::string stage;
    std::uint64_t done = 0;
    std::uint64_t total = 0;
};
struct WorkerFinding {
    JsonValue content;
};
struct WorkerResult {
    JsonValue content;
};
struct WorkerSaid {
    std::optional<std::int64_t> id;  ///< of the request; absent in a hello
    int protocol = 0;  ///< of a hello
    std::variant<WorkerHello, WorkerProgress, WorkerFinding, WorkerResult, Error> what;
};

/// Reads one line of a worker. Malformed names what is wrong with it; a hello of another protocol
/// is read as far as it is understood.
[[nodiscard]] Result<WorkerSaid> parseWorkerLine(std::string_view line);

/// Reads one line of a client. Malformed names what is wrong with the line.
[[nodiscard]] Result<WorkerRequest> parseRequest(std::string_view line);

}  // namespace firstbad::core
