// SPDX-License-Identifier: MIT
#include "core/passes/lower_triton.h"

#include "core/passes/new_nodes.h"

#include <algorithm>

namespace reinspect
{
namespace
{

bool contains(const Argument* names, const Argument& name)
{
    const std::vector<Argument>* items = names ? names->sequence() : nullptr;
    return items && std::ranges::find(*items, name) != items->end();
}

// The launch's own arguments, with copies in place of those that must not be written.
Argument launchArguments(LoweringEdit& edit, NodeId wrapper, const Argument& given,
                         const Argument* toClone)
{
    DictArgument launch;
    if (const DictArgument* pairs = given.as<DictArgument>())
        launch = *pairs;
    for (auto& [name, value] : launch.items)
        if (value.node() && contains(toClone, name))
            value = {edit.cloneKeepingStrides(wrapper, value.node())};
    return {std::move(launch)};
}

} // namespace

Result<void> lowerTritonWrapper(LoweringEdit& edit, NodeId wrapper)
{
    const Node node = edit.graph()[wrapper];
    Node mutation = newCall("higher_order.triton_kernel_wrapper_mutation", node.args);
    Argument launch{DictArgument{}};
    for (const NamedArgument& argument : node.kwargs)
    {
        if (argument.name == "tensors_to_clone")
            continue;
        mutation.kwargs.push_back(argument);
        if (argument.name != "kwargs")
            continue;
        launch = launchArguments(edit, wrapper, argument.value, node.kwarg("tensors_to_clone"));
        mutation.kwargs.back().value = launch;
    }
    edit.insert(wrapper, std::move(mutation));
    return edit.retire(wrapper, [&](const Argument& key) -> std::optional<Argument> {
        const std::string* name = key.as<std::string>();
        const Argument* value = name ? findKey(launch, *name) : nullptr;
        return value ? std::optional<Argument>(*value) : std::nullopt;
    });
}

} // namespace reinspect
