// SPDX-License-Identifier: MIT
// Reads sympy's text with Python's precedences. The tree keeps the order and the brackets of the
// text, so that it prints as it was written.
#include "core/ir/sym_node.h"

#include <array>
#include <charconv>
#include <limits>

namespace reinspect
{
namespace
{

constexpr std::size_t kMaxTextLength = 65'536;

constexpr bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}
constexpr bool isNameStart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

class Parser
{
public:
    explicit Parser(std::string_view text)
        : m_text(text)
    {}
    Result<SymExpr> parseAll();

private:
    using Rule = Result<SymExpr> (Parser::*)();

    Result<SymExpr> parseComparison();
    Result<SymExpr> parseBitOr() { return parseList("|", SymKind::BitOr, &Parser::parseBitXor); }
    Result<SymExpr> parseBitXor() { return parseList("^", SymKind::BitXor, &Parser::parseBitAnd); }
    Result<SymExpr> parseBitAnd() { return parseList("&", SymKind::BitAnd, &Parser::parseSum); }
    Result<SymExpr> parseList(std::string_view sign, SymKind kind, Rule parseItem);
    Result<SymExpr> parseSum();
    Result<SymExpr> parseProduct();
    Result<SymExpr> parseUnary();
    Result<SymExpr> parsePower();
    Result<SymExpr> parseAtom();
    Result<SymExpr> parseNumber();
    Result<SymExpr> parseName();
    Result<SymExpr> parseBrackets();
    // The items up to the bracket that closes the one at `opened`; says whether a comma was seen.
    Result<std::vector<SymExpr>> parseItems(std::size_t opened, bool* commas);

    bool take(std::string_view sign);
    void skipSpace();
    void skipDigits();
    bool atEnd() const { return m_at == m_text.size(); }
    Error unexpected() const;
    Error errorAt(std::size_t place, std::string message) const;

    std::string_view m_text;
    std::size_t m_at = 0;
    // Where the brackets that were closed last stand.
    std::size_t m_lastOpen = std::string_view::npos;
    std::size_t m_lastClose = 0;
    std::uint32_t m_depth = 0; // of unary signs, powers and brackets: bounds the recursion
};

void Parser::skipSpace()
{
    while (!atEnd() && isSpace(m_text[m_at]))
        ++m_at;
}

bool Parser::take(std::string_view sign)
{
    skipSpace();
    if (!m_text.substr(m_at).starts_with(sign))
        return false;
    m_at += sign.size();
    return true;
}

Error Parser::errorAt(std::size_t place, std::string message) const
{
    return {.message = std::move(message),
            .span = {.line = 1, .column = static_cast<std::uint32_t>(place + 1), .length = 1},
            .excerpt = std::string(m_text)};
}

Error Parser::unexpected() const
{
    if (atEnd())
        return errorAt(m_at, "the symbolic expression ends too early");
    const auto c = static_cast<unsigned char>(m_text[m_at]);
    if (c < 0x20 || c >= 0x7f)
        return errorAt(m_at, "unexpected character in a symbolic expression");
    return errorAt(m_at, std::string("unexpected '") + m_text[m_at] + "' in a symbolic expression");
}

Result<SymExpr> Parser::parseAll()
{
    REINSPECT_TRY(SymExpr expr, parseComparison());
    skipSpace();
    if (!atEnd())
        return unexpected();
    if (isKind(expr, SymKind::TooLarge) && m_text.find(kTooLargeText) == std::string_view::npos)
        return errorAt(0, "the symbolic expression is too long or nested too deeply");
    return expr;
}

Result<SymExpr> Parser::parseComparison()
{
    REINSPECT_TRY(SymExpr left, parseBitOr());
    for (const std::string_view sign : {"==", "!=", "<=", ">=", "<", ">"})
    {
        if (!take(sign))
            continue;
        REINSPECT_TRY(SymExpr right, parseBitOr());
        return makeSymExpr(SymKind::Compare, std::string(sign),
                           {std::move(left), std::move(right)});
    }
    return left;
}

Result<SymExpr> Parser::parseList(std::string_view sign, SymKind kind, Rule parseItem)
{
    REINSPECT_TRY(SymExpr first, (this->*parseItem)());
    std::vector<SymExpr> items{std::move(first)};
    while (take(sign))
    {
        REINSPECT_TRY(SymExpr next, (this->*parseItem)());
        items.push_back(std::move(next));
    }
    return items.size() == 1 ? std::move(items.front()) : makeSymExpr(kind, {}, std::move(items));
}

SymExpr negated(SymExpr expr)
{
    if (const auto number = expr.constant();
        number && *number != std::numeric_limits<std::int64_t>::min())
        return -*number;
    // The one number that fits only together with its sign.
    if (isKind(expr, SymKind::Literal) && expr.node()->text == "9223372036854775808")
        return std::numeric_limits<std::int64_t>::min();
    return makeSymExpr(SymKind::Negate, {}, {std::move(expr)});
}

Result<SymExpr> Parser::parseSum()
{
    REINSPECT_TRY(SymExpr first, parseProduct());
    std::vector<SymExpr> terms{std::move(first)};
    while (true)
    {
        const bool minus = take("-");
        if (!minus && !take("+"))
            break;
        REINSPECT_TRY(SymExpr term, parseProduct());
        terms.push_back(minus ? negated(std::move(term)) : std::move(term));
    }
    return terms.size() == 1 ? std::move(terms.front())
                             : makeSymExpr(SymKind::Add, {}, std::move(terms));
}

// Python reads -a*b as (-a)*b and sympy means -(a*b). Both print alike, and with the sign in front
// the product stays one.
SymExpr joined(SymKind kind, std::vector<SymExpr> operands)
{
    if (operands.size() == 1)
        return std::move(operands.front());
    if (!isKind(operands.front(), SymKind::Negate))
        return makeSymExpr(kind, {}, std::move(operands));
    operands.front() = SymExpr(operands.front().node()->operands.front());
    return negated(makeSymExpr(kind, {}, std::move(operands)));
}

Result<SymExpr> Parser::parseProduct()
{
    REINSPECT_TRY(SymExpr first, parseUnary());
    std::vector<SymExpr> factors{std::move(first)};
    while (true)
    {
        const bool floorDivide = take("//");
        const bool divide = !floorDivide && take("/");
        const bool modulo = !floorDivide && !divide && take("%");
        if (!floorDivide && !divide && !modulo && !take("*"))
            break;
        REINSPECT_TRY(SymExpr factor, parseUnary());
        if (floorDivide || divide || modulo)
            factors = {joined(SymKind::Multiply, std::move(factors))};
        factors.push_back(std::move(factor));
        if (divide)
            factors = {joined(SymKind::Divide, std::move(factors))};
        else if (floorDivide || modulo)
            factors = {makeSymExpr(floorDivide ? SymKind::FloorDivide : SymKind::Modulo, {},
                                   std::move(factors))};
    }
    return joined(SymKind::Multiply, std::move(factors));
}

Result<SymExpr> Parser::parseUnary()
{
    skipSpace();
    const bool minus = take("-");
    const bool inverted = !minus && take("~");
    if (!minus && !inverted && !take("+"))
        return parsePower();
    if (++m_depth > kMaxSymDepth)
        return errorAt(m_at - 1, "the symbolic expression is nested too deeply");
    REINSPECT_TRY(SymExpr operand, parseUnary());
    --m_depth;
    if (inverted)
        return makeSymExpr(SymKind::Not, {}, {std::move(operand)});
    return minus ? negated(std::move(operand)) : operand;
}

Result<SymExpr> Parser::parsePower()
{
    REINSPECT_TRY(SymExpr base, parseAtom());
    if (!take("**"))
        return base;
    if (++m_depth > kMaxSymDepth)
        return errorAt(m_at - 2, "the symbolic expression is nested too deeply");
    REINSPECT_TRY(SymExpr exponent, parseUnary());
    --m_depth;
    return makeSymExpr(SymKind::Power, {}, {std::move(base), std::move(exponent)});
}

Result<SymExpr> Parser::parseAtom()
{
    skipSpace();
    if (atEnd())
        return unexpected();
    const char c = m_text[m_at];
    if (isDigit(c) || (c == '.' && m_at + 1 < m_text.size() && isDigit(m_text[m_at + 1])))
        return parseNumber();
    if (isNameStart(c))
        return parseName();
    return c == '(' ? parseBrackets() : unexpected();
}

void Parser::skipDigits()
{
    while (!atEnd() && isDigit(m_text[m_at]))
        ++m_at;
}

Result<SymExpr> Parser::parseNumber()
{
    const std::size_t begin = m_at;
    skipDigits();
    if (!atEnd() && m_text[m_at] == '.')
    {
        ++m_at;
        skipDigits();
    }
    if (!atEnd() && (m_text[m_at] == 'e' || m_text[m_at] == 'E'))
    {
        const bool sign =
            m_at + 1 < m_text.size() && (m_text[m_at + 1] == '-' || m_text[m_at + 1] == '+');
        m_at += sign ? 2 : 1;
        if (atEnd() || !isDigit(m_text[m_at]))
            return unexpected();
        skipDigits();
    }
    if (!atEnd() && isNameStart(m_text[m_at]))
        return unexpected();
    const std::string_view text = m_text.substr(begin, m_at - begin);
    std::int64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec == std::errc{} && read.ptr == text.data() + text.size())
        return SymExpr(value);
    return makeSymExpr(SymKind::Literal, std::string(text), {});
}

Result<SymExpr> Parser::parseName()
{
    const std::size_t begin = m_at;
    const auto continues = [&](char c) { return isNameStart(c) || isDigit(c) || c == '.'; };
    while (!atEnd() && continues(m_text[m_at]))
        ++m_at;
    const std::string name(m_text.substr(begin, m_at - begin));
    if (take("("))
    {
        bool commas = false;
        REINSPECT_TRY(std::vector<SymExpr> items, parseItems(m_at - 1, &commas));
        return makeSymExpr(SymKind::Call, name, std::move(items));
    }
    constexpr std::array<std::string_view, 9> kLiterals{"True", "False", "None", "oo", "int_oo",
                                                        "inf",  "nan",   "zoo",  "I"};
    for (const std::string_view literal : kLiterals)
    {
        if (name == literal)
            return makeSymExpr(SymKind::Literal, name, {});
    }
    return name == kTooLargeText ? tooLargeSymExpr() : SymExpr::symbol(name);
}

Result<SymExpr> Parser::parseBrackets()
{
    const std::size_t open = m_at++;
    skipSpace();
    const std::size_t inside = m_at;
    bool commas = false;
    REINSPECT_TRY(std::vector<SymExpr> items, parseItems(open, &commas));
    std::size_t end = m_at - 1;
    while (isSpace(m_text[end - 1]))
        --end;
    const bool inBrackets = m_lastOpen == inside && m_lastClose + 1 == end;
    m_lastOpen = open;
    m_lastClose = m_at - 1;
    if (commas || items.empty())
        return makeSymExpr(SymKind::Tuple, {}, std::move(items));

    // The first brackets of a floor division are its own. sympy puts a second pair around some
    // functions that print like operators; those are kept, so that the text comes back.
    SymExpr item = std::move(items.front());
    const bool ownBrackets = isKind(item, SymKind::FloorDivide) && !inBrackets;
    const bool keeps = isKind(item, SymKind::FloorDivide) || isKind(item, SymKind::Call)
        || isKind(item, SymKind::Group);
    return keeps && !ownBrackets ? makeSymExpr(SymKind::Group, {}, {std::move(item)}) : item;
}

Result<std::vector<SymExpr>> Parser::parseItems(std::size_t opened, bool* commas)
{
    if (++m_depth > kMaxSymDepth)
        return errorAt(opened, "the symbolic expression is nested too deeply");
    std::vector<SymExpr> items;
    while (!take(")"))
    {
        REINSPECT_TRY(SymExpr item, parseComparison());
        items.push_back(std::move(item));
        if (take(","))
            *commas = true;
        else if (skipSpace(); atEnd())
            return errorAt(opened, "this '(' is never closed");
        else if (m_text[m_at] != ')')
            return unexpected();
    }
    --m_depth;
    return items;
}

} // namespace

Result<SymExpr> SymExpr::parse(std::string_view text)
{
    if (text.size() <= kMaxTextLength)
        return Parser(text).parseAll();
    return Error{.message = "the symbolic expression is too long",
                 .span = {.line = 1, .column = 1, .length = 1},
                 .excerpt = std::string(text.substr(0, 80))};
}

} // namespace reinspect
