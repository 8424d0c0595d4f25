// SPDX-License-Identifier: MIT
#include "core/layout/polyline.h"

#include <algorithm>
#include <cmath>

namespace reinspect
{

static bool isSame(LayoutPoint a, LayoutPoint b)
{
    return std::abs(a.x - b.x) < 0.01 && std::abs(a.y - b.y) < 0.01;
}

static bool isOnTheWay(LayoutPoint a, LayoutPoint middle, LayoutPoint b)
{
    const double cross = (b.x - a.x) * (middle.y - a.y) - (b.y - a.y) * (middle.x - a.x);
    const double along = (b.x - a.x) * (middle.x - a.x) + (b.y - a.y) * (middle.y - a.y);
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    return along >= 0 && std::abs(cross) <= 0.05 * std::max(length, 1.0);
}

void append(std::vector<LayoutPoint>& line, const std::vector<LayoutPoint>& more)
{
    for (const LayoutPoint& point : more)
    {
        if (line.empty() || !isSame(line.back(), point))
            line.push_back(point);
    }
}

std::vector<LayoutPoint> simplified(std::vector<LayoutPoint> line)
{
    std::vector<LayoutPoint> kept;
    for (const LayoutPoint& point : line)
    {
        if (!kept.empty() && isSame(kept.back(), point))
            continue;
        if (kept.size() >= 2 && isOnTheWay(kept[kept.size() - 2], kept.back(), point))
            kept.back() = point;
        else
            kept.push_back(point);
    }
    if (kept.size() < 2)
        kept.push_back(line.back());
    return kept;
}

} // namespace reinspect
