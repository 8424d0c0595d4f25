// SPDX-License-Identifier: MIT
// The picture as the painter sees it: a layout, and what each box, stub and edge is at the current
// event. Places come with setLayout() and stay; update() changes only marks. Which things lie in a
// part of the picture is answered by grid indices. A copy shares what does not change, so that it can
// be handed to a thread that paints.
#pragma once

#include "views/canvas/graph_picture.h"
#include "views/canvas/grid_index.h"
#include "views/canvas/scene_marks.h"
#include "views/session/node_classes.h"

#include <QLineF>
#include <QPolygonF>

namespace reinspect
{

struct SceneStub
{
    NodeId value;
    NodeId user;
    QRectF rect;
    bool isFar = false; // the value has a box elsewhere
};

struct SceneEdge
{
    NodeId from;
    NodeId to;
    QPolygonF line;
};

enum class EdgeState : std::uint8_t
{
    Hidden, // not an argument at the current event
    Plain,
    Chosen, // at a chosen node
    Path,   // on the way from one chosen node to the other
    Hovered,
    View, // on the chosen chain of views
};

// Where everything is. Made by setLayout() and never changed.
struct ScenePlaces
{
    std::vector<QRectF> boxes;
    std::vector<SceneStub> stubs;
    std::vector<SceneEdge> edges;
    std::vector<std::uint32_t> firstEdge; // by box: its edges in `edges`; one more at the end
    std::vector<QRectF> groups;           // frames of the layout
    std::vector<std::uint32_t> frameGroups;
    QRectF bounds;
    GridIndex boxIndex;
    GridIndex stubIndex;
    GridIndex edgeIndex;
};

// What another event or selection changed: parts of the scene, or too many to be named.
struct SceneChange
{
    std::vector<QRectF> areas;
    bool isAll = false;
};

// What is inside of a folded group at the current event.
struct GroupFacts
{
    std::size_t nodes = 0;     // calls
    std::size_t inputs = 0;    // that nothing outside of folded groups reads
    std::size_t undecided = 0; // candidates
    std::size_t inPlace = 0;
    std::size_t kept = 0;
    std::int64_t cloneBytes = 0; // of kept clones; symbolic sizes count 0
    NodeMarks marks;             // what the event and the reader say of any of its nodes

    friend bool operator==(const GroupFacts&, const GroupFacts&) = default;
};

class GraphScene
{
public:
    GraphScene();

    // Null empties the scene. The layout and the marks are gone until they are set.
    void setTrace(std::shared_ptr<const PassTrace> trace);
    // All of the trace at first. The layout is gone until it is set; marks need an update().
    void setScope(const Scope& scope);
    // Colours boxes by class; empty: by what the pass decided.
    void setClasses(NodeClasses classes) { m_classes = std::move(classes); }
    const NodeClasses& classes() const { return m_classes; }
    // kNoClass for folded groups, for nodes that are not there, and for those of no class.
    std::uint8_t classOfBox(std::uint32_t box) const;
    // What a layout of this trace is asked for.
    LayoutRequest layoutRequest() const { return m_picture->request(); }
    void setLayout(const LayoutResult& layout);
    SceneChange update(const TraceCursor& cursor, const Selection& selection,
                       const CaptureFacts& facts);
    // Marked from the next update() on.
    void setFound(std::vector<NodeId> found) { m_found = std::move(found); }
    // Likewise: what differs from another graph.
    using Differences = std::vector<std::pair<NodeId, Role>>;
    void setDifferences(Differences differences) { m_differences = std::move(differences); }
    const std::vector<NodeId>& found() const { return m_found; }

    bool isEmpty() const { return m_places->boxes.empty(); } // nothing to draw (yet)
    const PassTrace* trace() const
    {
        return m_picture->source ? m_picture->source->trace.get() : nullptr;
    }
    const BoxMetrics& metrics() const { return *m_metrics; }
    const QRectF& bounds() const { return m_places->bounds; }
    const SceneMarks& marks() const { return m_now.marks; }
    RoleSet occurringRoles() const { return m_occurring; }

    std::size_t boxCount() const { return m_places->boxes.size(); }
    NodeId boxNode(std::uint32_t box) const { return m_picture->nodeOfBox(box); }
    const QRectF& boxRect(std::uint32_t box) const { return m_places->boxes[box]; }
    bool hasTagRow(NodeId node) const { return m_picture->source->hasTagRow[node.index()]; }
    // Its second line: the operator at the current event, and the former one when it was replaced.
    std::string operation(NodeId node) const;
    const std::string& stubName(const SceneStub& stub) const; // of a value in a folded group: its
    const std::vector<SceneStub>& stubs() const { return m_places->stubs; }
    bool isStubShown(std::uint32_t stub) const { return m_now.stubShown[stub] != 0; }
    const std::vector<SceneEdge>& edges() const { return m_places->edges; }
    EdgeState edgeState(std::uint32_t edge) const
    {
        return edge == m_hoveredEdge ? EdgeState::Hovered : m_now.edgeStates[edge];
    }
    // kNoBox: none. True when it is another one now.
    bool setHoveredEdge(std::uint32_t edge);
    std::uint32_t hoveredEdge() const { return m_hoveredEdge; }
    const std::vector<QRectF>& groups() const { return m_places->groups; } // frames of the layout
    // The group that a frame stands around, or kNoGroup.
    std::uint32_t frameGroup(std::size_t frame) const { return m_places->frameGroups[frame]; }

    // Groups that can be folded, whatever is drawn.
    std::size_t groupCount() const
    {
        return m_picture->source ? m_picture->source->groups.size() : 0;
    }
    const NodeGroup& group(std::uint32_t number) const { return m_picture->source->groups[number]; }
    const std::string& groupName(std::uint32_t number) const { return group(number).name; }
    std::uint32_t groupOfNode(NodeId node) const;     // the framed one; kNoGroup: none
    std::uint32_t smallestGroupOf(NodeId node) const; // likewise of any level
    std::uint32_t foldedGroupOf(NodeId node) const;   // in which it is drawn; kNoGroup: its own box
    std::vector<NodeId> membersOf(std::uint32_t group) const;
    std::uint32_t groupOfBox(std::uint32_t box) const { return m_picture->groupOfBox(box); }
    // The unfolded group whose name above its frame is at the point, at this zoom; or kNoGroup.
    std::uint32_t frameNameAt(QPointF point, double zoom) const;
    std::uint32_t groupAt(QPointF point) const; // a folded one; kNoGroup: none
    const GroupFacts& groupFacts(std::uint32_t group) const { return m_now.groupFacts.at(group); }
    // Of a folded group: what holds for any of its nodes.
    NodeMarks boxMarks(std::uint32_t box) const;
    // From chosen values to their stubs elsewhere, and from stubs of a chosen node to their values.
    const std::vector<QLineF>& farLinks() const { return m_now.farLinks; }

    std::vector<std::uint32_t> boxesIn(const QRectF& area) const
    {
        return m_places->boxIndex.in(area);
    }
    std::vector<std::uint32_t> stubsIn(const QRectF& area) const
    {
        return m_places->stubIndex.in(area);
    }
    std::vector<std::uint32_t> edgesIn(const QRectF& area) const
    {
        return m_places->edgeIndex.in(area);
    }
    // The node whose box or stub is at the point; invalid when there is none, or it is hidden.
    NodeId nodeAt(QPointF point) const;
    // Drawn as a box of its own or in a folded group, or as a stub.
    bool isDrawn(NodeId node) const { return !rectOf(node).isEmpty(); }
    // The edge whose line passes within `tolerance` of the point, the nearest; kNoBox: none.
    std::uint32_t edgeAt(QPointF point, double tolerance) const;
    // The node's box; else the stub beside `near`, else its first stub. Empty when it is not drawn.
    QRectF rectOf(NodeId node, NodeId near = {}) const;
    // Present nodes in the order in which they are drawn: program order.
    NodeId following(NodeId node, bool forward) const;

private:
    void clearPlaces();
    std::uint32_t frameGroupAt(std::size_t frame) const;
    void gatherGroupFacts(EventIndex event);
    void markEdge(NodeId from, NodeId to, EdgeState state);
    void placeStubs(ScenePlaces& places, const LayoutResult& layout);
    void placeEdges(ScenePlaces& places, const LayoutResult& layout);
    void showArguments(const Graph& graph);
    void showArgumentsOf(std::uint32_t box, const Graph& graph);
    void markEdges(const Selection& selection);
    void markPath(const Graph& graph, const Selection& selection);
    void linkFarStubs(const Selection& selection);
    void gatherRoles();
    void noteOperations(const TraceCursor& cursor);

    // All that can differ from one event to the next.
    struct Marked
    {
        SceneMarks marks;
        std::unordered_map<std::uint32_t, GroupFacts> groupFacts; // of folded groups
        std::vector<char> stubShown;
        std::vector<EdgeState> edgeStates;
        std::vector<QLineF> farLinks;
    };
    SceneChange changeSince(const Marked& before) const;

    std::shared_ptr<const BoxMetrics> m_metrics;
    std::shared_ptr<const GraphPicture> m_picture;
    std::shared_ptr<const MarkSource> m_source; // null without a trace
    std::shared_ptr<const ScenePlaces> m_places;
    Marked m_now;
    RoleSet m_occurring;
    std::vector<char> m_edgeShown;
    std::vector<NodeId> m_found;
    Differences m_differences;
    NodeClasses m_classes;
    std::uint32_t m_hoveredEdge = kNoBox;
    std::optional<std::uint32_t> m_shownEdits; // the edit count that m_edgeShown answers
    MarkBase m_base;
    std::unordered_map<NodeId, std::string> m_operations; // of retargeted nodes, now
};

} // namespace reinspect
