// SPDX-License-Identifier: MIT
#include "core/layout/compose.h"

#include "core/layout/links.h"
#include "core/layout/polyline.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <unordered_map>

namespace reinspect
{

// The content of a part as bytes: equal keys, equal plans.
static std::string keyOf(const Part& part)
{
    std::string key;
    const auto add = [&key](const auto& value) {
        key.append(reinterpret_cast<const char*>(&value), sizeof(value));
    };
    add(part.entries);
    add(part.exits);
    add(part.boxes.size());
    for (const LayoutBox& box : part.boxes)
    {
        add(box.width);
        add(box.height);
        add(box.inset);
    }
    for (const LayoutEdge& edge : part.edges)
    {
        add(edge.from);
        add(edge.to);
    }
    return key;
}

using Plans = std::vector<std::shared_ptr<const PartPlan>>;

static Result<Plans> planParts(const std::vector<RequestPart>& parts, const LayoutOptions& options,
                               const PartsEngine& engine, const RunControl& control)
{
    std::unordered_map<std::string, std::size_t> known; // number among the different ones
    std::vector<const Part*> different;
    std::vector<std::size_t> numbers;
    for (const RequestPart& part : parts)
    {
        const auto [found, isNew] = known.try_emplace(keyOf(part.part), different.size());
        if (isNew)
            different.push_back(&part.part);
        numbers.push_back(found->second);
    }
    REINSPECT_TRY(std::vector<PartPlan> made, engine(different, options, control));
    assert(made.size() == different.size());
    Plans ofDifferent;
    for (PartPlan& plan : made)
        ofDifferent.push_back(std::make_shared<const PartPlan>(std::move(plan)));
    Plans plans;
    for (const std::size_t number : numbers)
        plans.push_back(ofDifferent[number]);
    return plans;
}

static std::vector<LayoutPoint> moved(std::vector<LayoutPoint> points, LayoutPoint by)
{
    for (LayoutPoint& point : points)
    {
        point.x += by.x;
        point.y += by.y;
    }
    return points;
}

namespace
{
// Everything known once the parts have their places.
struct Composition
{
    const LayoutRequest& request;
    const std::vector<RequestPart>& parts;
    const Plans& plans;
    const Arrangement& arrangement;

    LayoutPoint corner(std::uint32_t part, std::size_t box) const
    {
        const LayoutPoint inside = plans[part]->corners[box];
        const LayoutPoint outside = arrangement.corners[part];
        return {inside.x + outside.x, inside.y + outside.y};
    }
};
} // namespace

static void placeBoxes(LayoutResult& result, const Composition& composition)
{
    result.boxes.resize(composition.request.boxes.size());
    for (std::uint32_t part = 0; part < composition.parts.size(); ++part)
    {
        const RequestPart& piece = composition.parts[part];
        for (std::size_t i = 0; i < piece.boxIds.size(); ++i)
        {
            const LayoutBox& box = composition.request.boxes[piece.boxIds[i]];
            const LayoutPoint corner = composition.corner(part, piece.part.entries + i);
            result.boxes[piece.boxIds[i]] = {corner.x, corner.y, box.width, box.height};
        }
    }
}

// From the value's box down to the exit of its part.
static std::vector<LayoutPoint> wayOut(const Composition& composition, const Link& link)
{
    const Part& part = composition.parts[link.fromPart].part;
    const auto gate = static_cast<std::uint32_t>(part.exitsBegin() + link.exit);
    // Ways to the exits stand last among the edges, one an exit, in order.
    const std::size_t edge = part.edges.size() - part.exits + link.exit;
    assert(part.edges[edge].to == gate);
    return moved(composition.plans[link.fromPart]->routes[edge],
                 composition.arrangement.corners[link.fromPart]);
}

static void routeEdges(LayoutResult& result, const Composition& composition,
                       const std::vector<Link>& links)
{
    result.routes.resize(composition.request.edges.size());
    std::size_t firstLink = 0;
    for (std::uint32_t part = 0; part < composition.parts.size(); ++part)
    {
        const RequestPart& piece = composition.parts[part];
        for (std::size_t i = 0; i < piece.edgeIds.size(); ++i)
        {
            if (piece.edgeIds[i] == kNothing)
                continue;
            std::vector<LayoutPoint> route =
                moved(composition.plans[part]->routes[i], composition.arrangement.corners[part]);
            const std::uint32_t from = piece.part.edges[i].from;
            if (from < piece.part.entries)
            {
                const Link& link = links[firstLink + from]; // links stand by part and entry
                std::vector<LayoutPoint> whole = wayOut(composition, link);
                append(whole, wayOf(link, whole.back(), route.front(), composition.arrangement));
                append(whole, route);
                route = std::move(whole);
            }
            result.routes[piece.edgeIds[i]] = simplified(std::move(route));
        }
        firstLink += piece.part.entries;
    }
}

Result<LayoutResult> composeLayout(const LayoutRequest& request, const PartsEngine& engine,
                                   const RunControl& control)
{
    const std::vector<RequestPart> parts = splitIntoParts(request);
    REINSPECT_TRY(const Plans plans, planParts(parts, request.options, engine, control));

    std::vector<PartSize> sizes;
    for (std::size_t part = 0; part < parts.size(); ++part)
        sizes.push_back({parts[part].group, plans[part]->width, plans[part]->height});
    const std::size_t groupCount = request.groupStarts.size();
    Arrangement arrangement = arrange(sizes, groupCount, request.options);
    std::vector<Link> links = findLinks(parts);
    reserveTracks(links, arrangement);
    settle(arrangement, sizes, groupCount);

    LayoutResult result;
    const Composition composition{request, parts, plans, arrangement};
    placeBoxes(result, composition);
    routeEdges(result, composition, links);
    result.groups = arrangement.groups;
    result.width = arrangement.width;
    result.height = arrangement.height;
    return result;
}

} // namespace reinspect
