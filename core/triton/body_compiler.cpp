// SPDX-License-Identifier: MIT
#include "core/triton/body_compiler.h"

#include <algorithm>
#include <array>

namespace reinspect::triton
{
namespace
{

constexpr std::int64_t kElementLimit = std::int64_t{1} << 26; // of one value

const std::array<Prepare, 256>& prepareTable()
{
    static const std::array<Prepare, 256> table = [] {
        std::array<Prepare, 256> rows = {};
        for (const auto& group :
             {integerRows(), floatRows(), mathRows(), convertRows(), shapeRows(), memoryRows(),
              atomicRows(), blockRows(), productRows(), otherRows()})
            for (const PrepareRow& row : group)
                rows[static_cast<std::size_t>(row.code)] = row.prepare;
        return rows;
    }();
    return table;
}

// Blocks that a run can come to; others may hold what cannot be run.
std::vector<bool> reachable(const Region& region)
{
    std::vector<bool> seen(region.blocks.size());
    std::vector<std::size_t> open = {0};
    while (!open.empty())
    {
        const std::size_t index = open.back();
        open.pop_back();
        if (seen[index])
            continue;
        seen[index] = true;
        if (!region.blocks[index].operations.empty())
            for (const Successor& successor : region.blocks[index].operations.back().successors)
                if (successor.block < seen.size())
                    open.push_back(successor.block);
    }
    return seen;
}

bool isTerminator(Opcode code)
{
    switch (code)
    {
    case Opcode::Return:
    case Opcode::ReduceReturn:
    case Opcode::ScanReturn:
    case Opcode::MapElementwiseReturn:
    case Opcode::Condition:
    case Opcode::Yield:
    case Opcode::Br:
    case Opcode::CondBr:
    case Opcode::Unreachable: return true;
    default: return false;
    }
}

} // namespace

Error BodyCompiler::fail(const Operation& operation, const std::string& what) const
{
    Step step;
    return Preparation{.operation = operation, .function = m_function, .step = step}.fail(what);
}

Slot BodyCompiler::newSlot(const Type& type)
{
    m_body.slots.push_back({.lane = laneOf(type), .count = slotCount(type)});
    return static_cast<Slot>(m_body.slots.size() - 1);
}

Slot BodyCompiler::define(ValueId value)
{
    const Slot slot = newSlot(m_function.type(value));
    m_slots[value] = slot;
    return slot;
}

Slot BodyCompiler::slotOf(ValueId value)
{
    const auto known = m_slots.find(value);
    if (known != m_slots.end())
        return known->second;
    m_captured.push_back(value);
    const Slot slot = define(value);
    m_body.parameters.push_back(slot);
    return slot;
}

std::vector<Slot> BodyCompiler::slotsOf(const std::vector<ValueId>& values)
{
    std::vector<Slot> slotList;
    for (const ValueId value : values)
        slotList.push_back(slotOf(value));
    return slotList;
}

std::vector<Slot> BodyCompiler::defineAll(const std::vector<ValueId>& values)
{
    std::vector<Slot> slotList;
    for (const ValueId value : values)
        slotList.push_back(define(value));
    return slotList;
}

std::uint32_t BodyCompiler::addChild(const Body* body, std::int64_t lanes)
{
    m_body.childBodies.emplace_back(body, lanes);
    return m_body.children++;
}

// Values that move at once, as those carried into the next round of a loop.
Result<Jump> BodyCompiler::jump(const Operation& operation, std::vector<Slot> from,
                                std::vector<Slot> to)
{
    if (from.size() != to.size())
        return fail(operation, "the number of values does not fit");
    Jump result;
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < from.size(); ++i)
    {
        const SlotInfo& a = m_body.slots[from[i]];
        const SlotInfo& b = m_body.slots[to[i]];
        if (a.lane != b.lane || a.count != b.count)
            return fail(operation, "the types of the values do not fit");
        bytes += a.bytes();
        for (std::size_t j = 0; j < i; ++j)
            result.needsStaging = result.needsStaging || from[i] == to[j];
    }
    m_body.stagingBytes = std::max(m_body.stagingBytes, bytes);
    result.from = std::move(from);
    result.to = std::move(to);
    return result;
}

Result<void> BodyCompiler::compileFunction()
{
    m_body.parameters = defineAll(m_function.parameters);
    REINSPECT_CHECK(compileBlocks(m_function.body));
    if (!m_captured.empty())
        return Error{.message = "cannot run: function " + m_function.name + " uses %"
                         + m_function.values[m_captured[0]].name + " where it has no value",
                     .kind = ErrorKind::CannotRunHere};
    return {};
}

Result<void> BodyCompiler::compileRegion(const Region& region)
{
    if (region.blocks.size() != 1)
        return Error{.message = "cannot run: a reduction of function " + m_function.name
                         + " has several blocks",
                     .kind = ErrorKind::CannotRunHere};
    m_body.parameters = defineAll(region.blocks[0].arguments);
    return compileBlocks(region);
}

Result<void> BodyCompiler::compileBlocks(const Region& region)
{
    const std::vector<bool> isReached = reachable(region);
    for (std::size_t i = 0; i < region.blocks.size(); ++i)
        if (i > 0 && isReached[i])
            defineAll(region.blocks[i].arguments);
    m_body.blocks.resize(region.blocks.size());
    for (std::size_t i = 0; i < region.blocks.size(); ++i)
    {
        if (!isReached[i])
            continue;
        REINSPECT_TRY(m_body.blocks[i], compileBlock(region.blocks[i]));
    }
    // Jumps need the arguments of all blocks.
    for (std::size_t i = 0; i < region.blocks.size(); ++i)
    {
        if (!isReached[i] || m_body.blocks[i].ending == Ending::Return)
            continue;
        const Operation& last = region.blocks[i].operations.back();
        m_body.isElementwise = m_body.isElementwise && m_body.blocks[i].ending == Ending::Yield;
        for (const Successor& successor : last.successors)
        {
            REINSPECT_TRY(Jump next,
                          jump(last, slotsOf(successor.operands),
                               slotsOf(region.blocks[successor.block].arguments)));
            next.block = successor.block;
            m_body.blocks[i].jumps.push_back(std::move(next));
        }
    }
    return {};
}

Result<StepList> BodyCompiler::compileBlock(const Block& block)
{
    StepList list;
    for (const ValueId argument : block.arguments)
        list.arguments.push_back(slotOf(argument));
    for (const Operation& operation : block.operations)
    {
        if (isTerminator(operation.code))
        {
            if (&operation != &block.operations.back())
                return fail(operation, "it stands in the middle of its block");
            REINSPECT_CHECK(compileEnding(operation, list));
            return list;
        }
        REINSPECT_CHECK(compileOperation(operation, list));
    }
    return list; // a region without results may end without a word
}

Result<void> BodyCompiler::compileEnding(const Operation& operation, StepList& list)
{
    switch (operation.code)
    {
    case Opcode::Br: list.ending = Ending::Branch; break;
    case Opcode::CondBr: list.ending = Ending::CondBranch; break;
    case Opcode::Return: list.ending = Ending::Return; break;
    case Opcode::Unreachable: list.ending = Ending::Unreachable; break;
    default: list.ending = Ending::Yield; break;
    }
    std::vector<ValueId> operands = operation.operands;
    if (operation.code == Opcode::CondBr || operation.code == Opcode::Condition)
    {
        if (operands.empty() || !m_function.type(operands[0]).isInteger()
            || m_function.type(operands[0]).isTensor)
            return fail(operation, "its condition is no i1");
        list.condition = slotOf(operands[0]);
        operands.erase(operands.begin());
    }
    if (list.ending == Ending::Branch || list.ending == Ending::CondBranch)
    {
        if (operation.successors.size() != (list.ending == Ending::Branch ? 1u : 2u)
            || !operands.empty())
            return fail(operation, "its form is not known");
        return {};
    }
    list.yielded = slotsOf(operands);
    return {};
}

Result<void> BodyCompiler::compileOperation(const Operation& operation, StepList& list)
{
    for (const ValueId result : operation.results)
        if (m_function.type(result).count() > kElementLimit)
            return fail(operation, "a tensor of this size is too large");
    if (operation.code == Opcode::Constant || operation.code == Opcode::MakeRange)
        return compileConstant(operation);
    if (operation.code == Opcode::Barrier || operation.code == Opcode::Assume)
        return {};
    if (operation.code == Opcode::ExpandDims || operation.code == Opcode::Reshape)
        return compileAlias(operation);
    Step step;
    step.operation = &operation;
    step.in = slotsOf(operation.operands);
    switch (operation.code)
    {
    case Opcode::Call: REINSPECT_CHECK(compileCall(operation, step)); break;
    case Opcode::For: REINSPECT_CHECK(compileFor(operation, step)); break;
    case Opcode::If: REINSPECT_CHECK(compileIf(operation, step)); break;
    case Opcode::While: REINSPECT_CHECK(compileWhile(operation, step)); break;
    case Opcode::Reduce:
    case Opcode::Scan: REINSPECT_CHECK(compileReduction(operation, step)); break;
    default: REINSPECT_CHECK(prepareStep(operation, step)); break;
    }
    list.weight += 1 + step.count / 64;
    list.steps.push_back(std::move(step));
    return {};
}

Result<void> BodyCompiler::prepareStep(const Operation& operation, Step& step)
{
    const Prepare prepare = prepareTable()[static_cast<std::size_t>(operation.code)];
    if (!prepare)
        return fail(operation, "it is not known here");
    step.out = defineAll(operation.results);
    if (!operation.results.empty())
        step.count = slotCount(m_function.type(operation.results[0]));
    Preparation preparation{.operation = operation, .function = m_function, .step = step};
    REINSPECT_CHECK(prepare(preparation));
    m_body.isElementwise = m_body.isElementwise && preparation.isElementwise;
    if (!step.run)
        return fail(operation, "it is not known for these types");
    return {};
}

// Values that are the same in every program lie in the frame from the start.
Result<void> BodyCompiler::compileConstant(const Operation& operation)
{
    if (operation.results.size() != 1)
        return fail(operation, "a constant has one result");
    const Type& type = m_function.type(operation.results[0]);
    Step step;
    step.operation = &operation;
    step.out = defineAll(operation.results);
    step.count = type.count();
    step.fill = operation.code == Opcode::Constant ? fillConstant : fillRange;
    step.number = operation.integer("start", 0);
    const std::int64_t end = operation.integer("end", 0);
    if (operation.code == Opcode::MakeRange
        && (!type.isInteger() || end - step.number != step.count))
        return fail(operation, "the range does not fit its type");
    if (operation.code == Opcode::Constant && !operation.constant)
        return fail(operation, "its value was not read");
    m_body.constants.push_back(std::move(step));
    return {};
}

// The same elements in the same order under another shape.
Result<void> BodyCompiler::compileAlias(const Operation& operation)
{
    if (operation.operands.size() != 1 || operation.results.size() != 1)
        return fail(operation, "it has one operand and one result");
    const Type& from = m_function.type(operation.operands[0]);
    const Type& to = m_function.type(operation.results[0]);
    if (from.scalar != to.scalar || from.count() != to.count() || from.isBlock())
        return fail(operation, "the shapes do not fit");
    alias(operation.results[0], slotOf(operation.operands[0]));
    m_body.isElementwise = m_body.isElementwise && !to.isTensor;
    return {};
}

} // namespace reinspect::triton
