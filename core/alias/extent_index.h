// SPDX-License-Identifier: MIT
// Members of one storage by the stretch of elements from their first to their last: which of them can
// meet a given one at all? A search in logarithmic time plus the answers, where looking at each member
// would make a pass over a storage with thousands of views quadratic.
#pragma once

#include "core/alias/view_geometry.h"

namespace reinspect
{

// In elements of the storage, both ends included. A tensor without elements has last < first.
struct Extent
{
    std::int64_t first = 0;
    std::int64_t last = 0;
};

// Nothing when sizes, strides or the offset are no plain numbers, or too large for one.
std::optional<Extent> extentOf(const TensorMeta& meta);

class ExtentIndex
{
public:
    ExtentIndex(std::span<const NodeId> members, const ViewGeometry& geometry);

    // Members whose extents meet the node's, those of unknown extent among them. Nothing when the
    // node's own extent is not known: then every member may meet it.
    std::optional<std::vector<NodeId>> meeting(NodeId node, const ViewGeometry& geometry) const;

private:
    struct Entry
    {
        Extent extent;
        std::int64_t reach = 0; // the largest `last` of this entry's subtree
        NodeId node;
    };
    std::int64_t fillReach(std::size_t begin, std::size_t end);
    void collect(std::size_t begin, std::size_t end, Extent wanted,
                 std::vector<NodeId>& found) const;

    std::vector<Entry> m_entries; // by first element; a balanced tree whose root is the middle
    std::vector<NodeId> m_unknown;
};

} // namespace reinspect
