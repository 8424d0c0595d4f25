// SPDX-License-Identifier: MIT
// Operators with regions, and calls.
#include "core/triton/body_compiler.h"

#include <algorithm>

namespace reinspect::triton
{

// ending: what the region's last operation must be.
Result<StepList> BodyCompiler::compileRegionOf(const Operation& operation, std::size_t index,
                                               Opcode ending)
{
    if (operation.regions.size() <= index || operation.regions[index].blocks.size() != 1)
        return fail(operation, "its regions have another form than is known");
    const Block& block = operation.regions[index].blocks[0];
    defineAll(block.arguments);
    REINSPECT_TRY(StepList list, compileBlock(block));
    const bool endsWell = block.operations.empty() || list.ending == Ending::Yield;
    const bool isRight = block.operations.empty() || block.operations.back().code == ending
        || (ending == Opcode::Yield && list.yielded.empty());
    if (!endsWell || !isRight)
        return fail(operation, "its region ends in another way than is known");
    return list;
}

Result<void> BodyCompiler::compileCall(const Operation& operation, Step& step)
{
    const Function* callee = m_compiler.kernel().find(operation.text("callee"));
    if (!callee)
        return fail(operation,
                    "there is no function '" + std::string(operation.text("callee")) + "'");
    REINSPECT_TRY(step.callee, m_compiler.function(*callee));
    const auto sameTypes = [&](const std::vector<ValueId>& here, const auto& there, auto typeOf) {
        if (here.size() != there.size())
            return false;
        for (std::size_t i = 0; i < here.size(); ++i)
            if (!(m_function.type(here[i]) == typeOf(there[i])))
                return false;
        return true;
    };
    if (!sameTypes(operation.operands, callee->parameters,
                   [&](ValueId id) { return callee->type(id); })
        || !sameTypes(operation.results, callee->results, [](const Type& type) { return type; }))
        return fail(operation, "the types do not fit those of the function");
    for (const StepList& block : step.callee->blocks)
        if (block.ending == Ending::Return && block.yielded.size() != operation.results.size())
            return fail(operation, "the function returns another number of values");
    step.out = defineAll(operation.results);
    for (const StepList& block : step.callee->blocks)
        for (std::size_t i = 0; block.ending == Ending::Return && i < step.out.size(); ++i)
            if (step.callee->slots[block.yielded[i]].bytes() != m_body.slots[step.out[i]].bytes())
                return fail(operation, "the function returns values of other types");
    step.child = addChild(step.callee, 1);
    step.run = runCall;
    m_body.isElementwise = m_body.isElementwise && step.callee->isElementwise;
    return {};
}

// The counter's slot first, then what is carried; the results lie where the carried values do.
Result<void> BodyCompiler::compileFor(const Operation& operation, Step& step)
{
    m_body.isElementwise = false;
    const std::size_t carried = operation.results.size();
    if (operation.operands.size() != 3 + carried || operation.regions.size() != 1
        || operation.regions[0].blocks.size() != 1
        || operation.regions[0].blocks[0].arguments.size() != 1 + carried)
        return fail(operation, "its form is not known");
    for (std::size_t i = 0; i < 3; ++i)
        if (!m_function.type(operation.operands[i]).isInteger()
            || m_function.type(operation.operands[i]).isTensor)
            return fail(operation, "its bounds are no integers");
    const ValueId counter = operation.regions[0].blocks[0].arguments[0];
    if (!m_function.type(counter).isInteger() || m_function.type(counter).isTensor)
        return fail(operation, "its counter is no integer");
    REINSPECT_TRY(StepList body, compileRegionOf(operation, 0, Opcode::Yield));
    const std::vector<Slot> into(body.arguments.begin() + 1, body.arguments.end());
    const std::vector<Slot> first(step.in.begin() + 3, step.in.end());
    REINSPECT_TRY(step.enter, jump(operation, first, into));
    REINSPECT_TRY(step.again, jump(operation, body.yielded, into));
    for (std::size_t i = 0; i < carried; ++i)
        alias(operation.results[i], into[i]);
    step.number = operation.hasWord("unsigned") || operation.attribute("unsignedCmp") ? 1 : 0;
    step.lists.push_back(std::move(body));
    step.run = runFor;
    return {};
}

Result<void> BodyCompiler::compileIf(const Operation& operation, Step& step)
{
    m_body.isElementwise = false;
    if (operation.operands.size() != 1 || operation.regions.empty()
        || !m_function.type(operation.operands[0]).isOneBit()
        || m_function.type(operation.operands[0]).isTensor)
        return fail(operation, "its form is not known");
    step.out = defineAll(operation.results);
    for (std::size_t i = 0; i < 2; ++i)
    {
        const bool isAbsent = operation.regions.size() <= i || operation.regions[i].blocks.empty();
        if (isAbsent && (i == 0 || !operation.results.empty()))
            return fail(operation, "a region is missing");
        StepList list;
        if (!isAbsent)
        {
            REINSPECT_TRY(list, compileRegionOf(operation, i, Opcode::Yield));
        }
        REINSPECT_TRY(Jump leave, jump(operation, list.yielded, step.out));
        list.jumps.push_back(std::move(leave));
        step.lists.push_back(std::move(list));
    }
    step.run = runIf;
    return {};
}

Result<void> BodyCompiler::compileWhile(const Operation& operation, Step& step)
{
    m_body.isElementwise = false;
    if (operation.regions.size() != 2)
        return fail(operation, "its form is not known");
    step.out = defineAll(operation.results);
    REINSPECT_TRY(StepList before, compileRegionOf(operation, 0, Opcode::Condition));
    REINSPECT_TRY(StepList after, compileRegionOf(operation, 1, Opcode::Yield));
    const Block& test = operation.regions[0].blocks[0];
    if (test.operations.empty() || test.operations.back().code != Opcode::Condition)
        return fail(operation, "its condition is missing");
    REINSPECT_TRY(step.enter, jump(operation, step.in, before.arguments));
    REINSPECT_TRY(step.again, jump(operation, after.yielded, before.arguments));
    REINSPECT_TRY(Jump into, jump(operation, before.yielded, after.arguments));
    REINSPECT_TRY(Jump leave, jump(operation, before.yielded, step.out));
    before.jumps = {std::move(into), std::move(leave)};
    step.lists.push_back(std::move(before));
    step.lists.push_back(std::move(after));
    step.run = runWhile;
    return {};
}

namespace
{

struct AxisSizes
{
    std::int64_t outer = 1;
    std::int64_t axis = 1;
    std::int64_t inner = 1;
};

AxisSizes sizesAround(const Type& type, std::size_t axis)
{
    AxisSizes sizes;
    for (std::size_t i = 0; i < type.shape.size(); ++i)
        (i < axis ? sizes.outer : i == axis ? sizes.axis : sizes.inner) *= type.shape[i];
    return sizes;
}

} // namespace

// The region's arguments are the elements of all operands on the left, then on the right.
Result<void> BodyCompiler::compileReduction(const Operation& operation, Step& step)
{
    m_body.isElementwise = false;
    const bool isScan = operation.code == Opcode::Scan;
    const std::size_t n = operation.operands.size();
    if (n == 0 || operation.results.size() != n || operation.regions.size() != 1
        || operation.regions[0].blocks.size() != 1
        || operation.regions[0].blocks[0].arguments.size() != 2 * n)
        return fail(operation, "its form is not known");
    const Type& first = m_function.type(operation.operands[0]);
    const std::int64_t axis = operation.integer("axis", -1);
    if (!first.isTensor || axis < 0 || axis >= static_cast<std::int64_t>(first.shape.size()))
        return fail(operation, "its axis is not one of the tensor's");
    const AxisSizes sizes = sizesAround(first, static_cast<std::size_t>(axis));
    if (sizes.axis == 0 || sizes.outer * sizes.inner == 0)
        return fail(operation, "there is nothing to reduce");
    step.out = defineAll(operation.results);
    const std::int64_t results = sizes.outer * sizes.inner * (isScan ? sizes.axis : 1);
    for (std::size_t i = 0; i < n; ++i)
        if (m_function.type(operation.operands[i]).shape != first.shape
            || m_body.slots[step.out[i]].count != results
            || m_body.slots[step.out[i]].lane != m_body.slots[step.in[i]].lane)
            return fail(operation, "the shapes of its operands and results do not fit");

    Body& body = m_compiler.addBody();
    body.name = m_function.name;
    BodyCompiler region(m_compiler, m_function, body);
    REINSPECT_CHECK(region.compileRegion(operation.regions[0]));
    if (body.blocks[0].ending != Ending::Yield || body.blocks[0].yielded.size() != n)
        return fail(operation, "its region ends in another way than is known");
    for (std::size_t i = 0; i < n; ++i)
        for (const Slot slot :
             {body.parameters[i], body.parameters[n + i], body.blocks[0].yielded[i]})
            if (body.slots[slot].count != 1
                || body.slots[slot].lane != m_body.slots[step.in[i]].lane)
                return fail(operation, "its region computes with other types than its operands");
    for (const SlotInfo& slot : body.slots)
        body.isElementwise = body.isElementwise && slot.count == 1;
    for (const ValueId value : region.captured())
        step.in.push_back(slotOf(value));
    const std::int64_t lanes =
        isScan ? sizes.outer * sizes.inner : sizes.outer * sizes.inner * ((sizes.axis + 1) / 2);
    step.callee = &body;
    step.child = addChild(&body, body.isElementwise ? lanes : 1);
    step.numbers = {sizes.outer, sizes.axis, sizes.inner};
    step.number = isScan ? operation.integer("reverse", 0) : 0;
    step.count = first.count();
    step.run = isScan ? runScan : runReduce;
    return {};
}

} // namespace reinspect::triton
