// SPDX-License-Identifier: MIT
#include "core/passes/precise_judge.h"

#include "core/passes/access_rules.h"
#include "core/passes/layout_dependence.h"

#include <algorithm>
#include <unordered_map>

namespace reinspect
{
namespace
{

using Maybe = std::optional<PreciseAnswer>;
using Role = CallOperand::Role;
// Tensors that leave the graph, compared one with the other before the rest is taken to meet.
constexpr std::size_t kPairs = 4096;

PreciseAnswer refusal(Reason reason, HazardKind hazard, std::vector<NodeId> witnesses,
                      std::string_view assumption = {})
{
    return {reason, std::move(witnesses), hazard, assumption};
}

std::string_view assumedBy(const RegionAnswer& answer, const PlacedRegion& region)
{
    return answer.kind == RegionKind::Unknown ? answer.reason : region.assumed;
}

} // namespace

PreciseJudge::PreciseJudge(const Graph& graph, const CoreAnalysis& analysis,
                           const CaptureFacts& facts)
    : m_graph(&graph)
    , m_analysis(&analysis)
    , m_facts(&facts)
    , m_accesses(std::make_shared<const MemoryAccesses>(graph, analysis, facts))
    , m_memory(analysis, m_accesses)
{
    for (const NodeId id : graph.order())
        if (dependsOnLayout(graph, id))
            m_lastByAddress = analysis.position(id);
}

PreciseAnswer PreciseJudge::judge(NodeId node, CandidateKind kind, std::string_view label,
                                  std::span<const NodeId> members, bool isList) const
{
    std::unordered_map<SharedMemory::MemoryId, NodeId> taken;
    for (const NodeId member : members)
    {
        const VersionId version = m_accesses->versionOf(member);
        if (!version)
            return {Reason::NoStorage, {}, {}, {}};
        const auto [at, isNew] = taken.try_emplace(m_memory.memoryOf(version), member);
        if (!isNew)
            return refusal(Reason::ListSharesStorage, HazardKind::SameBufferWritten,
                           {member, at->second});
    }
    if (members.empty())
        return isList ? PreciseAnswer{} : PreciseAnswer{Reason::NoStorage, {}, {}, {}};
    const CandidateCall call =
        readCandidateCall(*m_graph, *m_analysis, *m_facts, node, kind, label, members);
    for (std::size_t i = 0; i < members.size(); ++i)
        if (Maybe answer = judgeMember(node, call, members, i))
            return std::move(*answer);
    // What only makes an alias is told after all that changes numbers.
    for (std::size_t i = 0; i < members.size(); ++i)
        if (Maybe answer = newAlias(members[i], call.results[i]))
            return std::move(*answer);
    return {{}, {}, {}, call.assumption};
}

std::vector<PlacedRegion> PreciseJudge::writtenParts(const CandidateCall& call,
                                                     NodeId argument) const
{
    std::vector<PlacedRegion> parts;
    for (const TensorMeta& part : call.parts)
        parts.push_back(m_memory.partOf(argument, part));
    if (parts.empty())
        parts.push_back(m_memory.regionOf(argument));
    return parts;
}

namespace
{

Reason reasonFor(const ScanFinding& finding, bool isInputItself, bool beforeCopy)
{
    switch (finding.kind)
    {
    case ScanFinding::Kind::ResultOverwritten: return Reason::ResultOverwritten;
    case ScanFinding::Kind::OperandAlias: return Reason::OperandAlias;
    case ScanFinding::Kind::OldValueRead:
    case ScanFinding::Kind::TooMuch: break;
    }
    if (finding.atEnd)
        return isInputItself ? Reason::InputNotCopiedBack : Reason::ViewOfInput;
    return beforeCopy ? Reason::UsedBeforeCopyBack : Reason::UsedLater;
}

HazardKind hazardOf(const ScanFinding& finding)
{
    switch (finding.kind)
    {
    case ScanFinding::Kind::ResultOverwritten: return HazardKind::ResultOverwritten;
    case ScanFinding::Kind::OperandAlias: return HazardKind::OperandAlias;
    case ScanFinding::Kind::OldValueRead:
    case ScanFinding::Kind::TooMuch: break;
    }
    return HazardKind::OldValueRead;
}

std::vector<NodeId> witnessesOf(const ScanFinding& finding, NodeId argument, NodeId call)
{
    std::vector<NodeId> witnesses{finding.user};
    if (finding.kind == ScanFinding::Kind::ResultOverwritten)
        return {finding.writer, finding.user};
    if (finding.view != argument && finding.view != finding.user)
        witnesses.push_back(finding.view);
    if (finding.writer && finding.writer != call && finding.writer != finding.user)
        witnesses.push_back(finding.writer);
    return witnesses;
}

} // namespace

Maybe PreciseJudge::judgeMember(NodeId node, const CandidateCall& call,
                                std::span<const NodeId> members, std::size_t member) const
{
    const NodeId argument = members[member];
    std::vector<NodeId> results;
    for (const NodeId result : call.results[member])
    {
        if (!m_accesses->versionOf(result))
            continue;
        if (m_memory.memoryOf(m_accesses->versionOf(result))
            == m_memory.memoryOf(m_accesses->versionOf(argument)))
            return refusal(Reason::UsedLater, HazardKind::OldValueRead, {result},
                           "the file says that the result shares the argument's memory already");
        results.push_back(result);
    }
    if (Maybe answer = droppedCopy(node, call, argument, member))
        return answer;
    const std::vector<PlacedRegion> written = writtenParts(call, argument);
    if (Maybe answer = operandAlias(node, call, argument, member, written))
        return answer;

    const bool holdsItself = call.copied && m_accesses->versionOf(call.copied)
        && sameRegion(m_memory.regionOf(call.copied), written.front(), m_analysis->shapes())
            == Known::Yes
        && m_memory.memoryOf(m_accesses->versionOf(call.copied))
            == m_memory.memoryOf(m_accesses->versionOf(argument));
    const auto finding =
        scanUses({m_memory, m_analysis->shapes(), node, argument, m_analysis->position(node),
                  results, written, holdsItself ? call.copied : NodeId{}},
                 m_work);
    if (finding)
    {
        const bool isInputItself = finding->user == argument;
        const NodeId copy =
            isInput(*m_graph, argument) ? m_analysis->firstCopyInto(argument) : NodeId{};
        const bool beforeCopy = copy && !finding->atEnd
            && m_analysis->position(finding->user) <= m_analysis->position(copy);
        return refusal(reasonFor(*finding, isInputItself, beforeCopy), hazardOf(*finding),
                       witnessesOf(*finding, argument, node), finding->assumption);
    }
    return layout(node, call, argument, results);
}

// The pass drops the first copy of the call's result into the argument, whichever result it copies.
Maybe PreciseJudge::droppedCopy(NodeId node, const CandidateCall& call, NodeId argument,
                                std::size_t member) const
{
    const NodeId copy = m_analysis->copyOf(argument, node);
    if (!copy)
        return {};
    const NodeId source = (*m_graph)[copy].args[1].node();
    const std::vector<NodeId>& results = call.results[member];
    if (std::ranges::find(results, source) != results.end())
        return {};
    return refusal(Reason::StorageAlreadyTaken, HazardKind::SameBufferWritten, {copy, source});
}

Maybe PreciseJudge::operandAlias(NodeId node, const CandidateCall& call, NodeId argument,
                                 std::size_t member, std::span<const PlacedRegion> written) const
{
    const SharedMemory::MemoryId memory = m_memory.memoryOf(m_accesses->versionOf(argument));
    for (const CallOperand& operand : call.operands)
    {
        const VersionId version = m_accesses->versionOf(operand.node);
        if (!version || m_memory.memoryOf(version) != memory)
            continue;
        const PlacedRegion region = m_memory.regionOf(operand.node);
        if (operand.role == Role::Tried)
        {
            // Left to clone, it is copied before the call; written in place too, the two must not meet.
            const bool isWritten =
                m_lastNode == node && std::ranges::any_of(m_written, [&](const Written& one) {
                    return one.label == operand.label;
                });
            const RegionAnswer answer =
                regionsMeet(region, m_memory.regionOf(argument), m_analysis->shapes());
            if (isWritten && answer.kind != RegionKind::Disjoint)
                return refusal(Reason::StorageAlreadyTaken, HazardKind::SameBufferWritten,
                               {operand.node}, assumedBy(answer, region));
            continue;
        }
        for (const PlacedRegion& part : written)
        {
            ++m_work.comparisons;
            const RegionAnswer answer = regionsMeet(region, part, m_analysis->shapes());
            const bool mayBeSame = (operand.role == Role::Elementwise && operand.member == member)
                || (call.copied == operand.node && written.size() == 1);
            if (answer.kind == RegionKind::Disjoint
                || (mayBeSame && sameRegion(region, part, m_analysis->shapes()) == Known::Yes))
                continue;
            return refusal(Reason::OperandAlias, HazardKind::OperandAlias, {operand.node},
                           assumedBy(answer, region));
        }
    }
    return {};
}

// Reads by position of the storage, or in a way that goes by strides.
bool PreciseJudge::readsByAddress(NodeId view, bool layoutDiffers) const
{
    const auto counts = [&](NodeId id) {
        return layoutDiffers
            ? dependsOnLayout(*m_graph, id)
            : namesPositions((*m_graph)[id]) || mayCloneByPosition((*m_graph)[id], view);
    };
    return std::ranges::any_of(m_graph->users(view), counts);
}

Maybe PreciseJudge::layout(NodeId node, const CandidateCall& call, NodeId argument,
                           std::span<const NodeId> results) const
{
    bool sameLayout = true;
    for (const NodeId result : results)
    {
        const SharedMemory::Move move = m_memory.moveOf(result, argument);
        sameLayout = sameLayout && move.keepsLayout;
        if (move.keepsLayout && move.distance.constant() == 0)
            continue;
        if (!move.keepsLayout && m_lastByAddress > m_analysis->position(node))
            return refusal(Reason::CopyBackLayoutDiffers, HazardKind::OldValueRead, {result},
                           "a later call goes by strides, which would change");
        for (const NodeId view : m_accesses->membersOf(m_accesses->versionOf(result)))
            if (readsByAddress(view, !move.keepsLayout))
                return refusal(Reason::CopyBackLayoutDiffers, HazardKind::OldValueRead,
                               {result, view});
    }
    const ResolvedMeta* meta = m_analysis->geometry().of(argument);
    const Known repeats =
        meta ? regionMeetsItself(meta->meta, m_analysis->shapes()) : Known::Unknown;
    // A clone that keeps the strides has the same elements in one place, and so has the result.
    if (repeats == Known::No || (call.clonesLayout && sameLayout))
        return {};
    return refusal(Reason::InternalOverlap, HazardKind::SameBufferWritten, {argument},
                   repeats == Known::Yes
                       ? std::string_view{}
                       : "whether two of its indices are one element is not known");
}

Maybe PreciseJudge::newAlias(NodeId argument, std::span<const NodeId> results) const
{
    struct Outside
    {
        NodeId node;
        SharedMemory::MemoryId memory;
        PlacedRegion region;
    };
    std::vector<Outside> seen;
    const SharedMemory::MemoryId home = m_memory.memoryOf(m_accesses->versionOf(argument));
    std::size_t pairs = 0;
    for (const NodeId node : m_memory.visibleOutside(home))
    {
        if (seen.size() > kPairs)
            break;
        seen.push_back({node, home, m_memory.regionOf(node)});
    }
    for (const NodeId result : results)
    {
        if (!m_accesses->versionOf(result))
            continue;
        const SharedMemory::Move move = m_memory.moveOf(result, argument);
        for (const NodeId node : m_memory.visibleOutside(move.from))
        {
            const PlacedRegion region = m_memory.regionAfter(node, move);
            for (const Outside& other : seen)
            {
                if (other.memory == move.from)
                    continue;
                const RegionAnswer answer = ++pairs > kPairs
                    ? RegionAnswer{RegionKind::Unknown, "more returned tensors than are compared"}
                    : regionsMeet(region, other.region, m_analysis->shapes());
                if (answer.kind != RegionKind::Disjoint)
                    return refusal(Reason::ResultEscapes, HazardKind::NewAlias, {node, other.node},
                                   assumedBy(answer, region));
            }
            seen.push_back({node, move.from, region});
        }
    }
    return {};
}

void PreciseJudge::accept(NodeId node, CandidateKind kind, std::string_view label,
                          std::span<const NodeId> members)
{
    if (m_lastNode != node)
        m_written.clear();
    m_lastNode = node;
    const CandidateCall call =
        readCandidateCall(*m_graph, *m_analysis, *m_facts, node, kind, label, members);
    for (std::size_t i = 0; i < members.size(); ++i)
    {
        m_written.push_back({std::string(label), members[i]});
        if (!m_accesses->versionOf(members[i]))
            continue;
        for (const NodeId result : call.results[i])
            if (m_accesses->versionOf(result))
                m_memory.merge(result, members[i]);
    }
}

} // namespace reinspect
