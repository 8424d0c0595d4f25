// SPDX-License-Identifier: MIT
#include "core/layout/graphviz_layout.h"

#include "core/layout/compose.h"
#include "core/layout/part_processes.h"
#include "core/layout/polyline.h"
#include "core/layout/row_layout.h"

#if REINSPECT_HAS_GRAPHVIZ
#include <gvc.h>

#include <algorithm>
#include <memory>
#endif

namespace reinspect
{

#if REINSPECT_HAS_GRAPHVIZ

namespace
{

constexpr double kPointsPerInch = 72; // node sizes are given in inches, places come back in points
constexpr std::size_t kManyBoxes = 800;

struct CloseGraph
{
    void operator()(Agraph_t* graph) const { agclose(graph); }
};
using DotGraph = std::unique_ptr<Agraph_t, CloseGraph>;

struct FreeContext
{
    void operator()(GVC_t* context) const { gvFreeContext(context); }
};
using DotContext = std::unique_ptr<GVC_t, FreeContext>;

// gvLayout's data must go before its graph does.
class DotRun
{
public:
    DotRun(GVC_t* context, Agraph_t* graph)
        : m_context(context)
        , m_graph(graph)
    {
        m_failed = gvLayout(context, graph, "dot") != 0;
    }
    ~DotRun() { gvFreeLayout(m_context, m_graph); }
    DotRun(const DotRun&) = delete;
    DotRun& operator=(const DotRun&) = delete;
    bool failed() const { return m_failed; }

private:
    GVC_t* m_context;
    Agraph_t* m_graph;
    bool m_failed = false;
};

// cgraph takes char*, and changes none of these.
char* text(const char* constant)
{
    return const_cast<char*>(constant);
}

void set(void* object, const char* name, const std::string& value)
{
    agset(object, text(name), text(value.c_str()));
}

std::string inches(double length)
{
    return std::to_string(length / kPointsPerInch);
}

struct DotPart
{
    DotGraph graph;
    std::vector<Agnode_t*> nodes;
    std::vector<Agedge_t*> edges;
};

void setDefaults(Agraph_t* graph, const Part& part, const LayoutOptions& options)
{
    const bool isLarge = part.boxes.size() >= kManyBoxes;
    const auto graphDefault = [graph](const char* name, const std::string& value) {
        agattr(graph, AGRAPH, text(name), text(value.c_str()));
    };
    graphDefault("splines", "polyline");
    graphDefault("nslimit", isLarge ? "0.1" : "0.5");
    graphDefault("nslimit1", isLarge ? "0.1" : "0.5");
    graphDefault("mclimit", isLarge ? "0.1" : "0.2");
    graphDefault("nodesep", inches(options.boxGap));
    graphDefault("ranksep", inches(options.rankGap));
    graphDefault("rank", "");
    agattr(graph, AGNODE, text("shape"), text("box"));
    agattr(graph, AGNODE, text("fixedsize"), text("true"));
    agattr(graph, AGNODE, text("label"), text(""));
    agattr(graph, AGNODE, text("width"), text("1"));
    agattr(graph, AGNODE, text("height"), text("1"));
    agattr(graph, AGEDGE, text("tailport"), text("s"));
    agattr(graph, AGEDGE, text("headport"), text("n"));
    agattr(graph, AGEDGE, text("arrowhead"), text("none"));
    agattr(graph, AGEDGE, text("minlen"), text("1"));
}

void addNodes(DotPart& dot, const Part& part)
{
    for (std::size_t box = 0; box < part.boxes.size(); ++box)
    {
        Agnode_t* node = agnode(dot.graph.get(), text(std::to_string(box).c_str()), 1);
        // A gate has no size; dot wants a little.
        set(node, "width", inches(std::max(part.boxes[box].width, 1.0)));
        set(node, "height", inches(std::max(part.boxes[box].height, 1.0)));
        dot.nodes.push_back(node);
    }
}

// Edges are as long as their ranks differ: the ranks come from all edges, dot sees only one part's.
void addEdges(DotPart& dot, const Part& part)
{
    for (std::size_t i = 0; i < part.edges.size(); ++i)
    {
        const LayoutEdge& edge = part.edges[i];
        dot.edges.push_back(agedge(dot.graph.get(), dot.nodes[edge.from], dot.nodes[edge.to],
                                   text(std::to_string(i).c_str()), 1));
    }
}

void addGates(DotPart& dot, const Part& part)
{
    const auto border = [&dot](const char* name, const char* rank, std::size_t begin,
                               std::size_t end) {
        if (begin == end)
            return;
        Agraph_t* side = agsubg(dot.graph.get(), text(name), 1);
        for (std::size_t gate = begin; gate < end; ++gate)
            agsubnode(side, dot.nodes[gate], 1);
        set(side, "rank", rank);
    };
    border("in", "source", 0, part.entries);
    border("out", "sink", part.exitsBegin(), part.boxes.size());
}

DotPart makeDotPart(const Part& part, const LayoutOptions& options)
{
    DotPart dot;
    dot.graph.reset(agopen(text("part"), Agdirected, nullptr));
    setDefaults(dot.graph.get(), part, options);
    addNodes(dot, part);
    addEdges(dot, part);
    addGates(dot, part);
    return dot;
}

// dot's y grows upward.
LayoutPoint flipped(pointf point, double height)
{
    return {point.x, height - point.y};
}

std::vector<LayoutPoint> routeOf(const DotPart& dot, const Part& part, std::size_t index,
                                 double height)
{
    const LayoutEdge& ends = part.edges[index];
    const pointf tail = ND_coord(dot.nodes[ends.from]);
    const pointf head = ND_coord(dot.nodes[ends.to]);
    const LayoutBox& from = part.boxes[ends.from];
    const LayoutBox& to = part.boxes[ends.to];
    std::vector<LayoutPoint> route{flipped({tail.x, tail.y - from.height / 2}, height)};
    if (const splines* line = ED_spl(dot.edges[index]); line && line->size > 0)
    {
        const bezier& piece = line->list[0];
        // A polyline comes as a bezier with every corner threefold.
        std::vector<LayoutPoint> corners;
        for (std::size_t i = 0; i < static_cast<std::size_t>(piece.size); i += 3)
            corners.push_back(flipped(piece.list[i], height));
        append(route, corners);
    }
    const LayoutPoint end = flipped({head.x, head.y + to.height / 2}, height);
    append(route, {end});
    route = withDownwardEnds(simplified(std::move(route)));
    append(route, {{end.x, end.y + to.inset}});
    return simplified(std::move(route));
}

PartPlan planOf(const DotPart& dot, const Part& part)
{
    const boxf bounds = GD_bb(dot.graph.get());
    PartPlan plan{.width = bounds.UR.x, .height = bounds.UR.y};
    for (std::size_t box = 0; box < part.boxes.size(); ++box)
    {
        const LayoutPoint middle = flipped(ND_coord(dot.nodes[box]), plan.height);
        plan.corners.push_back(
            {middle.x - part.boxes[box].width / 2, middle.y - part.boxes[box].height / 2});
    }
    for (std::size_t edge = 0; edge < part.edges.size(); ++edge)
        plan.routes.push_back(routeOf(dot, part, edge, plan.height));
    return plan;
}

// dot counts its component searches in a char that is never reset, and marks nodes with the count
// plus one: from about the 90th layout of a process on, graphs of some shapes crash it (2.42). Each
// layout searches up to three times.
constexpr unsigned kMostRuns = 40;
unsigned runsOfThisProcess = 0; // of the process, as dot's own count is

// Without a branch there is nothing for dot to decide.
bool isChain(const Part& part)
{
    std::vector<int> above(part.boxes.size(), 0);
    std::vector<int> below(part.boxes.size(), 0);
    for (const LayoutEdge& edge : part.edges)
    {
        if (++above[edge.to] > 1 || ++below[edge.from] > 1)
            return false;
    }
    return true;
}

Result<PartPlan> planPart(GVC_t* context, const Part& part, const LayoutOptions& options)
{
    if (runsOfThisProcess >= kMostRuns)
        return planRows(part, options);
    ++runsOfThisProcess;
    const DotPart dot = makeDotPart(part, options);
    const DotRun run(context, dot.graph.get());
    if (run.failed())
        return Error{.message = "Graphviz could not place a part of the graph",
                     .kind = ErrorKind::CannotRunHere};
    return planOf(dot, part);
}

// What is worth a run of dot; a layout has a share of the reader's time.
std::vector<std::size_t> partsForDot(const std::vector<const Part*>& parts)
{
    constexpr std::size_t kMostParts = 400;
    std::vector<std::size_t> wanted;
    for (std::size_t i = 0; i < parts.size() && wanted.size() < kMostParts; ++i)
    {
        if (!isChain(*parts[i]))
            wanted.push_back(i);
    }
    return wanted;
}

} // namespace

Result<LayoutResult> graphvizLayout(const LayoutRequest& request, const RunControl& control,
                                    unsigned processes)
{
    const DotContext context(gvContext());
    const PartEngine byDot = [&context](const Part& part, const LayoutOptions& options) {
        return planPart(context.get(), part, options);
    };
    const PartsEngine engine =
        [&byDot, processes](const std::vector<const Part*>& parts, const LayoutOptions& options,
                            const RunControl& run) -> Result<std::vector<PartPlan>> {
        std::vector<const Part*> forDot;
        const std::vector<std::size_t> wanted = partsForDot(parts);
        for (const std::size_t part : wanted)
            forDot.push_back(parts[part]);
        const PartsEngine plan = processes == 0
            ? oneByOne(byDot)
            : inProcesses(byDot, {.atOnce = processes, .mostParts = kMostRuns});
        REINSPECT_TRY(std::vector<PartPlan> made, plan(forDot, options, run));
        std::vector<PartPlan> plans(parts.size());
        for (std::size_t i = 0; i < wanted.size(); ++i)
            plans[wanted[i]] = std::move(made[i]);
        for (std::size_t i = 0, next = 0; i < parts.size(); ++i)
        {
            if (next < wanted.size() && wanted[next] == i)
                ++next;
            else
                plans[i] = planRows(*parts[i], options);
        }
        return plans;
    };
    REINSPECT_TRY(LayoutResult result, composeLayout(request, engine, control));
    result.engine = "graphviz";
    return result;
}

bool hasGraphviz()
{
    return true;
}

#else

Result<LayoutResult> graphvizLayout(const LayoutRequest&, const RunControl&, unsigned)
{
    return Error{.message = "this build has no Graphviz",
                 .hint = "install libgraphviz-dev and pkg-config, then build again",
                 .kind = ErrorKind::CannotRunHere};
}

bool hasGraphviz()
{
    return false;
}

#endif

} // namespace reinspect
