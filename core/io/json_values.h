// SPDX-License-Identifier: MIT
// ARG and VALUE of the capture format: arguments and metadata. Values of the traced run ("hint") of
// plain symbols go to the ShapeEnv on the way.
#pragma once

#include "core/io/json_tree.h"
#include "core/io/name_table.h"
#include "core/io/problem_list.h"

namespace reinspect
{

// What a "$node" may refer to: the names read so far, and all nodes of the graph for the message.
struct JsonScope
{
    const NameTable& names;
    JsonValue nodes;
};

class JsonValueReader
{
public:
    JsonValueReader(ShapeEnv& shapes, ProblemList& problems)
        : m_shapes(shapes)
        , m_problems(problems)
    {}

    Result<Argument> argument(JsonValue value, const JsonScope& scope);
    Result<std::vector<Argument>> arguments(JsonValue array, const JsonScope& scope);
    // From {name: ARG} or from {"$dict": [[name, ARG]...]}, in order.
    Result<std::vector<NamedArgument>> namedArguments(JsonValue object, const JsonScope& scope);
    Result<MetaValue> meta(JsonValue value);

    Error errorAt(JsonValue value, std::string message, std::string hint = {}) const;
    ProblemList& problems() { return m_problems; }

private:
    Argument number(JsonValue value);
    Result<Argument> tagged(JsonValue value, const JsonScope& scope);
    Result<Argument> container(std::string_view tag, JsonValue content, const JsonScope& scope);
    std::optional<Argument> constant(std::string_view tag, JsonValue content) const;
    Result<Argument> nodeReference(JsonValue name, const JsonScope& scope);
    Result<Argument> dict(JsonValue pairs, const JsonScope& scope);
    Result<Argument> view(JsonValue content, const JsonScope& scope);
    Result<Argument> complex(JsonValue content, const JsonScope& scope);

    Result<MetaValue> tensor(JsonValue value);
    Result<MetaValue> sequence(JsonValue value, bool isTuple);
    Result<MetaValue> symbolic(JsonValue value, SymScalarMeta::Kind kind);
    Result<SymExpr> size(JsonValue value);
    Result<std::vector<SymExpr>> sizes(JsonValue array);
    SymExpr expression(JsonValue text);
    void rememberHint(std::string_view text, JsonValue hint);

    ShapeEnv& m_shapes;
    ProblemList& m_problems;
    std::unordered_map<std::string_view, SymExpr>
        m_expressions; // the same few occur thousands of times
};

} // namespace reinspect
