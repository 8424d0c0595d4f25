// SPDX-License-Identifier: MIT
#include "core/layout/part.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace reinspect
{

namespace
{
// Disjoint sets of boxes; the smallest member stands for its set.
class Components
{
public:
    explicit Components(std::size_t count)
        : m_parent(count)
    {
        std::iota(m_parent.begin(), m_parent.end(), 0u);
    }

    std::uint32_t find(std::uint32_t box)
    {
        while (m_parent[box] != box)
            box = m_parent[box] = m_parent[m_parent[box]];
        return box;
    }

    void join(std::uint32_t a, std::uint32_t b)
    {
        const std::uint32_t x = find(a);
        const std::uint32_t y = find(b);
        m_parent[std::max(x, y)] = std::min(x, y);
    }

private:
    std::vector<std::uint32_t> m_parent;
};

struct Place
{
    std::uint32_t part;
    std::uint32_t index; // among the boxes that are no gates
};
} // namespace

static std::vector<std::uint32_t> groupsOf(const LayoutRequest& request)
{
    std::vector<std::uint32_t> groupOf(request.boxes.size(), 0);
    for (std::uint32_t group = 0; group < request.groupStarts.size(); ++group)
    {
        const std::size_t end = group + 1 < request.groupStarts.size()
            ? request.groupStarts[group + 1]
            : request.boxes.size();
        std::fill(groupOf.begin() + request.groupStarts[group],
                  groupOf.begin() + static_cast<std::ptrdiff_t>(end), group);
    }
    return groupOf;
}

static std::vector<Place> gatherBoxes(std::vector<RequestPart>& parts, const LayoutRequest& request,
                                      const std::vector<std::uint32_t>& groupOf)
{
    Components components(request.boxes.size());
    for (const LayoutEdge& edge : request.edges)
    {
        if (groupOf[edge.from] == groupOf[edge.to])
            components.join(edge.from, edge.to);
    }
    std::vector<Place> places(request.boxes.size());
    for (std::uint32_t box = 0; box < request.boxes.size(); ++box)
    {
        const std::uint32_t root = components.find(box);
        if (root == box)
        {
            places[box].part = static_cast<std::uint32_t>(parts.size());
            parts.push_back({.group = groupOf[box]});
        }
        RequestPart& part = parts[places[root].part];
        places[box] = {places[root].part, static_cast<std::uint32_t>(part.boxIds.size())};
        part.boxIds.push_back(box);
    }
    return places;
}

// The gate for `value`, made when it is not there yet. Few edges cross a group's border, so a
// search is enough.
static std::uint32_t gateFor(std::vector<std::uint32_t>& values, std::uint32_t value)
{
    const auto found = std::find(values.begin(), values.end(), value);
    if (found != values.end())
        return static_cast<std::uint32_t>(found - values.begin());
    values.push_back(value);
    return static_cast<std::uint32_t>(values.size() - 1);
}

static void makeGates(std::vector<RequestPart>& parts, const LayoutRequest& request,
                      const std::vector<Place>& places)
{
    for (const LayoutEdge& edge : request.edges)
    {
        if (places[edge.from].part == places[edge.to].part)
            continue;
        gateFor(parts[places[edge.from].part].exitValues, edge.from);
        gateFor(parts[places[edge.to].part].entryValues, edge.from);
    }
}

static void fillBoxes(RequestPart& part, const LayoutRequest& request)
{
    Part& inside = part.part;
    inside.entries = static_cast<std::uint32_t>(part.entryValues.size());
    inside.exits = static_cast<std::uint32_t>(part.exitValues.size());
    inside.boxes.resize(inside.entries);
    for (std::uint32_t box : part.boxIds)
        inside.boxes.push_back(request.boxes[box]);
    inside.boxes.resize(inside.boxes.size() + inside.exits);
}

static void fillEdges(std::vector<RequestPart>& parts, const LayoutRequest& request,
                      const std::vector<Place>& places)
{
    for (std::uint32_t id = 0; id < request.edges.size(); ++id)
    {
        const LayoutEdge& edge = request.edges[id];
        RequestPart& part = parts[places[edge.to].part];
        const bool isInside = places[edge.from].part == places[edge.to].part;
        const std::uint32_t from = isInside ? part.part.entries + places[edge.from].index
                                            : gateFor(part.entryValues, edge.from);
        part.part.edges.push_back({from, part.part.entries + places[edge.to].index});
        part.edgeIds.push_back(id);
    }
    for (RequestPart& part : parts)
    {
        for (std::uint32_t exit = 0; exit < part.exitValues.size(); ++exit)
        {
            const std::uint32_t from = part.part.entries + places[part.exitValues[exit]].index;
            part.part.edges.push_back(
                {from, static_cast<std::uint32_t>(part.part.exitsBegin()) + exit});
            part.edgeIds.push_back(kNothing);
        }
    }
}

std::vector<RequestPart> splitIntoParts(const LayoutRequest& request)
{
    std::vector<RequestPart> parts;
    const std::vector<Place> places = gatherBoxes(parts, request, groupsOf(request));
    makeGates(parts, request, places);
    for (RequestPart& part : parts)
        fillBoxes(part, request);
    fillEdges(parts, request, places);
    return parts;
}

PartsEngine oneByOne(PartEngine engine)
{
    return [engine = std::move(engine)](
               const std::vector<const Part*>& parts, const LayoutOptions& options,
               const RunControl& control) -> Result<std::vector<PartPlan>> {
        std::vector<PartPlan> plans;
        for (const Part* part : parts)
        {
            if (control.stopRequested())
                return Error{.message = "the layout was stopped", .kind = ErrorKind::CannotRunHere};
            REINSPECT_TRY(PartPlan plan, engine(*part, options));
            plans.push_back(std::move(plan));
            control.report(static_cast<double>(plans.size()) / static_cast<double>(parts.size()));
        }
        return plans;
    };
}

} // namespace reinspect
