// SPDX-License-Identifier: MIT
#include "core/io/fx_line.h"

#include "core/io/operator_names.h"
#include "core/ir/op_facts.h"

#include <algorithm>
#include <iterator>

namespace reinspect
{
namespace
{

// Terminals and editors wrap long lines; the breaks are no part of a name.
std::string withoutBreaks(std::string_view text)
{
    std::string whole;
    std::remove_copy_if(text.begin(), text.end(), std::back_inserter(whole),
                        [](char c) { return c == '\n' || c == '\r' || c == ' ' || c == '\t'; });
    return whole;
}

bool isString(std::string_view type)
{
    return type == "str" || type == "str?";
}

} // namespace

std::string_view trimmedFxLine(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::ptrdiff_t openBrackets(std::string_view text)
{
    std::ptrdiff_t depth = 0;
    for (const char c : text)
        depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    return depth;
}

bool isNodeLine(std::string_view text)
{
    return text.starts_with('%') && text.find("[target=") != std::string_view::npos;
}

std::optional<NodeOp> opOf(std::string_view name)
{
    // In the comments of output_code.
    return name == "PlaceHolder" ? NodeOp::Placeholder : nodeOpFromName(name);
}

std::optional<NodeLine> splitNode(std::string_view line)
{
    NodeLine parts;
    const std::size_t nameEnd = line.find_first_of(" :=");
    const std::size_t equals = line.find(" = ");
    if (nameEnd == std::string_view::npos || nameEnd < 2 || equals == std::string_view::npos)
        return {};
    parts.name = line.substr(1, nameEnd - 1);
    const std::string_view type = line.substr(nameEnd, equals - nameEnd);
    if (const std::size_t open = type.find('"'); open != std::string_view::npos)
        parts.annotation = type.substr(open + 1, type.rfind('"') - open - 1);
    std::string_view rest = line.substr(equals + 3);
    // Before 2021's end: "%w : [#users=1] = self.layer.w".
    if (rest.starts_with("self.") && rest.find_first_of("[( ") == std::string_view::npos)
    {
        parts.op = "get_attr";
        parts.target = rest.substr(5);
        return parts;
    }
    const std::size_t bracket = rest.find("[target=");
    const std::size_t end = rest.find(']', bracket);
    if (bracket == std::string_view::npos || end == std::string_view::npos)
        return {};
    parts.op = rest.substr(0, bracket);
    parts.target = rest.substr(bracket + 8, end - bracket - 8);
    parts.call = rest.substr(end + 1);
    return parts;
}

std::string targetOf(const NodeLine& parts)
{
    if (parts.target == "<built-in function getitem>")
        return "operator.getitem";
    return canonicalTarget(parts.target.find('\n') == std::string_view::npos
                               ? std::string(parts.target)
                               : withoutBreaks(parts.target));
}

void restoreStrings(Node& node)
{
    const OpFacts* facts = node.op == NodeOp::CallFunction ? node.target.facts() : nullptr;
    if (!facts || facts->schema.find("str") == std::string_view::npos)
        return;
    const auto restore = [](Argument& argument) {
        if (!argument.isNone() && !argument.node() && !argument.as<std::string>())
            argument = Argument{toText(Graph{}, argument)};
    };
    const std::vector<SchemaArgument> arguments = schemaArguments(facts->schema);
    for (std::size_t i = 0; i < std::min(arguments.size(), node.args.size()); ++i)
        if (isString(arguments[i].type))
            restore(node.args[i]);
    for (NamedArgument& given : node.kwargs)
        for (const SchemaArgument& argument : arguments)
            if (argument.name == given.name && isString(argument.type))
                restore(given.value);
}

} // namespace reinspect
