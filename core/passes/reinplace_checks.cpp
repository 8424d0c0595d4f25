// SPDX-License-Identifier: MIT
#include "core/passes/reinplace_checks.h"

#include "core/passes/view_scatter.h"

#include <algorithm>
#include <set>

namespace reinspect
{
namespace
{

// Uses listed one by one for an argument; the rest is summed, so that a trace grows with the graph
// and not with its square.
constexpr std::size_t kListed = 64;

} // namespace

void ReinplaceChecks::check(Check check, bool passed, NodeId subject, NodeId witness)
{
    m_builder.event(3, CheckDone{check, passed, subject, witness});
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
    check(Check::MembersDistinct, !repeated, members.empty() ? NodeId{} : members.front(),
          repeated);
    if (repeated)
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
    check(Check::HasStorage, storage.isValid(), argument);
    if (!storage)
        return {Reason::NoStorage, {}, {}};
    const Graph& graph = m_builder.graph();
    if (isInput(graph, argument))
    {
        const NodeId copy = m_analysis.firstCopyInto(argument);
        check(Check::CopiedBack, copy.isValid(), argument, copy);
        if (!copy)
            return {Reason::InputNotCopiedBack, {argument}, {}};
        return searchUses({node, argument, copy});
    }
    for (const NodeId member : m_analysis.storages().nodesOf(storage))
    {
        if (!isInput(graph, member))
            continue;
        const OverlapAnswer answer = m_analysis.overlap(argument, member);
        if (answer.kind == OverlapKind::Disjoint)
            continue;
        check(Check::NotViewOfInput, false, argument, member);
        m_builder.event(4, OverlapTested{argument, member, answer});
        return {Reason::ViewOfInput,
                {member},
                answer.kind == OverlapKind::Assumed ? answer.rule : std::string_view{}};
    }
    check(Check::NotViewOfInput, true, argument);
    return searchUses({node, argument, {}});
}

UseVerdict ReinplaceChecks::judge(const StorageUse& use, const UseSearch& search) const
{
    const Node& user = m_builder.graph()[use.user];
    if (use.position <= m_analysis.position(search.node))
        return UseVerdict::BeforeNode;
    if (search.copy && use.position >= m_analysis.position(search.copy))
        return UseVerdict::AfterCopyBack;
    if (m_builder.trace.policy.ignoreShapeOnlyUses && m_analysis.isShapeOnly(use.user))
        return UseVerdict::ShapeOnly;
    if (user.target == "aten.copy_.default" && user.args.front().node() == search.argument)
        return UseVerdict::OverwrittenByCopy;
    return UseVerdict::Blocks;
}

namespace
{

// What a search for uses found, in the order it will be told.
struct UseRecord
{
    std::vector<std::pair<NodeId, OverlapAnswer>> tested;
    std::vector<UseExamined> listed;
    std::uint32_t before = 0;
    std::uint32_t afterCopy = 0;
    std::uint32_t notExamined = 0;
    std::optional<StorageUse> blocking;
    std::string_view assumption;
};

void tell(TraceBuilder& builder, NodeId argument, const UseRecord& record)
{
    for (const auto& [view, answer] : record.tested)
        builder.event(4, OverlapTested{argument, view, answer});
    for (const UseExamined& use : record.listed)
        builder.event(4, use);
    const auto sum = [&builder](std::uint32_t count, UseVerdict verdict) {
        if (count > 0)
            builder.event(4, UsesSummed{count, verdict});
    };
    sum(record.before, UseVerdict::BeforeNode);
    sum(record.afterCopy, UseVerdict::AfterCopyBack);
    sum(record.notExamined, UseVerdict::NotExamined);
}

} // namespace

CheckAnswer ReinplaceChecks::searchUses(const UseSearch& search)
{
    UseRecord record;
    std::map<NodeId, OverlapKind> overlaps{{search.argument, OverlapKind::Overlaps}};
    const auto mayRead = [&](NodeId view) {
        const auto [at, isNew] = overlaps.try_emplace(view, OverlapKind::Overlaps);
        if (isNew && m_builder.trace.policy.overlapTest)
        {
            const OverlapAnswer answer = m_analysis.overlap(search.argument, view);
            at->second = answer.kind;
            if (record.tested.size() < kListed)
                record.tested.emplace_back(view, answer);
        }
        return at->second;
    };
    const auto uses = m_analysis.usesOf(m_analysis.storages().storageOf(search.argument));
    const auto later = std::partition_point(uses.begin(), uses.end(), [&](const StorageUse& use) {
        return use.position <= m_analysis.position(search.node);
    });
    // The call itself is among the uses before.
    record.before = static_cast<std::uint32_t>(later - uses.begin());
    for (auto use = later; use != uses.end(); ++use)
    {
        if (record.blocking && record.listed.size() >= kListed)
        {
            record.notExamined = static_cast<std::uint32_t>(uses.end() - use);
            break;
        }
        const OverlapKind overlap = mayRead(use->view);
        if (overlap == OverlapKind::Disjoint)
            continue;
        const UseVerdict verdict = judge(*use, search);
        const bool decisive = verdict == UseVerdict::Blocks && !record.blocking;
        if (decisive)
        {
            record.blocking = *use;
            record.assumption =
                overlap == OverlapKind::Assumed ? "a view is assumed to overlap" : "";
        }
        if (record.listed.size() < kListed || decisive)
            record.listed.push_back({use->user, use->view, verdict, decisive});
        else if (verdict == UseVerdict::AfterCopyBack)
            ++record.afterCopy;
        else
            ++record.notExamined;
    }
    check(search.copy ? Check::NoUseBeforeCopy : Check::NoLaterUse, !record.blocking,
          search.argument, record.blocking ? record.blocking->user : NodeId{});
    tell(m_builder, search.argument, record);
    if (!record.blocking)
        return {};
    std::vector<NodeId> witnesses{record.blocking->user};
    if (record.blocking->view != search.argument)
        witnesses.push_back(record.blocking->view);
    return {search.copy ? Reason::UsedBeforeCopyBack : Reason::UsedLater, std::move(witnesses),
            record.assumption};
}

bool ReinplaceChecks::isProfitable(NodeId id)
{
    const Graph& graph = m_builder.graph();
    const Node& node = graph[id];
    if (node.target != kGeneralizedScatter)
        return true;
    const NodeId input = node.args.front().node();
    const auto users = graph.users(id);
    const bool copiedBack =
        isInput(graph, input) && std::any_of(users.begin(), users.end(), [&](NodeId user) {
            return graph[user].target == "aten.copy_.default"
                && graph[user].args.front().node() == input;
        });
    const bool profitable = alwaysUsesMutation(node)
        || (isRealized(graph, input) && isRealized(graph, id)) || copiedBack;
    check(Check::Profitable, profitable, id, input);
    return profitable;
}

} // namespace reinspect
