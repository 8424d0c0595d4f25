// SPDX-License-Identifier: MIT
// Wrappers of user-defined Triton kernels: the functional one copies what it is to clone and gives the copies
// back by name, the mutating one writes what it is given.
#include "core/exec/clones.h"
#include "core/exec/kernel_registry.h"
#include "core/exec/triton_library.h"
#include "core/triton/ttir_effects.h"
#include "core/triton/ttir_run.h"

#include <algorithm>

namespace reinspect::exec
{
namespace
{

bool sameNumber(const Value& a, const Value& b)
{
    if (a.number() && b.number())
        return *a.number() == *b.number();
    if (a.as<std::string>() && b.as<std::string>())
        return *a.as<std::string>() == *b.as<std::string>();
    return a.value.index() == b.value.index();
}

struct Launch
{
    const TritonVariant* variant = nullptr;
    std::size_t number = 0; // of the variant
    DictValue arguments;
};

// The first variant that was compiled for these constants.
Result<Launch> launchOf(const KernelCall& call)
{
    const Value* index = call.keywords.find("kernel_idx");
    const Value* constants = call.keywords.find("constant_args_idx");
    const Value* arguments = call.keywords.find("kwargs");
    const TritonLibrary* library = call.context->triton.get();
    if (!index || !index->integer() || !arguments || !arguments->as<DictValue>())
        return call.error("the wrapper does not name its kernel and arguments");
    const auto known =
        library ? library->variants.find(*index->integer()) : decltype(library->variants.end()){};
    if (!library || known == library->variants.end() || known->second.empty())
        return call.unsupported("the TTIR of this kernel is not in the file");
    Launch launch;
    launch.arguments = *arguments->as<DictValue>();
    if (constants && constants->integer())
        if (const auto at = library->constants.find(*constants->integer());
            at != library->constants.end())
            for (const auto& [name, value] : at->second)
            {
                launch.arguments.keys.push_back(name);
                launch.arguments.items.push_back(value);
            }
    for (const TritonVariant& variant : known->second)
    {
        const bool fits = std::ranges::all_of(variant.constants, [&](const auto& constant) {
            const Value* given = launch.arguments.find(constant.first);
            return !given || sameNumber(*given, constant.second);
        });
        if (fits && !launch.variant)
        {
            launch.variant = &variant;
            launch.number = static_cast<std::size_t>(&variant - known->second.data());
        }
    }
    if (!launch.variant)
        return call.unsupported("the kernel was not compiled for these constants");
    if (!launch.variant->kernel)
        return call.unsupported(launch.variant->problem);
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

triton::TensorArgument argumentFrom(const Tensor& tensor)
{
    const std::int64_t width = tensor.elementBytes();
    triton::TensorArgument argument;
    argument.storage = tensor.storage->data();
    argument.storageBytes = tensor.storage->bytes();
    argument.offsetBytes = tensor.offset * width;
    argument.viewBegin = argument.offsetBytes;
    argument.viewEnd =
        argument.offsetBytes + extent(tensor.sizes, tensor.strides).value_or(0) * width;
    return argument;
}

Result<std::vector<triton::LaunchArgument>> launchArguments(const KernelCall& call,
                                                            const Launch& launch)
{
    std::vector<triton::LaunchArgument> list;
    for (const std::string& name : launch.variant->parameters)
    {
        const Value* value = launch.arguments.find(name);
        if (!value)
            return call.error("the kernel's parameter '" + name + "' is not given");
        if (const Tensor* tensor = value->tensor())
            list.emplace_back(argumentFrom(*tensor));
        else if (const double* real = value->as<double>())
            list.emplace_back(*real);
        else if (const auto whole = value->integer())
            list.emplace_back(*whole);
        else
            return call.unsupported("the kernel's parameter '" + name + "' is " + kindText(*value));
    }
    return list;
}

Result<void> launchKernel(const KernelCall& call, const Launch& launch)
{
    const Value* descriptors = call.keywords.find("tma_descriptor_metadata");
    if (descriptors && descriptors->as<DictValue>() && !descriptors->as<DictValue>()->items.empty())
        return call.unsupported("a kernel with tensor descriptors made on the host");
    REINSPECT_TRY(const triton::Grid grid, gridOf(call, launch.number));
    REINSPECT_TRY(const auto arguments, launchArguments(call, launch));
    const RunControl quiet{call.context->stop, {}};
    auto report = triton::runKernel(*launch.variant->kernel, arguments, grid, quiet);
    if (!report.ok())
        return call.error(report.error().message, report.error().kind);
    for (const triton::AccessWarning& warning : report->warnings)
        call.note(warning.text);
    for (const triton::ParameterEffects& effects :
         triton::effectsOf(*launch.variant->kernel).parameters)
        call.context->hasAtomics = call.context->hasAtomics || effects.atomics;
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
