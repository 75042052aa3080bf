// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/torch/script_names.h"

#include <algorithm>

namespace firstbad::core {

namespace {

/// Every quoted name in the bracketed list behind each `variable`.
void addListed(
    std::string_view source, std::string_view variable, std::unordered_set<std::string>& names)
{
    for (std::size_t at = source.find(variable); at != std::string_view::npos;
         at = source.find(variable, at + 1)) {
        const std::size_t end = std::min(source.find(']', at), source.size());
        std::string_view list = source.substr(at, end - at);
        for (std::size_t quote = list.find('"'); quote != std::string_view::npos;
             quote = list.find('"')) {
            list.remove_prefix(quote + 1);
            const std::size_t close = std::min(list.find('"'), list.size());
            names.emplace(list.substr(0, close));
            list.remove_prefix(std::min(close + 1, list.size()));
        }
    }
}

}  // namespace

void ScriptNames::add(std::string_view source)
{
    addListed(source, "__parameters__ =", m_parameters);
    addListed(source, "__buffers__ =", m_buffers);
}

void ScriptNames::setKinds(Checkpoint& part) const
{
    for (CheckpointTensor& tensor : part.tensors) {
        if (tensor.kind != TensorKind::Param || tensor.path.empty())
            continue;
        const std::string& attribute = tensor.path.back().text;
        if (m_buffers.contains(attribute) && !m_parameters.contains(attribute))
            tensor.kind = TensorKind::Buffer;
    }
}

}  // namespace firstbad::core
