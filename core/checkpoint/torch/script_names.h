// SPDX-License-Identifier: GPL-3.0-or-later
// ScriptNames: which attributes the code of a TorchScript archive calls buffers and which
// parameters. The code is text here, never run. One thread. Private to core/checkpoint/torch.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <string>
#include <string_view>
#include <unordered_set>

namespace firstbad::core {

class ScriptNames
{
public:
    /// Reads the lists `__parameters__ = ["w", ]` and `__buffers__ = [...]` of one source text.
    void add(std::string_view source);
    /// Makes buffers of the tensors whose attribute is a buffer in some class and a parameter in
    /// none.
    void setKinds(Checkpoint& part) const;

private:
    std::unordered_set<std::string> m_parameters;
    std::unordered_set<std::string> m_buffers;
};

}  // namespace firstbad::core
