// SPDX-License-Identifier: MIT
// GRAPH of the capture format: nodes, tensor attributes and the bodies of higher-order operators.
#pragma once

#include "core/io/json_values.h"

namespace reinspect
{

class JsonGraphReader
{
public:
    JsonGraphReader(ShapeEnv& shapes, ProblemList& problems, const RunControl& control)
        : m_values(shapes, problems)
        , m_control(control)
    {}

    Result<Graph> graph(JsonValue value);

private:
    // The keys of a node, found in one walk over it.
    struct NodeKeys
    {
        JsonValue name, op, target, args, kwargs, meta;
    };

    Result<void> appendNode(Graph& graph, NameTable& names, JsonValue value, JsonValue nodes);
    Result<Node> node(JsonValue value, const JsonScope& scope);
    Result<NodeMeta> nodeMeta(JsonValue meta, const JsonScope& scope);
    Result<NodeKeys> nodeKeys(JsonValue value) const;
    std::shared_ptr<const std::vector<ModuleScope>> modules(JsonValue value);

    SharedText text(JsonValue value);

    JsonValueReader m_values;
    const RunControl& m_control;
    // Neighbouring nodes come from the same module: one list for all of them, found by its
    // spelling.
    std::unordered_map<std::string_view, std::shared_ptr<const std::vector<ModuleScope>>> m_modules;
    std::unordered_map<std::string_view, SharedText> m_texts; // likewise, code lines and the like
};

} // namespace reinspect
