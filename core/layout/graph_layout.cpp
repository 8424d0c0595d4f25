// SPDX-License-Identifier: MIT
#include "core/layout/graph_layout.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace reinspect
{

// The forms are arrays of numbers rather than objects: a request of 100,000 boxes is a few
// megabytes.
static void to_json(nlohmann::json& json, const LayoutPoint& point)
{
    json = {point.x, point.y};
}

static void from_json(const nlohmann::json& json, LayoutPoint& point)
{
    point = {json.at(0).get<double>(), json.at(1).get<double>()};
}

static void to_json(nlohmann::json& json, const LayoutRect& rect)
{
    json = {rect.x, rect.y, rect.width, rect.height};
}

static void from_json(const nlohmann::json& json, LayoutRect& rect)
{
    rect = {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>(),
            json.at(3).get<double>()};
}

static void to_json(nlohmann::json& json, const LayoutBox& box)
{
    json = {box.width, box.height, box.inset};
}

static void from_json(const nlohmann::json& json, LayoutBox& box)
{
    box = {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>()};
}

static void to_json(nlohmann::json& json, const LayoutEdge& edge)
{
    json = {edge.from, edge.to};
}

static void from_json(const nlohmann::json& json, LayoutEdge& edge)
{
    edge = {json.at(0).get<std::uint32_t>(), json.at(1).get<std::uint32_t>()};
}

static void to_json(nlohmann::json& json, const LayoutOptions& options)
{
    json = {{"boxGap", options.boxGap},
            {"rankGap", options.rankGap},
            {"groupGap", options.groupGap},
            {"aspect", options.aspect}};
}

static void from_json(const nlohmann::json& json, LayoutOptions& options)
{
    json.at("boxGap").get_to(options.boxGap);
    json.at("rankGap").get_to(options.rankGap);
    json.at("groupGap").get_to(options.groupGap);
    json.at("aspect").get_to(options.aspect);
}

static bool isLength(double value)
{
    return std::isfinite(value) && value >= 0;
}

static bool isSize(const LayoutBox& box)
{
    return isLength(box.width) && isLength(box.height) && isLength(box.inset) && box.width > 0
        && box.height > 0 && box.inset <= box.height;
}

static bool areGroups(const LayoutRequest& request)
{
    const std::vector<std::uint32_t>& starts = request.groupStarts;
    if (starts.empty())
        return request.boxes.empty();
    for (std::size_t i = 1; i < starts.size(); ++i)
    {
        if (starts[i] <= starts[i - 1])
            return false;
    }
    return starts.front() == 0 && starts.back() < request.boxes.size();
}

Result<void> checkRequest(const LayoutRequest& request)
{
    for (std::size_t i = 0; i < request.boxes.size(); ++i)
    {
        if (!isSize(request.boxes[i]))
            return Error{.message = "box " + std::to_string(i) + " has no usable size"};
    }
    for (const LayoutEdge& edge : request.edges)
    {
        if (edge.to >= request.boxes.size() || edge.from >= edge.to)
            return Error{.message = "edge " + std::to_string(edge.from) + " to "
                             + std::to_string(edge.to) + " does not go forward between boxes"};
    }
    if (!areGroups(request))
        return Error{.message = "the groups do not cover the boxes in order"};
    const LayoutOptions& options = request.options;
    if (!isLength(options.boxGap) || !isLength(options.rankGap) || !isLength(options.groupGap)
        || !isLength(options.aspect) || options.aspect == 0)
        return Error{.message = "the options are not positive lengths"};
    return {};
}

static bool isPlaced(const LayoutRect& rect)
{
    return std::isfinite(rect.x) && std::isfinite(rect.y) && isLength(rect.width)
        && isLength(rect.height);
}

Result<void> checkAnswers(const LayoutResult& result, const LayoutRequest& request)
{
    const Error wrong{.message = "the layout does not answer the request",
                      .kind = ErrorKind::CannotRunHere};
    if (result.boxes.size() != request.boxes.size() || result.routes.size() != request.edges.size())
        return wrong;
    for (const LayoutRect& rect : result.boxes)
    {
        if (!isPlaced(rect))
            return wrong;
    }
    for (const std::vector<LayoutPoint>& route : result.routes)
    {
        if (route.size() < 2)
            return wrong;
        for (const LayoutPoint& point : route)
        {
            if (!std::isfinite(point.x) || !std::isfinite(point.y))
                return wrong;
        }
    }
    return {};
}

std::string toJson(const LayoutRequest& request)
{
    const nlohmann::json json = {{"boxes", request.boxes},
                                 {"edges", request.edges},
                                 {"groups", request.groupStarts},
                                 {"options", request.options}};
    return json.dump();
}

std::string toJson(const LayoutResult& result)
{
    const nlohmann::json json = {{"boxes", result.boxes},   {"routes", result.routes},
                                 {"groups", result.groups}, {"width", result.width},
                                 {"height", result.height}, {"engine", result.engine}};
    return json.dump();
}

Result<LayoutRequest> layoutRequestFromJson(std::string_view text)
{
    LayoutRequest request;
    try
    {
        const nlohmann::json json = nlohmann::json::parse(text);
        json.at("boxes").get_to(request.boxes);
        json.at("edges").get_to(request.edges);
        json.at("groups").get_to(request.groupStarts);
        json.at("options").get_to(request.options);
    }
    catch (const nlohmann::json::exception& exception)
    {
        return Error{.message = std::string("not a layout request: ") + exception.what()};
    }
    REINSPECT_CHECK(checkRequest(request));
    return request;
}

Result<LayoutResult> layoutResultFromJson(std::string_view text)
{
    LayoutResult result;
    try
    {
        const nlohmann::json json = nlohmann::json::parse(text);
        json.at("boxes").get_to(result.boxes);
        json.at("routes").get_to(result.routes);
        json.at("groups").get_to(result.groups);
        json.at("width").get_to(result.width);
        json.at("height").get_to(result.height);
        json.at("engine").get_to(result.engine);
    }
    catch (const nlohmann::json::exception& exception)
    {
        return Error{.message = std::string("not a layout result: ") + exception.what()};
    }
    return result;
}

} // namespace reinspect
