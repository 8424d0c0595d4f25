// SPDX-License-Identifier: MIT
// ValueReader: numbers, strings and containers. Values that begin with a name: named_values.cpp.
#include "core/io/value_reader.h"

#include <limits>

namespace reinspect
{

void ValueReader::beginStatement()
{
    m_depth = 0;
    m_unknownName = {};
}

Error ValueReader::errorHere(std::string message, std::string hint) const
{
    const Token& token = m_tokens.current();
    const std::size_t length =
        token.kind == TokenKind::LineBreak ? 1 : std::max<std::size_t>(1, token.text.size());
    const SourceText& source = m_problems.source();
    return source.errorAt(source.spanAt(token.offset, length), std::move(message), std::move(hint));
}

Error ValueReader::unexpected(const std::string& wanted) const
{
    const Token& token = m_tokens.current();
    switch (token.kind)
    {
    case TokenKind::End: return errorHere("the text ends here; expected " + wanted);
    case TokenKind::LineBreak: return errorHere("the line ends here; expected " + wanted);
    case TokenKind::Broken:
        return errorHere(token.text.size() > 1 ? "this string has no end"
                                               : "this character is not Python");
    case TokenKind::Name:
    case TokenKind::Number:
    case TokenKind::String:
    case TokenKind::Symbol:
    case TokenKind::Comment: break;
    }
    return errorHere("expected " + wanted);
}

bool ValueReader::valueEndsHere() const
{
    const Token& token = m_tokens.current();
    return token.is(",") || token.is(")") || token.is("]") || token.is("}") || token.is(":")
        || token.endsStatement();
}

Result<Argument> ValueReader::value()
{
    const std::size_t begin = m_tokens.current().offset;
    Result<Argument> read = operand();
    if (!read || valueEndsHere() || m_tokens.current().kind != TokenKind::Symbol)
        return read;
    return restAsText(begin);
}

Result<Argument> ValueReader::operand()
{
    const Token& token = m_tokens.current();
    if (token.kind == TokenKind::Name)
        return name();
    if (token.kind == TokenKind::Number)
        return number(false);
    if (token.kind == TokenKind::String)
        return string();
    const DepthGuard guard(*this);
    REINSPECT_CHECK(guard.check());
    if (token.is("("))
        return tuple();
    if (token.is("{"))
        return dict();
    if (token.is("<") || token.is("<<"))
        return angleText();
    if (m_tokens.takeIf("["))
    {
        REINSPECT_TRY(std::vector<Argument> list, items("]"));
        return Argument{ListArgument{std::move(list)}};
    }
    if (token.is("-") || token.is("+"))
        return number(m_tokens.take().text == "-");
    if (token.is(".") && m_tokens.text().substr(token.offset, 3) == "...")
    {
        m_tokens.skipTo(token.offset + 3);
        return Argument{OpaqueArgument{"...", "ellipsis"}};
    }
    return unexpected("a value");
}

// The sign, if any, is taken already.
Result<Argument> ValueReader::number(bool negative)
{
    const Token token = m_tokens.current();
    if (token.isName("inf") || token.isName("nan"))
    {
        m_tokens.take();
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        if (token.text == "nan")
            return Argument{std::numeric_limits<double>::quiet_NaN()};
        return Argument{negative ? -kInfinity : kInfinity};
    }
    // A negated symbol: the whole is an expression.
    if (token.kind == TokenKind::Name)
        return restAsText(m_tokens.previousEnd() - 1);
    const std::optional<Argument> read =
        token.kind == TokenKind::Number ? parseNumber(token.text, negative) : std::nullopt;
    if (!read)
        return unexpected("a number");
    m_tokens.take();
    return *read;
}

Argument ValueReader::string()
{
    const Token token = m_tokens.take();
    const std::string_view prefix = token.text.substr(0, token.text.find_first_of("'\""));
    if (prefix.find_first_of("bB") != std::string_view::npos)
        return Argument{OpaqueArgument{std::string(token.text), "bytes"}};
    return Argument{unquoted(token.text)};
}

// Up to and with the closing bracket; a comma may stand before it.
Result<std::vector<Argument>> ValueReader::items(std::string_view close)
{
    std::vector<Argument> read;
    while (!m_tokens.takeIf(close))
    {
        REINSPECT_TRY(Argument item, value());
        read.push_back(std::move(item));
        if (!m_tokens.takeIf(",") && !m_tokens.current().is(close))
            return unexpected("',' or '" + std::string(close) + "'");
    }
    return read;
}

// "(a)" is a, "(a,)" is a tuple.
Result<Argument> ValueReader::tuple()
{
    m_tokens.take();
    TupleArgument tuple;
    bool comma = false;
    while (!m_tokens.takeIf(")"))
    {
        REINSPECT_TRY(Argument item, value());
        tuple.items.push_back(std::move(item));
        const bool more = m_tokens.takeIf(",");
        comma = comma || more;
        if (!more && !m_tokens.current().is(")"))
            return unexpected("',' or ')'");
    }
    if (tuple.items.size() == 1 && !comma)
        return std::move(tuple.items.front());
    return Argument{std::move(tuple)};
}

Result<Argument> ValueReader::dict()
{
    m_tokens.take();
    DictArgument dict;
    while (!m_tokens.takeIf("}"))
    {
        REINSPECT_TRY(Argument key, value());
        if (!m_tokens.takeIf(":"))
            return unexpected("':'");
        REINSPECT_TRY(Argument item, value());
        dict.items.emplace_back(std::move(key), std::move(item));
        if (!m_tokens.takeIf(",") && !m_tokens.current().is("}"))
            return unexpected("',' or '}'");
    }
    return Argument{std::move(dict)};
}

Result<CallArguments> ValueReader::callArguments()
{
    const DepthGuard guard(*this);
    REINSPECT_CHECK(guard.check());
    if (!m_tokens.takeIf("("))
        return unexpected("'('");
    CallArguments call;
    while (!m_tokens.takeIf(")"))
    {
        std::string_view keyword;
        if (m_tokens.current().kind == TokenKind::Name && m_tokens.following() == '=')
        {
            keyword = m_tokens.take().text;
            if (!m_tokens.takeIf("="))
                return unexpected("'='");
        }
        REINSPECT_TRY(Argument item, keyword == "_op_schema" ? schemaText() : value());
        if (keyword.empty())
            call.args.push_back(std::move(item));
        else
            call.kwargs.push_back({std::string(keyword), std::move(item)});
        if (!m_tokens.takeIf(",") && !m_tokens.current().is(")"))
            return unexpected("',' or ')'");
    }
    return call;
}

// "cond(Any pred, *Tensor xs) -> (Tensor, Tensor)": no Python, and the names in it are no nodes.
Result<Argument> ValueReader::schemaText()
{
    const std::size_t begin = m_tokens.current().offset;
    const std::string_view text = m_tokens.text();
    std::size_t depth = 0;
    for (std::size_t at = begin; at < text.size() && text[at] != '\n'; ++at)
    {
        const char c = text[at];
        const bool closes = c == ')' || c == ']' || c == '}';
        if (depth == 0 && (c == ',' || closes))
        {
            m_tokens.skipTo(at);
            return Argument{OpaqueArgument{std::string(text.substr(begin, at - begin)), {}}};
        }
        depth += c == '(' || c == '[' || c == '{' ? 1u : 0u;
        depth -= closes ? 1u : 0u;
    }
    return unexpected("the end of this schema");
}

Result<Argument> ValueReader::subscript()
{
    m_tokens.take();
    std::vector<Argument> parts;
    bool comma = false;
    while (!m_tokens.takeIf("]"))
    {
        REINSPECT_TRY(Argument part, subscriptItem());
        parts.push_back(std::move(part));
        const bool more = m_tokens.takeIf(",");
        comma = comma || more;
        if (!more && !m_tokens.current().is("]"))
            return unexpected("',' or ']'");
    }
    if (parts.size() == 1 && !comma)
        return std::move(parts.front());
    return Argument{TupleArgument{std::move(parts)}};
}

// A value, or "start:stop:step" with each part optional.
Result<Argument> ValueReader::subscriptItem()
{
    std::vector<Argument> parts(1);
    bool isSlice = false;
    while (!m_tokens.current().is(",") && !m_tokens.current().is("]"))
    {
        if (m_tokens.takeIf(":"))
        {
            isSlice = true;
            parts.emplace_back();
            continue;
        }
        REINSPECT_TRY(parts.back(), value());
    }
    if (!isSlice)
        return std::move(parts.front());
    if (parts.size() > 3)
        return unexpected("']'");
    parts.resize(3);
    return Argument{SliceArgument{std::move(parts)}};
}

// A value that goes on behind its first part is an expression ("2*s0", "1+2j") or something we do
// not know. With a node in it the statement is given up: PyTorch gives each operation its own line.
Result<Argument> ValueReader::restAsText(std::size_t begin)
{
    m_tokens.skipTo(begin);
    std::size_t depth = 0;
    while (depth > 0 || !valueEndsHere())
    {
        const Token& token = m_tokens.current();
        if (token.kind == TokenKind::End || token.kind == TokenKind::LineBreak
            || token.kind == TokenKind::Broken)
            return unexpected("a closing bracket");
        if (token.kind == TokenKind::Name && nodeNamed(token.text))
            return errorHere("an operation inside an argument", "Give it a line of its own.");
        if (token.is("(") || token.is("[") || token.is("{"))
            ++depth;
        else if (depth > 0 && (token.is(")") || token.is("]") || token.is("}")))
            --depth;
        m_tokens.take();
    }
    const std::string_view text = m_tokens.text(begin, m_tokens.previousEnd());
    if (const std::optional<Argument> complex = parseComplex(text))
        return *complex;
    const Result<SymExpr> parsed = SymExpr::parse(text);
    if (parsed.ok())
        return Argument{SymArgument{*parsed, {}}};
    m_problems.addOnce(begin,
                       "the value " + quotedExcerpt(text) + " is not understood and kept as text");
    return Argument{OpaqueArgument{std::string(text), {}}};
}

} // namespace reinspect
