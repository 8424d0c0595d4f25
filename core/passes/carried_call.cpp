// SPDX-License-Identifier: MIT
#include "core/passes/carried_call.h"

#include "core/passes/lower_auto_functionalized.h"

#include <algorithm>
#include <cstdlib>

namespace reinspect
{
namespace
{

// Whether a value is what the schema gives when nothing is passed: "None", "0", "1.0", "True", "[]".
bool isDefault(const Argument& value, std::string_view text)
{
    if (text.empty())
        return false;
    if (value.isNone())
        return text == "None";
    if (const bool* flag = value.as<bool>())
        return text == (*flag ? "True" : "False");
    if (const std::string* word = value.as<std::string>())
        return text.size() >= 2 && text.substr(1, text.size() - 2) == *word;
    if (const std::vector<Argument>* items = value.sequence())
        return items->empty() && text == "[]";
    const double* real = value.as<double>();
    if (!real && !value.integer())
        return false;
    const std::string number(text);
    char* end = nullptr;
    const double parsed = std::strtod(number.c_str(), &end);
    return end == number.c_str() + number.size()
        && parsed == (real ? *real : static_cast<double>(*value.integer()));
}

std::optional<std::size_t> resultIndex(const Node& getitem)
{
    if (getitem.target != "operator.getitem" || getitem.args.size() < 2)
        return {};
    const auto index = getitem.args[1].integer();
    return index && *index >= 0 ? std::optional<std::size_t>(static_cast<std::size_t>(*index))
                                : std::nullopt;
}

// What the second form adds for itself: "_all_bases", and all that describes a written argument.
bool belongsToWrapper(std::string_view name, const std::vector<std::string>& written)
{
    if (name == "_all_bases" || name == "_op_schema")
        return true;
    return std::ranges::any_of(written, [name](const std::string& argument) {
        return name.starts_with("_" + argument + "_");
    });
}

} // namespace

CarriedCall::CarriedCall(const Graph& graph, NodeId wrapper, const CaptureFacts& facts,
                         std::vector<std::string> inferred)
    : m_graph(graph)
    , m_wrapper(wrapper)
    , m_written(std::move(inferred))
{
    const Node& node = graph[wrapper];
    const ConstantArgument* op =
        node.args.empty() ? nullptr : node.args.front().as<ConstantArgument>();
    if (!op || op->kind != ConstantArgument::Kind::Operator)
        return;
    m_target = op->text;
    if (const CustomOperator* custom = facts.customOperator(m_target))
        m_schema = custom->schema;
    else if (const OpFacts* known = findOpFacts(m_target))
        m_schema = known->schema;
    m_declared = schemaArguments(m_schema);
    if (m_declared.empty())
        m_schema.clear();
    for (const NodeId user : graph.users(wrapper))
        m_lastRead = std::max(m_lastRead, resultIndex(graph[user]).value_or(0));
    findWritten();
    for (const NamedArgument& argument : node.kwargs)
        if (node.target == kAutoFunctionalized || !belongsToWrapper(argument.name, m_written))
            set(argument.name, argument.value);
}

void CarriedCall::findWritten()
{
    if (!hasSchema())
        return inferWritten();
    m_written.clear();
    for (const SchemaArgument& argument : m_declared)
        if (argument.isMutable)
            m_written.emplace_back(argument.name);
}

// The second form names what it writes: "_x_base_index", or "_xs_length" for a list. The first form does
// not: its names were given.
void CarriedCall::inferWritten()
{
    if (m_graph[m_wrapper].target == kAutoFunctionalized)
        return;
    constexpr std::string_view kLength = "_length";
    constexpr std::string_view kIndex = "_base_index";
    std::vector<std::string> lists;
    for (const NamedArgument& argument : m_graph[m_wrapper].kwargs)
    {
        const std::string& name = argument.name;
        if (!name.starts_with('_'))
            continue;
        const bool isMember = std::ranges::any_of(
            lists, [&](const std::string& list) { return name.starts_with("_" + list + "_"); });
        const bool isList = name.ends_with(kLength);
        if (isMember || (!isList && !name.ends_with(kIndex)))
            continue;
        const std::size_t tail = isList ? kLength.size() : kIndex.size();
        if (name.size() <= tail + 1)
            continue;
        m_written.push_back(name.substr(1, name.size() - tail - 1));
        if (isList)
            lists.push_back(m_written.back());
    }
}

// Without a schema: at most one value, unless more results are read than that leaves room for.
std::size_t CarriedCall::returnCount(std::size_t written) const
{
    if (hasSchema())
        return schemaReturnCount(m_schema);
    const SequenceMeta* values = m_graph[m_wrapper].meta.value.sequence();
    if (values && values->items.size() > written)
        return values->items.size() - written;
    return m_lastRead > written ? m_lastRead + 1 - written : 1;
}

void CarriedCall::set(const std::string& name, Argument value)
{
    const auto [place, isNew] = m_placeOf.try_emplace(name, m_values.size());
    if (isNew)
        m_values.push_back({name, std::move(value)});
    else
        m_values[place->second].value = std::move(value);
}

const Argument* CarriedCall::value(std::string_view name) const
{
    const auto place = m_placeOf.find(std::string(name));
    return place == m_placeOf.end() ? nullptr : &m_values[place->second].value;
}

// Arguments by position: up to the first that is keyword-only or missing, without defaults at the end.
std::size_t CarriedCall::positionalCount() const
{
    std::size_t count = 0;
    std::size_t needed = 0;
    while (count < m_declared.size() && !m_declared[count].isKeywordOnly
           && value(m_declared[count].name))
    {
        const SchemaArgument& argument = m_declared[count++];
        if (!isDefault(*value(argument.name), argument.defaultText))
            needed = count;
    }
    return needed;
}

std::vector<Argument> CarriedCall::positional() const
{
    std::vector<Argument> args;
    for (std::size_t i = 0; i < positionalCount(); ++i)
        args.push_back(*value(m_declared[i].name));
    return args;
}

std::vector<NamedArgument> CarriedCall::keywords() const
{
    if (!hasSchema())
        return m_values;
    std::vector<NamedArgument> keywords;
    for (std::size_t i = positionalCount(); i < m_declared.size(); ++i)
        if (const Argument* given = value(m_declared[i].name);
            given && !isDefault(*given, m_declared[i].defaultText))
            keywords.push_back({std::string(m_declared[i].name), *given});
    return keywords;
}

} // namespace reinspect
