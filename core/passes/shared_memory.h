// SPDX-License-Identifier: MIT
// Which values live in one memory once results are written in place, and where. At first each version
// has its own memory; merge() puts a result into its argument's. Positions are those of the memory's
// first version; a version moved there keeps its distances, unless its layout differs, and then it
// lies somewhere within the argument.
#pragma once

#include "core/alias/memory_region.h"
#include "core/passes/memory_accesses.h"

#include <optional>
#include <set>

namespace reinspect
{

// Where a tensor lies in its memory.
struct PlacedRegion
{
    TensorMeta moved; // used when `meta` is null
    const TensorMeta* meta = nullptr;
    std::int64_t low = 0; // bytes from the start of the memory to the first and past the last
    std::int64_t high = 0;
    bool hasExtent = false;   // low and high are known
    bool isExact = true;      // false: somewhere within, so that it may touch less
    std::string_view assumed; // what had to be assumed; empty: nothing

    const TensorMeta& get() const { return meta ? *meta : moved; }
};

RegionAnswer regionsMeet(const PlacedRegion& a, const PlacedRegion& b, const ShapeEnv& shapes);
Known regionCovers(const PlacedRegion& outer, const PlacedRegion& inner, const ShapeEnv& shapes);
Known sameRegion(const PlacedRegion& a, const PlacedRegion& b, const ShapeEnv& shapes);

class SharedMemory
{
public:
    using MemoryId = std::size_t;

    // The analysis must outlive it. A plain copyable value.
    SharedMemory(const CoreAnalysis& analysis, std::shared_ptr<const MemoryAccesses> accesses);

    MemoryId memoryOf(VersionId version) const { return m_placements[version.index()].memory; }
    // How many versions live there.
    std::size_t versionCount(MemoryId memory) const { return m_memories[memory].versions.size(); }

    // How positions of one memory become positions of another when `result` is put where `argument` is.
    struct Move
    {
        MemoryId from = 0;
        NodeId result;
        NodeId argument;
        bool keepsLayout = false; // same sizes, strides and width
        std::int64_t width = 1;   // bytes that `distance` counts
        SymExpr distance;
        std::optional<std::int64_t> bytes; // the distance as a number
    };
    Move moveOf(NodeId result, NodeId argument) const;

    PlacedRegion regionOf(NodeId node) const;
    // The same bytes as regionAfter's low and high, and cheaper; nothing where they are not known.
    struct Extent
    {
        std::int64_t low = 0;
        std::int64_t high = 0;
    };
    std::optional<Extent> extentOf(NodeId node, const Move* move) const;
    // Where it will lie once `move` is made; where it lies now when the move is not about its memory.
    PlacedRegion regionAfter(NodeId node, const Move& move) const;
    // A part of `node`, given as metadata in the positions of its storage.
    PlacedRegion partOf(NodeId node, const TensorMeta& part) const;

    // Both must have a version.
    void merge(NodeId result, NodeId argument);

    // Indices of accesses, ascending: those of one version, or of several that were put together.
    class Uses
    {
    public:
        bool done() const { return m_isPlain ? m_at == m_plain.size() : m_it == m_end; }
        std::uint32_t index() const { return m_isPlain ? m_plain[m_at] : *m_it; }
        void next() { m_isPlain ? void(++m_at) : void(++m_it); }

    private:
        friend class SharedMemory;
        VersionId m_version; // of a plain list
        bool m_isPlain = false;
        std::span<const std::uint32_t> m_plain;
        std::size_t m_at = 0;
        std::set<std::uint32_t>::const_iterator m_it;
        std::set<std::uint32_t>::const_iterator m_end;
    };
    // All accesses to a memory after `position`, in a few lists.
    std::vector<Uses> usesAfter(MemoryId memory, std::uint32_t position) const;
    // Goes on past reads before index `limit` that all lie outside `written`, many at once where it can.
    // Says in how many steps; 0: the next one is no such read.
    std::size_t passOver(Uses& uses, std::uint32_t limit, const Extent& written,
                         const Move* move) const;

    // Inputs and returned tensors that live there.
    const std::vector<NodeId>& visibleOutside(MemoryId memory) const
    {
        return m_memories[memory].visible;
    }
    const MemoryAccesses& accesses() const { return *m_accesses; }

private:
    struct Placement
    {
        MemoryId memory = 0;
        NodeId within;          // set: somewhere within this node of another version
        std::int64_t width = 1; // bytes that `distance` counts
        SymExpr distance = 0;
        std::optional<std::int64_t> bytes = 0; // the distance as a number
        NodeId exact; // with `within`: this node lies exactly where that one does
    };
    struct Memory
    {
        std::vector<VersionId> versions;
        std::set<std::uint32_t> uses; // of the short versions, filled when a second version comes
        std::vector<VersionId>
            longOnes; // versions with so many accesses that they keep their lists
        std::vector<NodeId> visible;
    };

    PlacedRegion placed(NodeId node, const TensorMeta& meta) const;
    std::set<std::uint32_t>& mergedUses(MemoryId memory);
    void findOwnExtent(NodeId node);
    void findRuns(VersionId version);
    std::optional<Extent> shifted(const std::optional<Extent>& own, VersionId version,
                                  const Move* move) const;

    const CoreAnalysis* m_analysis;
    std::shared_ptr<const MemoryAccesses> m_accesses;
    std::vector<Placement> m_placements; // by version
    std::vector<Memory> m_memories;
    // Around a run of accesses of a long version; nothing when one writes or is not placed.
    using Runs = std::vector<std::optional<Extent>>;
    std::unordered_map<VersionId, Runs> m_runs;
    std::vector<std::optional<Extent>> m_extents; // by slot, in positions of the node's own version
};

} // namespace reinspect
