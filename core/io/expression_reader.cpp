// SPDX-License-Identifier: MIT
#include "core/io/expression_reader.h"

#include "core/io/operator_names.h"

#include <algorithm>

namespace reinspect
{
namespace
{

Expression callFunction(std::string target, std::vector<Argument> args)
{
    return NodeExpression{NodeOp::CallFunction, std::move(target), std::move(args), {}};
}

} // namespace

Result<Expression> ExpressionReader::expression()
{
    const Token& token = m_tokens.current();
    if (token.kind == TokenKind::Name)
        return startingWithName();
    const bool isPrefix = !operatorTarget(OperatorForm::Prefix, token.text).empty();
    if (token.kind == TokenKind::Symbol && isPrefix)
        return prefixed();
    REINSPECT_TRY(Argument left, m_values.operand());
    return continued(std::move(left));
}

Result<Expression> ExpressionReader::startingWithName()
{
    const std::size_t begin = m_tokens.current().offset;
    if (m_tokens.current().isName("getattr") && m_tokens.following() == '(')
        return getattrCall();
    const std::string_view path = m_values.dottedPath();
    const std::string_view first = path.substr(0, path.find('.'));
    if (first == "self" && first.size() < path.size())
        return ofModule(std::string(path.substr(first.size() + 1)));
    // Nearly every line: no need to ask for a node called "torch".
    if (path.starts_with("torch.ops.") && m_tokens.current().is("("))
        return functionCall(path);
    if (const NodeId node = m_values.nodeNamed(first))
        return ofNode(node, path.substr(std::min(first.size() + 1, path.size())));
    constexpr std::string_view kValueCalls[] = {"slice", "device", "float", "torch.device"};
    const bool isValue =
        std::find(std::begin(kValueCalls), std::end(kValueCalls), path) != std::end(kValueCalls);
    if (m_tokens.current().is("(") && !isValue)
        return functionCall(path);
    m_tokens.seek(begin);
    REINSPECT_TRY(Argument left, m_values.operand());
    return continued(std::move(left));
}

// self.layer.weight, self.layer(x): `path` is what stands behind "self.".
Result<Expression> ExpressionReader::ofModule(std::string path)
{
    if (!m_tokens.current().is("("))
        return Expression(NodeExpression{NodeOp::GetAttr, std::move(path), {}, {}});
    REINSPECT_TRY(CallArguments call, m_values.callArguments());
    return Expression(NodeExpression{NodeOp::CallModule, std::move(path), std::move(call.args),
                                     std::move(call.kwargs)});
}

// getattr(getattr(self.layers, "0").conv, "1") is a part of a module that Python cannot spell with
// dots; getattr(x, 'shape') is a call.
Result<Expression> ExpressionReader::getattrCall()
{
    std::size_t depth = 0;
    for (; m_tokens.current().isName("getattr") && m_tokens.following() == '('; ++depth)
    {
        m_tokens.take();
        m_tokens.take();
    }
    if (m_tokens.current().kind != TokenKind::Name)
        return m_values.unexpected("a name");
    const std::string_view object = m_values.dottedPath();
    const NodeId node = m_values.nodeNamed(object);
    if (!node && object != "self" && !object.starts_with("self."))
        return m_values.errorHere("getattr() of neither self nor a node");
    std::string path(object == "self" || node ? std::string_view() : object.substr(5));
    for (; depth > 0; --depth)
        REINSPECT_CHECK(getattrEnd(path));
    if (node)
        return callFunction("builtins.getattr", {Argument{node}, Argument{std::move(path)}});
    return ofModule(std::move(path));
}

// ", "0").conv": what closes one getattr( and the dotted names behind it.
Result<void> ExpressionReader::getattrEnd(std::string& path)
{
    if (!m_tokens.takeIf(","))
        return m_values.unexpected("','");
    if (m_tokens.current().kind != TokenKind::String)
        return m_values.unexpected("a name in quotes");
    path += (path.empty() ? "" : ".") + unquoted(m_tokens.take().text);
    if (!m_tokens.takeIf(")"))
        return m_values.unexpected("')'");
    while (m_tokens.takeIf("."))
        (path += '.') += m_tokens.take().text;
    return {};
}

// x, x.view(2, 3), x.shape, x[0], x + y
Result<Expression> ExpressionReader::ofNode(NodeId node, std::string_view rest)
{
    if (rest.empty())
        return continued(Argument{node});
    if (rest.find('.') != std::string_view::npos)
        return m_values.errorHere("an attribute of an attribute", "Give each its own line.");
    if (!m_tokens.current().is("("))
        return callFunction("builtins.getattr", {Argument{node}, Argument{std::string(rest)}});
    REINSPECT_TRY(CallArguments call, m_values.callArguments());
    call.args.insert(call.args.begin(), Argument{node});
    return Expression(NodeExpression{NodeOp::CallMethod, std::string(rest), std::move(call.args),
                                     std::move(call.kwargs)});
}

Result<Expression> ExpressionReader::functionCall(std::string_view path)
{
    REINSPECT_TRY(CallArguments call, m_values.callArguments());
    return Expression(NodeExpression{NodeOp::CallFunction, canonicalTarget(path),
                                     std::move(call.args), std::move(call.kwargs)});
}

// -x is a node, -1 a number.
Result<Expression> ExpressionReader::prefixed()
{
    const Token sign = m_tokens.take();
    if (m_tokens.current().kind == TokenKind::Name)
    {
        if (const NodeId node = m_values.nodeNamed(m_tokens.current().text))
        {
            m_tokens.take();
            return callFunction(operatorTarget(OperatorForm::Prefix, sign.text), {Argument{node}});
        }
    }
    m_tokens.seek(sign.offset);
    REINSPECT_TRY(Argument left, m_values.operand());
    return continued(std::move(left));
}

Result<Expression> ExpressionReader::continued(Argument left)
{
    const Token token = m_tokens.current();
    if (token.endsStatement() || token.is("="))
        return Expression(std::move(left));
    if (token.is("["))
    {
        REINSPECT_TRY(Argument index, m_values.subscript());
        return callFunction("operator.getitem", {std::move(left), std::move(index)});
    }
    std::string target =
        token.kind == TokenKind::Symbol ? operatorTarget(OperatorForm::Infix, token.text) : "";
    if (target.empty())
        return m_values.unexpected("an operator or the end of the line");
    m_tokens.take();
    REINSPECT_TRY(Argument right, m_values.operand());
    return callFunction(std::move(target), {std::move(left), std::move(right)});
}

} // namespace reinspect
