// SPDX-License-Identifier: MIT
#include "core/ir/argument.h"

#include <algorithm>

namespace reinspect
{

DictArgument::DictArgument() = default;
DictArgument::DictArgument(Items pairs)
    : items(std::move(pairs))
{}
DictArgument::DictArgument(const DictArgument& other) = default;
DictArgument::DictArgument(DictArgument&& other) noexcept = default;
DictArgument& DictArgument::operator=(const DictArgument& other) = default;
DictArgument& DictArgument::operator=(DictArgument&& other) noexcept = default;
DictArgument::~DictArgument() = default;
namespace
{

// Hands every argument directly inside `value` to `visit`, in order. `Visited` is Argument or
// const Argument, so that reading and rewriting walk the same way.
template<typename Visited, typename Visit>
void forEachChild(Visited& argument, const Visit& visit)
{
    const auto visitAll = [&](auto& items) {
        for (auto& item : items)
            visit(item);
    };
    auto& value = argument.value;
    if (auto* list = std::get_if<ListArgument>(&value))
        visitAll(list->items);
    else if (auto* tuple = std::get_if<TupleArgument>(&value))
        visitAll(tuple->items);
    else if (auto* slice = std::get_if<SliceArgument>(&value))
        visitAll(slice->items);
    else if (auto* dict = std::get_if<DictArgument>(&value))
    {
        for (auto& [key, item] : dict->items)
        {
            visit(key);
            visit(item);
        }
    }
    else if (auto* view = std::get_if<Boxed<ViewArgument>>(&value))
    {
        visitAll((**view).args);
        for (auto& named : (**view).kwargs)
            visit(named.value);
    }
}

} // namespace

bool operator==(const ListArgument& a, const ListArgument& b)
{
    return a.items == b.items;
}

bool operator==(const TupleArgument& a, const TupleArgument& b)
{
    return a.items == b.items;
}

bool operator==(const DictArgument& a, const DictArgument& b)
{
    return a.items == b.items;
}

bool operator==(const SliceArgument& a, const SliceArgument& b)
{
    return a.items == b.items;
}

bool operator==(const ViewArgument& a, const ViewArgument& b)
{
    return a.target == b.target && a.args == b.args && a.kwargs == b.kwargs;
}

NodeId Argument::node() const
{
    const NodeId* id = as<NodeId>();
    return id ? *id : NodeId{};
}

const std::vector<Argument>* Argument::sequence() const
{
    if (const auto* list = as<ListArgument>())
        return &list->items;
    if (const auto* tuple = as<TupleArgument>())
        return &tuple->items;
    return nullptr;
}

std::optional<std::int64_t> Argument::integer() const
{
    if (const auto* number = as<std::int64_t>())
        return *number;
    return std::nullopt;
}

void forEachNestedNode(const Argument& argument, const std::function<void(NodeId)>& visit)
{
    forEachChild(argument, [&](const Argument& child) { forEachNode(child, visit); });
}

void renumberNodes(Argument& argument, const std::function<NodeId(NodeId)>& renumber)
{
    if (auto* id = std::get_if<NodeId>(&argument.value))
        *id = renumber(*id);
    else
        forEachChild(argument, [&](Argument& child) { renumberNodes(child, renumber); });
}

bool replaceNode(Argument& argument, NodeId from, NodeId to)
{
    bool changed = false;
    renumberNodes(argument, [&](NodeId id) {
        changed = changed || id == from;
        return id == from ? to : id;
    });
    return changed;
}

void replaceNodes(Argument& argument, const std::unordered_map<NodeId, Argument>& values)
{
    if (const NodeId* id = argument.as<NodeId>())
    {
        const auto value = values.find(*id);
        if (value != values.end())
            argument = value->second;
        return;
    }
    forEachChild(argument, [&](Argument& child) { replaceNodes(child, values); });
}

const Argument* findKey(const Argument& dict, std::string_view key)
{
    const auto* pairs = dict.as<DictArgument>();
    if (!pairs)
        return nullptr;
    const auto found = std::ranges::find_if(pairs->items, [&](const auto& pair) {
        const auto* name = pair.first.template as<std::string>();
        return name && *name == key;
    });
    return found != pairs->items.end() ? &found->second : nullptr;
}

} // namespace reinspect
