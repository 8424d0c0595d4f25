// SPDX-License-Identifier: MIT
// May this argument be written in place? Each test of upstream's can_inplace, in order, with what it
// looked at written into the trace. The first failing check decides.
#pragma once

#include "core/passes/core_analysis.h"

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
    // Mirrors should_reinplace_scatter; true for every other table operator.
    bool isProfitable(NodeId node);

private:
    struct UseSearch
    {
        NodeId node;
        NodeId argument;
        NodeId copy; // uses at or after it do not count; invalid: all later uses count
    };

    CheckAnswer mayWriteTensor(NodeId node, NodeId argument);
    CheckAnswer searchUses(const UseSearch& search);
    UseVerdict judge(const StorageUse& use, const UseSearch& search) const;
    void check(Check check, bool passed, NodeId subject, NodeId witness = {});

    TraceBuilder& m_builder;
    const CoreAnalysis& m_analysis;
};

} // namespace reinspect
