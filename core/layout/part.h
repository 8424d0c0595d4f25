// SPDX-License-Identifier: MIT
// A part is a piece of a layout request that hangs together within one group: what one run of an
// engine places. Edges from and to other groups end at gates, points at the part's border: a value
// that is used further on leaves through an exit below, a value from before enters above.
#pragma once

#include "core/base/run_control.h"
#include "core/layout/graph_layout.h"

#include <functional>

namespace reinspect
{

// Boxes stand as: gates in, boxes in program order, gates out. Gates have no size. Edges go
// forward.
struct Part
{
    std::vector<LayoutBox> boxes;
    std::vector<LayoutEdge> edges;
    std::uint32_t entries = 0;
    std::uint32_t exits = 0;

    std::size_t exitsBegin() const { return boxes.size() - exits; }
};

struct PartPlan
{
    std::vector<LayoutPoint> corners = {};             // top left of each box
    std::vector<std::vector<LayoutPoint>> routes = {}; // of each edge
    double width = 0;
    double height = 0;
};

using PartEngine = std::function<Result<PartPlan>(const Part&, const LayoutOptions&)>;

// Plans of several parts, in their order.
using PartsEngine = std::function<Result<std::vector<PartPlan>>(
    const std::vector<const Part*>&, const LayoutOptions&, const RunControl&)>;
PartsEngine oneByOne(PartEngine engine);

constexpr std::uint32_t kNothing = 0xffffffff;

// A part and where its pieces stand in the request.
struct RequestPart
{
    Part part = {};
    std::uint32_t group = 0;
    std::vector<std::uint32_t> boxIds = {}; // request box of each box that is no gate
    std::vector<std::uint32_t> edgeIds =
        {}; // request edge of each edge; kNothing: the way to an exit
    std::vector<std::uint32_t> entryValues = {}; // request box whose value each entry brings
    std::vector<std::uint32_t> exitValues = {};  // request box whose value each exit takes out
};

// In order of their first boxes. Together they hold every box once; an edge between parts appears
// in the part of its user, behind an entry.
std::vector<RequestPart> splitIntoParts(const LayoutRequest& request);

} // namespace reinspect
