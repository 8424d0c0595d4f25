// SPDX-License-Identifier: MIT
#include "core/passes/reinplace_checks.h"

#include "core/passes/use_search.h"
#include "core/passes/view_scatter.h"

#include <algorithm>
#include <set>

namespace reinspect
{

bool ReinplaceChecks::pass(Check check, bool passed, NodeId subject, NodeId witness)
{
    m_builder.event(3, CheckDone{check, passed, subject, witness});
    return passed;
}

NodeId ReinplaceChecks::copyBackOf(NodeId node, NodeId argument) const
{
    const NodeId copy = m_analysis.copyOf(argument, node);
    if (copy || !policy().copyBackThroughViews)
        return copy;
    const auto through = m_analysis.copyThroughViews(argument, node);
    return through.sameLayout ? through.copy : NodeId{};
}

CheckAnswer ReinplaceChecks::mayWriteInPlace(NodeId node, std::span<const NodeId> members,
                                             bool isList)
{
    if (!isList)
        return mayWriteTensor(node, members.empty() ? NodeId{} : members.front());
    std::set<StorageId> storages;
    NodeId repeated;
    for (const NodeId member : members)
        if (!storages.insert(m_analysis.storages().storageOf(member)).second && !repeated)
            repeated = member;
    if (!pass(Check::MembersDistinct, !repeated, members.empty() ? NodeId{} : members.front(),
              repeated))
        return {Reason::ListSharesStorage, {repeated}, {}};
    for (const NodeId member : members)
    {
        CheckAnswer answer = mayWriteTensor(node, member);
        if (answer.reason)
        {
            answer.reason = Reason::ListMemberRefused;
            answer.witnesses.insert(answer.witnesses.begin(), member);
            return answer;
        }
    }
    return {};
}

CheckAnswer ReinplaceChecks::mayWriteTensor(NodeId node, NodeId argument)
{
    const StorageId storage = argument ? m_analysis.storages().storageOf(argument) : StorageId{};
    if (!pass(Check::HasStorage, storage.isValid(), argument))
        return {Reason::NoStorage, {}, {}};
    if (policy().internalOverlap)
    {
        const ResolvedMeta* meta = m_analysis.geometry().of(argument);
        const Known overlap =
            meta ? hasInternalOverlap(meta->meta, m_analysis.shapes()) : Known::Unknown;
        if (!pass(Check::NoInternalOverlap, overlap != Known::Yes, argument))
            return {Reason::InternalOverlap, {argument}, {}};
    }
    return isInput(graph(), argument) ? mayWriteInput(node, argument)
                                      : mayWriteIntermediate(node, argument);
}

CheckAnswer ReinplaceChecks::mayWriteInput(NodeId node, NodeId argument)
{
    const NodeId copy = policy().pairedCopy ? m_analysis.copyOf(argument, node)
                                            : m_analysis.firstCopyInto(argument);
    if (!pass(Check::CopiedBack, copy.isValid(), argument, copy))
        return {Reason::InputNotCopiedBack, {argument}, {}};
    CheckAnswer answer = countNeighbours(node, argument, copy);
    return answer.reason ? answer : searchLaterUses(node, argument, copy, argument);
}

CheckAnswer ReinplaceChecks::mayWriteIntermediate(NodeId node, NodeId argument)
{
    std::string_view assumption;
    if (policy().throughAliases)
    {
        if (const NodeId input = inputMeeting(argument, assumption))
        {
            CheckAnswer answer = mayWriteViewOfInput(node, argument, input);
            if (answer.reason && answer.assumption.empty())
                answer.assumption = assumption;
            return answer;
        }
        pass(Check::NotViewOfInput, true, argument);
    }
    CheckAnswer answer = countNeighbours(node, argument, {});
    return answer.reason ? answer : searchLaterUses(node, argument, {}, argument);
}

// The first input on the argument's memory that it may meet; invalid when there is none.
NodeId ReinplaceChecks::inputMeeting(NodeId argument, std::string_view& assumption)
{
    for (const NodeId input : m_analysis.inputsOf(m_analysis.storages().storageOf(argument)))
    {
        if (!policy().overlapTest)
            return input;
        const OverlapAnswer answer = m_analysis.overlap(argument, input);
        if (answer.kind == OverlapKind::Disjoint)
            continue;
        if (answer.kind == OverlapKind::Assumed)
            assumption = answer.rule;
        return input;
    }
    return {};
}

CheckAnswer ReinplaceChecks::mayWriteViewOfInput(NodeId node, NodeId argument, NodeId input)
{
    const auto through = policy().copyBackThroughViews ? m_analysis.copyThroughViews(argument, node)
                                                       : CoreAnalysis::CopyThroughViews{};
    if (!through.copy)
    {
        pass(Check::NotViewOfInput, false, argument, input);
        if (policy().overlapTest)
            m_builder.event(4, OverlapTested{argument, input, m_analysis.overlap(argument, input)});
        return {Reason::ViewOfInput, {input}, {}};
    }
    if (!pass(Check::LayoutKept, through.sameLayout, argument, through.copy))
        return {Reason::CopyBackLayoutDiffers, {through.copy, input}, {}};
    return searchLaterUses(node, argument, through.copy, graph()[through.copy].args.front().node());
}

// What pull request 111627 asked in place of what is read after the call.
CheckAnswer ReinplaceChecks::countNeighbours(NodeId node, NodeId argument, NodeId copy)
{
    const auto isOther = [&](NodeId other) {
        return other != node && other != copy && other != argument;
    };
    const auto first = [&](std::span<const NodeId> nodes) {
        const auto found = std::ranges::find_if(nodes, isOther);
        return found == nodes.end() ? NodeId{} : *found;
    };
    if (policy().countUsers)
    {
        const NodeId other = first(graph().users(argument));
        if (!pass(Check::FewUsers, !other, argument, other))
            return {Reason::TooManyUsers, {other}, {}};
    }
    if (policy().countAliases)
    {
        const NodeId other =
            first(m_analysis.storages().nodesOf(m_analysis.storages().storageOf(argument)));
        if (!pass(Check::FewAliases, !other, argument, other))
            return {Reason::TooManyAliases, {other}, {}};
    }
    return {};
}

CheckAnswer ReinplaceChecks::searchLaterUses(NodeId node, NodeId argument, NodeId copy,
                                             NodeId overwritten)
{
    if (!policy().laterUses)
        return {};
    const UseRecord record =
        searchUses(graph(), m_analysis, policy(), {node, argument, copy, overwritten});
    const bool untilCopy = copy && policy().ignoreAfterCopyBack;
    pass(untilCopy ? Check::NoUseBeforeCopy : Check::NoLaterUse, !record.blocking, argument,
         record.blocking ? record.blocking->user : NodeId{});
    for (const auto& [view, answer] : record.tested)
        m_builder.event(4, OverlapTested{argument, view, answer});
    for (const UseExamined& use : record.listed)
        m_builder.event(4, use);
    for (const UsesSummed& sum : record.summed)
        m_builder.event(4, sum);
    if (!record.blocking)
        return {};
    std::vector<NodeId> witnesses{record.blocking->user};
    if (record.blocking->view != argument)
        witnesses.push_back(record.blocking->view);
    const bool beforeCopy = copy && record.blocking->position < m_analysis.position(copy);
    return {beforeCopy ? Reason::UsedBeforeCopyBack : Reason::UsedLater, std::move(witnesses),
            record.assumption};
}

// The output that returns the scatter's result or a view of it; invalid when it stays. Mirrors
// _result_escapes_graph.
NodeId ReinplaceChecks::escape(NodeId scatter) const
{
    std::set<NodeId> aliases{scatter};
    std::vector<NodeId> pending{scatter};
    while (!pending.empty())
    {
        const NodeId current = pending.back();
        pending.pop_back();
        for (const NodeId user : graph().users(current))
        {
            if (graph()[user].op == NodeOp::Output)
                return user;
            const bool isAlias = isViewTarget(graph()[user].target)
                || (graph()[user].target == "operator.getitem"
                    && isViewTarget(graph()[current].target));
            if (isAlias && aliases.insert(user).second)
                pending.push_back(user);
        }
    }
    return {};
}

bool ReinplaceChecks::isProfitable(NodeId id) const
{
    const Node& node = graph()[id];
    if (node.target != kGeneralizedScatter)
        return true;
    const NodeId input = node.args.front().node();
    const auto copiesBack = [&](NodeId user) {
        return graph()[user].target == "aten.copy_.default"
            && graph()[user].args.front().node() == input;
    };
    return alwaysUsesMutation(node) || (isRealized(graph(), input) && isRealized(graph(), id))
        || (isInput(graph(), input) && std::ranges::any_of(graph().users(id), copiesBack));
}

// Mirrors should_reinplace_index_put, and the first question of should_reinplace_scatter.
CheckAnswer ReinplaceChecks::operandsLieElsewhere(NodeId id)
{
    const Node& node = graph()[id];
    const bool isScatter = node.target == kGeneralizedScatter;
    const bool isIndexPut =
        node.target == "aten.index_put.default" || node.target == "aten._unsafe_index_put.default";
    if (!policy().operandsElsewhere || (!isScatter && !isIndexPut))
        return {};
    const NodeId written = node.args.front().node();
    const StorageId storage = m_analysis.storages().storageOf(written);
    NodeId other;
    const auto look = [&](NodeId operand) {
        if (!other && m_analysis.storages().storageOf(operand) == storage)
            other = operand;
    };
    for (std::size_t i = 1; i < node.args.size() && !(isScatter && i > 1); ++i)
        forEachNode(node.args[i], look);
    if (!pass(Check::OperandsElsewhere, !other, written, other))
        return {Reason::OperandAlias, {other}, {}};
    return {};
}

CheckAnswer ReinplaceChecks::extraCheck(NodeId id)
{
    if (CheckAnswer answer = operandsLieElsewhere(id); answer.reason)
        return answer;
    const Node& node = graph()[id];
    if (node.target != kGeneralizedScatter)
        return {};
    const NodeId input = node.args.front().node();
    if (policy().escapingScatters && isInput(graph(), input))
    {
        const NodeId output = escape(id);
        if (!pass(Check::ResultStays, !output, id, output))
            return {Reason::ResultEscapes, {output}, {}};
    }
    if (!pass(Check::Profitable, isProfitable(id), id, input))
        return {Reason::NotProfitable, {id}, {}};
    return {};
}

} // namespace reinspect
