// SPDX-License-Identifier: GPL-3.0-or-later
// A window of values around one element, written as raw fp64.
#include "core/base/file.h"
#include "core/base/hash.h"
#include "replay/engine/engine_parts.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fmt/format.h>
#include <memory>

namespace firstbad::replay {

namespace {

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

core::Result<void> writeFile(const std::string& path, const void* data, std::size_t bytes)
{
    const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "wb"));
    if (!file || (bytes > 0 && std::fwrite(data, 1, bytes, file.get()) != bytes)
        || std::fflush(file.get()) != 0)
        return tl::unexpected(core::systemError("write", path, errno));
    return {};
}

bool isWanted(const TracePoint& point, const core::ReplayRequest& request, const ModelShape& shape)
{
    const std::string lane = request.lane.empty() ? "forward" : request.lane;
    return toString(point.lane) == lane && point.microStep == request.microStep
        && (point.tensor == request.probe
            || (point.tensor.empty() && locusOf(shape, point.block, point.op) == request.probe));
}

}  // namespace

core::Result<core::TensorWindow> ReplayEngine::tensor(
    const core::ReplayRequest& request, const EngineEvents& /*events*/, core::JobContext& job)
{
    const auto& shape = m_parts->context.model->shape();
    Tensor found;
    RunOptions options;
    options.sink = [&](const TracePoint& point, const Tensor& tensor) {
        if (isWanted(point, request, shape))
            found = tensor;
    };
    const auto record = m_parts->run(variationOf(request), options, job);
    if (!record)
        return tl::unexpected(record.error());
    if (!found.defined())
        return core::fail(core::ErrorCode::NotFound,
            fmt::format("The step has no tensor {} in that lane.", request.probe),
            "sweep lists every place.");
    if (request.dump.empty())
        return core::fail(
            core::ErrorCode::InvalidArgument, "The request names no file to write the values to.");
    core::TensorWindow out;
    out.locus = request.probe;
    out.path = request.dump;
    out.shape = found.sizes().vec();
    out.dtype = std::string(c10::toString(found.scalar_type()));
    Tensor window = found.to(at::kDouble);
    for (std::size_t d = 0; d < out.shape.size(); ++d) {
        const auto size = out.shape[d];
        const auto middle = d < request.elementIndex.size() ? request.elementIndex[d] : 0;
        const auto begin = std::clamp<std::int64_t>(
            middle - std::min(request.window, size), 0, std::max<std::int64_t>(0, size - 1));
        const auto end
            = std::min(size, std::max(begin, std::min(middle, size)) + request.window + 1);
        window = window.slice(static_cast<std::int64_t>(d), begin, end);
        out.begin.push_back(begin);
        out.extent.push_back(end - begin);
    }
    window = window.contiguous();
    const std::string_view bytes(
        static_cast<const char*>(window.const_data_ptr()), window.nbytes());
    out.sha256 = core::sha256Hex(bytes);
    if (auto written = writeFile(request.dump, bytes.data(), bytes.size()); !written)
        return tl::unexpected(written.error());
    return out;
}

}  // namespace firstbad::replay
