// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/torch/tensor_collector.h"

#include "core/base/text.h"
#include "core/base/value_kind.h"
#include "core/checkpoint/kinds.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {

namespace {

constexpr std::size_t kMaxDepth = 1000;  // of a path that is shown
constexpr std::size_t kMaxPathBytes = std::size_t{256} << 20U;  // of all names together
constexpr std::size_t kMaxKeyBytes = 4096;
constexpr std::size_t kMaxTexts = 4096;
constexpr std::size_t kMaxTextBytes = 512;
constexpr std::size_t kLongList = 1000;
constexpr std::size_t kValuesPerCheck = 65536;

std::string cleanText(std::string_view text)
{
    return toValidUtf8(text.substr(0, kMaxKeyBytes));
}

}  // namespace

TensorCollector::TensorCollector(const PickleDocument& document, TorchStorages& storages,
    const TorchFileOptions& options, std::string member, JobContext& job)
    : m_document(document)
    , m_arena(document.arena)
    , m_storages(storages)
    , m_options(options)
    , m_member(std::move(member))
    , m_job(job)
    , m_rebuilder(m_arena, storages, options, job)
    , m_part(storages.part())
    , m_visited(m_arena.size(), false)
{ }

Result<void> TensorCollector::collect()
{
    addPickleDamage();
    if (m_document.root == kNoValue)
        return {};
    visit({{}, m_document.root, std::nullopt});
    for (std::size_t count = 1; !m_frames.empty() && !m_overBudget; ++count) {
        if (count % kValuesPerCheck == 0 && m_job.cancelled())
            return JobContext::cancelledError();
        if (const auto child = nextChild(m_frames.back())) {
            visit(*child);
            continue;
        }
        if (m_frames.back().hasStep)
            m_steps.pop_back();
        m_frames.pop_back();
    }
    if (m_deepest > kMaxDepth && !m_overBudget)
        m_part.damage.push_back({"nesting-limit", m_options.memberPrefix + m_member,
            fmt::format("values lie {} levels deep in {}; no tensor is among them", m_deepest,
                m_options.memberPrefix + m_member)});
    resolveStorages();
    return {};
}

void TensorCollector::addPickleDamage()
{
    const std::string member = m_options.memberPrefix + m_member;
    for (const DangerousCall& call : m_document.dangerous)
        m_part.damage.push_back({"dangerous-global", member,
            fmt::format("the pickle {} asks to call {} (at byte {}): flagged, never run", member,
                call.global, call.position),
            true});
    if (!m_document.problem)
        return;
    const PickleProblem& problem = *m_document.problem;
    const bool hostile = problem.error == "nesting-limit" || problem.error == "size-overflow";
    m_part.damage.push_back({problem.error, member,
        fmt::format("{}: {}; what comes after is lost", member, problem.text), hostile});
    for (const std::string& key : m_document.lostKeys) {
        std::vector<PathPart> lost = m_options.prefix;
        lost.push_back({PathPart::Kind::Text, cleanText(key)});
        m_part.lost.push_back(joinPath(lost));
    }
}

/// Storages that no tensor views (bare ones, indices of sparse tensors) are part of the file too.
void TensorCollector::resolveStorages()
{
    for (PickleRef ref = 0; ref < m_arena.size(); ++ref) {
        if (!m_arena.is(ref, PickleKind::Persistent) || m_storages.isResolved(ref))
            continue;
        if (const auto id = readStorageId(m_arena, ref)) {
            if (id->location != "meta")
                m_storages.resolve(*id);
            continue;
        }
        const auto parts = m_arena.items(m_arena.items(ref)[0]);
        const bool isModule = parts.size() >= 2 && m_arena.text(parts[0]) == "module";
        if (!isModule) {
            m_part.damage.push_back({"bad-persistent-id", m_options.memberPrefix + m_member,
                fmt::format("{} names a persistent object in a way that PyTorch does not",
                    m_options.memberPrefix + m_member)});
            return;
        }
    }
}

std::optional<TensorCollector::Child> TensorCollector::nextChild(Frame& frame)
{
    if (frame.ref == kNoValue)
        return frame.next < frame.parts.size()
            ? std::optional(Child{{}, frame.parts[frame.next++], std::nullopt})
            : std::nullopt;
    const std::size_t n = frame.next++;
    if (m_arena.is(frame.ref, PickleKind::Object))
        return nextOfObject(frame);
    if (!m_arena.is(frame.ref, PickleKind::Dict)) {
        const auto items = m_arena.items(frame.ref);
        if (n < items.size())
            return Child{{Step::Kind::Index, kNoValue, n}, items[n], frame.kind};
        return std::nullopt;
    }
    const auto pairs = m_arena.pairs(frame.ref);
    if (2 * n >= pairs.size()) {
        const PickleRef attributes
            = 2 * n == pairs.size() ? m_arena.attributes(frame.ref) : kNoValue;
        const auto names = m_arena.pairs(attributes);
        // Versions of modules, which every state_dict has.
        const bool isMetadata = names.size() == 2 && m_arena.text(names[0]) == "_metadata";
        return attributes == kNoValue || isMetadata ? std::nullopt
                                                    : std::optional(Child{{}, attributes, {}});
    }
    Child child{{Step::Kind::Key, pairs[2 * n], 0}, pairs[2 * n + 1], frame.kind};
    const std::string_view key = m_arena.text(child.step.value);
    if (frame.isModuleState && (key == "_parameters" || key == "_buffers" || key == "_modules")) {
        // state_dict() leaves these three out of its names.
        child.step.kind = Step::Kind::None;
        if (key == "_buffers")
            child.kind = TensorKind::Buffer;
    }
    return child;
}

/// Its pairs, items, state and arguments in turn.
std::optional<TensorCollector::Child> TensorCollector::nextOfObject(Frame& frame)
{
    std::size_t n = frame.next - 1;
    const PickleObject& object = *m_arena.object(frame.ref);
    if (2 * n < object.pairs.size())
        return Child{{Step::Kind::Key, object.pairs[2 * n], 0}, object.pairs[2 * n + 1], {}};
    n -= object.pairs.size() / 2;
    if (n < object.items.size())
        return Child{{Step::Kind::Index, kNoValue, n}, object.items[n], {}};
    n -= object.items.size();
    // A state is a dict of attributes, or (dict, dict of slots).
    const bool isPair = m_arena.is(object.state, PickleKind::Tuple);
    const auto states = isPair ? m_arena.items(object.state)
                               : std::span(&object.state, object.state == kNoValue ? 0 : 1);
    if (n < states.size())
        return Child{{}, states[n], {}};
    n -= states.size();
    const auto arguments = m_arena.items(object.args);
    if (n < arguments.size())
        return Child{{Step::Kind::Call, frame.ref, n}, arguments[n], {}};
    return n == arguments.size() && object.kwargs != kNoValue
        ? std::optional(Child{{}, object.kwargs, {}})
        : std::nullopt;
}

void TensorCollector::visit(const Child& child)
{
    const bool named = child.step.kind != Step::Kind::None;
    if (named)
        m_steps.push_back(child.step);
    bool entered = false;
    switch (m_arena.kind(child.ref)) {
    case PickleKind::Int:
        if (!isLongIntegerList())
            addNumber(child.ref, *m_arena.number(child.ref));
        break;
    case PickleKind::Float:
        addNumber(child.ref, *m_arena.number(child.ref));
        break;
    case PickleKind::Text:
        addText(child.ref);
        break;
    case PickleKind::Object:
        entered = visitTensor(child);
        break;
    case PickleKind::List:
    case PickleKind::Tuple:
    case PickleKind::Dict: {
        Frame frame;
        frame.ref = child.ref;
        frame.kind = child.kind;
        if (!m_visited[child.ref]) {
            enter(child, std::move(frame));
            entered = true;
        }
        break;
    }
    default:
        break;
    }
    if (named && !entered)
        m_steps.pop_back();
}

void TensorCollector::enter(const Child& child, Frame frame)
{
    frame.hasStep = child.step.kind != Step::Kind::None;
    if (frame.ref != kNoValue) {
        m_visited[frame.ref] = true;
        const bool isState = !m_frames.empty() && !frame.hasStep
            && m_arena.is(m_frames.back().ref, PickleKind::Object);
        frame.isModuleState = isState && isModuleState(frame.ref);
    }
    m_frames.push_back(std::move(frame));
    m_deepest = std::max(m_deepest, m_frames.size());
}

bool TensorCollector::isModuleState(PickleRef dict) const
{
    constexpr std::size_t kMostNumbers = 512;  // real ones have some twenty entries
    return m_arena.is(dict, PickleKind::Dict) && m_arena.pairs(dict).size() <= kMostNumbers
        && m_arena.find(dict, "_parameters") != kNoValue
        && m_arena.find(dict, "_modules") != kNoValue;
}

/// Lists of thousands of whole numbers are data (a shuffled order), not settings.
bool TensorCollector::isLongIntegerList() const
{
    return !m_frames.empty() && m_frames.back().ref != kNoValue
        && m_arena.items(m_frames.back().ref).size() > kLongList;
}

/// True when the object became a frame of its own.
bool TensorCollector::visitTensor(const Child& child)
{
    if (const auto known = m_tensors.find(child.ref); known != m_tensors.end()) {
        if (withinBudget())
            m_part.tensors[known->second].aliases.push_back(joinPath(path()));
        return false;
    }
    if (m_visited[child.ref])
        return false;
    m_visited[child.ref] = true;
    const PickleGlobal& global = m_arena.global(child.ref);
    const auto args = m_arena.items(m_arena.object(child.ref)->args);
    if (global.module == "builtins" && global.name == "complex" && args.size() == 2) {
        const double real = m_arena.number(args[0]).value_or(0.0);
        const double imaginary = m_arena.number(args[1]).value_or(0.0);
        addNumber(child.ref, isFinite(imaginary) ? real : imaginary);
        return false;
    }
    if (global.module == "torch.storage" && global.name == "_load_from_bytes" && !args.empty()) {
        addNestedFile(args[0]);
        return false;
    }
    Frame frame;
    if (auto rebuilt = m_rebuilder.rebuild(child.ref)) {
        frame.parts = std::move(rebuilt->alsoWalk);
        if (rebuilt->isTensor)
            addTensor(child.ref, std::move(*rebuilt), child.kind);
        if (frame.parts.empty())
            return false;
    } else {
        frame.ref = child.ref;
    }
    enter(child, std::move(frame));
    return true;
}

void TensorCollector::addTensor(
    PickleRef ref, RebuiltTensor rebuilt, std::optional<TensorKind> kind)
{
    if (!withinBudget())
        return;
    CheckpointTensor tensor = std::move(rebuilt.tensor);
    tensor.path = path();
    tensor.name = joinPath(tensor.path);
    if (rebuilt.problem) {
        const bool hostile = rebuilt.problem->error == "nesting-limit";
        m_part.damage.push_back({rebuilt.problem->error, tensor.name,
            fmt::format("the tensor {} {}: it is refused", tensor.name, rebuilt.problem->text),
            hostile});
        m_part.lost.push_back(std::move(tensor.name));
        return;
    }
    if (rebuilt.kind)
        kind = rebuilt.kind;
    tensor.kind = kind ? *kind : kindOfPath(tensor.path, tensor.shape);
    m_tensors.emplace(ref, m_part.tensors.size());
    if (rebuilt.scales)
        m_pendingScales.push_back({m_part.tensors.size(), std::move(*rebuilt.scales)});
    m_part.tensors.push_back(std::move(tensor));
}

void TensorCollector::addNumber(PickleRef ref, double value)
{
    // Beyond the limit only what is wrong is kept: a NaN must never be lost among settings.
    if (m_part.scalars.size() >= kMaxCheckpointScalars
        && (isFinite(value) || m_part.scalars.size() >= 2 * kMaxCheckpointScalars))
        return;
    if (!withinBudget())
        return;
    CheckpointScalar scalar;
    scalar.path = path();
    scalar.name = joinPath(scalar.path);
    scalar.value = value;
    const bool isTop = scalar.path.size() == m_options.prefix.size() + 1;
    if (isTop && !m_part.step && isStepKey(scalar.path.back().text))
        m_part.step = m_arena.integer(ref);
    m_part.scalars.push_back(std::move(scalar));
}

void TensorCollector::addText(PickleRef ref)
{
    if (m_part.texts.size() < kMaxTexts && m_steps.size() < 16)
        m_part.texts.push_back(
            {joinPath(path()), toValidUtf8(m_arena.text(ref).substr(0, kMaxTextBytes))});
}

/// A whole torch file in a text of bytes, in the place of a value.
void TensorCollector::addNestedFile(PickleRef bytes)
{
    if (!m_arena.is(bytes, PickleKind::Bytes) || !withinBudget())
        return;
    if (m_options.nesting >= kMaxTorchNesting) {
        m_part.damage.push_back({"nesting-limit", m_options.memberPrefix + m_member,
            fmt::format("torch files are nested more than {} times in {}", kMaxTorchNesting,
                m_options.memberPrefix + m_member),
            true});
        return;
    }
    TorchFileOptions options = m_options;
    options.nesting += 1;
    options.prefix = path();
    options.wantDocument = false;
    auto nested = readTorchFile(
        ByteSource::ofMemory(std::make_shared<const std::string>(m_arena.text(bytes))), options,
        m_job);
    if (nested)
        appendPart(m_part, std::move(nested->part));
}

PathPart TensorCollector::partOf(const Step& step) const
{
    if (step.kind == Step::Kind::Index)
        return {PathPart::Kind::Number, fmt::format("{}", step.index)};
    if (step.kind == Step::Kind::Call) {
        const PickleGlobal& global = m_arena.global(step.value);
        return {PathPart::Kind::Other,
            fmt::format(
                "<{}.{}>[{}]", cleanText(global.module), cleanText(global.name), step.index)};
    }
    switch (m_arena.kind(step.value)) {
    case PickleKind::Text:
    case PickleKind::Bytes:
        return {PathPart::Kind::Text, cleanText(m_arena.text(step.value))};
    case PickleKind::Int:
        return {PathPart::Kind::Number, fmt::format("{}", *m_arena.integer(step.value))};
    default:
        return {PathPart::Kind::Other, toValidUtf8(pythonRepr(m_arena, step.value))};
    }
}

std::vector<PathPart> TensorCollector::path() const
{
    std::vector<PathPart> parts = m_options.prefix;
    parts.reserve(parts.size() + m_steps.size());
    for (const Step& step : m_steps)
        parts.push_back(partOf(step));
    return parts;
}

/// Names cost what a file makes them cost (long keys by reference, deep nesting): bounded.
bool TensorCollector::withinBudget()
{
    if (m_overBudget)
        return false;
    std::size_t bytes = 0;
    if (m_steps.size() <= kMaxDepth) {
        for (const Step& step : m_steps)
            bytes += 16
                + (step.kind == Step::Kind::Key
                        ? std::min(m_arena.text(step.value).size(), kMaxKeyBytes)
                        : 0);
    }
    m_pathBytes += 2 * bytes;
    if (m_steps.size() <= kMaxDepth && m_pathBytes <= kMaxPathBytes)
        return true;
    m_overBudget = true;
    m_part.damage.push_back({"nesting-limit", m_options.memberPrefix + m_member,
        m_steps.size() > kMaxDepth
            ? fmt::format("a value lies {} levels deep in {}; the limit is {}", m_steps.size(),
                m_options.memberPrefix + m_member, kMaxDepth)
            : fmt::format("the names in {} are longer than {} in all",
                m_options.memberPrefix + m_member, humanBytes(kMaxPathBytes)),
        true});
    return false;
}

}  // namespace firstbad::core
