// SPDX-License-Identifier: MIT
#include "core/proof/kernel_effects.h"

#include "core/triton/bind_launch.h"

#include <algorithm>

namespace reinspect::proof
{
namespace
{

bool isLaunch(const Node& node)
{
    return node.op == NodeOp::CallFunction
        && node.target.str().find("triton_kernel_wrapper_") != std::string::npos
        && node.kwarg("kernel_idx");
}

// What the metadata tells of the value; of a size that is no number nothing but that it is one.
triton::LaunchValue launchValueOf(const Graph& graph, const Argument& argument)
{
    if (const NodeId id = argument.node())
    {
        if (const TensorMeta* meta = graph.node(id).meta.value.tensor())
            return {triton::LaunchTensor{{}, std::string(triton::tritonTypeName(meta->dtype))}};
        return {std::int64_t{16}};
    }
    if (const auto* symbolic = argument.as<SymArgument>())
        return {symbolic->hint.value_or(16)};
    if (const auto* whole = argument.as<std::int64_t>())
        return {*whole};
    if (const auto* flag = argument.as<bool>())
        return {std::int64_t{*flag}};
    if (const auto* real = argument.as<double>())
        return {*real};
    if (const auto* text = argument.as<std::string>())
        return {*text};
    const std::vector<Argument>* items = argument.sequence();
    if (!items)
        return {};
    std::vector<triton::LaunchValue> values;
    for (const Argument& item : *items)
        values.push_back(launchValueOf(graph, item));
    return {std::move(values)};
}

triton::LaunchValues launchValues(const Graph& graph, const Node& node, const CaptureFacts& facts)
{
    triton::LaunchValues values;
    const Argument* index = node.kwarg("constant_args_idx");
    if (const TritonConstants* constants =
            index && index->integer() ? facts.constants(*index->integer()) : nullptr)
        for (const auto& [name, value] : constants->values)
            values.emplace_back(name, triton::launchValue(value));
    const Argument* given = node.kwarg("kwargs");
    if (const DictArgument* dict = given ? given->as<DictArgument>() : nullptr)
        for (const auto& [key, item] : dict->items)
            if (const auto* name = key.as<std::string>())
                values.emplace_back(*name, launchValueOf(graph, item));
    return values;
}

// Null: the node has no such list, as the wrapper that writes its arguments.
std::optional<std::vector<std::string>> cloneList(const Node& node)
{
    const Argument* list = node.kwarg("tensors_to_clone");
    const std::vector<Argument>* items = list ? list->sequence() : nullptr;
    if (!items)
        return std::nullopt;
    std::vector<std::string> names;
    for (const Argument& item : *items)
        if (const auto* name = item.as<std::string>())
            names.push_back(*name);
    return names;
}

void fillRows(KernelEffects& found, const Graph& graph, const TritonKernel& kernel,
              const CaptureFacts& facts)
{
    const Node& node = graph.node(found.node);
    if (kernel.variants.empty())
    {
        found.problem = "the capture holds no TTIR of this kernel";
        return;
    }
    // A symbolic size may fit no variant; what is written hardly depends on it.
    const auto chosen = triton::chooseVariant(kernel, launchValues(graph, node, facts));
    const std::size_t variant = chosen.ok() ? *chosen : 0;
    const auto read = triton::loadVariant(facts, kernel, variant);
    if (!read.ok())
    {
        found.problem = read.error().message;
        return;
    }
    const triton::Effects effects = triton::effectsOf(*read);
    const std::vector<std::string> names = triton::parameterNames(kernel.variants[variant]);
    const auto list = cloneList(node);
    found.hasCloneList = list.has_value();
    std::vector<std::string> compared = list.value_or(std::vector<std::string>{});
    if (!list)
        for (std::size_t i = 0; i < effects.parameters.size(); ++i)
            if (effects.parameters[i].writes)
                compared.push_back(names.size() == effects.parameters.size()
                                       ? names[i]
                                       : effects.parameters[i].name);
    found.rows = triton::effectRows(effects, names, compared);
    found.reasons = effects.reasons;
    if (!chosen.ok() && kernel.variants.size() > 1)
        found.reasons.push_back("Read from the first of " + std::to_string(kernel.variants.size())
                                + " compiled variants: none fits what is known of the launch.");
}

} // namespace

std::optional<KernelEffects> kernelEffects(const Graph& graph, NodeId id, const CaptureFacts& facts)
{
    const Node& node = graph.node(id);
    if (!isLaunch(node))
        return std::nullopt;
    KernelEffects found;
    found.node = id;
    const Argument* index = node.kwarg("kernel_idx");
    const TritonKernel* kernel = index->integer() ? facts.kernel(*index->integer()) : nullptr;
    if (!kernel)
    {
        found.problem = "this file does not say what the kernel is";
        return found;
    }
    found.kernel = kernel->name;
    fillRows(found, graph, *kernel, facts);
    return found;
}

std::vector<KernelEffects> allKernelEffects(const Graph& graph, const CaptureFacts& facts)
{
    std::vector<KernelEffects> all;
    for (const NodeId id : graph.order())
        if (auto found = kernelEffects(graph, id, facts))
            all.push_back(std::move(*found));
    return all;
}

std::string effectSentence(const triton::EffectRow& row)
{
    std::string text = row.effect;
    if (!row.place.empty())
        text += ", " + row.place;
    return row.remark.empty() ? text : text + ". " + row.remark;
}

std::string kernelEffectsText(const Graph& graph, const std::vector<KernelEffects>& launches)
{
    std::string text;
    for (const KernelEffects& launch : launches)
    {
        text += "Kernel " + (launch.kernel.empty() ? std::string("(unknown)") : launch.kernel)
            + ", launched by \"" + graph.node(launch.node).name + "\":\n";
        if (!launch.problem.empty())
            text += "  What it reads and writes is not known: " + launch.problem + ".\n";
        for (const triton::EffectRow& row : launch.rows)
            text += "  " + row.parameter + ": " + effectSentence(row) + "\n";
        for (const std::string& reason : launch.reasons)
            text += "  assumed: " + reason + "\n";
    }
    return text;
}

} // namespace reinspect::proof
