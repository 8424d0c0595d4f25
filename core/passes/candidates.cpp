// SPDX-License-Identifier: MIT
#include "core/passes/candidates.h"

#include "core/ir/op_facts.h"
#include "core/passes/reinplace_checks.h"
#include "core/passes/written_arguments.h"

#include <algorithm>
#include <set>

namespace reinspect
{
namespace
{

// One argument that the call writes, as its schema or wrapper names it.
struct MutatedArgument
{
    std::string label;
    std::vector<NodeId> members; // one, unless a list
    bool isList = false;
};

MutatedArgument mutatedArgument(std::string label, const Argument* value)
{
    MutatedArgument argument{std::move(label), {}, false};
    if (!value)
        return argument;
    if (const std::vector<Argument>* items = value->sequence())
    {
        argument.isList = true;
        for (const Argument& item : *items)
            argument.members.push_back(item.node());
    }
    else if (value->node())
        argument.members.push_back(value->node());
    return argument;
}

class CandidateDecider
{
public:
    CandidateDecider(TraceBuilder& builder, const CoreAnalysis& analysis, const CaptureFacts& facts,
                     std::vector<ReplacementPlanned>& replacements, NodeId id)
        : m_builder(builder)
        , m_analysis(analysis)
        , m_facts(facts)
        , m_replacements(replacements)
        , m_id(id)
        , m_checks(builder, analysis)
    {}

    void decide();

private:
    const Node& node() const { return m_builder.graph()[m_id]; }

    void begin(CandidateKind kind, std::string operatorName);
    void decideTable(const ReinplaceTableEntry& row);
    void decideEffects(const ReinplaceTableEntry& row);
    void decideForeach(const ForeachTableEntry& row);
    void decideTriton();
    void decideAutoFunctionalized();
    void decideAutoFunctionalizedV2();

    std::vector<std::size_t> refineClones(std::span<const MutatedArgument> arguments);
    DecisionIndex tryArgument(const MutatedArgument& argument);
    bool finish(DecisionIndex index, CheckAnswer answer);
    bool storageIsFree(const MutatedArgument& argument, const std::set<StorageId>& taken);
    void planCopyBacks(DecisionIndex index);
    void planGetitems(const MutatedArgument& argument);
    void plan(NodeId from, NodeId to);
    void retarget(std::string_view target);
    void keepClones(std::vector<Argument> clones);

    TraceBuilder& m_builder;
    const CoreAnalysis& m_analysis;
    const CaptureFacts& m_facts;
    std::vector<ReplacementPlanned>& m_replacements;
    NodeId m_id;
    ReinplaceChecks m_checks;
    CandidateKind m_kind = CandidateKind::Table;
    std::string m_operatorName;
    std::string m_assumption; // about the candidate as a whole
};

// The row of one of upstream's tables; null: the operator is not in it.
template<typename Row>
const Row* rowOf(std::span<const Row> table, std::string_view target)
{
    const auto row = std::find_if(table.begin(), table.end(),
                                  [target](const Row& r) { return r.functional == target; });
    return row == table.end() ? nullptr : &*row;
}

// The operator that a wrapper carries as one of its arguments.
std::string carriedOperator(const Node& node, std::size_t position)
{
    const ConstantArgument* op =
        position < node.args.size() ? node.args[position].as<ConstantArgument>() : nullptr;
    return op ? op->text : std::string();
}

void CandidateDecider::decide()
{
    const std::string target = node().target;
    if (const ReinplaceTableEntry* row = rowOf(reinplaceTable(), target))
        decideTable(*row);
    else if (const ForeachTableEntry* foreach = rowOf(foreachTable(), target))
        decideForeach(*foreach);
    else if (target == "higher_order.triton_kernel_wrapper_functional")
        decideTriton();
    else if (target == "higher_order.auto_functionalized")
        decideAutoFunctionalized();
    else if (target == "higher_order.auto_functionalized_v2")
        decideAutoFunctionalizedV2();
    else if (target == "higher_order.with_effects")
        if (const ReinplaceTableEntry* carried =
                rowOf(reinplaceTable(), carriedOperator(node(), 1)))
            decideEffects(*carried);
}

void CandidateDecider::begin(CandidateKind kind, std::string operatorName)
{
    m_kind = kind;
    m_operatorName = std::move(operatorName);
    m_builder.event(1, CandidateFound{m_id, kind});
}

DecisionIndex CandidateDecider::tryArgument(const MutatedArgument& argument)
{
    Decision decision;
    decision.node = m_id;
    decision.kind = m_kind;
    decision.operatorName = m_operatorName;
    decision.argument = argument.label;
    for (const NodeId member : argument.members)
    {
        if (!member)
            continue;
        decision.mutated.push_back(member);
        if (const TensorMeta* meta = m_builder.graph()[member].meta.value.tensor())
            decision.bytes = decision.bytes + byteCount(*meta);
        if (!decision.copyBack)
            decision.copyBack = m_analysis.copyOf(member, m_id);
    }
    const DecisionIndex index(m_builder.trace.decisions.size());
    decision.tried = m_builder.event(2, ArgumentTried{index});
    m_builder.trace.decisions.push_back(std::move(decision));
    return index;
}

bool CandidateDecider::finish(DecisionIndex index, CheckAnswer answer)
{
    Decision& decision = m_builder.trace.decisions[index.index()];
    decision.verdict = answer.reason ? Verdict::Kept : Verdict::Reinplaced;
    decision.reason = answer.reason;
    decision.witnesses = std::move(answer.witnesses);
    decision.assumption = answer.assumption.empty() ? m_assumption : std::string(answer.assumption);
    // A text that was cut shows neither the readers nor the copies that came after the cut.
    if (decision.assumption.empty() && !m_builder.graph().output())
        decision.assumption = "the graph has no return: what follows is not known";
    decision.certainty = decision.assumption.empty() ? Certainty::Certain : Certainty::Assumed;
    decision.decided = m_builder.event(2, Decided{index});
    return decision.verdict == Verdict::Reinplaced;
}

void CandidateDecider::plan(NodeId from, NodeId to)
{
    m_replacements.push_back({from, to});
    m_builder.event(2, ReplacementPlanned{from, to});
}

void CandidateDecider::planCopyBacks(DecisionIndex index)
{
    const std::vector<NodeId> members = m_builder.trace.decision(index).mutated;
    for (const NodeId member : members)
        if (const NodeId copy = m_analysis.copyOf(member, m_id))
            plan(copy, member);
}

void CandidateDecider::retarget(std::string_view target)
{
    m_builder.trace.retargeted.push_back({m_id, node().target, std::string(target)});
    m_builder.edit(2, m_id, EditReason::Retargeted,
                   [&](EditRecorder& edits) { edits.setTarget(m_id, std::string(target)); });
}

void CandidateDecider::decideTable(const ReinplaceTableEntry& row)
{
    begin(CandidateKind::Table, node().target);
    const auto position = static_cast<std::size_t>(row.mutatedArgument);
    const Argument* value = position < node().args.size() ? &node().args[position] : nullptr;
    const MutatedArgument argument = mutatedArgument(std::to_string(row.mutatedArgument), value);
    const DecisionIndex index = tryArgument(argument);
    CheckAnswer answer = m_checks.mayWriteInPlace(m_id, argument.members, argument.isList);
    if (!answer.reason && !m_checks.isProfitable(m_id))
        answer = {Reason::NotProfitable, {m_id}, {}};
    if (!finish(index, std::move(answer)))
        return;
    planCopyBacks(index);
    retarget(row.inplace);
}

void CandidateDecider::decideEffects(const ReinplaceTableEntry& row)
{
    begin(CandidateKind::WithEffects, std::string(row.functional));
    const auto position = static_cast<std::size_t>(row.mutatedArgument) + 2;
    const Argument* value = position < node().args.size() ? &node().args[position] : nullptr;
    const MutatedArgument argument = mutatedArgument(std::to_string(row.mutatedArgument), value);
    const DecisionIndex index = tryArgument(argument);
    if (!finish(index, m_checks.mayWriteInPlace(m_id, argument.members, argument.isList)))
        return;
    planCopyBacks(index);
    m_builder.trace.retargeted.push_back(
        {m_id, std::string(row.functional), std::string(row.inplace)});
    m_builder.edit(2, m_id, EditReason::Retargeted, [&](EditRecorder& edits) {
        std::vector<Argument> args = node().args;
        args[1] = {ConstantArgument{ConstantArgument::Kind::Operator, std::string(row.inplace)}};
        edits.setArguments(m_id, std::move(args), node().kwargs);
    });
}

void CandidateDecider::decideForeach(const ForeachTableEntry& row)
{
    begin(CandidateKind::Foreach, node().target);
    const MutatedArgument argument =
        mutatedArgument("0", node().args.empty() ? nullptr : &node().args.front());
    const DecisionIndex index = tryArgument(argument);
    const auto missing =
        std::find_if(argument.members.begin(), argument.members.end(),
                     [&](NodeId member) { return !member || !m_analysis.copyOf(member, m_id); });
    const bool allCopiedBack = missing == argument.members.end();
    m_builder.event(3,
                    CheckDone{Check::MembersCopiedBack, allCopiedBack, m_id,
                              allCopiedBack ? NodeId{} : *missing});
    CheckAnswer answer{Reason::ForeachMemberNotCopiedBack, {}, {}};
    if (allCopiedBack)
        answer = m_checks.mayWriteInPlace(m_id, argument.members, true);
    else if (*missing)
        answer.witnesses.push_back(*missing);
    if (!finish(index, std::move(answer)))
        return;
    planCopyBacks(index);
    retarget(row.inplace);
}

bool CandidateDecider::storageIsFree(const MutatedArgument& argument,
                                     const std::set<StorageId>& taken)
{
    NodeId conflict;
    for (const NodeId member : argument.members)
        if (member && taken.contains(m_analysis.storages().storageOf(member)) && !conflict)
            conflict = member;
    if (!taken.empty())
        m_builder.event(3,
                        CheckDone{Check::StorageFree, !conflict,
                                  argument.members.empty() ? NodeId{} : argument.members.front(),
                                  conflict});
    return !conflict;
}

void CandidateDecider::planGetitems(const MutatedArgument& argument)
{
    const Graph& graph = m_builder.graph();
    const std::vector<NodeId> users(graph.users(m_id).begin(), graph.users(m_id).end());
    for (const NodeId user : users)
    {
        const Node& getitem = graph[user];
        const std::string* key =
            getitem.args.size() > 1 ? getitem.args[1].as<std::string>() : nullptr;
        if (getitem.target == "operator.getitem" && key && *key == argument.label
            && !argument.members.empty())
            plan(user, argument.members.front());
    }
}

// Mirrors reinplace_and_refine_tensors_to_clone: the arguments that stay to be cloned.
std::vector<std::size_t> CandidateDecider::refineClones(std::span<const MutatedArgument> arguments)
{
    std::set<StorageId> taken;
    std::vector<std::size_t> clones;
    for (std::size_t i = 0; i < arguments.size(); ++i)
    {
        const MutatedArgument& argument = arguments[i];
        const DecisionIndex index = tryArgument(argument);
        const bool free = storageIsFree(argument, taken);
        CheckAnswer answer{Reason::StorageAlreadyTaken, argument.members, {}};
        if (free)
            answer = m_checks.mayWriteInPlace(m_id, argument.members, argument.isList);
        // Upstream reports as missed what it tried and could not do; a taken storage it never tried.
        m_builder.trace.decisions[index.index()].missed = free && answer.reason.has_value();
        if (!finish(index, std::move(answer)))
        {
            clones.push_back(i);
            continue;
        }
        planCopyBacks(index);
        planGetitems(argument);
        for (const NodeId member : argument.members)
            taken.insert(m_analysis.storages().storageOf(member));
    }
    return clones;
}

void CandidateDecider::decideTriton()
{
    const Argument* kernelIndex = node().kwarg("kernel_idx");
    const auto number = kernelIndex ? kernelIndex->integer() : std::nullopt;
    const TritonKernel* kernel = number ? m_facts.kernel(*number) : nullptr;
    begin(CandidateKind::Triton,
          kernel ? kernel->name : "triton kernel " + (number ? std::to_string(*number) : "?"));
    std::vector<MutatedArgument> arguments;
    const Argument* kwargs = node().kwarg("kwargs");
    const Argument* toClone = node().kwarg("tensors_to_clone");
    if (!kwargs || !toClone || !toClone->sequence())
        return;
    for (const Argument& name : *toClone->sequence())
        if (const std::string* text = name.as<std::string>())
            arguments.push_back(mutatedArgument(*text, findKey(*kwargs, *text)));
    std::vector<Argument> kept;
    for (const std::size_t i : refineClones(arguments))
        kept.push_back({arguments[i].label});
    if (kept.size() == arguments.size())
        return;
    m_builder.edit(2, m_id, EditReason::ClonesRefined, [&](EditRecorder& edits) {
        std::vector<NamedArgument> refined = node().kwargs;
        for (NamedArgument& argument : refined)
            if (argument.name == "tensors_to_clone")
                argument.value = {ListArgument{kept}};
        edits.setArguments(m_id, node().args, std::move(refined));
    });
}

void CandidateDecider::keepClones(std::vector<Argument> clones)
{
    m_builder.edit(2, m_id, EditReason::ClonesRefined, [&](EditRecorder& edits) {
        NodeMeta meta = node().meta;
        meta.onlyCloneTheseTensors = std::move(clones);
        edits.setMeta(m_id, std::move(meta));
    });
}

void CandidateDecider::decideAutoFunctionalized()
{
    const std::string op = carriedOperator(node(), 0);
    begin(CandidateKind::AutoFunctionalized, op);
    const OpFacts* known = findOpFacts(op);
    const CustomOperator* custom = m_facts.customOperator(op);
    const std::string_view schema = known ? known->schema
        : custom                          ? std::string_view(custom->schema)
                                          : std::string_view{};
    std::vector<MutatedArgument> arguments;
    if (!schema.empty())
    {
        for (const SchemaArgument& argument : schemaArguments(schema))
            if (const Argument* value = node().kwarg(argument.name);
                argument.isMutable && value && !value->isNone())
                arguments.push_back(mutatedArgument(std::string(argument.name), value));
    }
    else
    {
        m_assumption = "the operator's schema is not in the file: what it writes is inferred";
        for (const std::string& name : inferWrittenArguments(m_builder.graph(), m_id))
            if (const Argument* value = node().kwarg(name); value && !value->isNone())
                arguments.push_back(mutatedArgument(name, value));
    }
    std::vector<Argument> kept;
    for (const std::size_t i : refineClones(arguments))
        kept.push_back({arguments[i].label});
    keepClones(std::move(kept));
}

void CandidateDecider::decideAutoFunctionalizedV2()
{
    begin(CandidateKind::AutoFunctionalizedV2, carriedOperator(node(), 0));
    const Argument* bases = node().kwarg("_all_bases");
    std::vector<MutatedArgument> arguments;
    if (bases && bases->sequence())
        for (std::size_t i = 0; i < bases->sequence()->size(); ++i)
            arguments.push_back(mutatedArgument(std::to_string(i), &(*bases->sequence())[i]));
    std::vector<Argument> kept;
    for (const std::size_t i : refineClones(arguments))
        kept.push_back({static_cast<std::int64_t>(i)});
    keepClones(std::move(kept));
}

} // namespace

void decideCandidate(TraceBuilder& builder, const CoreAnalysis& analysis, const CaptureFacts& facts,
                     std::vector<ReplacementPlanned>& replacements, NodeId node)
{
    if (builder.graph()[node].op == NodeOp::CallFunction)
        CandidateDecider(builder, analysis, facts, replacements, node).decide();
}

} // namespace reinspect
