// SPDX-License-Identifier: MIT
#include "core/io/json_graph.h"

namespace reinspect
{
Result<Graph> JsonGraphReader::graph(JsonValue value)
{
    const JsonValue nodes = value["nodes"];
    if (!value.isObject() || !nodes.isArray())
        return m_values.errorAt(value, "expected a graph: an object with a list of \"nodes\"");
    Graph graph;
    graph.name = value["name"].string();
    NameTable names;
    std::size_t done = 0;
    for (const JsonValue node : nodes)
    {
        if (++done % 1024 == 0 && m_control.stopRequested())
            return Error{.message = "reading was stopped"};
        REINSPECT_CHECK(appendNode(graph, names, node, nodes));
    }
    REINSPECT_CHECK(
        value["attributes"].forEachPair([&](JsonValue key, JsonValue attribute) -> Result<void> {
            REINSPECT_TRY(graph.attributes[std::string(key.string())], m_values.meta(attribute));
            return {};
        }));
    REINSPECT_CHECK(value["subgraphs"].forEachPair([&](JsonValue key,
                                                       JsonValue body) -> Result<void> {
        REINSPECT_TRY(Graph read, this->graph(body));
        graph.subgraphs[std::string(key.string())] = std::make_shared<const Graph>(std::move(read));
        return {};
    }));
    return graph;
}

Result<void> JsonGraphReader::appendNode(Graph& graph, NameTable& names, JsonValue value,
                                         JsonValue nodes)
{
    if (graph.output())
        return m_values.errorAt(value, "a node stands behind the output",
                                "The output is the last node of a graph.");
    REINSPECT_TRY(Node read, node(value, {names, nodes}));
    const std::string_view name = value["name"].string();
    if (names.find(name))
    {
        const TextSpan first = graph[names.find(name)].meta.span;
        return m_values.errorAt(value["name"], "the name " + quotedExcerpt(name) + " is used twice",
                                "The first is at " + std::to_string(first.line) + ":"
                                    + std::to_string(first.column)
                                    + ". Names are unique in a graph.");
    }
    names.add(name, graph.append(std::move(read)));
    return {};
}

Result<JsonGraphReader::NodeKeys> JsonGraphReader::nodeKeys(JsonValue value) const
{
    NodeKeys keys;
    REINSPECT_CHECK(value.forEachPair([&keys](JsonValue key, JsonValue content) -> Result<void> {
        const std::string_view name = key.string();
        JsonValue* const place = name == "name" ? &keys.name
            : name == "op"                      ? &keys.op
            : name == "target"                  ? &keys.target
            : name == "args"                    ? &keys.args
            : name == "kwargs"                  ? &keys.kwargs
            : name == "meta"                    ? &keys.meta
                                                : nullptr;
        if (place)
            *place = content;
        return {};
    }));
    return keys;
}

SharedText JsonGraphReader::text(JsonValue value)
{
    const auto [at, isNew] = m_texts.try_emplace(value.raw());
    if (isNew)
        at->second = value.string();
    return at->second;
}

Result<Node> JsonGraphReader::node(JsonValue value, const JsonScope& scope)
{
    REINSPECT_TRY(const NodeKeys keys, nodeKeys(value));
    if (keys.name.string().empty())
        return m_values.errorAt(value, "expected a node: an object with a \"name\"");
    const std::optional<NodeOp> op = nodeOpFromName(keys.op.string());
    if (!op)
        return m_values.errorAt(
            keys.op.present() ? keys.op : value,
            "node " + quotedExcerpt(keys.name.string()) + " has an unknown \"op\"",
            "Known: placeholder, get_attr, call_function, call_method, call_module, output.");
    Node node;
    node.name = keys.name.string();
    node.op = *op;
    node.target = keys.target.string();
    REINSPECT_TRY(node.args, m_values.arguments(keys.args, scope));
    REINSPECT_TRY(node.kwargs, m_values.namedArguments(keys.kwargs, scope));
    REINSPECT_TRY(node.meta, nodeMeta(keys.meta, scope));
    node.meta.span = m_values.problems().source().spanAt(value.offset(), value.raw().size());
    return node;
}

Result<NodeMeta> JsonGraphReader::nodeMeta(JsonValue meta, const JsonScope& scope)
{
    NodeMeta read;
    REINSPECT_CHECK(meta.forEachPair([&](JsonValue key, JsonValue content) -> Result<void> {
        const std::string_view name = key.string();
        if (name == "val")
        {
            REINSPECT_TRY(read.value, m_values.meta(content));
        }
        else if (name == "source")
            read.source = text(content);
        else if (name == "source_file")
            read.sourceFile = text(content);
        else if (name == "modules")
            read.modules = modules(content);
        else if (name == "original_aten")
            read.originalAten = text(content);
        else if (name == "partitioner_tag")
            read.partitionerTag = text(content);
        else if (name == "only_clone_these_tensors")
        {
            REINSPECT_TRY(read.onlyCloneTheseTensors, m_values.arguments(content, scope));
        }
        return {};
    }));
    return read;
}

std::shared_ptr<const std::vector<ModuleScope>> JsonGraphReader::modules(JsonValue value)
{
    const auto known = m_modules.find(value.raw());
    if (known != m_modules.end())
        return known->second;
    auto scopes = std::make_shared<std::vector<ModuleScope>>();
    for (const JsonValue pair : value)
    {
        ModuleScope scope;
        std::size_t position = 0;
        for (const JsonValue part : pair)
            (position++ == 0 ? scope.path : scope.type) = part.string();
        scopes->push_back(std::move(scope));
    }
    return m_modules.emplace(value.raw(), std::move(scopes)).first->second;
}

} // namespace reinspect
