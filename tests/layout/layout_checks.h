// SPDX-License-Identifier: MIT
// What must hold of any layout, and requests to try it on. Checks answer the first fault in words,
// or nothing.
#pragma once

#include "core/layout/grouping.h"
#include "core/layout/row_layout.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

// Fails the test with the fault's words.
#define VERIFY_NO_FAULT(check)                                                                     \
    do                                                                                             \
    {                                                                                              \
        const std::string fault = (check);                                                         \
        QVERIFY2(fault.empty(), fault.c_str());                                                    \
    } while (false)

namespace reinspect
{

inline LayoutRequest plainRequest(std::size_t boxes, std::vector<LayoutEdge> edges)
{
    return {std::vector<LayoutBox>(boxes, LayoutBox{100, 50, 0}), std::move(edges), {0}, {}};
}

// Calls as a program makes them: mostly on recent values, sometimes on older ones.
inline LayoutRequest randomProgram(std::uint32_t boxes, unsigned seed)
{
    std::mt19937 random(seed);
    const auto upTo = [&random](std::uint32_t limit) {
        return static_cast<std::uint32_t>(random() % limit);
    };
    LayoutRequest request;
    for (std::uint32_t box = 0; box < boxes; ++box)
    {
        const double inset = upTo(3) == 0 ? 28 : 0;
        request.boxes.push_back({90.0 + 12 * upTo(10), 44 + inset + 18 * upTo(2), inset});
        for (std::uint32_t input = upTo(4); box > 0 && input > 0; --input)
            request.edges.push_back({box - 1 - upTo(std::min(box, upTo(5) == 0 ? 25u : 4u)), box});
    }
    std::sort(request.edges.begin(), request.edges.end());
    request.edges.erase(std::unique(request.edges.begin(), request.edges.end()),
                        request.edges.end());
    request.groupStarts = groupStarts(boxes, request.edges, 60);
    return request;
}

inline std::string boxText(std::size_t box)
{
    return "box " + std::to_string(box);
}

inline std::string overlapFault(const LayoutResult& result)
{
    const std::vector<LayoutRect>& boxes = result.boxes;
    for (std::size_t a = 0; a < boxes.size(); ++a)
    {
        for (std::size_t b = a + 1; b < boxes.size(); ++b)
        {
            if (boxes[a].x < boxes[b].right() && boxes[b].x < boxes[a].right()
                && boxes[a].y < boxes[b].bottom() && boxes[b].y < boxes[a].bottom())
                return boxText(a) + " and " + boxText(b) + " overlap";
        }
    }
    return {};
}

inline std::string boundsFault(const LayoutResult& result)
{
    for (std::size_t box = 0; box < result.boxes.size(); ++box)
    {
        const LayoutRect& rect = result.boxes[box];
        if (rect.x < -1 || rect.y < -1 || rect.right() > result.width + 1
            || rect.bottom() > result.height + 1)
            return boxText(box) + " lies outside";
    }
    return {};
}

// Users stand below what they use; only the next group may begin at the top of the next column.
inline std::string directionFault(const LayoutRequest& request, const LayoutResult& result)
{
    const auto groupOf = [&request](std::uint32_t box) {
        return std::upper_bound(request.groupStarts.begin(), request.groupStarts.end(), box);
    };
    for (const LayoutEdge& edge : request.edges)
    {
        const bool isInside = groupOf(edge.from) == groupOf(edge.to);
        if (isInside && result.boxes[edge.from].bottom() > result.boxes[edge.to].y)
            return boxText(edge.to) + " does not stand below " + boxText(edge.from);
    }
    return {};
}

inline std::string endsFault(const LayoutRequest& request, const LayoutResult& result)
{
    const auto isAt = [](LayoutPoint point, double x, double y) {
        return std::abs(point.x - x) < 1.5 && std::abs(point.y - y) < 1.5;
    };
    for (std::size_t i = 0; i < request.edges.size(); ++i)
    {
        const LayoutRect& from = result.boxes[request.edges[i].from];
        const LayoutRect& to = result.boxes[request.edges[i].to];
        const double inset = request.boxes[request.edges[i].to].inset;
        const std::vector<LayoutPoint>& route = result.routes[i];
        if (!isAt(route.front(), from.centerX(), from.bottom())
            || !isAt(route.back(), to.centerX(), to.y + inset))
            return "edge " + std::to_string(i) + " does not run from box to box";
    }
    return {};
}

// The part of [0, 1] along from + t * step that lies between low and high, cut out of [first, last].
inline void clip(double from, double step, double low, double high, double& first, double& last)
{
    if (step == 0)
    {
        if (from <= low || from >= high)
            last = -1;
        return;
    }
    const double a = (low - from) / step;
    const double b = (high - from) / step;
    first = std::max(first, std::min(a, b));
    last = std::min(last, std::max(a, b));
}

// Whether the line passes through the inside of the rectangle.
inline bool passesThrough(const std::vector<LayoutPoint>& line, const LayoutRect& rect)
{
    constexpr double kTouch = 2; // units that a line may share with a border
    for (std::size_t i = 1; i < line.size(); ++i)
    {
        double first = 0;
        double last = 1;
        clip(line[i - 1].x, line[i].x - line[i - 1].x, rect.x + kTouch, rect.right() - kTouch,
             first, last);
        clip(line[i - 1].y, line[i].y - line[i - 1].y, rect.y + kTouch, rect.bottom() - kTouch,
             first, last);
        if (first < last)
            return true;
    }
    return false;
}

inline std::string crossedBoxFault(const LayoutRequest& request, const LayoutResult& result)
{
    for (std::size_t i = 0; i < request.edges.size(); ++i)
    {
        for (std::uint32_t box = 0; box < result.boxes.size(); ++box)
        {
            const bool isEnd = box == request.edges[i].from || box == request.edges[i].to;
            if (!isEnd && passesThrough(result.routes[i], result.boxes[box]))
                return "edge " + std::to_string(i) + " passes through " + boxText(box);
        }
    }
    return {};
}

inline std::string layoutFault(const LayoutRequest& request, const LayoutResult& result)
{
    if (const Result<void> answers = checkAnswers(result, request); !answers)
        return answers.error().message;
    for (std::string fault :
         {overlapFault(result), boundsFault(result), directionFault(request, result),
          endsFault(request, result), crossedBoxFault(request, result)})
    {
        if (!fault.empty())
            return fault;
    }
    return {};
}

} // namespace reinspect
