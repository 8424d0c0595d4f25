// SPDX-License-Identifier: MIT
// The compiler graph: nodes in program order, each with its users. Mirrors torch.fx.Graph.
//
// A NodeId names a slot for the life of the graph: erasing a node unlinks it and keeps its content,
// so that the edit can be reverted and so that every node that ever existed can be drawn.
// Readers fill a graph with append(); after that it changes only through GraphEdit. Copies of a graph share
// their nodes' content, which is never changed in place: a copy costs links and users only.
#pragma once

#include "core/base/few.h"
#include "core/base/shared_text.h"
#include "core/ir/argument.h"
#include "core/ir/name_index.h"
#include "core/ir/op_target.h"
#include "core/ir/tensor_meta.h"

#include <map>
#include <memory>
#include <span>
#include <unordered_map>

namespace reinspect
{

enum class NodeOp : std::uint8_t
{
    Placeholder,
    GetAttr,
    CallFunction,
    CallMethod,
    CallModule,
    Output,
};

std::string_view nodeOpName(NodeOp op); // "call_function"
std::optional<NodeOp> nodeOpFromName(std::string_view name);

struct ModuleScope
{
    std::string path; // "layers.0.attn"
    std::string type; // class name

    friend bool operator==(const ModuleScope&, const ModuleScope&) = default;
};

struct NodeMeta
{
    MetaValue value;
    SharedText source;     // the user's line of code
    SharedText sourceFile; // "model.py:12 in forward", when the dump has it
    std::shared_ptr<const std::vector<ModuleScope>> modules; // outermost first; null when unknown
    SharedText originalAten;
    std::optional<std::vector<Argument>> onlyCloneTheseTensors; // what the pass leaves to clone
    SharedText partitionerTag;
    TextSpan span; // where the node stands in the text it was read from

    // Everything but `span`, so that a graph read back from its own print compares equal.
    friend bool operator==(const NodeMeta& a, const NodeMeta& b);
};

struct Node
{
    std::string name; // unique in its graph
    NodeOp op = NodeOp::CallFunction;
    OpTarget
        target; // "aten.add.Tensor", "operator.getitem", "higher_order.triton_kernel_wrapper_functional"
    std::vector<Argument> args;
    std::vector<NamedArgument> kwargs;
    NodeMeta meta;

    const Argument* kwarg(std::string_view key) const; // null when absent
    friend bool operator==(const Node&, const Node&) = default;
};

using NodePtr = std::shared_ptr<const Node>;

class Graph
{
public:
    Graph() = default;

    std::string name;
    std::map<std::string, MetaValue> attributes; // get_attr targets that are tensors
    std::map<std::string, std::shared_ptr<const Graph>>
        subgraphs; // bodies of higher-order operators

    // Adds a node at the end. The name must be new and argument nodes must be in the graph (asserted:
    // readers check first, with find(), and report what they find).
    NodeId append(Node node);

    // Gives back what growing kept ready: for a graph that is complete.
    void shrinkToFit() { m_slots.shrink_to_fit(); }

    const Node& node(NodeId id) const { return *m_slots[id.index()].node; }
    const NodePtr& shared(NodeId id) const { return m_slots[id.index()].node; }
    const Node& operator[](NodeId id) const { return node(id); }
    // As the node's own, read from its slot: for walks over all nodes that look at few of them.
    NodeOp op(NodeId id) const { return m_slots[id.index()].op; }
    const OpFacts* facts(NodeId id) const
    {
        const std::uint16_t row = m_slots[id.index()].row;
        return row == 0 ? nullptr : &allOpFacts()[row - 1u];
    }
    NodeId find(std::string_view name) const; // a linked node; invalid when there is none
    bool contains(NodeId id) const
    {
        return id.isValid() && id.index() < m_slots.size() && m_slots[id.index()].linked;
    }

    std::size_t size() const { return m_size; }              // linked nodes
    std::size_t slotCount() const { return m_slots.size(); } // nodes that ever existed
    bool empty() const { return m_size == 0; }

    NodeId first() const { return m_first; }
    NodeId last() const { return m_last; }
    NodeId next(NodeId id) const { return m_slots[id.index()].next; }
    NodeId previous(NodeId id) const { return m_slots[id.index()].previous; }
    NodeId output() const; // the output node; invalid when there is none

    // Nodes that have `id` among their arguments, each once, by id.
    std::span<const NodeId> users(NodeId id) const { return m_slots[id.index()].users.items(); }
    // Nodes among the arguments of `id`, each once, in argument order.
    std::vector<NodeId> inputs(NodeId id) const;

    class Iterator
    {
    public:
        using value_type = NodeId;
        using difference_type = std::ptrdiff_t;
        Iterator() = default;
        Iterator(const Graph* graph, NodeId id)
            : m_graph(graph)
            , m_id(id)
        {}
        NodeId operator*() const { return m_id; }
        Iterator& operator++()
        {
            m_id = m_graph->next(m_id);
            return *this;
        }
        Iterator operator++(int)
        {
            Iterator before = *this;
            ++*this;
            return before;
        }
        friend bool operator==(const Iterator& a, const Iterator& b) { return a.m_id == b.m_id; }

    private:
        const Graph* m_graph = nullptr;
        NodeId m_id;
    };
    struct Order
    {
        const Graph* graph;
        Iterator begin() const { return {graph, graph->first()}; }
        Iterator end() const { return {graph, NodeId{}}; }
    };
    Order order() const { return {this}; } // linked nodes in program order

    // Position of each slot in program order; slots that are not linked hold the maximum.
    std::vector<std::uint32_t> positions() const;
    // A name that no slot of this graph has, in PyTorch's style: "slice_tensor", "slice_tensor_1", ...
    std::string uniqueName(std::string_view candidate) const;

    // Same nodes in the same order with the same content, whatever their ids.
    friend bool sameGraph(const Graph& a, const Graph& b);

private:
    struct Slot
    {
        NodePtr node;
        NodeId previous;
        NodeId next;
        Few<NodeId> users;     // by id
        std::uint16_t row = 0; // of the operator table, plus one; 0: none
        NodeOp op = NodeOp::CallFunction;
        bool linked = false;
    };

    void addSlot(NodePtr node);
    void setContent(NodeId id, NodePtr node);
    void linkBefore(NodeId id, NodeId before);
    void unlink(NodeId id);
    void addUses(NodeId user);
    void removeUses(NodeId user);

    NodeId slotNamed(std::string_view wanted) const; // linked or not

    std::vector<Slot> m_slots;
    std::shared_ptr<NameIndex> m_names = std::make_shared<NameIndex>(); // shared between copies
    NodeId m_first;
    NodeId m_last;
    std::size_t m_size = 0;

    friend class GraphEditor;
};

bool sameGraph(const Graph& a, const Graph& b);

// Number of values that the output node returns.
std::size_t outputCount(const Graph& graph);
// "aten.add.Tensor(x, 1)": one node as a line, for messages, tests and the debugger.
std::string toText(const Graph& graph, NodeId id);
std::string toText(const Graph& graph);
std::string toText(const Graph& graph,
                   const Argument& argument); // Python's spelling, nodes by name

} // namespace reinspect
