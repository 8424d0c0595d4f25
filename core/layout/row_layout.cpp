// SPDX-License-Identifier: MIT
#include "core/layout/row_layout.h"

#include "core/layout/compose.h"
#include "core/layout/layers.h"
#include "core/layout/polyline.h"

#include <algorithm>

namespace reinspect
{

namespace
{
// The band of y that a rank takes.
struct Band
{
    double top = 0;
    double bottom = 0;
};
} // namespace

static std::vector<Band> bandsOf(const Part& part, const Layers& layers, double rankGap)
{
    std::vector<Band> bands(layers.layers.size());
    double y = 0;
    for (std::size_t layer = 0; layer < bands.size(); ++layer)
    {
        double height = 0;
        for (std::uint32_t node : layers.layers[layer])
        {
            if (!layers.isBend(node))
                height = std::max(height, part.boxes[node].height);
        }
        bands[layer] = {y, y + height};
        y += height + rankGap;
    }
    return bands;
}

// Straight down through the bands it passes, slanted only between them, where no boxes stand.
static std::vector<LayoutPoint> routeOf(const Part& part, const Layers& layers, std::uint32_t edge,
                                        const std::vector<double>& x,
                                        const std::vector<Band>& bands)
{
    const LayoutEdge& ends = part.edges[edge];
    const std::uint32_t first = layers.rankOf[ends.from];
    const std::uint32_t last = layers.rankOf[ends.to];
    std::vector<LayoutPoint> route{{x[ends.from], bands[first].bottom}};
    for (std::uint32_t rank = first + 1; rank < last; ++rank)
    {
        const double bend = x[layers.firstBend[edge] + rank - first - 1];
        route.push_back({bend, bands[rank].top});
        route.push_back({bend, bands[rank].bottom});
    }
    const LayoutBox& target = part.boxes[ends.to];
    route.push_back({x[ends.to], bands[last].top});
    route = withDownwardEnds(simplified(std::move(route)));
    route.push_back({x[ends.to], bands[last].bottom - target.height + target.inset});
    return simplified(std::move(route));
}

PartPlan planRows(const Part& part, const LayoutOptions& options)
{
    Layers layers = makeLayers(part);
    untangle(layers);
    std::vector<double> x = straighten(layers, options.boxGap);
    const std::vector<Band> bands = bandsOf(part, layers, options.rankGap);

    double least = 0;
    double most = 0;
    for (std::size_t node = 0; node < x.size(); ++node)
    {
        least = node == 0 ? x[node] - layers.halfWidth[node]
                          : std::min(least, x[node] - layers.halfWidth[node]);
        most = node == 0 ? x[node] + layers.halfWidth[node]
                         : std::max(most, x[node] + layers.halfWidth[node]);
    }
    for (double& middle : x)
        middle -= least;

    PartPlan plan{.width = most - least, .height = bands.empty() ? 0 : bands.back().bottom};
    for (std::uint32_t box = 0; box < part.boxes.size(); ++box)
    {
        // Bottoms of a rank align, whatever stubs stand above its boxes.
        const double bottom = bands[layers.rankOf[box]].bottom;
        plan.corners.push_back({x[box] - layers.halfWidth[box], bottom - part.boxes[box].height});
    }
    for (std::uint32_t edge = 0; edge < part.edges.size(); ++edge)
        plan.routes.push_back(routeOf(part, layers, edge, x, bands));
    return plan;
}

LayoutResult rowLayout(const LayoutRequest& request)
{
    const PartEngine engine = [](const Part& part,
                                 const LayoutOptions& options) -> Result<PartPlan> {
        return planRows(part, options);
    };
    LayoutResult result = std::move(composeLayout(request, oneByOne(engine)).value());
    result.engine = "rows";
    return result;
}

} // namespace reinspect
