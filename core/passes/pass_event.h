// SPDX-License-Identifier: MIT
// The vocabulary of the trace: what the pass did, one small event at a time. Each event has a depth,
// as a debugger's call depth: a phase is 0, what happens in it 1, the arguments and decisions of a
// candidate 2, the checks of an argument 3, what a check looked at 4. A parent stands before its
// children and already carries their outcome.
// The upstream places are those of torch/_inductor/fx_passes/reinplace.py, torch 2.11.
#pragma once

#include "core/alias/overlap.h"
#include "core/base/ids.h"

#include <cstdint>
#include <variant>

namespace reinspect
{

enum class Phase : std::uint8_t
{
    Canonicalize,    // canonicalize_view_scatter_ops
    RefreshMetadata, // FakeTensorUpdater.incremental_update
    Core,            // reinplace_inplaceable_ops_core
    Decompose,       // decompose_generalized_scatter
};

enum class CandidateKind : std::uint8_t
{
    Table,              // inplaceable_ops
    Triton,             // triton_kernel_wrapper_functional
    AutoFunctionalized, // auto_functionalized, the first form
    AutoFunctionalizedV2,
    WithEffects,
    Foreach, // inplaceable_foreach_ops
};

enum class Check : std::uint8_t
{
    StorageFree, // tensor_with_same_storage_already_reinplaced: no earlier argument of this call took it
    HasStorage,        // get_node_storage is not None
    MembersDistinct,   // a list argument: no two members share a storage
    MembersCopiedBack, // foreach: every member has a copy-back of this op's result
    CopiedBack,        // an input: something copies into it
    NotViewOfInput,    // an intermediate whose storage belongs to an input
    LayoutKept,        // a view of an input: the copy back is of the same view
    NoInternalOverlap, // torch._debug_has_internal_overlap
    FewUsers,          // pr-111627: no users besides the call and the copy back
    FewAliases,        // pr-111627: no other nodes on the storage
    NoUseBeforeCopy,   // any_use_of_views_after_node with a copy_node
    NoLaterUse,        // any_use_of_views_after_node without one
    ResultStays, // _result_escapes_graph: the result of a scatter into an input is not returned
    OperandsElsewhere, // should_reinplace_index_put: no other tensor of the call lies in that memory
    Profitable,        // should_reinplace_scatter
    NothingNotices,    // ours: no reader, operand or later write could tell
    NotForbidden,      // the user's word
};

enum class UseVerdict : std::uint8_t
{
    BeforeNode,        // at or before the candidate
    AfterCopyBack,     // at or after the copy that writes the result back
    ShapeOnly,         // reads sizes, no memory
    OverwrittenByCopy, // copy_ into the argument: it will be overwritten anyway
    OrderingOnly,      // control_deps names it to fix an order
    Disjoint,          // reads other elements of the memory
    NotExamined, // beyond the number that is listed one by one; the verdict was settled before
    Blocks,      // a real read of memory that the write would change
};

enum class EditReason : std::uint8_t
{
    Canonicalized, // a view scatter became a generalized scatter
    Fused,         // two generalized scatters became one
    MetaRefreshed, // shape and storage of a new node
    Retargeted,    // the in-place twin
    ClonesRefined, // tensors_to_clone, only_clone_these_tensors
    ReplacementApplied,
    Decomposed, // a generalized scatter became views and a copy, or nested scatters
};

struct PhaseBegan
{
    Phase phase;
};
// original became created.
struct ScatterCanonicalized
{
    NodeId original;
    NodeId created;
};
// outer(inner(...)) became created, at the place of inner.
struct ScattersFused
{
    NodeId inner;
    NodeId outer;
    NodeId created;
};
// `copy` writes `source` into the input `destination`. Where upstream looks through a getitem of a
// wrapper, `source` is the wrapper and `through` the getitem.
struct CopyBackFound
{
    NodeId copy;
    NodeId destination;
    NodeId source;
    NodeId through;
};
struct CandidateFound
{
    NodeId node;
    CandidateKind kind;
};
struct ArgumentTried
{
    DecisionIndex decision;
};
// `subject` is the tensor asked about; `witness` the node that decided, when there is one.
struct CheckDone
{
    Check check;
    bool passed;
    NodeId subject;
    NodeId witness;
};
// Member `other` of the storage, compared with `subject`.
struct OverlapTested
{
    NodeId subject;
    NodeId other;
    OverlapAnswer answer;
};
// `use` reads the storage through `view` (which may be the argument itself). `decisive`: the first that blocks.
struct UseExamined
{
    NodeId use;
    NodeId view;
    UseVerdict verdict;
    bool decisive;
};
// Uses of one kind beyond the number that is listed one by one.
struct UsesSummed
{
    std::uint32_t count;
    UseVerdict verdict;
};
struct Decided
{
    DecisionIndex decision;
};
struct ReplacementPlanned
{
    NodeId from;
    NodeId to;
};
// edits[first .. first + count) of the trace were made.
struct Edited
{
    std::uint32_t first;
    std::uint32_t count;
    NodeId node;
    EditReason reason;
};

using EventBody = std::variant<PhaseBegan, ScatterCanonicalized, ScattersFused, CopyBackFound,
                               CandidateFound, ArgumentTried, CheckDone, OverlapTested, UseExamined,
                               UsesSummed, Decided, ReplacementPlanned, Edited>;

struct Event
{
    EventBody body;
    std::uint32_t editCount = 0; // edits applied when standing on this event
    std::uint8_t depth = 0;

    template<typename T>
    const T* as() const
    {
        return std::get_if<T>(&body);
    }
};

std::string_view phaseName(Phase phase);                // "Canonicalize view scatters"
std::string_view candidateKindName(CandidateKind kind); // as decide --json spells it: "triton"
std::string_view checkName(Check check);                // "No later use"
std::string_view useVerdictName(UseVerdict verdict);    // "ShapeOnly"

} // namespace reinspect
