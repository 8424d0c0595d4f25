// SPDX-License-Identifier: MIT
// graph_inputs.h: which symbols a person has to give numbers, and how they are read.
#include "core/proof/graph_inputs.h"

#include <algorithm>
#include <charconv>

namespace reinspect::proof
{
namespace
{

constexpr std::string_view kBlanks = " ,;\t\n";

Error notAssigned(std::string_view part)
{
    return {.message = "'" + std::string(part) + "' gives no symbol a number",
            .hint = "Such as s0=8; the numbers are 0 or more.",
            .kind = ErrorKind::BadUsage};
}

void collect(const SymExpr& expr, const ShapeEnv& shapes, std::vector<std::string>& names)
{
    for (const std::string& name : expr.symbols())
        if (!shapes.facts(name).hint && std::ranges::find(names, name) == names.end())
            names.push_back(name);
}

} // namespace

Result<SymbolNumbers> symbolNumbers(std::string_view text)
{
    SymbolNumbers numbers;
    for (std::size_t at = 0; (at = text.find_first_not_of(kBlanks, at)) != std::string_view::npos;)
    {
        const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
        const std::string_view part = text.substr(at, end - at);
        const std::size_t sign = part.find('=');
        std::int64_t value = -1;
        if (sign == 0 || sign == std::string_view::npos)
            return notAssigned(part);
        const char* last = part.data() + part.size();
        const auto [stop, error] = std::from_chars(part.data() + sign + 1, last, value);
        if (error != std::errc{} || stop != last || value < 0)
            return notAssigned(part);
        numbers.insert_or_assign(std::string(part.substr(0, sign)), value);
        at = end;
    }
    return numbers;
}

std::vector<std::string> symbolsWithoutHint(const Graph& graph, const ShapeEnv& shapes)
{
    std::vector<std::string> names;
    for (const NodeId id : graph.order())
    {
        const Node& node = graph.node(id);
        if (node.op != NodeOp::Placeholder)
            continue;
        if (const TensorMeta* meta = node.meta.value.tensor())
            for (const SymExpr& size : meta->sizes)
                collect(size, shapes, names);
        if (const auto* scalar = std::get_if<SymScalarMeta>(&node.meta.value.value);
            scalar && scalar->kind == SymScalarMeta::Kind::Int && !scalar->hint)
            collect(scalar->expr, shapes, names);
    }
    return names;
}

} // namespace reinspect::proof
