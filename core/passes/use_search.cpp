// SPDX-License-Identifier: MIT
#include "core/passes/use_search.h"

#include <algorithm>
#include <queue>
#include <unordered_map>

namespace reinspect
{
namespace
{

// Told one by one for an argument; the rest is summed, so that a trace grows with the graph and not
// with its square.
constexpr std::size_t kListed = 32;
constexpr std::size_t kListedElsewhere = 8;
// After so many uses that lie elsewhere, the members that can meet the argument are looked up instead.
constexpr std::size_t kPatience = 32;

using Uses = std::span<const StorageUse>;

class UseSearch
{
public:
    UseSearch(const Graph& graph, const CoreAnalysis& analysis, const ReinplacePolicy& policy,
              const UseQuestion& question)
        : m_graph(graph)
        , m_analysis(analysis)
        , m_policy(policy)
        , m_question(question)
        , m_begin(analysis.position(question.node) + 1)
        , m_end(question.copy && policy.ignoreAfterCopyBack
                    ? analysis.position(question.copy)
                    : static_cast<std::uint32_t>(graph.slotCount()))
    {}

    UseRecord run();

private:
    Uses window(Uses uses, std::uint32_t from) const;
    OverlapKind overlapOf(NodeId view);
    UseVerdict judge(const StorageUse& use);
    bool examine(const StorageUse& use);
    bool examineWindow(Uses uses);
    bool examineMembers(std::uint32_t from, const std::vector<NodeId>& members);
    void tellAfterCopyBack(Uses uses);
    void sum(std::size_t count, UseVerdict verdict);

    const Graph& m_graph;
    const CoreAnalysis& m_analysis;
    const ReinplacePolicy& m_policy;
    UseQuestion m_question;
    std::uint32_t m_begin; // positions that can count
    std::uint32_t m_end;
    UseRecord m_record;
    std::unordered_map<NodeId, OverlapKind> m_overlaps;
    std::size_t m_examined = 0;
    std::size_t m_listed = 0; // by count, those elsewhere apart
    std::size_t m_elsewhere = 0;
    std::size_t m_unlisted = 0;
};

Uses UseSearch::window(Uses uses, std::uint32_t from) const
{
    const auto begin = std::ranges::lower_bound(uses, from, {}, &StorageUse::position);
    const auto end = std::ranges::lower_bound(begin, uses.end(), m_end, {}, &StorageUse::position);
    return {begin, end};
}

OverlapKind UseSearch::overlapOf(NodeId view)
{
    if (view == m_question.argument || !m_policy.overlapTest)
        return OverlapKind::Overlaps;
    const auto [at, isNew] = m_overlaps.try_emplace(view, OverlapKind::Overlaps);
    if (isNew)
    {
        const OverlapAnswer answer = m_analysis.overlap(m_question.argument, view);
        at->second = answer.kind;
        if (m_record.tested.size() < kListedElsewhere || answer.kind != OverlapKind::Disjoint)
            m_record.tested.emplace_back(view, answer);
    }
    return at->second;
}

UseVerdict UseSearch::judge(const StorageUse& use)
{
    const Node& user = m_graph[use.user];
    if (overlapOf(use.view) == OverlapKind::Disjoint)
        return UseVerdict::Disjoint;
    if (use.user == m_question.copy)
        return UseVerdict::AfterCopyBack;
    if (m_policy.ignoreShapeOnlyUses && m_analysis.isShapeOnly(use.user))
        return UseVerdict::ShapeOnly;
    if (m_policy.ignoreOverwritten && user.target == "aten.copy_.default"
        && user.args.front().node() == m_question.overwritten)
        return UseVerdict::OverwrittenByCopy;
    if (m_policy.ignoreOrderingOnly && CoreAnalysis::isOrderingOnly(m_graph, use.user, use.view))
        return UseVerdict::OrderingOnly;
    return UseVerdict::Blocks;
}

// Whether to go on: the first use that blocks settles it, and some more are told.
bool UseSearch::examine(const StorageUse& use)
{
    const UseVerdict verdict = judge(use);
    const bool decisive = verdict == UseVerdict::Blocks && !m_record.blocking;
    ++m_examined;
    if (decisive)
    {
        m_record.blocking = use;
        const bool assumed = overlapOf(use.view) == OverlapKind::Assumed;
        m_record.assumption = assumed ? "a view is assumed to overlap" : "";
    }
    std::size_t& listed = verdict == UseVerdict::Disjoint ? m_elsewhere : m_listed;
    const std::size_t most = verdict == UseVerdict::Disjoint ? kListedElsewhere : kListed;
    if (listed < most || decisive)
        m_record.listed.push_back({use.user, use.view, verdict, decisive});
    else if (verdict != UseVerdict::Disjoint)
        ++m_unlisted;
    ++listed;
    return !m_record.blocking || m_listed < kListed;
}

// Goes through the uses of several members in program order.
bool UseSearch::examineMembers(std::uint32_t from, const std::vector<NodeId>& members)
{
    const auto later = [](const Uses& a, const Uses& b) {
        return a.front().position > b.front().position;
    };
    std::priority_queue<Uses, std::vector<Uses>, decltype(later)> queue(later);
    for (const NodeId member : members)
        if (const Uses uses = window(m_analysis.usesOfNode(member), from); !uses.empty())
            queue.push(uses);
    while (!queue.empty())
    {
        const Uses uses = queue.top();
        queue.pop();
        if (!examine(uses.front()))
            return false;
        if (uses.size() > 1)
            queue.push(uses.subspan(1));
    }
    return true;
}

void UseSearch::sum(std::size_t count, UseVerdict verdict)
{
    if (count > 0)
        m_record.summed.push_back({static_cast<std::uint32_t>(count), verdict});
}

// Whether all were gone through; those of members that cannot meet the argument by a look at the index.
bool UseSearch::examineWindow(Uses uses)
{
    std::size_t at = 0;
    while (at < uses.size() && m_elsewhere < kPatience)
        if (!examine(uses[at++]))
            return false;
    if (at == uses.size())
        return true;
    auto members = m_analysis.membersMeeting(m_question.argument);
    if (members && std::ranges::find(*members, m_question.argument) == members->end())
        members->push_back(m_question.argument);
    // Uses of one position belong together.
    while (at < uses.size() && (!members || uses[at].position == uses[at - 1].position))
        if (!examine(uses[at++]))
            return false;
    return at == uses.size() || examineMembers(uses[at].position, *members);
}

void UseSearch::tellAfterCopyBack(Uses uses)
{
    const std::size_t listed = std::min(uses.size(), kListedElsewhere);
    for (const StorageUse& use : uses.first(listed))
        m_record.listed.push_back({use.user, use.view, UseVerdict::AfterCopyBack, false});
    sum(uses.size() - listed, UseVerdict::AfterCopyBack);
}

UseRecord UseSearch::run()
{
    const StorageId storage = m_analysis.storages().storageOf(m_question.argument);
    const Uses all = m_policy.throughAliases ? m_analysis.usesOf(storage)
                                             : m_analysis.usesOfNode(m_question.argument);
    const Uses uses = window(all, m_begin);
    const auto before = static_cast<std::size_t>(uses.data() - all.data());
    sum(before, UseVerdict::BeforeNode);
    const bool wholly = examineWindow(uses);
    const std::size_t unseen = uses.size() - m_examined;
    const std::size_t elsewhere = m_elsewhere - std::min(m_elsewhere, kListedElsewhere);
    sum(elsewhere + (wholly ? unseen : 0), UseVerdict::Disjoint);
    sum(m_unlisted + (wholly ? 0 : unseen), UseVerdict::NotExamined);
    tellAfterCopyBack(all.subspan(before + uses.size()));
    return std::move(m_record);
}

} // namespace

UseRecord searchUses(const Graph& graph, const CoreAnalysis& analysis,
                     const ReinplacePolicy& policy, const UseQuestion& question)
{
    return UseSearch(graph, analysis, policy, question).run();
}

} // namespace reinspect
