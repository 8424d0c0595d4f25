// SPDX-License-Identifier: MIT
// ForwardReader: the forms of forward that unpack their inputs in the body (pytrees of joint and exported
// graphs, boxed arguments), what profilers insert, and bodies of which lines are missing.
#include "core/io/forward_reader.h"

#include <algorithm>
#include <array>

namespace reinspect
{
namespace
{

// Functions that take pytrees apart into the real inputs.
bool unpacksInputs(std::string_view path)
{
    constexpr std::array<std::string_view, 3> kNames = {"tree_flatten_spec", "tree_leaves",
                                                        "_in_shuffle_graph"};
    return std::any_of(kNames.begin(), kNames.end(),
                       [path](std::string_view name) { return path.ends_with(name); });
}

void skipStatement(TokenStream& tokens)
{
    while (!tokens.current().endsStatement())
        tokens.take();
}

} // namespace

// "a_1, b_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)"; up to 2.0 with the
// annotations between the names. `first` is a name whose annotation was read already.
Result<void> ForwardReader::tupleAssignment(std::optional<Target> first)
{
    TokenStream& tokens = m_tools.tokens;
    std::vector<Target> names;
    if (first)
        names.push_back(std::move(*first));
    while (!tokens.takeIf("="))
    {
        if (tokens.takeIf(","))
            continue;
        if (tokens.current().kind != TokenKind::Name)
            return m_tools.values.unexpected("'='");
        Target target{tokens.take(), {}};
        if (tokens.takeIf(":"))
        {
            REINSPECT_TRY(target.value, annotation(false));
        }
        names.push_back(std::move(target));
    }
    if (tokens.current().kind != TokenKind::Name || !m_graph.empty()
        || !unpacksInputs(m_tools.values.dottedPath()))
        return m_tools.values.errorHere("several names on the left of one '='",
                                        "Give each node its own line.");
    replaceParameters(names);
    skipStatement(tokens);
    return {};
}

void ForwardReader::replaceParameters(const std::vector<Target>& names)
{
    m_parameters.clear();
    m_names = NameTable{};
    for (const Target& target : names)
    {
        const auto annotated = m_bareAnnotations.find(target.name.text);
        Parameter parameter;
        parameter.target = parameter.name = newName(target.name, NodeId(m_parameters.size()));
        parameter.value = target.value.isKnown() || annotated == m_bareAnnotations.end()
            ? target.value
            : annotated->second;
        parameter.span =
            m_tools.problems.source().spanAt(target.name.offset, target.name.text.size());
        m_parameters.push_back(std::move(parameter));
    }
}

// "args_iter = iter(args_list)" and "args_list.clear()" around the "x = next(args_iter)" of boxed
// arguments. The list itself is no input.
bool ForwardReader::takeBoxing()
{
    if (!m_graph.empty())
        return false;
    TokenStream ahead = m_tools.tokens;
    const Token name = ahead.take();
    if (ahead.takeIf("="))
    {
        if (!ahead.current().isName("iter") || ahead.following() != '(')
            return false;
        m_parameters.clear();
        m_names = NameTable{};
    }
    else if (!ahead.takeIf(".") || !ahead.current().isName("clear") || m_names.find(name.text))
        return false;
    m_tools.tokens = ahead;
    skipStatement(m_tools.tokens);
    return true;
}

Result<void> ForwardReader::readParameter(const Target& target)
{
    Parameter parameter;
    parameter.target = parameter.name = newName(target.name, NodeId(m_parameters.size()));
    parameter.value = target.value;
    parameter.span = m_tools.problems.source().spanAt(target.name.offset, target.name.text.size());
    m_parameters.push_back(std::move(parameter));
    skipStatement(m_tools.tokens);
    return {};
}

// "_rf_x = torch._C._profiler._RecordFunctionFast('## 3 ##'); _rf_x.__enter__()"
bool ForwardReader::takeProfiling()
{
    TokenStream& tokens = m_tools.tokens;
    if (!tokens.current().text.starts_with("_rf_") || m_names.find(tokens.current().text))
        return false;
    skipStatement(tokens);
    return true;
}

// "x_1 = #", "x_1 = ...": a deletion that somebody cut.
bool ForwardReader::takeCutDeletion()
{
    TokenStream ahead = m_tools.tokens;
    if (!m_names.find(ahead.take().text) || !ahead.takeIf("="))
        return false;
    const bool dots = ahead.text().substr(ahead.current().offset, 3) == "...";
    const bool ends =
        ahead.current().kind == TokenKind::Comment || ahead.current().kind == TokenKind::LineBreak;
    if (!dots && !ends)
        return false;
    skipStatement(ahead);
    m_tools.tokens = ahead;
    return true;
}

// pytree.tree_unflatten([..], self._out_spec), self._out_shuffle_graph(a, b): what is handed back are
// the arguments.
Result<Argument> ForwardReader::returnedValue()
{
    TokenStream& tokens = m_tools.tokens;
    const std::size_t begin = tokens.current().offset;
    if (tokens.current().kind == TokenKind::Name)
    {
        const std::string_view path = m_tools.values.dottedPath();
        const bool unflatten = path.ends_with("tree_unflatten");
        if (tokens.current().is("(") && (unflatten || path.ends_with("_out_shuffle_graph")))
        {
            REINSPECT_TRY(CallArguments call, m_tools.values.callArguments());
            if (!unflatten)
                return Argument{TupleArgument{std::move(call.args)}};
            return call.args.empty() ? Argument{} : std::move(call.args.front());
        }
        tokens.skipTo(begin);
    }
    return m_tools.values.value();
}

void ForwardReader::addMissing(std::string_view name, std::size_t offset)
{
    if (m_headerless)
        return addInput(name, offset);
    NodeExpression expression;
    expression.target = kUnreadableTarget;
    // Cannot fail: the name is new.
    [[maybe_unused]] const Result<void> added =
        appendNode({Token{TokenKind::Name, offset, name}, {}}, std::move(expression));
}

// The first reading of a headerless body finds its inputs, the second begins with them.
void ForwardReader::addInput(std::string_view name, std::size_t offset)
{
    m_inputs.push_back(name);
    if (!m_parameters.empty() || m_graph.empty())
    {
        Parameter parameter;
        parameter.target = parameter.name =
            newName(Token{TokenKind::Name, offset, name}, NodeId(m_parameters.size()));
        parameter.span = m_tools.problems.source().spanAt(offset, name.size());
        m_parameters.push_back(std::move(parameter));
        return;
    }
    Node node;
    node.name = newName(Token{TokenKind::Name, offset, name}, NodeId(m_graph.slotCount()));
    node.op = NodeOp::Placeholder;
    node.target = node.name;
    m_graph.append(std::move(node));
}

} // namespace reinspect
