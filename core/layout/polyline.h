// SPDX-License-Identifier: MIT
// Small things done to the lines of edges.
#pragma once

#include "core/layout/graph_layout.h"

namespace reinspect
{

// Adds the points of `more`, the first only when it is another place than the last there.
void append(std::vector<LayoutPoint>& line, const std::vector<LayoutPoint>& more);
// Without points on the straight way between their neighbours; at least two remain.
std::vector<LayoutPoint> simplified(std::vector<LayoutPoint> line);

// Leaves the first point and arrives at the last one straight down, for a few units, so that arrows
// point into boxes however slanted the line between is. The ways between stay as they are.
constexpr double kDownward = 10;
std::vector<LayoutPoint> withDownwardEnds(std::vector<LayoutPoint> line);

} // namespace reinspect
