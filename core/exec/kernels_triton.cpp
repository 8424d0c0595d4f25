// SPDX-License-Identifier: MIT
// Wrappers of user-defined Triton kernels: the functional one copies what it is to clone and gives the copies
// back by name, the mutating one writes what it is given.
#include "core/exec/clones.h"
#include "core/exec/device.h"
#include "core/exec/kernel_registry.h"
#include "core/exec/triton_library.h"
#include "core/triton/bind_launch.h"
#include "core/triton/ttir_effects.h"
#include "core/triton/ttir_run.h"

#include <algorithm>

namespace reinspect::exec
{
namespace
{

struct Launch
{
    const TritonKernel* captured = nullptr;
    const TritonVariant* variant = nullptr;
    const triton::Kernel* kernel = nullptr;
    std::size_t number = 0; // of the variant
    DictValue arguments;    // tensors and numbers of the graph
    triton::LaunchValues constants;
};

// Null: the caller gave none for this kernel.
const std::function<Result<Value>(const KernelCall&)>* foreignKernel(const KernelCall& call)
{
    const Value* index = call.keywords.find("kernel_idx");
    const ForeignOperators* foreign = call.context->foreign;
    if (!foreign || !index || !index->integer())
        return nullptr;
    const auto at = foreign->find("triton." + std::to_string(*index->integer()));
    return at == foreign->end() ? nullptr : &at->second;
}

triton::TensorArgument argumentFrom(const Tensor& tensor)
{
    const std::int64_t width = tensor.elementBytes();
    triton::TensorArgument argument;
    argument.storage = tensor.storage->address();
    argument.storageBytes = tensor.storage->bytes();
    argument.offsetBytes = tensor.offset * width;
    argument.viewBegin = argument.offsetBytes;
    argument.viewEnd =
        argument.offsetBytes + extent(tensor.sizes, tensor.strides).value_or(0) * width;
    return argument;
}

triton::LaunchValue launchValueOf(const Value& value)
{
    if (const Tensor* tensor = value.tensor())
        return {triton::LaunchTensor{argumentFrom(*tensor),
                                     std::string(triton::tritonTypeName(tensor->dtype))}};
    if (const double* real = value.as<double>())
        return {*real};
    if (const auto whole = value.integer())
        return {*whole};
    if (const std::string* text = value.as<std::string>())
        return {*text};
    if (!value.items())
        return {};
    std::vector<triton::LaunchValue> items;
    for (const Value& item : *value.items())
        items.push_back(launchValueOf(item));
    return {std::move(items)};
}

// What the compiled kernel is given: the constants of the launch, and the graph's values.
triton::LaunchValues valuesOf(const Launch& launch)
{
    triton::LaunchValues values = launch.constants;
    for (std::size_t i = 0; i < launch.arguments.keys.size(); ++i)
        values.emplace_back(launch.arguments.keys[i], launchValueOf(launch.arguments.items[i]));
    return values;
}

triton::LaunchValues constantsOf(const KernelCall& call)
{
    triton::LaunchValues values;
    const Value* index = call.keywords.find("constant_args_idx");
    const TritonConstants* constants =
        index && index->integer() ? call.context->facts->constants(*index->integer()) : nullptr;
    if (constants)
        for (const auto& [name, value] : constants->values)
            values.emplace_back(name, triton::launchValue(value));
    return values;
}

// The variant that was compiled for arguments as these.
Result<Launch> launchOf(const KernelCall& call)
{
    const Value* index = call.keywords.find("kernel_idx");
    const Value* arguments = call.keywords.find("kwargs");
    if (!index || !index->integer() || !arguments || !arguments->as<DictValue>())
        return call.error("the wrapper does not name its kernel and arguments");
    Launch launch;
    launch.arguments = *arguments->as<DictValue>();
    if (foreignKernel(call))
        return launch;
    const TritonLibrary* library = call.context->triton.get();
    const TritonKernel* kernel =
        call.context->facts ? call.context->facts->kernel(*index->integer()) : nullptr;
    if (!library || !kernel)
        return call.unsupported("the TTIR of this kernel is not in the file");
    launch.constants = constantsOf(call);
    const auto chosen = triton::chooseVariant(*kernel, valuesOf(launch));
    if (!chosen.ok())
        return call.error(chosen.error().message, chosen.error().kind);
    launch.number = *chosen;
    launch.captured = kernel;
    launch.variant = &kernel->variants[launch.number];
    const auto programs = library->variants.find(kernel->index);
    if (programs == library->variants.end() || programs->second.size() <= launch.number)
        return call.unsupported("the TTIR of this kernel was not read");
    const TritonProgram& program = programs->second[launch.number];
    if (!program.kernel)
        return call.error(program.problem.message, program.problem.kind);
    launch.kernel = program.kernel.get();
    return launch;
}

Result<triton::Grid> gridOf(const KernelCall& call, std::size_t variant)
{
    const Value* grids = call.keywords.find("grid");
    const std::vector<Value>* list = grids ? grids->items() : nullptr;
    if (!list || list->empty())
        return call.error("the wrapper has no grid");
    const Value& chosen = (*list)[variant < list->size() ? variant : 0];
    Sizes sizes;
    if (const std::vector<Value>* axes = chosen.items())
        for (const Value& axis : *axes)
            sizes.push_back(axis.integer().value_or(-1));
    else
        for (const Value& axis : *list)
            sizes.push_back(axis.integer().value_or(-1));
    sizes.resize(3, 1);
    if (std::ranges::any_of(sizes, [](std::int64_t size) { return size < 0; }))
        return call.error("the grid " + sizesText(sizes) + " is not one of three numbers");
    return triton::Grid{sizes[0], sizes[1], sizes[2]};
}

Result<void> launchKernel(const KernelCall& call, const Launch& launch)
{
    if (const auto* foreign = foreignKernel(call))
    {
        KernelCall inner = call;
        inner.keywords = launch.arguments;
        REINSPECT_TRY(const Value nothing, (*foreign)(inner));
        return {};
    }
    const Value* descriptors = call.keywords.find("tma_descriptor_metadata");
    if (descriptors && descriptors->as<DictValue>() && !descriptors->as<DictValue>()->items.empty())
        return call.unsupported("a kernel with tensor descriptors made on the host");
    REINSPECT_TRY(const triton::Grid grid, gridOf(call, launch.number));
    const auto arguments = triton::bindLaunch(*launch.variant, *launch.kernel, valuesOf(launch));
    if (!arguments.ok())
        return call.error(arguments.error().message, arguments.error().kind);
    for (const triton::ParameterEffects& effects : triton::effectsOf(*launch.kernel).parameters)
        call.context->hasAtomics = call.context->hasAtomics || effects.atomics;
    if (Device* device = call.context->accelerator)
        return device->launch(call,
                              {launch.captured, launch.number, launch.kernel, *arguments, grid});
    const RunControl quiet{call.context->stop, {}};
    auto report = triton::runKernel(*launch.kernel, *arguments, grid, quiet);
    if (!report.ok())
        return call.error(report.error().message, report.error().kind);
    for (const triton::AccessWarning& warning : report->warnings)
        call.note(warning.text);
    return {};
}

Result<Value> mutation(const KernelCall& call)
{
    REINSPECT_TRY(const Launch launch, launchOf(call));
    REINSPECT_CHECK(launchKernel(call, launch));
    return Value();
}

Result<Value> functional(const KernelCall& call)
{
    REINSPECT_TRY(Launch launch, launchOf(call));
    const Value* names = call.keywords.find("tensors_to_clone");
    DictValue results;
    for (std::size_t i = 0; names && names->items() && i < names->items()->size(); ++i)
    {
        const std::string* name = (*names->items())[i].as<std::string>();
        const auto at =
            name ? std::ranges::find(launch.arguments.keys, *name) : launch.arguments.keys.end();
        if (at == launch.arguments.keys.end())
            continue;
        Value& value =
            launch.arguments.items[static_cast<std::size_t>(at - launch.arguments.keys.begin())];
        if (!value.tensor())
            continue;
        REINSPECT_TRY(Tensor copy, cloneKeepingStrides(call, *value.tensor()));
        value = Value(copy);
        results.keys.push_back(*name);
        results.items.emplace_back(std::move(copy));
    }
    REINSPECT_CHECK(launchKernel(call, launch));
    return Value(std::move(results));
}

const KernelRow table[] = {
    {"higher_order.triton_kernel_wrapper_functional", functional, "*"},
    {"higher_order.triton_kernel_wrapper_mutation", mutation, "*"},
};

} // namespace

std::span<const KernelRow> tritonKernels()
{
    return table;
}

} // namespace reinspect::exec
