// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint.h"

namespace firstbad::core {

std::string joinPath(const std::vector<PathPart>& path)
{
    std::string name;
    for (const PathPart& part : path) {
        if (!name.empty())
            name += '.';
        name += part.text;
    }
    return name;
}

std::string_view toString(TensorKind kind) noexcept
{
    switch (kind) {
    case TensorKind::Param:
        return "param";
    case TensorKind::Buffer:
        return "buffer";
    case TensorKind::Optimizer:
        return "optimizer";
    case TensorKind::Master:
        return "master";
    case TensorKind::Scaler:
        return "scaler";
    case TensorKind::Rng:
        return "rng";
    case TensorKind::Other:
        break;
    }
    return "other";
}

}  // namespace firstbad::core
