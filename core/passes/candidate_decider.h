// SPDX-License-Identifier: MIT
// One candidate being decided: which arguments the call writes, what the checks say of each, and what a
// yes or no changes. candidates.cpp has the kinds that are all or nothing, clone_candidates.cpp those
// that are decided argument by argument.
#pragma once

#include "core/ir/op_facts.h"
#include "core/passes/candidates.h"
#include "core/passes/reinplace_checks.h"

#include <set>

namespace reinspect
{

// One argument that the call writes, as its schema or wrapper names it.
struct MutatedArgument
{
    std::string label;
    std::vector<NodeId> members; // one, unless a list
    bool isList = false;
};

// `value` as a node or a list of nodes; null: the call does not have the argument.
MutatedArgument mutatedArgument(std::string label, const Argument* value);

// The operator that a wrapper carries as one of its arguments; empty when it is not there.
std::string carriedOperator(const Node& node, std::size_t position);

class CandidateDecider
{
public:
    CandidateDecider(TraceBuilder& builder, const CoreContext& context, NodeId id)
        : m_builder(builder)
        , m_analysis(context.analysis)
        , m_facts(context.facts)
        , m_judge(context.judge)
        , m_written(context.written)
        , m_replacements(context.replacements)
        , m_id(id)
        , m_checks(builder, context.analysis)
    {}

    void decide();

private:
    const Graph& graph() const { return m_builder.graph(); }
    const Node& node() const { return graph()[m_id]; }

    void begin(CandidateKind kind, std::string operatorName);
    void decideTable(const ReinplaceTableEntry& row);
    void decideEffects(const ReinplaceTableEntry& row);
    void decideForeach(const ForeachTableEntry& row);
    void decideTriton();
    void decideAutoFunctionalized();
    void decideAutoFunctionalizedV2();

    // Mirrors reinplace_and_refine_tensors_to_clone: the arguments that stay to be cloned.
    std::vector<std::size_t> refineClones(std::span<const MutatedArgument> arguments);
    DecisionIndex tryArgument(const MutatedArgument& argument);
    // Writes the verdict into the trace: what the checks said, unless the user decided.
    bool finish(DecisionIndex index, const MutatedArgument& argument, CheckAnswer answer);
    std::string workedOut(const MutatedArgument& argument) const;
    void obeyUser(Decision& decision, CheckAnswer& answer);
    // What the checks say, or, where the policy asks for it, the precise judge.
    CheckAnswer mayWrite(const MutatedArgument& argument);
    PreciseAnswer judge(const MutatedArgument& argument);
    void noteJudgement(Decision& decision, const PreciseAnswer& precise) const;
    CheckAnswer mayWriteEach(const MutatedArgument& argument);
    std::vector<NodeId> usersOf(NodeId id) const;
    std::optional<std::int64_t> getitemIndex(NodeId user, NodeId from) const;
    bool storageIsFree(const MutatedArgument& argument, const std::set<StorageId>& taken);
    void planCopyBacks(DecisionIndex index);
    void planGetitems(const MutatedArgument& argument);
    bool planResults(NodeId result, const Argument& written);
    void plan(NodeId from, NodeId to);
    void retarget(std::string_view target);
    void keepClones(std::vector<Argument> clones);

    TraceBuilder& m_builder;
    const CoreAnalysis& m_analysis;
    const CaptureFacts& m_facts;
    PreciseJudge& m_judge;
    WrittenArguments& m_written;
    std::vector<ReplacementPlanned>& m_replacements;
    NodeId m_id;
    ReinplaceChecks m_checks;
    CandidateKind m_kind = CandidateKind::Table;
    std::string m_operatorName;
    std::string m_assumption; // about the candidate as a whole
};

} // namespace reinspect
