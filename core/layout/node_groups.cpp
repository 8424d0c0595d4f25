// SPDX-License-Identifier: MIT
#include "core/layout/node_groups.h"

#include <algorithm>
#include <map>

namespace reinspect
{

static constexpr std::uint32_t kLargest = 130; // places in a group of modules, where depth allows
static constexpr std::uint32_t kSmallest = 8;  // a shorter run joins the one before

// The first `depth` names of "layers.3.attn.q".
static std::string prefix(const std::string& path, std::size_t depth)
{
    std::size_t at = 0;
    for (std::size_t i = 0; i < depth && at != std::string::npos; ++i)
        at = path.find('.', i == 0 ? 0 : at + 1);
    return path.substr(0, at);
}

static std::size_t depthOf(const std::string& path)
{
    return path.empty() ? 0
                        : 1 + static_cast<std::size_t>(std::count(path.begin(), path.end(), '.'));
}

namespace
{

// The modules of a run of places, level by level.
class ModuleTree
{
public:
    ModuleTree(const std::vector<std::string>& paths, std::uint32_t first)
        : m_paths(paths)
        , m_first(first)
    {
        for (const std::string& path : paths)
            m_deepest = std::max(m_deepest, depthOf(path));
    }

    std::vector<NodeGroup> take()
    {
        m_framedDepth = framedDepth();
        addLevel(m_first, m_first + static_cast<std::uint32_t>(m_paths.size()), 1, kNoGroup);
        return std::move(m_groups);
    }

private:
    std::vector<NodeGroup> runsOf(std::uint32_t begin, std::uint32_t end, std::size_t depth) const;
    std::size_t framedDepth() const;
    bool addLevel(std::uint32_t begin, std::uint32_t end, std::size_t depth, std::uint32_t parent);

    const std::vector<std::string>& m_paths;
    std::uint32_t m_first;
    std::size_t m_deepest = 0;
    std::size_t m_framedDepth = 0;
    std::vector<NodeGroup> m_groups;
};

// Runs of one name. A place without a module, and a run too short to be worth a box, joins the run
// before it.
std::vector<NodeGroup> ModuleTree::runsOf(std::uint32_t begin, std::uint32_t end,
                                          std::size_t depth) const
{
    std::vector<NodeGroup> runs;
    for (std::uint32_t place = begin; place < end; ++place)
    {
        const std::string name = prefix(m_paths[place - m_first], depth);
        if (!runs.empty() && (name.empty() || name == runs.back().name))
            runs.back().end = place + 1;
        else
            runs.push_back({name, place, place + 1});
    }
    std::vector<NodeGroup> kept;
    for (const NodeGroup& run : runs)
    {
        const bool isSmall = run.end - run.begin < kSmallest;
        if (!kept.empty() && (isSmall || kept.back().name == run.name))
            kept.back().end = run.end;
        else
            kept.push_back(run);
    }
    return kept;
}

std::uint32_t largestOf(const std::vector<NodeGroup>& groups)
{
    std::uint32_t largest = 0;
    for (const NodeGroup& group : groups)
        largest = std::max(largest, group.end - group.begin);
    return largest;
}

// The first level on which there are several groups, none too large to be placed by itself.
std::size_t ModuleTree::framedDepth() const
{
    for (std::size_t depth = 1; depth < m_deepest; ++depth)
    {
        const std::vector<NodeGroup> runs =
            runsOf(m_first, m_first + static_cast<std::uint32_t>(m_paths.size()), depth);
        if (runs.size() > 1 && largestOf(runs) <= kLargest)
            return depth;
    }
    return m_deepest;
}

// False when no level parts these places.
bool ModuleTree::addLevel(std::uint32_t begin, std::uint32_t end, std::size_t depth,
                          std::uint32_t parent)
{
    if (depth > m_deepest)
        return false;
    std::vector<NodeGroup> runs = runsOf(begin, end, depth);
    // Inside of a module nothing stands before the first run that it could join.
    if (parent != kNoGroup && runs.size() > 1 && runs[0].end - runs[0].begin < kSmallest)
    {
        runs[1].begin = begin;
        runs.erase(runs.begin());
    }
    if (runs.size() < 2)
        return addLevel(begin, end, depth + 1, parent);
    for (NodeGroup& run : runs)
    {
        const auto number = static_cast<std::uint32_t>(m_groups.size());
        run.parent = parent;
        if (parent != kNoGroup && run.name == m_groups[parent].name)
            run.name += " (own)"; // of the module itself, beside its parts
        m_groups.push_back(run);
        addLevel(run.begin, run.end, depth + 1, number);
        // The frame stands around the deepest group that is not beyond the framed level.
        const bool hasFramedInside =
            std::any_of(m_groups.begin() + number + 1, m_groups.end(),
                        [](const NodeGroup& group) { return group.isFramed; });
        m_groups[number].isFramed = depth <= m_framedDepth && !hasFramedInside;
    }
    return true;
}

} // namespace

static std::vector<NodeGroup> groupsOfThinPlaces(const UnionGraph& graph, std::uint32_t first)
{
    const VisibleGraph visible = visibleGraph(graph);
    std::vector<NodeGroup> groups;
    for (const std::uint32_t start : visible.groupStarts)
    {
        const std::uint32_t place = std::max(visible.boxes[start], first);
        if (!groups.empty())
            groups.back().end = place;
        groups.push_back({"Part " + std::to_string(groups.size() + 1), place,
                          static_cast<std::uint32_t>(graph.nodes.size()), kNoGroup, true});
    }
    std::erase_if(groups, [](const NodeGroup& group) { return group.begin >= group.end; });
    return groups;
}

// A module that comes again later is another group with its own name.
static void numberRepeated(std::vector<NodeGroup>& groups)
{
    std::map<std::string, int> seen;
    for (NodeGroup& group : groups)
    {
        if (group.name.empty())
            group.name = "(no module)";
        const int number = ++seen[group.name];
        if (number > 1)
            group.name += " (" + std::to_string(number) + ')';
    }
}

std::vector<NodeGroup> nodeGroups(const UnionGraph& graph,
                                  const std::function<std::string(std::uint32_t)>& moduleOf)
{
    std::uint32_t first = 0;
    while (first < graph.nodes.size() && graph.nodes[first].isInput)
        ++first;
    std::vector<std::string> paths;
    bool isKnown = false;
    for (std::uint32_t place = first; place < graph.nodes.size(); ++place)
    {
        paths.push_back(moduleOf(place));
        isKnown = isKnown || !paths.back().empty();
    }
    std::vector<NodeGroup> groups =
        isKnown ? ModuleTree(paths, first).take() : groupsOfThinPlaces(graph, first);
    if (groups.size() < 2)
        groups = isKnown ? groupsOfThinPlaces(graph, first) : std::vector<NodeGroup>();
    if (groups.size() < 2)
        return {};
    numberRepeated(groups);
    return groups;
}

std::uint32_t innermostGroup(const std::vector<NodeGroup>& groups, std::uint32_t place)
{
    const auto after = std::upper_bound(
        groups.begin(), groups.end(), place,
        [](std::uint32_t wanted, const NodeGroup& group) { return wanted < group.begin; });
    if (after == groups.begin())
        return kNoGroup;
    auto group = static_cast<std::uint32_t>(after - groups.begin()) - 1;
    while (group != kNoGroup && !groups[group].contains(place))
        group = groups[group].parent;
    return group;
}

std::uint32_t framedGroup(const std::vector<NodeGroup>& groups, std::uint32_t place)
{
    std::uint32_t group = innermostGroup(groups, place);
    while (group != kNoGroup && !groups[group].isFramed)
        group = groups[group].parent;
    return group;
}

} // namespace reinspect
