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

static bool isSlanted(LayoutPoint a, LayoutPoint b)
{
    return std::abs(a.x - b.x) > 0.5;
}

std::vector<LayoutPoint> withDownwardEnds(std::vector<LayoutPoint> line)
{
    const std::size_t last = line.size() - 1;
    const bool bendsFirst = isSlanted(line[0], line[1]) && line[1].y - line[0].y > 3 * kDownward;
    const bool bendsLast =
        isSlanted(line[last - 1], line[last]) && line[last].y - line[last - 1].y > 3 * kDownward;
    if (bendsLast)
        line.insert(line.end() - 1, {line[last].x, line[last].y - kDownward});
    if (bendsFirst)
        line.insert(line.begin() + 1, {line[0].x, line[0].y + kDownward});
    return line;
}

} // namespace reinspect
