// SPDX-License-Identifier: MIT
#include "core/passes/new_nodes.h"

#include "core/alias/view_geometry.h"

namespace reinspect
{
namespace
{

bool isLower(char c)
{
    return c >= 'a' && c <= 'z';
}

bool isUpper(char c)
{
    return c >= 'A' && c <= 'Z';
}

// "dim_IntList" is "dim_int_list": a capital after a small letter begins a word.
std::string snakeCase(std::string_view text)
{
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        if (i > 0 && isUpper(text[i]) && isLower(text[i - 1]))
            result += '_';
        const bool isPlain =
            isLower(text[i]) || text[i] == '_' || (text[i] >= '0' && text[i] <= '9');
        result += isUpper(text[i]) ? static_cast<char>(text[i] - 'A' + 'a')
            : isPlain              ? text[i]
                                   : '_';
    }
    return result;
}

// The part of a target that is Python's __name__: without the module, the namespace of an operator
// or the class it hangs on.
std::string_view shortName(std::string_view target)
{
    if (target.starts_with("torch."))
        return target.substr(target.rfind('.') + 1);
    return target.substr(target.find('.') + 1);
}

} // namespace

std::string nameForTarget(std::string_view target)
{
    return snakeCase(shortName(target));
}

Node newCall(std::string_view target, std::vector<Argument> args, MetaValue meta)
{
    Node node;
    node.name = nameForTarget(target);
    node.target = target;
    node.args = std::move(args);
    node.meta.value = std::move(meta);
    return node;
}

MetaValue cloneMeta(const Graph& graph, NodeId source)
{
    const TensorMeta* meta = graph[source].meta.value.tensor();
    return meta ? MetaValue{cloneResult(*meta)} : graph[source].meta.value;
}

MetaValue viewMeta(const Graph& graph, NodeId base, const ViewArgument& view)
{
    const TensorMeta* meta = graph[base].meta.value.tensor();
    const auto result =
        meta ? viewResult(view.target, *meta, view.args, view.kwargs) : std::nullopt;
    return result ? MetaValue{*result} : MetaValue{};
}

MetaValue scatterMeta(const Graph& graph, NodeId input)
{
    const TensorMeta* meta = graph[input].meta.value.tensor();
    return meta ? MetaValue{sameStridesResult(*meta)} : graph[input].meta.value;
}

Node viewCall(const Graph& graph, NodeId base, const ViewArgument& view)
{
    std::vector<Argument> args{{base}};
    args.insert(args.end(), view.args.begin(), view.args.end());
    Node node = newCall(view.target, std::move(args), viewMeta(graph, base, view));
    node.kwargs = view.kwargs;
    return node;
}

} // namespace reinspect
