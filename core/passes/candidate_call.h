// SPDX-License-Identifier: MIT
// One call that the core phase may write in place, read for one of its written arguments: what the
// call gives back for it, which part of it is written, and what else the call reads meanwhile.
#pragma once

#include "core/passes/core_analysis.h"
#include "core/passes/pass_event.h"

namespace reinspect
{

struct CallOperand
{
    enum class Role : std::uint8_t
    {
        Read,        // at any time while the call writes
        Elementwise, // element by element, each before it is written (foreach, plain Triton kernels)
        Tried,       // written too: its own decision makes it a clone or a second written argument
    };
    NodeId node;
    Role role = Role::Read;
    std::string label;      // Tried: as the pass names it
    std::size_t member = 0; // Elementwise: of the list member with this number
};

struct CandidateCall
{
    std::vector<CallOperand> operands;        // without the argument itself
    std::vector<std::vector<NodeId>> results; // by member: nodes that will be the argument's memory
    // The parts written, in positions of the argument's storage. Empty: all of it.
    std::vector<TensorMeta> parts;
    NodeId copied; // the written part becomes exactly this tensor (a view scatter's source)
    bool clonesLayout = false;   // the clone that stays otherwise has the argument's strides
    std::string_view assumption; // empty: nothing had to be assumed
};

CandidateCall readCandidateCall(const Graph& graph, const CoreAnalysis& analysis,
                                const CaptureFacts& facts, NodeId node, CandidateKind kind,
                                std::string_view label, std::span<const NodeId> members);

} // namespace reinspect
