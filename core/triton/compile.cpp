// SPDX-License-Identifier: MIT
#include "core/triton/compile.h"

#include "core/base/checked_math.h"
#include "core/triton/body_compiler.h"
#include "core/triton/prepare.h"

#include <algorithm>

namespace reinspect::triton
{

Error Preparation::fail(const std::string& what) const
{
    Error error;
    error.message = "cannot run: operator " + operation.name + " at " + toText(operation.place)
        + " of kernel " + function.name + ": " + what;
    error.span = {.line = operation.place.line, .column = operation.place.column};
    error.kind = ErrorKind::CannotRunHere;
    return error;
}

bool Preparation::hasOneShape() const
{
    const Type& first = outs() > 0 ? out(0) : in(0);
    const auto same = [&](ValueId id) {
        return function.type(id).shape == first.shape
            && function.type(id).isTensor == first.isTensor;
    };
    return std::ranges::all_of(operation.operands, same)
        && std::ranges::all_of(operation.results, same);
}

Lane laneOf(const Type& type)
{
    if (type.scalar == Scalar::Float64)
        return Lane::Double;
    return type.isFloat() ? Lane::Float : Lane::Int64;
}

std::int64_t slotCount(const Type& type)
{
    if (type.isBlock()) // base, then sizes, strides and offsets
        return 1 + 3 * static_cast<std::int64_t>(type.pointee->shape.size());
    return type.count();
}

Result<const Body*> Compiler::function(const Function& function)
{
    const auto known = m_functions.find(&function);
    if (known != m_functions.end())
        return known->second;
    if (m_callers.size() > 60 || std::ranges::find(m_callers, &function) != m_callers.end())
        return Error{.message = "cannot run: function " + function.name + " calls itself",
                     .kind = ErrorKind::CannotRunHere};
    if (function.body.blocks.empty())
        return Error{.message = "cannot run: function " + function.name + " has no body",
                     .kind = ErrorKind::CannotRunHere};
    m_callers.push_back(&function);
    Body& body = m_program.bodies.emplace_back();
    body.name = function.name;
    BodyCompiler compiler(*this, function, body);
    REINSPECT_CHECK(compiler.compileFunction());
    m_callers.pop_back();
    m_functions.emplace(&function, &body);
    return &body;
}

namespace
{

// Of a frame and all those it may make; the largest number when it does not fit.
std::int64_t frameBytes(const Body& body, std::map<const Body*, std::int64_t>& known)
{
    constexpr std::int64_t huge = std::int64_t{1} << 60;
    const auto entry = known.find(&body);
    if (entry != known.end())
        return entry->second;
    std::int64_t bytes = body.stagingBytes;
    for (const SlotInfo& slot : body.slots)
        bytes = std::min(huge, bytes + slot.bytes() + 64);
    for (const auto& [child, lanes] : body.childBodies)
    {
        const auto product = checkedMultiply(frameBytes(*child, known), lanes);
        bytes = std::min(huge, bytes + std::min(huge, product.value_or(huge)));
    }
    known.emplace(&body, bytes);
    return bytes;
}

} // namespace

Result<Program> compile(const Kernel& kernel)
{
    Program program;
    Compiler compiler(kernel, program);
    REINSPECT_TRY(program.entry, compiler.function(kernel.function()));
    std::map<const Body*, std::int64_t> known;
    program.frameBytes = frameBytes(*program.entry, known);
    return program;
}

} // namespace reinspect::triton
