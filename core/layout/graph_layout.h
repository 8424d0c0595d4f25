// SPDX-License-Identifier: MIT
// What every layout takes and gives: numbers in, numbers out. Boxes are known by their index;
// labels stay with the caller, which measures them. Lengths are in scene units, y grows downward.
// The JSON forms are what reinspect-layout reads and writes.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reinspect
{

struct LayoutPoint
{
    double x = 0;
    double y = 0;

    friend bool operator==(const LayoutPoint&, const LayoutPoint&) = default;
};

struct LayoutRect
{
    double x = 0; // left
    double y = 0; // top
    double width = 0;
    double height = 0;

    double right() const { return x + width; }
    double bottom() const { return y + height; }
    double centerX() const { return x + width / 2; }
    friend bool operator==(const LayoutRect&, const LayoutRect&) = default;
};

// The room that one box takes, stubs included. Edges leave at the middle of the bottom and arrive
// at the middle, `inset` below the top: what stands above the box proper leaves the middle free.
struct LayoutBox
{
    double width = 0;
    double height = 0;
    double inset = 0;

    friend bool operator==(const LayoutBox&, const LayoutBox&) = default;
};

// From the box that makes a value to the box that uses it.
struct LayoutEdge
{
    std::uint32_t from = 0;
    std::uint32_t to = 0;

    friend auto operator<=>(const LayoutEdge&, const LayoutEdge&) = default;
};

struct LayoutOptions
{
    double boxGap = 24;   // between boxes side by side
    double rankGap = 40;  // between ranks
    double groupGap = 60; // between groups
    double aspect = 1.6;  // width to height that the whole aims at

    friend bool operator==(const LayoutOptions&, const LayoutOptions&) = default;
};

// Boxes stand in program order, so every edge has from < to. A group is a run of boxes: it begins
// at its entry of groupStarts (the first is 0) and ends where the next begins.
struct LayoutRequest
{
    std::vector<LayoutBox> boxes = {};
    std::vector<LayoutEdge> edges = {};
    std::vector<std::uint32_t> groupStarts = {};
    LayoutOptions options = {};

    friend bool operator==(const LayoutRequest&, const LayoutRequest&) = default;
};

struct LayoutResult
{
    std::vector<LayoutRect> boxes; // of each box of the request
    std::vector<std::vector<LayoutPoint>>
        routes;                     // of each edge of the request, from its start to its end
    std::vector<LayoutRect> groups; // frames of the request's groups
    double width = 0;
    double height = 0;
    std::string engine; // "rows" or "graphviz"

    friend bool operator==(const LayoutResult&, const LayoutResult&) = default;
};

// Sizes are positive numbers, edges name boxes and go forward, group starts ascend from 0.
Result<void> checkRequest(const LayoutRequest& request);
// As many boxes and edges as were asked for, each with a finite place.
Result<void> checkAnswers(const LayoutResult& result, const LayoutRequest& request);

std::string toJson(const LayoutRequest& request);
std::string toJson(const LayoutResult& result);
Result<LayoutRequest> layoutRequestFromJson(std::string_view json); // checked
Result<LayoutResult> layoutResultFromJson(std::string_view json);

} // namespace reinspect
