// SPDX-License-Identifier: MIT
// May this argument be written in place? Each test of upstream's can_inplace that the policy asks for,
// in order, with what it looked at written into the trace. The first failing check decides.
#pragma once

#include "core/passes/core_analysis.h"
#include "core/passes/trace_builder.h"

namespace reinspect
{

// A refusal with its witnesses; no reason: the argument may be written in place.
struct CheckAnswer
{
    std::optional<Reason> reason;
    std::vector<NodeId> witnesses;
    std::string_view assumption; // evidence that had to be taken for granted; empty: none
};

class ReinplaceChecks
{
public:
    ReinplaceChecks(TraceBuilder& builder, const CoreAnalysis& analysis)
        : m_builder(builder)
        , m_analysis(analysis)
    {}

    // Mirrors can_inplace. `members` holds one node, or those of a list argument.
    CheckAnswer mayWriteInPlace(NodeId node, std::span<const NodeId> members, bool isList);
    // Mirrors extra_check of the table: should_reinplace_scatter, should_reinplace_index_put; passes for every other
    // operator.
    CheckAnswer extraCheck(NodeId node);
    // The same question without a word in the trace: whether Inductor would gain by it.
    bool isProfitable(NodeId node) const;
    // The copy_ that a yes drops; invalid: none. Mirrors copy_node_for_reinplaced_arg.
    NodeId copyBackOf(NodeId node, NodeId argument) const;

private:
    const ReinplacePolicy& policy() const { return m_builder.trace.policy; }
    const Graph& graph() const { return m_builder.graph(); }
    CheckAnswer mayWriteTensor(NodeId node, NodeId argument);
    CheckAnswer mayWriteInput(NodeId node, NodeId argument);
    CheckAnswer mayWriteIntermediate(NodeId node, NodeId argument);
    CheckAnswer mayWriteViewOfInput(NodeId node, NodeId argument, NodeId input);
    NodeId inputMeeting(NodeId argument, std::string_view& assumption);
    CheckAnswer countNeighbours(NodeId node, NodeId argument, NodeId copy);
    CheckAnswer searchLaterUses(NodeId node, NodeId argument, NodeId copy, NodeId overwritten);
    NodeId escape(NodeId scatter) const;
    CheckAnswer operandsLieElsewhere(NodeId node);
    bool pass(Check check, bool passed, NodeId subject, NodeId witness = {});

    TraceBuilder& m_builder;
    const CoreAnalysis& m_analysis;
};

} // namespace reinspect
