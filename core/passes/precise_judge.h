// SPDX-License-Identifier: MIT
// Could anything that the graph computes tell that an argument was written in place? No upstream
// function asks this: the pass asks whether something uses a view of the argument later, which is
// both more and less. The graph as the core phase starts is the meaning; in the changed graph an
// accepted result is its argument's memory. An acceptance is harmless when every read still finds
// what it found before:
//  - a value from before the call is not read from the part that the call writes, unless something
//    was written over that part in between (a copy into the input, or the result's own copy-back);
//  - nothing else is written over the result before its last read;
//  - no other operand of the call lies in the written part, and no other written argument;
//  - nothing that leaves the graph becomes an alias of something that it was no alias of.
// Never says yes where it does not know; what it did not know is the answer's assumption.
#pragma once

#include "core/passes/candidate_call.h"
#include "core/passes/pass_trace.h"
#include "core/passes/use_scan.h"

namespace reinspect
{

struct PreciseAnswer
{
    std::optional<Reason> reason;  // empty: writing in place changes nothing
    std::vector<NodeId> witnesses; // what decided: the reader first, then the view it reads through
    std::optional<HazardKind>
        hazard;                  // what would go wrong if it were written in place all the same
    std::string_view assumption; // constant phrase; empty: certain
};

// Candidates must be asked about in program order, each before the pass edits its node; the arguments
// of one node in the order that the pass tries them. Graph, analysis and facts must outlive it.
class PreciseJudge
{
public:
    // The graph as the core phase starts.
    PreciseJudge(const Graph& graph, const CoreAnalysis& analysis, const CaptureFacts& facts);

    // Would writing `members` (the arguments labelled `label`) of `node` in place change what the graph
    // computes, given what was accepted so far?
    PreciseAnswer judge(NodeId node, CandidateKind kind, std::string_view label,
                        std::span<const NodeId> members, bool isList) const;
    // The pass (whichever policy) accepted it: from now on the result lives in the argument's memory,
    // and its copy-back is dropped.
    void accept(NodeId node, CandidateKind kind, std::string_view label,
                std::span<const NodeId> members);

    // The same graph and facts at another place in memory, after their owner was copied.
    void lookAt(const Graph& graph, const CaptureFacts& facts)
    {
        m_graph = &graph;
        m_facts = &facts;
    }

private:
    struct Written
    {
        std::string label;
        NodeId argument;
    };

    std::optional<PreciseAnswer> judgeMember(NodeId node, const CandidateCall& call,
                                             std::span<const NodeId> members,
                                             std::size_t member) const;
    std::optional<PreciseAnswer> droppedCopy(NodeId node, const CandidateCall& call,
                                             NodeId argument, std::size_t member) const;
    std::optional<PreciseAnswer> operandAlias(NodeId node, const CandidateCall& call,
                                              NodeId argument, std::size_t member,
                                              std::span<const PlacedRegion> written) const;
    std::optional<PreciseAnswer> layout(NodeId node, const CandidateCall& call, NodeId argument,
                                        std::span<const NodeId> results) const;
    std::optional<PreciseAnswer> newAlias(NodeId argument, std::span<const NodeId> results) const;
    std::vector<PlacedRegion> writtenParts(const CandidateCall& call, NodeId argument) const;
    bool readsByAddress(NodeId view, bool layoutDiffers) const;

    const Graph* m_graph;
    const CoreAnalysis* m_analysis;
    const CaptureFacts* m_facts;
    std::shared_ptr<const MemoryAccesses> m_accesses;
    SharedMemory m_memory;
    NodeId m_lastNode;                 // of the latest acceptance
    std::vector<Written> m_written;    // what it was accepted for
    std::uint32_t m_lastByAddress = 0; // position of the last call that depends on layouts
    mutable ScanWork m_work;
};

} // namespace reinspect
