// SPDX-License-Identifier: MIT
#include "core/alias/extent_index.h"

#include "core/base/checked_math.h"

#include <algorithm>
#include <limits>

namespace reinspect
{

std::optional<Extent> extentOf(const TensorMeta& meta)
{
    const auto first = meta.offset ? meta.offset->constant() : std::nullopt;
    if (!first || !meta.strides || meta.strides->size() != meta.sizes.size())
        return {};
    Extent extent{*first, *first};
    bool isEmpty = false;
    for (std::size_t i = 0; i < meta.sizes.size(); ++i)
    {
        const auto size = meta.sizes[i].constant();
        const auto stride = (*meta.strides)[i].constant();
        if (!size || !stride)
            return {};
        isEmpty = isEmpty || *size <= 0;
        const auto length = checkedSubtract(*size, 1);
        const auto reach = length ? checkedMultiply(*length, *stride) : std::nullopt;
        if (!reach)
            return {};
        std::int64_t& end = *reach < 0 ? extent.first : extent.last;
        const auto moved = checkedAdd(end, *reach);
        if (!moved)
            return {};
        end = *moved;
    }
    return isEmpty ? Extent{*first, *first - 1} : extent;
}

ExtentIndex::ExtentIndex(std::span<const NodeId> members, const ViewGeometry& geometry)
{
    for (const NodeId member : members)
    {
        const ResolvedMeta* resolved = geometry.of(member);
        const auto extent = resolved ? extentOf(resolved->meta) : std::nullopt;
        if (extent)
            m_entries.push_back({*extent, extent->last, member});
        else
            m_unknown.push_back(member);
    }
    std::ranges::sort(m_entries, [](const Entry& a, const Entry& b) {
        return std::pair(a.extent.first, a.node) < std::pair(b.extent.first, b.node);
    });
    fillReach(0, m_entries.size());
}

std::int64_t ExtentIndex::fillReach(std::size_t begin, std::size_t end)
{
    if (begin == end)
        return std::numeric_limits<std::int64_t>::min();
    const std::size_t middle = begin + (end - begin) / 2;
    Entry& entry = m_entries[middle];
    entry.reach =
        std::max({entry.extent.last, fillReach(begin, middle), fillReach(middle + 1, end)});
    return entry.reach;
}

void ExtentIndex::collect(std::size_t begin, std::size_t end, Extent wanted,
                          std::vector<NodeId>& found) const
{
    if (begin == end)
        return;
    const std::size_t middle = begin + (end - begin) / 2;
    const Entry& entry = m_entries[middle];
    if (entry.reach < wanted.first)
        return;
    collect(begin, middle, wanted, found);
    if (entry.extent.first > wanted.last)
        return;
    const bool isEmpty = entry.extent.last < entry.extent.first;
    if (!isEmpty && entry.extent.last >= wanted.first)
        found.push_back(entry.node);
    collect(middle + 1, end, wanted, found);
}

std::optional<std::vector<NodeId>> ExtentIndex::meeting(NodeId node,
                                                        const ViewGeometry& geometry) const
{
    const ResolvedMeta* resolved = geometry.of(node);
    const auto extent = resolved ? extentOf(resolved->meta) : std::nullopt;
    if (!extent)
        return {};
    std::vector<NodeId> found = m_unknown;
    if (extent->last >= extent->first)
        collect(0, m_entries.size(), *extent, found);
    return found;
}

} // namespace reinspect
