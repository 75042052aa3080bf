// SPDX-License-Identifier: GPL-3.0-or-later
// TensorDump: writes every tensor that a run saw into one safetensors file (L3 evidence).
//
// One thread. Tensors go to a temporary file as they come, so that memory does not grow; the file
// appears under its name when it is complete. With several micro-steps forward and backward hold
// the last one.
#pragma once

#include "core/base/result.h"
#include "replay/families/block_run.h"

#include <cstdio>
#include <map>
#include <memory>
#include <string>

namespace firstbad::replay {

class TensorDump
{
public:
    /// An empty path gives a dump that does nothing.
    [[nodiscard]] static core::Result<TensorDump> open(
        const std::string& path, const ModelShape& shape);

    [[nodiscard]] bool active() const noexcept { return m_file != nullptr; }
    void add(const TracePoint& point, const Tensor& tensor);
    /// Writes the header and gives the file its name.
    [[nodiscard]] core::Result<void> finish();

private:
    struct Entry {
        at::ScalarType type = at::kFloat;
        std::vector<std::int64_t> shape;
        std::uint64_t offset = 0;
        std::uint64_t bytes = 0;
    };
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    std::string m_path;
    ModelShape m_shape;
    std::unique_ptr<std::FILE, Close> m_file;
    std::map<std::string, Entry> m_entries;
    std::uint64_t m_written = 0;
    bool m_failed = false;
};

}  // namespace firstbad::replay
