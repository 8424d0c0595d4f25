// SPDX-License-Identifier: MIT
// The graph while wrappers are being lowered: nodes are inserted at once, while what reads a wrapper's
// results is rewritten in one go at the end, so that a value used ten thousand times costs ten
// thousand steps. Mirrors ReplacementPatternEntry.replace_with_graph of torch/_inductor/pattern_matcher.py.
#pragma once

#include "core/alias/view_geometry.h"
#include "core/ir/graph_edit.h"
#include "core/ir/shape_env.h"

namespace reinspect
{

class LoweringEdit
{
public:
    LoweringEdit(Graph graph, const CaptureFacts& facts);
    LoweringEdit(const LoweringEdit&) = delete; // m_recorder refers to m_graph
    LoweringEdit& operator=(const LoweringEdit&) = delete;

    const Graph& graph() const { return m_graph; }
    const CaptureFacts& facts() const { return m_facts; }

    // Puts a node in front of `wrapper`. It takes over the wrapper's source and module.
    NodeId insert(NodeId wrapper, Node content);
    // Copies all memory that `tensor` reaches, and sees it as `tensor` does. Mirrors
    // clone_preserve_strides of torch/_prims_common:
    //     as_strided(tensor, [length], [1], 0), clone, as_strided(clone, sizes, strides, offset)
    NodeId cloneKeepingStrides(NodeId wrapper, NodeId tensor);

    // Every `getitem(wrapper, key)` becomes result(key), and the wrapper goes. Fails (CannotRunHere) on
    // a use that is no getitem, and on a key that has no result.
    using Results = std::function<std::optional<Argument>(const Argument& key)>;
    Result<void> retire(NodeId wrapper, const Results& results);

    // What had to be taken for granted, each sentence once.
    void assume(std::string sentence);
    const std::vector<std::string>& assumptions() const { return m_assumptions; }

    // The lowered graph; the object is spent afterwards.
    Graph finish();

private:
    void assign(NodeId node, const Argument& value);
    StorageId newStorage();

    Graph m_graph;
    EditRecorder m_recorder;
    const CaptureFacts& m_facts;
    std::vector<std::uint32_t> m_position; // by slot, of the nodes that were there at first
    ViewGeometry m_geometry;
    ShapeEnv m_shapes;       // hints of symbolic inputs
    StorageId m_lastStorage; // invalid when the capture has none
    std::unordered_map<NodeId, Argument> m_values;
    std::vector<NodeId> m_retired;
    std::vector<std::string> m_assumptions;
};

} // namespace reinspect
