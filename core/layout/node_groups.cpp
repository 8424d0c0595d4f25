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

// Runs of one name. A place without a module, and a run too short to be worth a box, joins the run
// before it.
static std::vector<NodeGroup> runsOf(const std::vector<std::string>& paths, std::uint32_t first,
                                     std::size_t depth)
{
    std::vector<NodeGroup> runs;
    for (std::uint32_t i = 0; i < paths.size(); ++i)
    {
        const std::uint32_t place = first + i;
        const std::string name = prefix(paths[i], depth);
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

static std::uint32_t largestOf(const std::vector<NodeGroup>& groups)
{
    std::uint32_t largest = 0;
    for (const NodeGroup& group : groups)
        largest = std::max(largest, group.end - group.begin);
    return largest;
}

static std::vector<NodeGroup> groupsOfModules(const std::vector<std::string>& paths,
                                              std::uint32_t first)
{
    std::size_t deepest = 0;
    for (const std::string& path : paths)
        deepest = std::max(deepest, depthOf(path));
    std::vector<NodeGroup> groups;
    for (std::size_t depth = 1; depth <= deepest; ++depth)
    {
        groups = runsOf(paths, first, depth);
        if (groups.size() > 1 && largestOf(groups) <= kLargest)
            break;
    }
    return groups;
}

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
                          static_cast<std::uint32_t>(graph.nodes.size())});
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
        isKnown ? groupsOfModules(paths, first) : groupsOfThinPlaces(graph, first);
    if (groups.size() < 2)
        groups = isKnown ? groupsOfThinPlaces(graph, first) : std::vector<NodeGroup>();
    if (groups.size() < 2)
        return {};
    numberRepeated(groups);
    return groups;
}

} // namespace reinspect
