// SPDX-License-Identifier: MIT
#include "core/passes/use_scan.h"

#include <algorithm>

namespace reinspect
{
namespace
{

using Kind = MemoryAccess::Kind;

// Accesses looked at for one call, and comparisons made for it and for all calls together. Beyond
// them the call is refused as not examined, so that the work grows with the graph and not its square.
constexpr std::size_t kAccesses = 4096;
constexpr std::size_t kComparisons = 4096;
constexpr std::size_t kAllComparisons = 2'000'000;
constexpr std::size_t kAccessesOfOneCall = 512;
constexpr std::string_view kTooMuch = "more uses than are looked at one by one";

constexpr std::size_t kOld = 0;            // the group of what lived there before
constexpr std::size_t kTheCall = SIZE_MAX; // the call's own write, foreign to the old group only

class UseScan
{
public:
    UseScan(const ScanInput& in, std::size_t& work)
        : m(in)
        , m_work(work)
    {}

    std::optional<ScanFinding> run();

private:
    struct Write
    {
        std::size_t group;
        VersionId version;
        PlacedRegion region;
        std::uint32_t order; // the call's own is 0, then one more each
        NodeId writer;
    };
    struct Here // an access with what is worked out of it
    {
        const MemoryAccess* access;
        std::size_t group;
        VersionId version;
        PlacedRegion region;
    };

    std::optional<ScanFinding> look(std::span<const Here> batch);
    std::optional<ScanFinding> mixes(std::span<const Here> batch);
    std::optional<ScanFinding> read(const Here& here);
    bool leavesOut(const Here& here, const PlacedRegion& region) const;
    bool isOverwritten(const Here& here, const Write& write);
    bool isSelfCopy(std::span<const Here> batch, const Here& write) const;
    PlacedRegion regionOf(NodeId view, std::size_t group) const;
    RegionAnswer meet(const PlacedRegion& a, const PlacedRegion& b)
    {
        ++m_work;
        ++m_comparisons;
        return regionsMeet(a, b, m.shapes);
    }
    bool isExhausted() const
    {
        return m_comparisons > kComparisons || m_work > kAllComparisons || m_seen > kAccesses;
    }
    ScanFinding tooMuch(const Here& here) const
    {
        ScanFinding finding;
        finding.kind = ScanFinding::Kind::TooMuch;
        finding.user = here.access->user;
        finding.view = here.access->view;
        finding.assumption = kTooMuch;
        return finding;
    }

    const ScanInput& m;
    std::size_t& m_work;
    std::size_t m_comparisons = 0;
    std::size_t m_seen = 0;
    std::uint32_t m_order = 1;
    std::vector<SharedMemory::Move> m_moves; // of the new groups, from group 1 on
    std::vector<Write> m_foreign;            // writes that another group does not know of
    std::vector<Write> m_covering;           // whole tensors written
};

PlacedRegion UseScan::regionOf(NodeId view, std::size_t group) const
{
    return group == kOld ? m.memory.regionOf(view) : m.memory.regionAfter(view, m_moves[group - 1]);
}

std::optional<ScanFinding> UseScan::run()
{
    const MemoryAccesses& accesses = m.memory.accesses();
    std::vector<SharedMemory::Uses> uses{
        m.memory.usesAfter(m.memory.memoryOf(accesses.versionOf(m.argument)), m.position)};
    for (const NodeId result : m.results)
    {
        SharedMemory::Move move = m.memory.moveOf(result, m.argument);
        if (std::ranges::any_of(m_moves,
                                [&](const auto& known) { return known.from == move.from; }))
            continue;
        uses.push_back(m.memory.usesAfter(move.from, m.position));
        m_moves.push_back(std::move(move));
    }
    for (const PlacedRegion& part : m.written)
        m_foreign.push_back({kTheCall, {}, part, 0, m.call});

    std::vector<Here> batch; // the accesses of one node
    while (true)
    {
        std::size_t next = uses.size();
        for (std::size_t i = 0; i < uses.size(); ++i)
            if (!uses[i].done() && (next == uses.size() || uses[i].index() < uses[next].index()))
                next = i;
        const MemoryAccess* access = next < uses.size() ? &accesses[uses[next].index()] : nullptr;
        if (!batch.empty()
            && (!access || access->user != batch.front().access->user
                || access->position != batch.front().access->position))
        {
            if (auto finding = look(batch))
                return finding;
            batch.clear();
        }
        if (!access)
            return {};
        batch.push_back(
            {access, next, accesses.versionOf(access->view), regionOf(access->view, next)});
        uses[next].next();
        if (++m_seen; isExhausted() || batch.size() > kAccessesOfOneCall)
            return tooMuch(batch.back());
    }
}

std::optional<ScanFinding> UseScan::look(std::span<const Here> batch)
{
    bool writes = false;
    for (const Here& here : batch)
    {
        writes = writes || here.access->kind != Kind::Read;
        if (here.access->kind == Kind::Read)
            if (auto finding = read(here))
                return finding;
    }
    if (!writes)
        return {};
    if (auto finding = mixes(batch))
        return finding;
    for (const Here& here : batch)
    {
        if (here.access->kind == Kind::Read)
            continue;
        // A copy onto itself changes no memory; from then on both values are what lies there.
        if (!isSelfCopy(batch, here))
            m_foreign.push_back(
                {here.group, here.version, here.region, m_order, here.access->user});
        if (here.access->kind == Kind::WritesAll)
            m_covering.push_back(
                {here.group, here.version, here.region, m_order, here.access->user});
        ++m_order;
    }
    return {};
}

bool UseScan::isSelfCopy(std::span<const Here> batch, const Here& write) const
{
    return write.access->kind == Kind::WritesAll
        && std::ranges::any_of(batch, [&](const Here& one) {
               return one.access->kind == Kind::Read && one.access->view == write.access->source
                   && sameRegion(one.region, write.region, m.shapes) == Known::Yes;
           });
}

// A later call that reads one value and writes the other would do both in one memory.
std::optional<ScanFinding> UseScan::mixes(std::span<const Here> batch)
{
    for (const Here& write : batch)
    {
        if (write.access->kind == Kind::Read || isSelfCopy(batch, write))
            continue;
        for (const Here& other : batch)
        {
            if (other.group == write.group || &other == &write)
                continue;
            if (isExhausted())
                return tooMuch(write);
            const RegionAnswer answer = meet(write.region, other.region);
            if (answer.kind == RegionKind::Disjoint)
                continue;
            ScanFinding finding;
            finding.kind = ScanFinding::Kind::OperandAlias;
            finding.user = write.access->user;
            finding.view = other.access->view;
            finding.writer = write.access->user;
            finding.assumption =
                answer.kind == RegionKind::Unknown ? answer.reason : std::string_view{};
            return finding;
        }
    }
    return {};
}

// A scatter does not read what it replaces.
bool UseScan::leavesOut(const Here& here, const PlacedRegion& region) const
{
    const TensorMeta* replaced = m.memory.accesses().replacedBy(here.access->user);
    if (!replaced || !here.region.isExact)
        return false;
    // In the positions of the read tensor's storage; brought to those of the memory as it was.
    PlacedRegion part = m.memory.partOf(here.access->view, *replaced);
    if (here.group != kOld)
    {
        const SharedMemory::Move& move = m_moves[here.group - 1];
        if (!move.keepsLayout || move.distance.constant() != 0)
            return false;
    }
    return part.isExact
        && (regionCovers(part, region, m.shapes) == Known::Yes
            || regionCovers(part, here.region, m.shapes) == Known::Yes);
}

// Something wrote all of it, or all of what `write` wrote, in the value's own memory since.
bool UseScan::isOverwritten(const Here& here, const Write& write)
{
    return std::ranges::any_of(m_covering, [&](const Write& later) {
        if (later.version != here.version || later.order <= write.order)
            return false;
        ++m_comparisons;
        return regionCovers(later.region, here.region, m.shapes) == Known::Yes
            || regionCovers(later.region, write.region, m.shapes) == Known::Yes;
    });
}

std::optional<ScanFinding> UseScan::read(const Here& here)
{
    for (const Write& write : m_foreign)
    {
        if (write.group == here.group || (write.group == kTheCall && here.group != kOld))
            continue;
        if (isExhausted())
            return tooMuch(here);
        const bool holdsItself = write.group == kTheCall && m.copied
            && m.memory.accesses().versionOf(m.copied) == here.version;
        if (holdsItself)
            continue;
        const RegionAnswer answer = meet(write.region, here.region);
        if (answer.kind == RegionKind::Disjoint || leavesOut(here, write.region)
            || isOverwritten(here, write))
            continue;
        ScanFinding finding;
        finding.kind = here.group == kOld ? ScanFinding::Kind::OldValueRead
                                          : ScanFinding::Kind::ResultOverwritten;
        finding.user = here.access->user;
        finding.view = here.access->view;
        finding.writer = write.writer;
        finding.atEnd = here.access->position >= m.memory.accesses().endPosition();
        if (answer.kind == RegionKind::Unknown)
            finding.assumption = answer.reason;
        else if (here.access->isAssumed)
            finding.assumption = "an operator that is not known is taken to read all it is given";
        else if (!here.region.assumed.empty())
            finding.assumption = here.region.assumed;
        return finding;
    }
    return {};
}

} // namespace

std::optional<ScanFinding> scanUses(const ScanInput& input, std::size_t& work)
{
    return UseScan(input, work).run();
}

} // namespace reinspect
