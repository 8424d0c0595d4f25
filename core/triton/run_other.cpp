// SPDX-License-Identifier: MIT
// The program's place in the grid, tt.assert, tt.print, values that are never read.
#include "core/triton/prepare.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace reinspect::triton
{
namespace
{

// step.number: the axis.
bool programId(Machine& machine, Frame& frame, const Step& step)
{
    frame.ints(step.out[0])[0] = machine.program[static_cast<std::size_t>(step.number)];
    return true;
}

bool numberOfPrograms(Machine& machine, Frame& frame, const Step& step)
{
    frame.ints(step.out[0])[0] = machine.grid[static_cast<std::size_t>(step.number)];
    return true;
}

Result<void> prepareProgram(Preparation& p)
{
    if (!p.has(0, 1) || !p.out().isInteger() || p.out().isTensor)
        return p.misfit();
    p.step.number = p.operation.hasWord("y") ? 1
        : p.operation.hasWord("z")           ? 2
                                             : p.operation.integer("axis", 0);
    if (p.step.number < 0 || p.step.number > 2)
        return p.misfit();
    p.step.run = p.operation.code == Opcode::GetProgramId ? programId : numberOfPrograms;
    return {};
}

// step.number: elements.
bool assertTrue(Machine& machine, Frame& frame, const Step& step)
{
    const std::int64_t* truths = frame.ints(step.in[0]);
    for (std::int64_t i = 0; i < step.number; ++i)
        if (truths[i] == 0)
            return machine.fail(step,
                                "the assertion \"" + std::string(step.operation->text("text"))
                                    + "\" does not hold at element " + std::to_string(i));
    return true;
}

Result<void> prepareAssert(Preparation& p)
{
    if (p.ins() < 1 || p.ins() > 2 || !p.in(0).isInteger())
        return p.misfit();
    p.step.number = p.in(0).count();
    p.step.run = assertTrue;
    return {};
}

std::string numberText(double value)
{
    std::array<char, 32> text = {};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

// Up to 64 elements an operand.
bool print(Machine& machine, Frame& frame, const Step& step)
{
    std::string line(step.operation->text("text"));
    for (const Slot slot : step.in)
    {
        const SlotInfo& info = frame.body().slots[slot];
        const std::int64_t shown = std::min<std::int64_t>(info.count, 64);
        for (std::int64_t i = 0; i < shown; ++i)
            line += " "
                + (info.lane == Lane::Int64 ? std::to_string(frame.ints(slot)[i])
                       : info.lane == Lane::Float
                       ? numberText(static_cast<double>(frame.floats(slot)[i]))
                       : numberText(frame.doubles(slot)[i]));
        if (shown < info.count)
            line += " ...";
    }
    machine.print(std::move(line));
    return true;
}

Result<void> preparePrint(Preparation& p)
{
    p.step.run = print;
    return {};
}

// The frame's zeros stand for it.
Result<void> preparePoison(Preparation& p)
{
    p.step.run = runNothing;
    p.isElementwise = true;
    return {};
}

constexpr auto kRows = std::to_array<PrepareRow>({
    {Opcode::GetProgramId, prepareProgram},
    {Opcode::GetNumPrograms, prepareProgram},
    {Opcode::Assert, prepareAssert},
    {Opcode::Print, preparePrint},
    {Opcode::Poison, preparePoison},
});

} // namespace

std::span<const PrepareRow> otherRows()
{
    return kRows;
}

} // namespace reinspect::triton
