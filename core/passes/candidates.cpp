// SPDX-License-Identifier: MIT
#include "core/passes/candidate_decider.h"

#include "core/ir/op_set.h"

#include <algorithm>

namespace reinspect
{

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

std::string carriedOperator(const Node& node, std::size_t position)
{
    const ConstantArgument* op =
        position < node.args.size() ? node.args[position].as<ConstantArgument>() : nullptr;
    return op ? op->text : std::string();
}

namespace
{

// By name alone, without a look at the node.
bool mayBeCandidate(const OpFacts& facts)
{
    static const OpSet kInTables = [] {
        std::vector<std::string_view> names;
        for (const auto table : {reinplaceTable(), recentReinplaceTable(), laterReinplaceTable()})
            for (const ReinplaceTableEntry& row : table)
                names.push_back(row.functional);
        for (const auto table : {foreachTable(), laterForeachTable()})
            for (const ForeachTableEntry& row : table)
                names.push_back(row.functional);
        return OpSet(names);
    }();
    return kInTables.contains(facts);
}

const ReinplaceTableEntry* tableRow(const ReinplacePolicy& policy, std::string_view target)
{
    const ReinplaceTableEntry* row = rowOf(reinplaceTable(), target);
    if (!row && policy.randomOperators)
        row = rowOf(recentReinplaceTable(), target);
    return row || !policy.laterOperators ? row : rowOf(laterReinplaceTable(), target);
}

const ForeachTableEntry* foreachRow(const ReinplacePolicy& policy, std::string_view target)
{
    const ForeachTableEntry* row = rowOf(foreachTable(), target);
    return row || !policy.laterOperators ? row : rowOf(laterForeachTable(), target);
}

} // namespace

void CandidateDecider::decide()
{
    const ReinplacePolicy& policy = m_builder.trace.policy;
    const OpTarget target = node().target;
    const bool isFirstKind = target == "aten.index_put.default";
    if (target == "higher_order.triton_kernel_wrapper_functional")
        decideTriton();
    else if (!policy.everyKind && !isFirstKind)
        return;
    else if (const ReinplaceTableEntry* row = tableRow(policy, target))
        decideTable(*row);
    else if (const ForeachTableEntry* foreach = foreachRow(policy, target))
        decideForeach(*foreach);
    else if (target == "higher_order.auto_functionalized")
        decideAutoFunctionalized();
    else if (target == "higher_order.auto_functionalized_v2")
        decideAutoFunctionalizedV2();
    else if (target == "higher_order.with_effects")
        if (const ReinplaceTableEntry* carried = tableRow(policy, carriedOperator(node(), 1)))
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
        else
            decision.bytes = decision.bytes + SymExpr::symbol(kUnknownBytes);
        if (!decision.copyBack)
            decision.copyBack = m_checks.copyBackOf(m_id, member);
    }
    const DecisionIndex index(m_builder.trace.decisions.size());
    decision.tried = m_builder.event(2, ArgumentTried{index});
    m_builder.trace.decisions.push_back(std::move(decision));
    return index;
}

void CandidateDecider::obeyUser(Decision& decision, CheckAnswer& answer)
{
    const DecisionOverride* override =
        overrideFor(m_builder.trace.policy, node().name, decision.argument);
    // What is no tensor cannot be written, whatever the user says.
    if (!override || (override->force && decision.mutated.empty()))
        return;
    m_builder.event(3,
                    CheckDone{Check::NotForbidden,
                              override->force,
                              decision.mutated.empty() ? m_id : decision.mutated.front(),
                              {}});
    decision.overruled = answer.reason;
    decision.forced = override->force;
    answer = {};
    if (!override->force)
        answer.reason = Reason::ForbiddenByUser;
}

PreciseAnswer CandidateDecider::judge(const MutatedArgument& argument)
{
    const bool isTensor = !argument.members.empty()
        && std::ranges::all_of(argument.members, [](NodeId node) { return node.isValid(); });
    if (!isTensor)
        return {Reason::NoStorage, {}, {}, {}};
    return m_judge.judge(m_id, m_kind, argument.label, argument.members, argument.isList);
}

CheckAnswer CandidateDecider::mayWrite(const MutatedArgument& argument)
{
    if (!m_builder.trace.policy.memoryRegions)
        return m_checks.mayWriteInPlace(m_id, argument.members, argument.isList);
    PreciseAnswer precise = judge(argument);
    const NodeId subject = argument.members.empty() ? NodeId{} : argument.members.front();
    const NodeId witness = precise.witnesses.empty() ? NodeId{} : precise.witnesses.front();
    m_builder.event(3, CheckDone{Check::NothingNotices, !precise.reason, subject, witness});
    return {precise.reason, std::move(precise.witnesses), precise.assumption};
}

// Names the tensor on the argument's memory that the dump does not describe; empty: it describes them all.
std::string CandidateDecider::workedOut(const MutatedArgument& argument) const
{
    for (const NodeId member : argument.members)
    {
        if (!member)
            continue;
        if (const NodeId found = m_analysis.workedOutOn(member))
        {
            const Node& node = m_builder.graph()[found];
            const TensorMeta* meta = node.meta.value.tensor();
            const std::string what = meta && meta->hasInferredStrides ? "strides" : "shape";
            return "'" + node.name + "' has no " + what
                + " in the dump: worked out from the operators";
        }
        const bool isBlank = m_analysis.storages().isDerived()
            && m_builder.graph()[member].op == NodeOp::CallFunction
            && !m_builder.graph()[member].meta.value.isKnown();
        if (isBlank)
            return "'" + m_builder.graph()[member].name
                + "' has no shape in the dump, and none could be worked out";
    }
    return {};
}

// What the precise analysis holds of the verdict, whichever policy it is of.
void CandidateDecider::noteJudgement(Decision& decision, const PreciseAnswer& precise) const
{
    if (decision.verdict == Verdict::Reinplaced && precise.reason && precise.hazard)
        decision.hazards.push_back(
            {*precise.hazard, precise.witnesses, std::string(precise.assumption)});
    const bool isOurs = decision.reason != Reason::NotProfitable
        && decision.reason != Reason::ForeachMemberNotCopiedBack
        && decision.reason != Reason::ForbiddenByUser;
    decision.safe = decision.verdict == Verdict::Kept && isOurs && !precise.reason
        && m_checks.isProfitable(m_id);
}

bool CandidateDecider::finish(DecisionIndex index, const MutatedArgument& argument,
                              CheckAnswer answer)
{
    Decision& decision = m_builder.trace.decisions[index.index()];
    obeyUser(decision, answer);
    decision.verdict = answer.reason ? Verdict::Kept : Verdict::Reinplaced;
    decision.reason = answer.reason;
    decision.witnesses = std::move(answer.witnesses);
    decision.assumption = answer.assumption.empty() ? m_assumption : std::string(answer.assumption);
    // A text that was cut shows neither the readers nor the copies that came after the cut.
    if (decision.assumption.empty() && !m_builder.graph().output())
        decision.assumption = "the graph has no return: what follows is not known";
    if (decision.assumption.empty() && m_analysis.isIncomplete())
        decision.assumption = "lines of this graph are missing or could not be read";
    if (decision.assumption.empty())
        decision.assumption = workedOut(argument);
    decision.certainty = decision.assumption.empty() ? Certainty::Certain : Certainty::Assumed;
    noteJudgement(decision, judge(argument));
    if (decision.verdict == Verdict::Reinplaced && !decision.mutated.empty())
        m_judge.accept(m_id, m_kind, argument.label, argument.members);
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
        if (const NodeId copy = m_checks.copyBackOf(m_id, member))
            plan(copy, m_builder.graph()[copy].args.front().node());
}

void CandidateDecider::retarget(std::string_view target)
{
    m_builder.trace.retargeted.push_back({m_id, node().target.str(), std::string(target)});
    m_builder.edit(2, m_id, EditReason::Retargeted,
                   [&](EditRecorder& edits) { edits.setTarget(m_id, target); });
}

void CandidateDecider::decideTable(const ReinplaceTableEntry& row)
{
    begin(CandidateKind::Table, node().target.str());
    const auto position = static_cast<std::size_t>(row.mutatedArgument);
    const Argument* value = position < node().args.size() ? &node().args[position] : nullptr;
    const MutatedArgument argument = mutatedArgument(std::to_string(row.mutatedArgument), value);
    const DecisionIndex index = tryArgument(argument);
    CheckAnswer answer = mayWrite(argument);
    if (!answer.reason)
        answer = m_checks.extraCheck(m_id);
    if (!finish(index, argument, std::move(answer)))
        return;
    planCopyBacks(index);
    retarget(row.inplace);
}

// Members of a list are asked one by one, as the flat list upstream makes of them.
CheckAnswer CandidateDecider::mayWriteEach(const MutatedArgument& argument)
{
    if (m_builder.trace.policy.memoryRegions)
        return mayWrite(argument);
    if (argument.members.empty())
        return {Reason::NoStorage, {}, {}};
    for (const NodeId member : argument.members)
    {
        CheckAnswer answer = m_checks.mayWriteInPlace(m_id, {&member, 1}, false);
        if (answer.reason && argument.isList)
        {
            answer.reason = Reason::ListMemberRefused;
            answer.witnesses.insert(answer.witnesses.begin(), member);
        }
        if (answer.reason)
            return answer;
    }
    return {};
}

std::vector<NodeId> CandidateDecider::usersOf(NodeId id) const
{
    const auto users = graph().users(id);
    return {users.begin(), users.end()};
}

// i of `from[i]`; nothing for every other user.
std::optional<std::int64_t> CandidateDecider::getitemIndex(NodeId user, NodeId from) const
{
    const Node& getitem = graph()[user];
    const bool takes = getitem.target == "operator.getitem" && getitem.args.size() > 1
        && getitem.args.front().node() == from;
    return takes ? getitem.args[1].integer() : std::nullopt;
}

// The in-place call under with_effects returns no tensors: each getitem becomes the tensor that was
// written, inner ones first. Mirrors replace_and_collect. Whether all of `result` could be replaced.
bool CandidateDecider::planResults(NodeId result, const Argument& written)
{
    const std::vector<Argument>* items = written.sequence();
    const auto nodeAt = [&](std::size_t i) { return (*items)[i].node(); };
    NodeId first;
    bool isLeaf = true;
    bool all = true;
    for (const NodeId user : usersOf(result))
    {
        const auto index = getitemIndex(user, result);
        if (!index)
            continue;
        isLeaf = false;
        const auto at = static_cast<std::size_t>(*index);
        if (!items || *index < 0 || at >= items->size())
        {
            all = false;
            continue;
        }
        first = first ? first : nodeAt(at);
        all = planResults(user, (*items)[at]) && all;
    }
    if (isLeaf)
        first = !items ? written.node() : items->size() == 1 ? nodeAt(0) : NodeId{};
    if (all && first)
        plan(result, first);
    return all && (first || !isLeaf);
}

void CandidateDecider::decideEffects(const ReinplaceTableEntry& row)
{
    begin(CandidateKind::WithEffects, std::string(row.functional));
    const auto position = static_cast<std::size_t>(row.mutatedArgument) + 2;
    const Argument* value = position < node().args.size() ? &node().args[position] : nullptr;
    const MutatedArgument argument = mutatedArgument(std::to_string(row.mutatedArgument), value);
    const DecisionIndex index = tryArgument(argument);
    if (!finish(index, argument, mayWriteEach(argument)))
        return;
    for (const NodeId user : usersOf(m_id))
        if (getitemIndex(user, m_id) == 1)
            planResults(user, *value);
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
    begin(CandidateKind::Foreach, node().target.str());
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
        answer = mayWrite(argument);
    else if (*missing)
        answer.witnesses.push_back(*missing);
    if (!finish(index, argument, std::move(answer)))
        return;
    planCopyBacks(index);
    retarget(row.inplace);
}

void decideCandidate(TraceBuilder& builder, const CoreContext& context, NodeId node)
{
    const OpFacts* facts = builder.graph().facts(node);
    if (builder.graph().op(node) == NodeOp::CallFunction && (!facts || mayBeCandidate(*facts)))
        CandidateDecider(builder, context, node).decide();
}

} // namespace reinspect
