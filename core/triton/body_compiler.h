// SPDX-License-Identifier: MIT
// Compiles one function, or one reduction's region, into a Body. Internal to core/triton.
#pragma once

#include "core/triton/compile.h"
#include "core/triton/prepare.h"

#include <map>
#include <unordered_map>
#include <vector>

namespace reinspect::triton
{

// Functions compiled once, and those being compiled.
class Compiler
{
public:
    Compiler(const Kernel& kernel, Program& program)
        : m_kernel(kernel)
        , m_program(program)
    {}

    Result<const Body*> function(const Function& function);
    const Kernel& kernel() const { return m_kernel; }
    Body& addBody() { return m_program.bodies.emplace_back(); }

private:
    const Kernel& m_kernel;
    Program& m_program;
    std::map<const Function*, const Body*> m_functions;
    std::vector<const Function*> m_callers;
};

class BodyCompiler
{
public:
    BodyCompiler(Compiler& compiler, const Function& function, Body& body)
        : m_compiler(compiler)
        , m_function(function)
        , m_body(body)
    {}

    Result<void> compileFunction();
    // The region of a reduction: its values are single elements. Those of the function around it that it
    // uses become parameters behind the region's own.
    Result<void> compileRegion(const Region& region);
    const std::vector<ValueId>& captured() const { return m_captured; }

private:
    Result<void> compileBlocks(const Region& region);
    Result<StepList> compileBlock(const Block& block);
    Result<void> compileEnding(const Operation& operation, StepList& list);
    Result<void> compileOperation(const Operation& operation, StepList& list);
    Result<void> prepareStep(const Operation& operation, Step& step);
    Result<void> compileConstant(const Operation& operation);
    Result<void> compileAlias(const Operation& operation);
    Result<void> compileCall(const Operation& operation, Step& step);
    Result<void> compileReduction(const Operation& operation, Step& step);
    Result<void> compileFor(const Operation& operation, Step& step);
    Result<void> compileIf(const Operation& operation, Step& step);
    Result<void> compileWhile(const Operation& operation, Step& step);
    Result<StepList> compileRegionOf(const Operation& operation, std::size_t index, Opcode ending);

    // Where a value lies. One that this body does not define is captured.
    Slot slotOf(ValueId value);
    Slot define(ValueId value);
    Slot newSlot(const Type& type);
    void alias(ValueId value, Slot slot) { m_slots[value] = slot; }
    std::vector<Slot> slotsOf(const std::vector<ValueId>& values);
    std::vector<Slot> defineAll(const std::vector<ValueId>& values);
    Result<Jump> jump(const Operation& operation, std::vector<Slot> from, std::vector<Slot> to);
    std::uint32_t addChild(const Body* body, std::int64_t lanes);
    Error fail(const Operation& operation, const std::string& what) const;

    Compiler& m_compiler;
    const Function& m_function;
    Body& m_body;
    std::unordered_map<ValueId, Slot> m_slots;
    std::vector<ValueId> m_captured;
};

} // namespace reinspect::triton
