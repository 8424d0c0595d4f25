// SPDX-License-Identifier: MIT
#include "core/layout/visible_graph.h"

#include "core/layout/grouping.h"
#include "core/layout/ranks.h"

#include <algorithm>

namespace reinspect
{

namespace
{
// One edge of the union graph on its way to becoming an edge or a stub of the picture.
struct Link
{
    std::uint32_t value;
    std::uint32_t user;
    bool isEdge = false; // between two boxes, and not cut
};
} // namespace

static std::vector<std::uint32_t> countUses(const UnionGraph& graph)
{
    std::vector<std::uint32_t> uses(graph.nodes.size(), 0);
    for (const LayoutEdge& edge : graph.edges)
        ++uses[edge.from];
    return uses;
}

static void chooseBoxes(VisibleGraph& visible, const UnionGraph& graph, const VisiblePolicy& policy)
{
    const std::vector<std::uint32_t> uses = countUses(graph);
    const bool isLarge = graph.nodes.size() > policy.inputBoxes;
    visible.boxOf.assign(graph.nodes.size(), kNoBox);
    for (std::uint32_t place = 0; place < graph.nodes.size(); ++place)
    {
        const bool isUsedInput = graph.nodes[place].isInput && uses[place] > 0;
        if (isUsedInput && (isLarge || uses[place] > policy.manyUses))
            continue;
        if (graph.nodes[place].isStubOnly && uses[place] > 0)
            continue;
        visible.boxOf[place] = static_cast<std::uint32_t>(visible.boxes.size());
        visible.boxes.push_back(place);
    }
}

static std::vector<Link> linksOf(const VisibleGraph& visible, const UnionGraph& graph)
{
    std::vector<Link> links;
    links.reserve(graph.edges.size());
    for (const LayoutEdge& edge : graph.edges)
        links.push_back({edge.from, edge.to, visible.boxOf[edge.from] != kNoBox});
    return links;
}

// Edges in box numbers, and the link each of them came from.
static std::vector<LayoutEdge> edgesOf(const std::vector<Link>& links, const VisibleGraph& visible)
{
    std::vector<LayoutEdge> edges;
    for (const Link& link : links)
    {
        if (link.isEdge)
            edges.push_back({visible.boxOf[link.value], visible.boxOf[link.user]});
    }
    return edges;
}

// `end` chooses the end that has too many edges. It keeps the shortest, which holds it in place.
static void cutHubs(std::vector<Link>& links, std::size_t nodeCount, std::uint32_t Link::*end,
                    std::uint32_t limit)
{
    std::vector<std::uint32_t> count(nodeCount, 0);
    std::vector<std::uint32_t> shortest(nodeCount, std::numeric_limits<std::uint32_t>::max());
    for (const Link& link : links)
    {
        if (!link.isEdge)
            continue;
        ++count[link.*end];
        shortest[link.*end] = std::min(shortest[link.*end], link.user - link.value);
    }
    for (Link& link : links)
    {
        if (link.isEdge && count[link.*end] > limit && link.user - link.value > shortest[link.*end])
            link.isEdge = false;
    }
}

static void cutFar(std::vector<Link>& links, const VisibleGraph& visible,
                   const std::vector<std::uint32_t>& ranks, std::uint32_t farRanks)
{
    for (Link& link : links)
    {
        if (link.isEdge
            && ranks[visible.boxOf[link.user]] - ranks[visible.boxOf[link.value]] > farRanks)
            link.isEdge = false;
    }
}

// An edge may reach into the next group; beyond it, it would have to pass a whole group.
static void cutBetweenGroups(std::vector<Link>& links, const VisibleGraph& visible)
{
    std::vector<std::uint32_t> groupOf(visible.boxes.size(), 0);
    for (std::uint32_t group = 0; group < visible.groupStarts.size(); ++group)
        std::fill(groupOf.begin() + visible.groupStarts[group], groupOf.end(), group);
    for (Link& link : links)
    {
        if (link.isEdge
            && groupOf[visible.boxOf[link.user]] - groupOf[visible.boxOf[link.value]] > 1)
            link.isEdge = false;
    }
}

// First boxes of the groups that were asked for, those of more than `largest` boxes cut again.
static std::vector<std::uint32_t> askedGroups(const VisibleGraph& visible, const UnionGraph& graph,
                                              const std::vector<LayoutEdge>& edges,
                                              std::uint32_t largest)
{
    std::vector<std::uint32_t> starts{0};
    for (const std::uint32_t place : graph.groupPlaces)
    {
        const auto box = std::lower_bound(visible.boxes.begin(), visible.boxes.end(), place)
            - visible.boxes.begin();
        const auto start = static_cast<std::uint32_t>(box);
        if (start > starts.back() && start < visible.boxes.size())
            starts.push_back(start);
    }
    std::vector<std::uint32_t> cut;
    for (std::size_t i = 0; i < starts.size(); ++i)
    {
        const std::uint32_t begin = starts[i];
        const auto end = i + 1 < starts.size() ? starts[i + 1]
                                               : static_cast<std::uint32_t>(visible.boxes.size());
        std::vector<LayoutEdge> inside;
        for (const LayoutEdge& edge : edges)
        {
            if (end - begin > largest && edge.from >= begin && edge.to < end)
                inside.push_back({edge.from - begin, edge.to - begin});
        }
        for (const std::uint32_t start : groupStarts(end - begin, inside, largest))
            cut.push_back(begin + start);
    }
    return cut;
}

static void takeStubs(VisibleGraph& visible, const std::vector<Link>& links)
{
    bool seenEdge = false;
    std::uint32_t user = kNoBox;
    for (const Link& link : links)
    {
        if (link.user != user)
            seenEdge = false;
        user = link.user;
        seenEdge = seenEdge || link.isEdge;
        if (link.isEdge)
            continue;
        const bool hasBox = visible.boxOf[link.value] != kNoBox;
        visible.stubs.push_back({link.value, visible.boxOf[link.user],
                                 hasBox ? StubKind::Far : StubKind::Input, !seenEdge});
    }
}

VisibleGraph visibleGraph(const UnionGraph& graph, const VisiblePolicy& policy)
{
    VisibleGraph visible;
    chooseBoxes(visible, graph, policy);
    std::vector<Link> links = linksOf(visible, graph);
    // Ranks from all edges, before any is cut: a layout that does not see the cut ones still keeps
    // their order, because the shortest edge into a box is never cut for its length alone.
    const std::vector<std::uint32_t> ranks = ranksOf(visible.boxes.size(), edgesOf(links, visible));
    cutFar(links, visible, ranks, policy.farRanks);
    cutHubs(links, graph.nodes.size(), &Link::value, policy.manyUses);
    cutHubs(links, graph.nodes.size(), &Link::user, policy.manyInputs);
    visible.groupStarts = graph.groupPlaces.empty() || visible.boxes.empty()
        ? groupStarts(visible.boxes.size(), edgesOf(links, visible), policy.groupSize)
        : askedGroups(visible, graph, edgesOf(links, visible), policy.askedGroupSize);
    cutBetweenGroups(links, visible);
    visible.edges = edgesOf(links, visible);
    takeStubs(visible, links);
    return visible;
}

} // namespace reinspect
