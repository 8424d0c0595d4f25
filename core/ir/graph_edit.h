// SPDX-License-Identifier: MIT
// The only ways a graph changes: small edits that hold their before and their after, so that
// stepping back is as cheap as stepping forward. applyEdit and revertEdit are exact inverses, users and
// order included.
#pragma once

#include "core/ir/graph.h"

namespace reinspect
{

// One node's content before and after; both are shared with the graphs that hold them.
struct ChangeNode
{
    NodeId node;
    NodePtr before;
    NodePtr after;
};
// Another operator, nothing else.
struct SetTarget : ChangeNode
{};
// Other arguments: the whole lists, since one replacement may touch several places of a node.
struct SetArguments : ChangeNode
{};
// Other metadata.
struct SetMeta : ChangeNode
{};

// `node` is the slot the new node gets: the next free one, or its own when the edit is replayed.
struct InsertNode
{
    NodeId node;
    NodeId before; // stands before this one; invalid: at the end
    NodePtr content;
};

// The node must have no users. Its slot and content stay.
struct EraseNode
{
    NodeId node;
    NodeId before; // the node that followed it; invalid: it was the last
};

using GraphEdit = std::variant<SetTarget, SetArguments, SetMeta, InsertNode, EraseNode>;

void applyEdit(Graph& graph, const GraphEdit& edit);
void revertEdit(Graph& graph, const GraphEdit& edit);

// Makes edits, applies them to `graph` and adds them to `edits`: how the pass changes its graph.
class EditRecorder
{
public:
    EditRecorder(Graph& graph, std::vector<GraphEdit>& edits)
        : m_graph(graph)
        , m_edits(&edits)
    {}
    // For a graph whose history nobody asks for.
    explicit EditRecorder(Graph& graph)
        : m_graph(graph)
    {}

    void setTarget(NodeId node, OpTarget target);
    void setArguments(NodeId node, std::vector<Argument> args, std::vector<NamedArgument> kwargs);
    void setMeta(NodeId node, NodeMeta meta);
    // The name is made unique.
    NodeId insertBefore(NodeId before, Node content);
    void erase(NodeId node);
    // Rewrites every user of `from`; one SetArguments a user.
    void replaceUses(NodeId from, NodeId to);
    // Rewrites every user of the given nodes, each once, however many of them it uses. Values are final:
    // a node in one of them is not looked up again.
    void replaceUses(const std::unordered_map<NodeId, Argument>& values);

private:
    void record(GraphEdit edit);

    Graph& m_graph;
    std::vector<GraphEdit>* m_edits = nullptr;
};

NodeId editedNode(const GraphEdit& edit);

} // namespace reinspect
