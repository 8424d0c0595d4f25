// SPDX-License-Identifier: MIT
#include "views/canvas/scoped_graph.h"

#include <algorithm>

namespace reinspect
{

// "L['self'].layers.0.attn" as "layers.0.attn"; the root itself as nothing.
static std::string modulePath(const NodeMeta& meta)
{
    if (!meta.modules || meta.modules->empty())
        return {};
    const std::string& path = meta.modules->back().path;
    if (!path.starts_with("L["))
        return path;
    const std::size_t end = path.find("].");
    return end == std::string::npos ? std::string() : path.substr(end + 2);
}

std::vector<NodeGroup> groupsOf(const PassTrace& trace, const UnionGraph& all)
{
    return nodeGroups(all, [&](std::uint32_t place) {
        return modulePath(trace.result->node(all.nodes[place].id).meta);
    });
}

namespace
{

class Scoping
{
public:
    Scoping(const UnionGraph& all, std::size_t slotCount, const Scope& scope,
            const std::vector<NodeGroup>& groups)
        : m_all(all)
        , m_scope(scope)
        , m_groups(groups)
        , m_foldedOf(all.nodes.size(), kNoGroup)
        , m_isShown(all.nodes.size(), false)
        , m_isNeeded(all.nodes.size(), false)
        , m_newPlace(all.nodes.size(), kNoBox)
        , m_hostOf(all.nodes.size(), kNoBox)
    {
        m_result.placeOf.assign(slotCount, kNoBox);
    }

    ScopedGraph take()
    {
        markShown();
        findHosts();
        makeNodes();
        joinHosts();
        makeEdges();
        startGroups();
        return std::move(m_result);
    }

private:
    void markShown();
    void findHosts();
    void makeNodes();
    void joinHosts();
    void makeEdges();
    void startGroups();

    const UnionGraph& m_all;
    const Scope& m_scope;
    const std::vector<NodeGroup>& m_groups;
    std::vector<std::uint32_t> m_foldedOf; // by place of the whole
    std::vector<bool> m_isShown;
    std::vector<bool> m_isNeeded; // not shown, but an input of what is
    std::vector<std::uint32_t> m_newPlace;
    // By place: of an input that only folded groups read, the first place that does; else kNoBox.
    std::vector<std::uint32_t> m_hostOf;
    ScopedGraph m_result;
};

void Scoping::markShown()
{
    // Outer groups have lower numbers: they are filled in over what is inside.
    for (auto group = m_scope.folded.rbegin(); group != m_scope.folded.rend(); ++group)
    {
        if (*group < m_groups.size())
            std::fill(m_foldedOf.begin() + m_groups[*group].begin,
                      m_foldedOf.begin() + m_groups[*group].end, *group);
    }
    for (std::uint32_t place = 0; place < m_all.nodes.size(); ++place)
        m_isShown[place] = m_scope.shows(m_all.nodes[place].id);
    for (const LayoutEdge& edge : m_all.edges)
    {
        // A folded group draws no stub for what it reads from outside of the view.
        if (m_isShown[edge.to] && !m_isShown[edge.from] && m_foldedOf[edge.to] == kNoGroup)
            m_isNeeded[edge.from] = true;
    }
}

// What a folded group reads of the graph's inputs, weights above all, is counted in it: a stub for each
// would be many times as large as the group.
void Scoping::findHosts()
{
    std::vector<bool> isRead(m_all.nodes.size(), false); // by something that is not folded
    for (const LayoutEdge& edge : m_all.edges)
    {
        if (!m_all.nodes[edge.from].isInput || !m_isShown[edge.to])
            continue;
        if (m_foldedOf[edge.to] == kNoGroup)
            isRead[edge.from] = true;
        m_hostOf[edge.from] = std::min(m_hostOf[edge.from], edge.to);
    }
    for (std::uint32_t place = 0; place < m_all.nodes.size(); ++place)
    {
        if (isRead[place] || m_foldedOf[place] != kNoGroup)
            m_hostOf[place] = kNoBox;
    }
}

void Scoping::joinHosts()
{
    for (std::uint32_t place = 0; place < m_all.nodes.size(); ++place)
    {
        if (m_hostOf[place] == kNoBox)
            continue;
        m_newPlace[place] = m_newPlace[m_hostOf[place]];
        m_result.placeOf[m_all.nodes[place].id.index()] = m_newPlace[place];
    }
}

void Scoping::makeNodes()
{
    std::uint32_t openGroup = kNoGroup;
    std::uint32_t openPlace = kNoBox; // of its node
    for (std::uint32_t place = 0; place < m_all.nodes.size(); ++place)
    {
        if ((!m_isShown[place] && !m_isNeeded[place]) || m_hostOf[place] != kNoBox)
            continue;
        const std::uint32_t group = m_isShown[place] ? m_foldedOf[place] : kNoGroup;
        if (group == kNoGroup || group != openGroup)
        {
            UnionGraph::Node node = m_all.nodes[place];
            node.isStubOnly = !m_isShown[place];
            node.isInput = node.isInput && group == kNoGroup;
            m_result.graph.nodes.push_back(node);
            m_result.groupOf.push_back(group);
            m_newPlace[place] = static_cast<std::uint32_t>(m_result.graph.nodes.size()) - 1;
        }
        else
        {
            m_newPlace[place] = openPlace;
        }
        if (group != kNoGroup)
        {
            openGroup = group;
            openPlace = m_newPlace[place];
        }
        m_result.placeOf[m_all.nodes[place].id.index()] = m_newPlace[place];
    }
}

void Scoping::makeEdges()
{
    std::vector<LayoutEdge>& edges = m_result.graph.edges;
    for (const LayoutEdge& edge : m_all.edges)
    {
        const std::uint32_t from = m_newPlace[edge.from];
        const std::uint32_t to = m_newPlace[edge.to];
        if (m_all.nodes[edge.from].isInput && m_foldedOf[edge.to] != kNoGroup)
            continue;
        if (from != kNoBox && to != kNoBox && m_isShown[edge.to] && from < to)
            edges.push_back({from, to});
    }
    // By user, each pair once, arguments in their order where nothing is folded.
    std::stable_sort(edges.begin(), edges.end(),
                     [](const LayoutEdge& a, const LayoutEdge& b) { return a.to < b.to; });
    std::vector<std::uint32_t> lastUser(m_result.graph.nodes.size(), kNoBox);
    std::erase_if(edges, [&lastUser](const LayoutEdge& edge) {
        return std::exchange(lastUser[edge.from], edge.to) == edge.to;
    });
}

// Groups of modules keep together when the whole graph is drawn. Folded ones side by side are laid
// out as one graph of groups.
void Scoping::startGroups()
{
    if (!m_scope.only.empty() || m_groups.empty())
        return;
    constexpr std::size_t kFoldedTogether = 8; // a long chain of them stands in columns
    std::size_t foldedBefore = 0;
    std::uint32_t last = kNoBox; // where the group before begins; several can stand in one box
    for (const NodeGroup& group : m_groups)
    {
        std::uint32_t place = group.begin;
        while (place < group.end && m_newPlace[place] == kNoBox)
            ++place;
        if (!group.isFramed || place == group.end || m_newPlace[place] == last)
            continue;
        last = m_newPlace[place];
        const std::uint32_t folded = m_foldedOf[place];
        const bool isFolded = folded != kNoGroup && m_groups[folded].contains(group);
        if (!isFolded || foldedBefore == 0)
            m_result.graph.groupPlaces.push_back(last);
        foldedBefore = isFolded ? (foldedBefore + 1) % kFoldedTogether : 0;
    }
}

} // namespace

ScopedGraph scopedGraph(const UnionGraph& all, std::size_t slotCount, const Scope& scope,
                        const std::vector<NodeGroup>& groups)
{
    return Scoping(all, slotCount, scope, groups).take();
}

} // namespace reinspect
