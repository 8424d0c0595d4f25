// SPDX-License-Identifier: MIT
#include "core/passes/shared_memory.h"

#include "core/base/checked_math.h"

#include <algorithm>

namespace reinspect
{
namespace
{

// From so many accesses on a version keeps its own list, with the extent of each run of it.
constexpr std::size_t kLong = 256;
constexpr std::size_t kRun = 64;
constexpr std::size_t kPassedOverAtOnce = 1024;

constexpr std::string_view kPlaceless = "where an operand of an unknown operator lies is not known";

// First byte and past the last, where all numbers are known and none is unusual.
void findExtent(PlacedRegion& region)
{
    const TensorMeta& meta = region.get();
    const std::int64_t width = dtypeBytes(meta.dtype);
    if (width == 0 || !meta.strides || !meta.offset || meta.strides->size() != meta.sizes.size())
        return;
    std::optional<std::int64_t> first = meta.offset->constant();
    std::optional<std::int64_t> length = 1;
    for (std::size_t i = 0; i < meta.sizes.size() && length; ++i)
    {
        const auto size = meta.sizes[i].constant();
        const auto stride = (*meta.strides)[i].constant();
        if (!size || !stride || *size < 1 || *stride < 0)
            return;
        const auto reach = checkedMultiply(*size - 1, *stride);
        length = reach ? checkedAdd(*length, *reach) : std::nullopt;
    }
    const auto last = first && length ? checkedAdd(*first, *length) : std::nullopt;
    const auto low = first ? checkedMultiply(*first, width) : std::nullopt;
    const auto high = last ? checkedMultiply(*last, width) : std::nullopt;
    if (!low || !high)
        return;
    region.low = *low;
    region.high = *high;
    region.hasExtent = true;
}

std::optional<std::int64_t> numberOfBytes(const SymExpr& distance, std::int64_t width)
{
    const auto number = distance.constant();
    return number ? checkedMultiply(*number, width) : std::nullopt;
}

bool isZero(const SymExpr& expr)
{
    return expr.constant() == 0;
}

// `distance` bytes-per-`width` further in the units of `meta`; nothing where that is no whole number.
std::optional<SymExpr> inElements(const SymExpr& distance, std::int64_t width, std::int64_t unit)
{
    if (width == unit || isZero(distance))
        return distance;
    const auto bytes = numberOfBytes(distance, width);
    if (!bytes || unit == 0 || *bytes % unit != 0)
        return {};
    return SymExpr(*bytes / unit);
}

} // namespace

RegionAnswer regionsMeet(const PlacedRegion& a, const PlacedRegion& b, const ShapeEnv& shapes)
{
    if (a.hasExtent && b.hasExtent && (a.high <= b.low || b.high <= a.low))
        return {RegionKind::Disjoint, "one ends before the other starts"};
    RegionAnswer answer = regionsMeet(a.get(), b.get(), shapes);
    if (answer.kind == RegionKind::Meet && !(a.isExact && b.isExact))
        answer = {RegionKind::Unknown,
                  "where a view of a result of another layout lies is not known"};
    return answer;
}

Known regionCovers(const PlacedRegion& outer, const PlacedRegion& inner, const ShapeEnv& shapes)
{
    if (outer.hasExtent && inner.hasExtent && (inner.low < outer.low || inner.high > outer.high))
        return Known::No;
    // What lies within a covered region is covered; what is somewhere within covers nothing for sure.
    return outer.isExact ? regionCovers(outer.get(), inner.get(), shapes) : Known::Unknown;
}

Known sameRegion(const PlacedRegion& a, const PlacedRegion& b, const ShapeEnv& shapes)
{
    return a.isExact && b.isExact ? sameRegion(a.get(), b.get(), shapes) : Known::Unknown;
}

SharedMemory::SharedMemory(const CoreAnalysis& analysis,
                           std::shared_ptr<const MemoryAccesses> shared)
    : m_analysis(&analysis)
    , m_accesses(std::move(shared))
    , m_placements(m_accesses->versionCount())
    , m_memories(m_accesses->versionCount())
{
    const MemoryAccesses& accesses = *m_accesses;
    for (std::size_t i = 0; i < m_placements.size(); ++i)
    {
        m_placements[i].memory = i;
        m_memories[i].versions.push_back(VersionId(i));
        // Inputs and what the output returns are read last; nothing before needs a look.
        std::vector<NodeId>& visible = m_memories[i].visible;
        const std::span<const std::uint32_t> uses = accesses.of(VersionId(i));
        for (auto use = uses.rbegin();
             use != uses.rend() && accesses[*use].position + 1 >= accesses.endPosition(); ++use)
            visible.push_back(accesses[*use].view);
        std::ranges::sort(visible);
        const auto repeated = std::ranges::unique(visible);
        visible.erase(repeated.begin(), repeated.end());
    }
    for (const auto& members : m_memories)
        for (const VersionId version : members.versions)
            for (const NodeId node : accesses.membersOf(version))
                findOwnExtent(node);
    for (std::size_t i = 0; i < accesses.versionCount(); ++i)
        findRuns(VersionId(i));
}

void SharedMemory::findOwnExtent(NodeId node)
{
    m_extents.resize(std::max(m_extents.size(), node.index() + 1));
    const PlacedRegion region = regionOf(node);
    if (region.hasExtent)
        m_extents[node.index()] = Extent{region.low, region.high};
}

void SharedMemory::findRuns(VersionId version)
{
    const std::span<const std::uint32_t> uses = m_accesses->of(version);
    if (uses.size() < kLong)
        return;
    m_memories[memoryOf(version)].longOnes.push_back(version);
    Runs& runs = m_runs[version];
    for (std::size_t i = 0; i < uses.size(); ++i)
    {
        const MemoryAccess& access = (*m_accesses)[uses[i]];
        const std::optional<Extent>& extent = m_extents[access.view.index()];
        const bool reads = !access.userWrites && extent;
        if (i % kRun == 0)
            runs.push_back(reads ? extent : std::nullopt);
        else if (!reads || !runs.back())
            runs.back().reset();
        else
            runs.back() = Extent{std::min(runs.back()->low, extent->low),
                                 std::max(runs.back()->high, extent->high)};
    }
}

std::optional<SharedMemory::Extent> SharedMemory::shifted(const std::optional<Extent>& own,
                                                          VersionId version, const Move* move) const
{
    const Placement& placement = m_placements[version.index()];
    const bool known = own && !placement.within && placement.bytes
        && (!move || (move->keepsLayout && move->bytes));
    if (!known)
        return {};
    const auto moved = checkedAdd(*placement.bytes, move ? *move->bytes : 0);
    const auto low = moved ? checkedAdd(own->low, *moved) : std::nullopt;
    const auto high = moved ? checkedAdd(own->high, *moved) : std::nullopt;
    return low && high ? std::optional(Extent{*low, *high}) : std::nullopt;
}

std::optional<SharedMemory::Extent> SharedMemory::extentOf(NodeId node, const Move* move) const
{
    return shifted(m_extents[node.index()], m_accesses->versionOf(node), move);
}

PlacedRegion SharedMemory::placed(NodeId node, const TensorMeta& meta) const
{
    PlacedRegion region;
    const Placement& placement = m_placements[m_accesses->versionOf(node).index()];
    if (placement.within)
    {
        region = regionOf(placement.within);
        const ResolvedMeta* whole =
            placement.exact ? m_analysis->geometry().of(placement.exact) : nullptr;
        region.isExact = region.isExact && whole
            && (node == placement.exact
                || sameRegion(whole->meta, meta, m_analysis->shapes()) == Known::Yes)
            && !m_accesses->isPlaceless(node);
        return region;
    }
    region.meta = &meta;
    const bool placeless = m_accesses->isPlaceless(node);
    const auto distance = inElements(placement.distance, placement.width, dtypeBytes(meta.dtype));
    if (placeless || !distance || !meta.offset)
    {
        region.moved = meta;
        region.meta = nullptr;
        region.moved.offset.reset();
        region.assumed = placeless ? kPlaceless : region.assumed;
    }
    else if (!isZero(*distance))
    {
        region.moved = meta;
        region.meta = nullptr;
        region.moved.offset = *meta.offset + *distance;
    }
    findExtent(region);
    return region;
}

PlacedRegion SharedMemory::regionOf(NodeId node) const
{
    const ResolvedMeta* resolved = m_analysis->geometry().of(node);
    if (!resolved)
    {
        PlacedRegion nowhere;
        nowhere.assumed = "a tensor's shape is not known";
        return nowhere;
    }
    return placed(node, resolved->meta);
}

PlacedRegion SharedMemory::partOf(NodeId node, const TensorMeta& part) const
{
    return placed(node, part);
}

SharedMemory::Move SharedMemory::moveOf(NodeId result, NodeId argument) const
{
    Move move;
    move.from = memoryOf(m_accesses->versionOf(result));
    move.result = result;
    move.argument = argument;
    const PlacedRegion source = regionOf(result);
    const PlacedRegion target = regionOf(argument);
    const TensorMeta& from = source.get();
    const TensorMeta& to = target.get();
    if (!source.isExact || !target.isExact || !from.offset || !to.offset
        || m_accesses->isPlaceless(result) || m_accesses->isPlaceless(argument))
        return move;
    TensorMeta there = from;
    there.offset = to.offset;
    move.keepsLayout =
        from.dtype == to.dtype && sameRegion(there, to, m_analysis->shapes()) == Known::Yes;
    move.width = dtypeBytes(to.dtype);
    move.distance = *to.offset - *from.offset;
    move.bytes = numberOfBytes(move.distance, move.width);
    return move;
}

PlacedRegion SharedMemory::regionAfter(NodeId node, const Move& move) const
{
    const VersionId version = m_accesses->versionOf(node);
    PlacedRegion region = regionOf(node);
    if (!version || memoryOf(version) != move.from)
        return region;
    if (!move.keepsLayout)
    {
        PlacedRegion target = regionOf(move.argument);
        const bool isResult = node == move.result
            || sameRegion(region, regionOf(move.result), m_analysis->shapes()) == Known::Yes;
        target.isExact = target.isExact && isResult;
        return target;
    }
    if (isZero(move.distance))
        return region;
    const auto distance = inElements(move.distance, move.width, dtypeBytes(region.get().dtype));
    PlacedRegion moved = region;
    moved.moved = region.get();
    moved.meta = nullptr;
    moved.hasExtent = false;
    if (distance && moved.moved.offset)
        moved.moved.offset = *moved.moved.offset + *distance;
    else
        moved.moved.offset.reset();
    findExtent(moved);
    return moved;
}

std::vector<SharedMemory::Uses> SharedMemory::usesAfter(MemoryId memory,
                                                        std::uint32_t position) const
{
    const Memory& shared = m_memories[memory];
    std::vector<Uses> lists;
    const auto addPlain = [&](VersionId version) {
        Uses uses;
        uses.m_version = version;
        uses.m_plain = m_accesses->of(version);
        uses.m_isPlain = true;
        const auto first =
            std::ranges::partition_point(uses.m_plain, [this, position](std::uint32_t index) {
                return (*m_accesses)[index].position <= position;
            });
        uses.m_at = static_cast<std::size_t>(first - uses.m_plain.begin());
        lists.push_back(uses);
    };
    if (shared.versions.size() == 1)
    {
        addPlain(shared.versions.front());
        return lists;
    }
    for (const VersionId version : shared.longOnes)
        addPlain(version);
    Uses uses;
    uses.m_it = shared.uses.lower_bound(m_accesses->firstAfter(position));
    uses.m_end = shared.uses.end();
    lists.push_back(uses);
    return lists;
}

std::size_t SharedMemory::passOver(Uses& uses, std::uint32_t limit, const Extent& written,
                                   const Move* move) const
{
    const auto isOutside = [&written](const std::optional<Extent>& extent) {
        return extent && (extent->high <= written.low || extent->low >= written.high);
    };
    const auto found = m_runs.find(uses.m_version);
    const Runs* runs = found == m_runs.end() ? nullptr : &found->second;
    std::size_t steps = 0;
    for (; !uses.done() && uses.index() < limit && steps < kPassedOverAtOnce; ++steps)
    {
        const std::size_t end = runs ? std::min(uses.m_at + kRun, uses.m_plain.size()) : 0;
        if (runs && uses.m_at % kRun == 0 && uses.m_plain[end - 1] < limit
            && isOutside(shifted((*runs)[uses.m_at / kRun], uses.m_version, move)))
        {
            uses.m_at = end;
            continue;
        }
        const MemoryAccess& access = (*m_accesses)[uses.index()];
        if (access.userWrites || !isOutside(extentOf(access.view, move)))
            break;
        uses.next();
    }
    return steps;
}

std::set<std::uint32_t>& SharedMemory::mergedUses(MemoryId memory)
{
    Memory& shared = m_memories[memory];
    if (shared.versions.size() == 1 && shared.uses.empty() && shared.longOnes.empty())
    {
        const auto& plain = m_accesses->of(shared.versions.front());
        for (const std::uint32_t index : plain) // ascending: each goes to the end
            shared.uses.insert(shared.uses.end(), index);
    }
    return shared.uses;
}

void SharedMemory::merge(NodeId result, NodeId argument)
{
    const MemoryId to = memoryOf(m_accesses->versionOf(argument));
    const Move move = moveOf(result, argument);
    if (move.from == to)
        return;
    std::set<std::uint32_t>& into = mergedUses(to);
    into.merge(mergedUses(move.from));
    Memory& source = m_memories[move.from];
    Memory& target = m_memories[to];
    // Never within something that is itself within something: a chain of these would grow.
    const Placement home = m_placements[m_accesses->versionOf(argument).index()];
    const bool isExact = regionOf(argument).isExact;
    for (const VersionId version : source.versions)
    {
        Placement& placement = m_placements[version.index()];
        const bool sameUnits = placement.width == move.width || isZero(placement.distance);
        placement.memory = to;
        if (move.keepsLayout && !placement.within && sameUnits)
        {
            placement.distance = placement.distance + move.distance;
            placement.width = move.width;
            placement.bytes = numberOfBytes(placement.distance, placement.width);
        }
        else if (!placement.within || !move.keepsLayout)
        {
            placement.within = home.within ? home.within : argument;
            const bool exact = isExact && m_accesses->versionOf(result) == version;
            placement.exact = exact ? result : NodeId{};
        }
    }
    target.versions.insert(target.versions.end(), source.versions.begin(), source.versions.end());
    target.longOnes.insert(target.longOnes.end(), source.longOnes.begin(), source.longOnes.end());
    target.visible.insert(target.visible.end(), source.visible.begin(), source.visible.end());
    source = {};
}

} // namespace reinspect
