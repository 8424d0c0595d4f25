// SPDX-License-Identifier: MIT
#include "core/triton/ttir_run.h"

#include "core/base/checked_math.h"
#include "core/triton/compile.h"
#include "core/triton/float_formats.h"

namespace reinspect::triton
{
namespace
{

Error argumentError(const Kernel& kernel, const Value& parameter, const std::string& what)
{
    return {.message = "parameter '" + parameter.name + "' of kernel " + kernel.name() + " of type "
                + toText(parameter.type) + ": " + what};
}

Result<void> bindTensor(Machine& machine, const Kernel& kernel, const Value& parameter,
                        const TensorArgument& tensor, std::int64_t* into)
{
    if (!parameter.type.isPointer() || parameter.type.isTensor)
        return argumentError(kernel, parameter, "a tensor was given");
    if (tensor.storageBytes < 0 || (tensor.storageBytes > 0 && !tensor.storage))
        return argumentError(kernel, parameter, "its storage is not there");
    *into = static_cast<std::int64_t>(machine.addRegion(tensor, parameter.name));
    return {};
}

Result<void> bindInteger(const Kernel& kernel, const Value& parameter, std::int64_t value,
                         Frame& frame, Slot slot)
{
    const Type& type = parameter.type;
    if (type.isTensor || (!type.isInteger() && !type.isFloat()))
        return argumentError(kernel, parameter, "an integer was given");
    if (type.isInteger())
        frame.ints(slot)[0] = value << (64 - type.bits) >> (64 - type.bits);
    else if (type.scalar == Scalar::Float64)
        frame.doubles(slot)[0] = static_cast<double>(value);
    else
        frame.floats(slot)[0] = roundedTo(type.scalar, static_cast<float>(value));
    return {};
}

Result<void> bindReal(const Kernel& kernel, const Value& parameter, double value, Frame& frame,
                      Slot slot)
{
    if (parameter.type.isTensor || !parameter.type.isFloat())
        return argumentError(kernel, parameter, "a float was given");
    if (parameter.type.scalar == Scalar::Float64)
        frame.doubles(slot)[0] = value;
    else
        frame.floats(slot)[0] = roundedTo(parameter.type.scalar, static_cast<float>(value));
    return {};
}

Result<void> bindArguments(Machine& machine, const Kernel& kernel,
                           std::span<const LaunchArgument> arguments, Frame& frame)
{
    const Function& function = kernel.function();
    if (arguments.size() != function.parameters.size())
        return Error{.message = "kernel " + kernel.name() + " has "
                         + std::to_string(function.parameters.size()) + " parameters, "
                         + std::to_string(arguments.size()) + " arguments were given"};
    for (std::size_t i = 0; i < arguments.size(); ++i)
    {
        const Value& parameter = function.values[function.parameters[i]];
        const Slot slot = frame.body().parameters[i];
        if (const auto* tensor = std::get_if<TensorArgument>(&arguments[i]))
            REINSPECT_CHECK(bindTensor(machine, kernel, parameter, *tensor, frame.ints(slot)));
        else if (const auto* integer = std::get_if<std::int64_t>(&arguments[i]))
            REINSPECT_CHECK(bindInteger(kernel, parameter, *integer, frame, slot));
        else
            REINSPECT_CHECK(
                bindReal(kernel, parameter, std::get<double>(arguments[i]), frame, slot));
    }
    return {};
}

Result<std::int64_t> numberOfPrograms(const Kernel& kernel, const Grid& grid)
{
    if (grid.x < 0 || grid.y < 0 || grid.z < 0)
        return Error{.message = "the grid of kernel " + kernel.name() + " has a negative size"};
    const auto plane = checkedMultiply(grid.x, grid.y);
    const auto programs = plane ? checkedMultiply(*plane, grid.z) : std::nullopt;
    if (!programs)
        return Error{.message = "the grid of kernel " + kernel.name() + " is too large"};
    return *programs;
}

bool runPrograms(Machine& machine, Frame& frame, std::int64_t programs, const RunControl& control)
{
    for (std::int64_t i = 0; i < programs; ++i)
    {
        machine.program = {i % machine.grid[0], i / machine.grid[0] % machine.grid[1],
                           i / machine.grid[0] / machine.grid[1]};
        if (!runBody(machine, frame))
            return false;
        ++machine.report.programs;
        if ((i & 1023) == 0)
            control.report(static_cast<double>(i) / static_cast<double>(programs));
    }
    return true;
}

} // namespace

Result<RunReport> runKernel(const Kernel& kernel, std::span<const LaunchArgument> arguments,
                            Grid grid, const RunControl& control, const RunLimits& limits)
{
    REINSPECT_TRY(const std::int64_t programs, numberOfPrograms(kernel, grid));
    REINSPECT_TRY(const Program program, compile(kernel));
    if (program.frameBytes > limits.frameBytes)
        return Error{.message = "kernel " + kernel.name() + " needs "
                         + std::to_string(program.frameBytes)
                         + " bytes for a program's values, more than the limit of "
                         + std::to_string(limits.frameBytes),
                     .kind = ErrorKind::CannotRunHere};
    Machine machine(kernel, control, limits);
    machine.grid = {grid.x, grid.y, grid.z};
    Frame frame(*program.entry, 1);
    REINSPECT_CHECK(bindArguments(machine, kernel, arguments, frame));
    if (!runPrograms(machine, frame, programs, control))
        return std::move(machine.error);
    std::size_t region = 0;
    for (const LaunchArgument& argument : arguments)
        machine.report.touched.push_back(std::holds_alternative<TensorArgument>(argument)
                                             ? machine.regions[region++].touched
                                             : RunReport::Touched{});
    return std::move(machine.report);
}

Result<void> checkRunnable(const Kernel& kernel)
{
    REINSPECT_TRY(const Program program, compile(kernel));
    return {};
}

} // namespace reinspect::triton
