// SPDX-License-Identifier: MIT
// The record of one run of the pass: events, edits, decisions and totals. Immutable; stepping is
// moving over it (trace_cursor.h), explaining is reading it (explain.h).
#pragma once

#include "core/alias/storage_map.h"
#include "core/ir/graph_edit.h"
#include "core/passes/pass_event.h"
#include "core/passes/reinplace_policy.h"

namespace reinspect
{

enum class Verdict
{
    Reinplaced,
    Kept,
};

// Closed list; every refusal carries one. The last two are the precise analysis's own: no upstream
// revision looks at them.
enum class Reason
{
    NoStorage,
    ListSharesStorage,
    ListMemberRefused,
    InputNotCopiedBack,
    UsedBeforeCopyBack,
    ViewOfInput,
    UsedLater,
    StorageAlreadyTaken,
    NotProfitable,
    ForeachMemberNotCopiedBack,
    InternalOverlap,       // two indices of the argument are one element
    CopyBackLayoutDiffers, // the copy into the input is of a view with other sizes or strides
    ResultEscapes,         // the graph returns the result, which would become an alias of an input
    ForbiddenByUser,
    TooManyUsers,
    TooManyAliases,
    OperandAlias,      // another operand of the call lies in the memory that it would write
    ResultOverwritten, // something else is written there before the last read of the result
};

// What may go wrong with a write in place that was allowed.
enum class HazardKind
{
    OperandAlias,      // another operand of the same call shares memory with the written argument
    SameBufferWritten, // one call writes the same memory under two names
    ResultOverwritten, // the result is read after something else was written over it
    NewAlias,          // an output becomes an alias of an input or of another output
    OldValueRead,      // something still reads the value from before the write
};

struct Hazard
{
    HazardKind kind = HazardKind::OldValueRead;
    std::vector<NodeId> witnesses; // the reader, the writer or the operand first
    std::string assumption;        // empty: certain
};

enum class Certainty
{
    Certain,
    Assumed, // evidence was missing; `assumption` says which
};

// Stands in Decision::bytes for a tensor whose shape is not known.
inline constexpr std::string_view kUnknownBytes = "unknown";

// One mutated argument of one candidate.
struct Decision
{
    NodeId node;
    CandidateKind kind = CandidateKind::Table;
    std::string operatorName; // kernel, custom operator or table operator
    std::string argument; // the Triton or v1 name, the v2 base index, the table op's argument index
    std::vector<NodeId> mutated; // one; for a list argument its members
    Verdict verdict = Verdict::Kept;
    std::optional<Reason> reason; // when kept
    std::vector<NodeId>
        witnesses; // what decided it: the blocking use first, then the view it reads through
    SymExpr bytes; // of the argument: what the clone costs; with kUnknownBytes where a shape is not known
    Certainty certainty = Certainty::Certain;
    std::string assumption;
    bool forced = false;             // the user decided: reinplaced whatever the checks said
    std::optional<Reason> overruled; // what the checks would have said, where the user decided
    bool missed = false;             // upstream counts it as a missed opportunity
    std::vector<Hazard> hazards;     // reinplaced, though the precise analysis would keep it
    bool safe = false;  // kept, though the precise analysis finds nothing that could notice
    NodeId copyBack;    // the copy_ that a yes drops
    EventIndex tried;   // ArgumentTried
    EventIndex decided; // Decided
};

struct PassSummary
{
    std::size_t candidates = 0; // decisions, that is arguments tried
    std::size_t reinplaced = 0;
    std::size_t kept = 0;
    std::size_t missed = 0;
    std::int64_t missedBytes = 0; // as upstream: symbolic sizes count 0
    std::size_t safe = 0;         // kept, though nothing could notice
    std::int64_t safeBytes = 0;   // symbolic sizes count 0
    std::size_t hazardous = 0;    // reinplaced with a hazard
};

struct Retargeting
{
    NodeId node;
    std::string before;
    std::string after;
};

struct PassTrace
{
    std::shared_ptr<const Graph> initial; // as loaded
    std::shared_ptr<const Graph> result; // after phase 4; its slots are all nodes that ever existed
    ReinplacePolicy policy;
    std::vector<Event> events;
    std::vector<GraphEdit> edits;
    std::vector<Decision> decisions;
    StorageMap storages;                 // as the core phase saw them, by slot
    std::vector<NodeId> removed;         // by the core phase, in order
    std::vector<Retargeting> retargeted; // by the core phase, in order
    PassSummary summary;
    // Edits applied when each phase ended: the stages of `apply`.
    std::size_t canonicalEdits = 0;
    std::size_t coreEdits = 0;

    const Event& event(EventIndex index) const { return events[index.index()]; }
    const Decision& decision(DecisionIndex index) const { return decisions[index.index()]; }
    const std::string& nameOf(NodeId node) const { return result->node(node).name; }
    // The decision about `node` (its first argument when it has several); null when it is no candidate.
    const Decision* decisionFor(std::string_view nodeName) const;
    // The decision that an event belongs to; invalid outside candidates.
    DecisionIndex decisionAt(EventIndex index) const;
};

std::string_view verdictName(Verdict verdict);       // "reinplaced", "kept"
std::string_view reasonName(Reason reason);          // "UsedLater"
std::string_view certaintyName(Certainty certainty); // "certain", "assumed"
std::string_view hazardName(HazardKind kind);        // "OperandAlias"

} // namespace reinspect
