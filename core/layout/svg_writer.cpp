// SPDX-License-Identifier: MIT
#include "core/layout/svg_writer.h"

#include "core/layout/node_label.h"
#include "core/layout/row_layout.h"
#include "core/layout/stub_room.h"

#include <algorithm>
#include <cstdio>

namespace reinspect
{

namespace
{

constexpr double kMargin = 24;
constexpr double kLineHeight = 16;
constexpr double kBoxHeight = 3 * kLineHeight + 10;
constexpr std::size_t kLongest = 44; // characters of a line; the whole name is the box's title

struct Picture
{
    UnionGraph all;
    VisibleGraph visible;
    std::vector<NodeLabel> labels; // by place
    Rooms rooms;
    LayoutResult layout;
};

} // namespace

static std::string escaped(std::string_view text)
{
    std::string out;
    for (char c : text)
    {
        switch (c)
        {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        default: out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    }
    return out;
}

static bool isContinuation(char c)
{
    return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

static std::string elided(const std::string& text)
{
    if (text.size() <= kLongest)
        return text;
    std::size_t cut = kLongest - 1;
    while (cut > 0 && isContinuation(text[cut]))
        --cut;
    return text.substr(0, cut) + "\u2026";
}

static std::string number(double value)
{
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.1f", value);
    return buffer;
}

// Generous for DejaVu Sans and Verdana: a line never leaves its box.
static double textWidth(const std::string& text, double size, bool bold)
{
    const auto letters =
        std::count_if(text.begin(), text.end(), [](char c) { return !isContinuation(c); });
    return static_cast<double>(letters) * size * (bold ? 0.72 : 0.65);
}

static double boxWidth(const NodeLabel& label)
{
    const double widest = std::max({textWidth(elided(label.name), 12, true),
                                    textWidth(elided(label.operation), 11, false),
                                    textWidth(elided(label.shape), 11, false)});
    return std::max(90.0, widest + 16);
}

static double stubWidth(const NodeLabel& label)
{
    return textWidth(elided(label.name), 10, false) + 14;
}

static Picture makePicture(const Graph& graph)
{
    Picture picture;
    picture.all = unionGraph(graph);
    picture.visible = visibleGraph(picture.all);
    for (const UnionGraph::Node& node : picture.all.nodes)
        picture.labels.push_back(labelOf(graph, node.id));
    picture.rooms = roomsOf(
        picture.visible,
        [&picture](std::uint32_t place) {
            return BoxSize{boxWidth(picture.labels[place]), kBoxHeight};
        },
        [&picture](std::uint32_t place) { return stubWidth(picture.labels[place]); });
    picture.layout = rowLayout(requestFor(picture.visible, picture.rooms));
    return picture;
}

static std::string rectText(const LayoutRect& rect, double radius)
{
    return "<rect x=\"" + number(rect.x) + "\" y=\"" + number(rect.y) + "\" width=\""
        + number(rect.width) + "\" height=\"" + number(rect.height) + "\" rx=\"" + number(radius)
        + "\"/>";
}

static std::string lineText(std::string_view kind, double x, double y, const std::string& text)
{
    if (text.empty())
        return {};
    return "<text class=\"" + std::string(kind) + "\" x=\"" + number(x) + "\" y=\"" + number(y)
        + "\">" + escaped(elided(text)) + "</text>";
}

static LayoutRect movedBy(LayoutRect rect, const LayoutRect& corner)
{
    rect.x += corner.x;
    rect.y += corner.y;
    return rect;
}

static void writeEdges(std::string& out, const Picture& picture)
{
    for (const std::vector<LayoutPoint>& route : picture.layout.routes)
    {
        out += "<polyline points=\"";
        for (const LayoutPoint& point : route)
            out += number(point.x) + ',' + number(point.y) + ' ';
        out += "\" marker-end=\"url(#arrow)\"/>\n";
    }
}

static std::string_view kindOf(const Graph& graph, NodeId id)
{
    switch (graph[id].op)
    {
    case NodeOp::Placeholder:
    case NodeOp::GetAttr: return "input";
    case NodeOp::Output: return "output";
    case NodeOp::CallFunction:
    case NodeOp::CallMethod:
    case NodeOp::CallModule: break;
    }
    return "call";
}

static void writeBox(std::string& out, const Picture& picture, const Graph& graph, std::size_t box)
{
    const std::uint32_t place = picture.visible.boxes[box];
    const NodeLabel& label = picture.labels[place];
    const StubRoom& room = picture.rooms.rooms[box];
    const LayoutRect rect = movedBy(room.box, picture.layout.boxes[box]);
    out += "<g class=\"" + std::string(kindOf(graph, picture.all.nodes[place].id)) + "\"><title>"
        + escaped(toText(graph, picture.all.nodes[place].id)) + "</title>" + rectText(rect, 4);
    out += lineText("name", rect.centerX(), rect.y + kLineHeight, label.name);
    out += lineText("operation", rect.centerX(), rect.y + 2 * kLineHeight, label.operation);
    out += lineText("shape", rect.centerX(), rect.y + 3 * kLineHeight, label.shape);
    out += "</g>\n";
    for (std::size_t i = 0; i < room.stubs.size(); ++i)
    {
        const VisibleGraph::Stub& stub = picture.visible.stubs[picture.rooms.firstStub[box] + i];
        const LayoutRect pill = movedBy(room.stubs[i], picture.layout.boxes[box]);
        const std::string& name = picture.labels[stub.value].name;
        out += stub.kind == StubKind::Input ? "<g class=\"stub\">" : "<g class=\"far stub\">";
        out += "<title>" + escaped(name) + "</title>" + rectText(pill, 9);
        out += lineText("value", pill.centerX(), pill.y + 13, name) + "</g>\n";
    }
}

static constexpr std::string_view kStyle = R"(<style>
text { font-family: "DejaVu Sans", Verdana, sans-serif; text-anchor: middle; fill: #1c2430; }
.name { font-size: 12px; font-weight: bold; } .operation, .shape { font-size: 11px; }
.shape { fill: #4a5568; } .value { font-size: 10px; }
rect { fill: #ffffff; stroke: #5b6b80; }
.input rect { fill: #e8eef7; } .output rect { fill: #eeeeee; }
.stub rect { fill: #f3f6fa; stroke: #8a99ad; } .far rect { stroke-dasharray: 3 2; }
polyline { fill: none; stroke: #7a8799; }
</style>
<defs><marker id="arrow" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">
<path d="M0,1 L7,4 L0,7 z" fill="#7a8799"/></marker></defs>
)";

std::string writeSvg(const Graph& graph)
{
    const Picture picture = makePicture(graph);
    const double width = picture.layout.width + 2 * kMargin;
    const double height = picture.layout.height + 2 * kMargin;
    std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + number(width)
        + "\" height=\"" + number(height) + "\" viewBox=\"" + number(-kMargin) + ' '
        + number(-kMargin) + ' ' + number(width) + ' ' + number(height) + "\">\n<title>"
        + escaped(graph.name) + "</title>\n";
    out += kStyle;
    out += "<rect x=\"" + number(-kMargin) + "\" y=\"" + number(-kMargin) + "\" width=\""
        + number(width) + "\" height=\"" + number(height)
        + "\" style=\"fill: #ffffff; stroke: none\"/>\n";
    writeEdges(out, picture);
    for (std::size_t box = 0; box < picture.visible.boxes.size(); ++box)
        writeBox(out, picture, graph, box);
    return out + "</svg>\n";
}

} // namespace reinspect
