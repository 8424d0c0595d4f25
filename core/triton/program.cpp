// SPDX-License-Identifier: MIT
#include "core/triton/program.h"

#include <algorithm>
#include <cstring>

namespace reinspect::triton
{
namespace
{

constexpr std::int64_t kCheckEvery = 1 << 16;
constexpr std::int64_t kAlignment = 64;

std::int64_t aligned(std::int64_t bytes)
{
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

std::string programText(const std::array<std::int64_t, 3>& program)
{
    return "(" + std::to_string(program[0]) + ", " + std::to_string(program[1]) + ", "
        + std::to_string(program[2]) + ")";
}

} // namespace

Frame::Frame(const Body& body, std::int64_t capacity)
    : lanes(capacity)
    , m_body(body)
    , m_capacity(capacity)
    , m_children(body.children)
{
    std::int64_t total = aligned(body.stagingBytes * capacity);
    for (const SlotInfo& slot : body.slots)
        total += aligned(slot.bytes() * capacity);
    m_memory = std::make_unique<std::byte[]>(static_cast<std::size_t>(total + kAlignment));
    std::byte* next = m_memory.get();
    const auto misfit = reinterpret_cast<std::uintptr_t>(next) % kAlignment;
    next += misfit == 0 ? 0 : kAlignment - static_cast<std::int64_t>(misfit);
    m_staging = next;
    next += aligned(body.stagingBytes * capacity);
    for (const SlotInfo& slot : body.slots)
    {
        m_data.push_back(next);
        next += aligned(slot.bytes() * capacity);
    }
    for (const Step& step : body.constants)
        step.fill(*this, step);
}

Frame& Frame::child(std::uint32_t index)
{
    std::unique_ptr<Frame>& child = m_children[index];
    if (!child)
    {
        const auto& [body, capacity] = m_body.childBodies[index];
        child = std::make_unique<Frame>(*body, capacity * m_capacity);
    }
    return *child;
}

void Frame::copy(Slot from, Slot to)
{
    std::memcpy(m_data[to], m_data[from], static_cast<std::size_t>(size(from)));
}

void Frame::move(const Jump& jump)
{
    if (!jump.needsStaging)
    {
        for (std::size_t i = 0; i < jump.from.size(); ++i)
            if (jump.from[i] != jump.to[i])
                copy(jump.from[i], jump.to[i]);
        return;
    }
    std::byte* staged = m_staging;
    for (const Slot slot : jump.from)
    {
        std::memcpy(staged, m_data[slot], static_cast<std::size_t>(size(slot)));
        staged += size(slot);
    }
    staged = m_staging;
    for (const Slot slot : jump.to)
    {
        std::memcpy(m_data[slot], staged, static_cast<std::size_t>(size(slot)));
        staged += size(slot);
    }
}

std::uint64_t Machine::addRegion(const TensorArgument& tensor, std::string parameter)
{
    const std::uint64_t index = regions.size() + 1;
    MemoryRegion region{.tensor = tensor, .parameter = std::move(parameter)};
    region.base = (index << kRegionShift) + (1ull << (kRegionShift - 1));
    if (tensor.viewEnd < tensor.viewBegin)
    {
        region.tensor.viewBegin = 0;
        region.tensor.viewEnd = tensor.storageBytes;
    }
    regions.push_back(std::move(region));
    return regions.back().base + static_cast<std::uint64_t>(tensor.offsetBytes);
}

MemoryRegion* Machine::regionOf(std::uint64_t address)
{
    const std::uint64_t index = (address >> kRegionShift) - 1;
    return index < regions.size() ? &regions[index] : nullptr;
}

std::string Machine::where(const Step& step) const
{
    return "kernel " + kernel.name() + ", " + toText(step.operation->place) + ", program "
        + programText(program);
}

bool Machine::fail(const Step& step, const std::string& what, ErrorKind kind)
{
    error = {.message = where(step) + ": " + what};
    error.span = {.line = step.operation->place.line, .column = step.operation->place.column};
    error.kind = kind;
    return false;
}

std::byte* Machine::stray(std::uint64_t address, bool isWrite, const Step& step)
{
    fail(step,
         std::string(isWrite ? "a write to" : "a read at") + " the address "
             + std::to_string(address) + ", which is in no tensor given to the kernel");
    return nullptr;
}

std::byte* Machine::outside(const MemoryRegion& region, std::int64_t offset, std::int64_t bytes,
                            bool isWrite, const Step& step)
{
    fail(step,
         std::string(isWrite ? "a write of " : "a read of ") + std::to_string(bytes)
             + " bytes at byte " + std::to_string(offset) + " of the storage of '"
             + region.parameter + "', which has " + std::to_string(region.tensor.storageBytes)
             + " bytes");
    return nullptr;
}

void Machine::warn(MemoryRegion& region, std::int64_t offset, std::int64_t bytes, const Step& step)
{
    if (region.hasWarned)
        return;
    region.hasWarned = true;
    report.warnings.push_back({.parameter = region.parameter,
                               .text = where(step) + ": a write of " + std::to_string(bytes)
                                   + " bytes at byte " + std::to_string(offset)
                                   + " of the storage of '" + region.parameter
                                   + "' lies outside the tensor, which has bytes "
                                   + std::to_string(region.tensor.viewBegin) + " to "
                                   + std::to_string(region.tensor.viewEnd)});
}

bool Machine::checkLimits()
{
    m_nextCheck = report.steps + kCheckEvery;
    if (m_control.stopRequested())
    {
        error = {.message = "Cancelled", .kind = ErrorKind::CannotRunHere};
        return false;
    }
    if (report.steps <= m_limits.steps)
        return true;
    error = {.message = "kernel " + kernel.name() + ", program " + programText(program)
                 + ": stopped after " + std::to_string(m_limits.steps) + " steps",
             .hint = "A loop of this kernel may never end on these inputs.",
             .kind = ErrorKind::CannotRunHere};
    return false;
}

void Machine::print(std::string line)
{
    if (report.printed.size() < m_limits.printedLines)
        report.printed.push_back(programText(program) + " " + std::move(line));
    else if (report.printed.size() == m_limits.printedLines)
        report.printed.emplace_back("further lines are left out");
}

bool runList(Machine& machine, Frame& frame, const StepList& list)
{
    if (!machine.spend(list.weight * frame.lanes))
        return false;
    for (const Step& step : list.steps)
        if (!step.run(machine, frame, step))
            return false;
    return true;
}

const std::vector<Slot>* runBody(Machine& machine, Frame& frame)
{
    const StepList* list = &frame.body().blocks.front();
    while (true)
    {
        if (!runList(machine, frame, *list))
            return nullptr;
        const Jump* jump = nullptr;
        switch (list->ending)
        {
        case Ending::Yield:
        case Ending::Return: return &list->yielded;
        case Ending::Branch: jump = &list->jumps[0]; break;
        case Ending::CondBranch:
            jump = &list->jumps[frame.ints(list->condition)[0] != 0 ? 0 : 1];
            break;
        case Ending::Unreachable:
            machine.error = {.message = "kernel " + machine.kernel.name()
                                 + ": a place that cannot be reached was reached"};
            return nullptr;
        }
        frame.move(*jump);
        list = &frame.body().blocks[jump->block];
    }
}

} // namespace reinspect::triton
