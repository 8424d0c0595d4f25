// SPDX-License-Identifier: MIT
#include "core/passes/use_scan.h"

#include <algorithm>
#include <limits>

namespace reinspect
{
namespace
{

using Kind = MemoryAccess::Kind;

// Limits for one call, and for all calls together. Beyond them the answer is that not all could be
// looked at, so that the work grows with the graph and not with its square.
constexpr std::size_t kAccesses = 4096;
constexpr std::size_t kComparisons = 4096;
constexpr std::size_t kPassedOver = 32768;
constexpr ScanWork kAll{.comparisons = 500'000, .passedOver = 1'000'000};
constexpr std::size_t kAccessesOfOneCall = 512;
constexpr std::string_view kTooMuch = "more uses than are looked at one by one";

constexpr std::size_t kOld = 0;            // the group of what lived there before
constexpr std::size_t kTheCall = SIZE_MAX; // the call's own write, foreign to the old group only

class UseScan
{
public:
    UseScan(const ScanInput& in, ScanWork& work)
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
        ++m_work.comparisons;
        ++m_comparisons;
        return regionsMeet(a, b, m.shapes);
    }
    bool isExhausted() const
    {
        return m_comparisons > kComparisons || m_seen > kAccesses || m_passedOver > kPassedOver
            || m_work.comparisons > kAll.comparisons || m_work.passedOver > kAll.passedOver;
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

    struct List
    {
        SharedMemory::Uses uses;
        std::size_t group;
    };
    // Reads of bytes before or after all that anything wrote so far, up to the next access of another
    // list. Answers whether there were any.
    bool passOver(List& list, std::uint32_t limit)
    {
        if (!m_hasWrittenExtent || isExhausted())
            return false;
        const SharedMemory::Move* move = list.group == kOld ? nullptr : &m_moves[list.group - 1];
        const std::size_t steps = m.memory.passOver(list.uses, limit, m_written, move);
        m_passedOver += steps;
        m_work.passedOver += steps;
        return steps > 0;
    }
    void addForeign(Write write)
    {
        const PlacedRegion& region = write.region;
        m_hasWrittenExtent = m_hasWrittenExtent && region.hasExtent;
        m_written.low = m_foreign.empty() ? region.low : std::min(m_written.low, region.low);
        m_written.high = m_foreign.empty() ? region.high : std::max(m_written.high, region.high);
        m_foreign.push_back(std::move(write));
    }

    const ScanInput& m;
    ScanWork& m_work;
    SharedMemory::Extent m_written; // around all of m_foreign
    bool m_hasWrittenExtent = true;
    std::size_t m_passedOver = 0;
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
    std::vector<List> lists;
    const auto add = [&](SharedMemory::MemoryId memory, std::size_t group) {
        for (const SharedMemory::Uses& uses : m.memory.usesAfter(memory, m.position))
            lists.push_back({uses, group});
    };
    add(m.memory.memoryOf(accesses.versionOf(m.argument)), kOld);
    for (const NodeId result : m.results)
    {
        SharedMemory::Move move = m.memory.moveOf(result, m.argument);
        if (std::ranges::any_of(m_moves,
                                [&](const auto& known) { return known.from == move.from; }))
            continue;
        add(move.from, m_moves.size() + 1);
        m_moves.push_back(std::move(move));
    }
    for (const PlacedRegion& part : m.written)
        addForeign({kTheCall, {}, part, 0, m.call});

    std::vector<Here> batch; // the accesses of one node
    while (true)
    {
        List* next = nullptr;
        std::uint32_t after = std::numeric_limits<std::uint32_t>::max(); // next of the other lists
        for (List& list : lists)
        {
            if (list.uses.done())
                continue;
            const bool isFirst = !next || list.uses.index() < next->uses.index();
            const List* later = isFirst ? next : &list;
            after = later ? std::min(after, later->uses.index()) : after;
            next = isFirst ? &list : next;
        }
        // What the accesses of the batch write is not known yet, nor what comes in other lists.
        if (next && batch.empty() && passOver(*next, after))
            continue;
        const MemoryAccess* access = next ? &accesses[next->uses.index()] : nullptr;
        if (!batch.empty()
            && (!access || access->user != batch.front().access->user
                || access->position != batch.front().access->position))
        {
            if (auto finding = look(batch))
                return finding;
            batch.clear();
            continue;
        }
        if (!access)
            return {};
        next->uses.next();
        batch.push_back({access, next->group, accesses.versionOf(access->view),
                         regionOf(access->view, next->group)});
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
            addForeign({here.group, here.version, here.region, m_order, here.access->user});
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
    const TensorMeta* replaced = m.memory.accesses().leftOutBy(*here.access);
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

std::optional<ScanFinding> scanUses(const ScanInput& input, ScanWork& work)
{
    return UseScan(input, work).run();
}

} // namespace reinspect
