// SPDX-License-Identifier: GPL-3.0-or-later
// TensorCollector: walks the values of a torch pickle and puts every tensor, number and text that
// it finds into a Checkpoint, with the path that leads to it.
//
// The walk is iterative and visits a shared value once, so cycles and deep nesting are harmless;
// the same tensor reached again becomes an alias. One thread. Private to core/checkpoint/torch.
#pragma once

#include "core/checkpoint/torch/tensor_rebuilder.h"

namespace firstbad::core {

class TensorCollector
{
public:
    /// `member` is the record that holds the pickle, for damage.
    TensorCollector(const PickleDocument& document, TorchStorages& storages,
        const TorchFileOptions& options, std::string member, JobContext& job);

    /// Error only when cancelled.
    [[nodiscard]] Result<void> collect();

    struct PendingScales {
        std::size_t tensor = 0;
        CheckpointTensor scales;
    };
    /// Quantiser scales that lie in storages: to be read once those are placed.
    [[nodiscard]] const std::vector<PendingScales>& pendingScales() const noexcept
    {
        return m_pendingScales;
    }

private:
    /// How a value is reached from the one above it.
    struct Step {
        enum class Kind : std::uint8_t { None, Key, Index, Call };
        Kind kind = Kind::None;
        PickleRef value = kNoValue;  // the key, or the object whose argument it is
        std::uint64_t index = 0;
    };
    struct Child {
        Step step;
        PickleRef ref = kNoValue;
        std::optional<TensorKind> kind;
    };
    struct Frame {
        PickleRef ref = kNoValue;
        std::size_t next = 0;
        bool hasStep = false;
        bool isModuleState = false;
        std::optional<TensorKind> kind;  // of tensors directly in it
        std::vector<PickleRef> parts;  // of a tensor: what hangs below it
    };

    void addPickleDamage();
    std::optional<Child> nextChild(Frame& frame);
    std::optional<Child> nextOfObject(Frame& frame);
    void visit(const Child& child);
    void enter(const Child& child, Frame frame);
    bool visitTensor(const Child& child);
    void addTensor(PickleRef ref, RebuiltTensor rebuilt, std::optional<TensorKind> kind);
    void addNumber(PickleRef ref, double value);
    void addText(PickleRef ref);
    void addNestedFile(PickleRef bytes);
    void resolveStorages();
    [[nodiscard]] bool isModuleState(PickleRef dict) const;
    [[nodiscard]] bool isLongIntegerList() const;
    [[nodiscard]] std::vector<PathPart> path() const;
    [[nodiscard]] PathPart partOf(const Step& step) const;
    bool withinBudget();

    const PickleDocument& m_document;
    const PickleArena& m_arena;
    TorchStorages& m_storages;
    const TorchFileOptions& m_options;
    std::string m_member;
    JobContext& m_job;
    TensorRebuilder m_rebuilder;
    Checkpoint& m_part;
    std::vector<Frame> m_frames;
    std::vector<Step> m_steps;
    std::vector<bool> m_visited;
    std::unordered_map<PickleRef, std::size_t> m_tensors;
    std::vector<PendingScales> m_pendingScales;
    std::size_t m_pathBytes = 0;
    std::size_t m_deepest = 0;
    bool m_overBudget = false;
};

}  // namespace firstbad::core
