// SPDX-License-Identifier: MIT
#include "core/io/forward_reader.h"

#include "core/io/operator_names.h"

namespace reinspect
{
namespace
{

std::string_view inside(std::string_view quoted)
{
    const std::size_t open = quoted.find_first_of("'\"");
    return quoted.size() < open + 2 ? std::string_view()
                                    : quoted.substr(open + 1, quoted.size() - open - 2);
}

} // namespace

Result<void> ForwardReader::statement()
{
    m_tools.values.beginStatement();
    m_tools.values.setNames(&m_names);
    const Token first = m_tools.tokens.current();
    if (first.isName("return"))
        return returnStatement();
    if (first.isName("pass") || first.kind == TokenKind::String)
    {
        m_tools.tokens.take();
        return {};
    }
    do
    {
        m_partBegin = m_tools.tokens.current().offset;
        if (!m_tools.tokens.current().endsStatement())
            REINSPECT_CHECK(statementPart());
    } while (m_tools.tokens.takeIf(";"));
    if (!m_tools.tokens.current().endsStatement())
        return m_tools.values.unexpected("the end of the line");
    if (std::exchange(m_unnamed, std::nullopt))
        return m_tools.values.unexpected("';' and the name of this operation");
    // A comment behind a statement says nothing of the next ones.
    if (m_tools.tokens.current().kind == TokenKind::Comment)
        m_tools.tokens.take();
    return {};
}

Result<void> ForwardReader::statementPart()
{
    TokenStream& tokens = m_tools.tokens;
    if (tokens.current().kind != TokenKind::Name)
        return m_tools.values.unexpected("a statement");
    const char next = tokens.following();
    if (next == '=' && (takeDeletion() || takeCutDeletion()))
        return {};
    if (takeProfiling() || takeBoxing())
        return {};
    if (next == ',')
        return tupleAssignment({});
    if (next == ':' || next == '=')
        return assignment();
    return inPlaceOperation();
}

// "a = b = None" says that names are not needed any more: no node. Looks before it takes.
bool ForwardReader::takeDeletion()
{
    TokenStream ahead = m_tools.tokens;
    do
    {
        if (ahead.current().kind != TokenKind::Name)
            return false;
        if (ahead.take().text == "None")
        {
            if (!ahead.current().endsStatement())
                return false;
            m_tools.tokens = ahead;
            return true;
        }
    } while (ahead.takeIf("="));
    return false;
}

Result<void> ForwardReader::assignment()
{
    Target target{m_tools.tokens.take(), {}};
    if (m_tools.tokens.takeIf(":"))
    {
        REINSPECT_TRY(target.value, annotation(false));
    }
    if (target.value.isKnown() && m_tools.tokens.current().endsStatement())
    {
        m_bareAnnotations.insert_or_assign(target.name.text, std::move(target.value));
        return {};
    }
    if (m_tools.tokens.current().is(","))
        return tupleAssignment(std::move(target));
    if (!m_tools.tokens.takeIf("="))
        return m_tools.values.unexpected("'='");
    if (m_tools.tokens.current().isName("next") && m_tools.tokens.following() == '('
        && m_graph.empty())
        return readParameter(target);
    REINSPECT_TRY(Expression expression, m_tools.expressions.expression());
    return assignedValue(target, std::move(expression));
}

Result<void> ForwardReader::assignedValue(const Target& target, Expression expression)
{
    if (auto* made = std::get_if<NodeExpression>(&expression))
        return appendNode(target, std::move(*made));
    if (m_unnamed)
    {
        NodeExpression operation = std::move(*m_unnamed);
        m_unnamed.reset();
        return appendNode(target, std::move(operation));
    }
    const NodeId aliased = std::get<Argument>(expression).node();
    if (!aliased)
        return m_tools.values.errorHere("this value makes no node");
    m_names.set(target.name.text, aliased);
    // "l_x_ = L_x_": the placeholder is called l_x_ and its target is L_x_.
    if (aliased.index() < m_parameters.size())
        m_parameters[aliased.index()].name = target.name.text;
    return {};
}

// "x += 1;  iadd = x" and "x[0] = y;  setitem = x": what is done stands before the node's name.
Result<void> ForwardReader::inPlaceOperation()
{
    TokenStream& tokens = m_tools.tokens;
    REINSPECT_TRY(const Argument left, m_tools.values.operand());
    NodeExpression operation;
    operation.args.push_back(left);
    if (tokens.current().is("["))
    {
        REINSPECT_TRY(Argument index, m_tools.values.subscript());
        operation.args.push_back(std::move(index));
        operation.target = tokens.current().is("=") ? "operator.setitem" : "";
    }
    else if (tokens.current().kind == TokenKind::Symbol)
        operation.target = operatorTarget(OperatorForm::InPlace, tokens.current().text);
    if (operation.target.empty())
        return m_tools.values.unexpected("'='");
    tokens.take();
    REINSPECT_TRY(Argument right, m_tools.values.value());
    operation.args.push_back(std::move(right));
    m_unnamed = std::move(operation);
    return {};
}

// Behind the colon: quoted since late 2023, bare text before that.
Result<MetaValue> ForwardReader::annotation(bool inParameter)
{
    TokenStream& tokens = m_tools.tokens;
    if (tokens.current().kind == TokenKind::String)
    {
        const Token quoted = tokens.take();
        return m_tools.annotations.read(inside(quoted.text), quoted.offset + 1);
    }
    const std::size_t begin = tokens.current().offset;
    std::size_t depth = 0;
    while (depth > 0
           || !(tokens.current().is("=") || tokens.current().is(",")
                || (inParameter && tokens.current().is(")"))
                || (!inParameter && tokens.current().is(";"))))
    {
        const Token& token = tokens.current();
        if (token.kind == TokenKind::End || token.kind == TokenKind::LineBreak
            || token.kind == TokenKind::Broken)
            return m_tools.values.unexpected("an annotation");
        if (token.is("[") || token.is("("))
            ++depth;
        else if (depth > 0 && (token.is("]") || token.is(")")))
            --depth;
        tokens.take();
    }
    return m_tools.annotations.read(tokens.text(begin, tokens.previousEnd()), begin);
}

Result<void> ForwardReader::returnStatement()
{
    TokenStream& tokens = m_tools.tokens;
    const Token keyword = tokens.take();
    if (tokens.current().kind == TokenKind::End && tokens.text().ends_with("return"))
        return m_tools.values.unexpected("a value");
    std::vector<Argument> values;
    bool comma = false;
    while (!tokens.current().endsStatement())
    {
        REINSPECT_TRY(Argument value, returnedValue());
        values.push_back(std::move(value));
        const bool more = tokens.takeIf(",");
        comma = comma || more;
        if (!more && !tokens.current().endsStatement())
            return m_tools.values.unexpected("the end of the line");
    }
    if (values.empty())
        values.emplace_back();
    const bool single = values.size() == 1 && !comma;
    Argument returned =
        single ? std::move(values.front()) : Argument{TupleArgument{std::move(values)}};
    appendOutput(std::move(returned), spanFrom(keyword.offset));
    return {};
}

} // namespace reinspect
