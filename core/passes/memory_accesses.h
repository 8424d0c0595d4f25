// SPDX-License-Identifier: MIT
// Who reads and who writes memory, call by call, in the graph as the core phase starts. A view reads
// nothing itself: what reads through it does. The end of the graph reads every input. An operator that
// is not known reads and may write all its operands, and unless storages were captured its results
// may lie anywhere in them.
#pragma once

#include "core/passes/core_analysis.h"

#include <unordered_map>

namespace reinspect
{

// Accesses of one node stand together, reads first.
struct MemoryAccess
{
    enum class Kind : std::uint8_t
    {
        Read,
        MayWrite,  // some of its elements, read before
        WritesAll, // copy_: every element, without reading one
    };
    std::uint32_t position = 0; // that of the user; one past the last node for the end of the graph
    Kind kind = Kind::Read;
    bool isAssumed = false;  // by an operator that is not known
    bool userWrites = false; // the user writes something too
    NodeId user;             // the input itself for its read at the end
    NodeId view;             // what it reads or writes through
    NodeId source;           // WritesAll: the tensor copied, when it is one
};

// Storages whose nodes hold one value: usually one storage, more where a result is its operand
// (wait_tensor).
using VersionId = Id<struct VersionTag>;

class MemoryAccesses
{
public:
    MemoryAccesses(const Graph& graph, const CoreAnalysis& analysis, const CaptureFacts& facts);

    const MemoryAccess& operator[](std::size_t index) const { return m_accesses[index]; }
    std::size_t versionCount() const { return m_ofVersion.size(); }
    VersionId versionOf(NodeId node) const;
    // Indices of the accesses of a version, ascending, which is program order.
    std::span<const std::uint32_t> of(VersionId version) const
    {
        return m_ofVersion[version.index()];
    }
    std::span<const NodeId> membersOf(VersionId version) const
    {
        return m_members[version.index()];
    }
    // Where the node lies in its version is not known.
    bool isPlaceless(NodeId node) const { return m_placeless[node.index()]; }
    // What a scatter replaces of its first operand, and so does not read through it; null when the
    // access is no such read or the part is not known.
    const TensorMeta* leftOutBy(const MemoryAccess& access) const;
    // The least index of an access at a position after this one.
    std::uint32_t firstAfter(std::uint32_t position) const;
    std::uint32_t endPosition() const { return m_end; }

private:
    friend class AccessReader;
    std::vector<MemoryAccess> m_accesses;
    Grouped<std::uint32_t> m_ofVersion;
    Grouped<NodeId> m_members;
    std::vector<VersionId> m_versionOf; // by storage
    std::vector<StorageId> m_storageOf; // by slot
    std::vector<bool> m_placeless;      // by slot
    struct Replaced
    {
        NodeId input;
        TensorMeta part;
    };
    std::unordered_map<NodeId, Replaced> m_replaced; // by scatter
    std::uint32_t m_end = 0;
};

} // namespace reinspect
