// SPDX-License-Identifier: MIT
// What the core phase knows before it decides: positions, storages, who copies into which input, and
// for each storage and each of its members the uses in program order. Mirrors the backward walk at
// the start of reinplace_inplaceable_ops_core.
#pragma once

#include "core/alias/extent_index.h"
#include "core/alias/overlap.h"
#include "core/alias/view_geometry.h"
#include "core/base/grouped.h"
#include "core/ir/shape_env.h"

#include <map>

namespace reinspect
{

struct CopyBack
{
    NodeId copy;
    NodeId destination;
    NodeId source;
    NodeId through;
};

// `user` reads the storage through `view`.
struct StorageUse
{
    std::uint32_t position;
    NodeId user;
    NodeId view;
};

class CoreAnalysis
{
public:
    CoreAnalysis(const Graph& graph, const CaptureFacts& facts, const ShapeEnv& shapes);

    const StorageMap& storages() const { return m_storages; }
    const ViewGeometry& geometry() const { return m_geometry; }
    const ShapeEnv& shapes() const { return m_shapes; }
    const std::vector<CopyBack>& copyBacks() const { return m_copyBacks; } // in program order
    std::uint32_t position(NodeId node) const { return m_position[node.index()]; }

    // The first copy_ into `destination`; invalid when there is none.
    NodeId firstCopyInto(NodeId destination) const;
    // The first copy_ of `source`'s result into `destination`.
    NodeId copyOf(NodeId destination, NodeId source) const;
    // The copy_ into an input, of a view of `source`'s result, where `argument` is the same view of that
    // input. Mirrors copy_args_to_copy_nodes_via_views of 2026 revisions.
    struct CopyThroughViews
    {
        NodeId copy;
        bool sameLayout = false; // sizes, strides and offsets agree on both sides
    };
    CopyThroughViews copyThroughViews(NodeId argument, NodeId source) const;

    // Uses of every member of the storage, in program order.
    std::span<const StorageUse> usesOf(StorageId storage) const;
    // Uses of this one node.
    std::span<const StorageUse> usesOfNode(NodeId node) const;
    // Members of the argument's storage that may share an element with it, by extent alone; nothing
    // when the storage is too small to be worth an index.
    std::optional<std::vector<NodeId>> membersMeeting(NodeId argument) const;
    // Placeholders and get_attr nodes on the storage.
    std::span<const NodeId> inputsOf(StorageId storage) const;
    // Reads sizes only, itself or through views. Mirrors is_meta_only_user.
    bool isShapeOnly(NodeId user) const { return m_shapeOnly[user.index()]; }

    // Only named in the ordering tuple of control_deps. Mirrors _is_control_deps_ordering_only_use.
    static bool isOrderingOnly(const Graph& graph, NodeId user, NodeId view);

    OverlapAnswer overlap(NodeId a, NodeId b) const;
    // The first node on the argument's memory whose metadata was worked out (meta_rules.h); invalid
    // when the dump describes them all.
    NodeId workedOutOn(NodeId argument) const;
    // Lines of the text could not be read, or are missing: readers put "unreadable" nodes for them.
    bool isIncomplete() const { return m_incomplete; }

private:
    void findCopyBacks(const Graph& graph);
    void findCopyThroughViews(const Graph& graph, const CopyBack& copy);
    bool sameLayout(NodeId a, NodeId b) const;
    void findShapeOnly(const Graph& graph);
    void indexUses(const Graph& graph);
    void indexMembers(const Graph& graph);

    bool m_incomplete = false;
    ShapeEnv m_shapes;
    StorageMap m_storages;
    ViewGeometry m_geometry;
    std::vector<std::uint32_t> m_position;
    std::vector<CopyBack> m_copyBacks;
    std::map<NodeId, NodeId> m_firstCopy;
    std::map<std::pair<NodeId, NodeId>, NodeId> m_copyOf;
    std::map<std::pair<NodeId, NodeId>, CopyThroughViews> m_copyThroughViews;
    std::vector<bool> m_shapeOnly;
    Grouped<StorageUse> m_uses;                 // by storage
    Grouped<StorageUse> m_usesOfNode;           // by slot
    Grouped<NodeId> m_inputs;                   // by storage
    std::map<StorageId, NodeId> m_workedOut;    // first of each storage
    std::map<StorageId, ExtentIndex> m_extents; // of storages with many members
};

// Inductor gives the node memory of its own. Mirrors is_node_realized.
bool isRealized(const Graph& graph, NodeId node);

} // namespace reinspect
