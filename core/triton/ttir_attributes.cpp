// SPDX-License-Identifier: MIT
#include "core/triton/float_formats.h"
#include "core/triton/ttir_types.h"

#include <charconv>
#include <cstdlib>

namespace reinspect::triton
{
namespace
{

bool isHex(std::string_view text)
{
    return text.starts_with("0x") || text.starts_with("-0x");
}

bool isReal(std::string_view text)
{
    return !isHex(text) && text.find_first_of(".eE") != std::string_view::npos;
}

// Wraps what does not fit into 64 bits without a sign to "nothing".
std::optional<std::uint64_t> unsignedOf(std::string_view text)
{
    const bool isNegative = text.starts_with('-');
    text.remove_prefix(isNegative ? 1 : 0);
    const bool hex = isHex(text);
    text.remove_prefix(hex ? 2 : 0);
    std::uint64_t value = 0;
    const auto [end, failure] =
        std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
    if (failure != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return isNegative ? 0 - value : value;
}

double realOf(std::string_view text)
{
    return std::strtod(std::string(text).c_str(), nullptr);
}

std::int64_t signExtended(std::uint64_t value, int bits)
{
    const int unused = 64 - bits;
    return static_cast<std::int64_t>(value << unused) >> unused;
}

bool isTruth(const Token& token)
{
    return token.kind == TokenKind::Word && (token.text == "true" || token.text == "false");
}

// dense<1.0>, dense<[[1, 2], [3, 4]]>, dense<"0x0102">; from the sign < on.
Result<void> readDense(TtirLexer& lexer, Literal& literal)
{
    const Token start = lexer.token();
    literal.isDense = true;
    int depth = 0;
    do
    {
        const Token token = lexer.take();
        if (token.kind == TokenKind::Number || isTruth(token))
            literal.numbers.push_back(token);
        else if (token.kind == TokenKind::String && token.text.starts_with("0x"))
            literal.bytes = token.text.substr(2);
        else if (token.kind != TokenKind::Sign)
            return lexer.errorAt(token.kind == TokenKind::End ? start : token,
                                 token.kind == TokenKind::End ? "what opens here is never closed"
                                                              : "expected a number");
        else if (token.text == "<" || token.text == "[")
            ++depth;
        else if (token.text == ">" || token.text == "]")
            --depth;
        else if (token.text != ",")
            return lexer.errorAt(token, "expected a number");
    } while (depth > 0);
    return {};
}

// array<i32: 0, 1>; from the sign < on.
Result<Attribute> readArray(TtirLexer& lexer)
{
    lexer.take();
    Attribute attribute;
    attribute.kind = Attribute::Kind::Integers;
    REINSPECT_CHECK(readType(lexer));
    if (lexer.takeSign(':'))
        do
        {
            const Token token = lexer.take();
            const auto value =
                token.kind == TokenKind::Number ? unsignedOf(token.text) : std::nullopt;
            if (!value && !isTruth(token) && !isReal(token.text))
                return lexer.errorAt(token, "expected a number");
            attribute.integers.push_back(
                static_cast<std::int64_t>(value.value_or(token.text == "true" ? 1 : 0)));
        } while (lexer.takeSign(','));
    if (!lexer.takeSign('>'))
        return lexer.error("expected '>' after an array");
    return attribute;
}

// [1, 2 : i32, "text"]
Result<Attribute> readList(TtirLexer& lexer, int depth)
{
    lexer.take();
    Attribute attribute;
    attribute.kind = Attribute::Kind::Integers;
    if (lexer.takeSign(']'))
        return attribute;
    do
    {
        REINSPECT_TRY(Attribute item, readAttribute(lexer, nullptr, depth + 1));
        if (item.kind != Attribute::Kind::Integer)
            attribute.kind = Attribute::Kind::List;
        attribute.integers.push_back(item.integer);
    } while (lexer.takeSign(','));
    if (!lexer.takeSign(']'))
        return lexer.error("expected ']' after a list");
    return attribute;
}

Attribute numberAttribute(const Token& token)
{
    Attribute attribute;
    if (isReal(token.text))
    {
        attribute.kind = Attribute::Kind::Real;
        attribute.real = realOf(token.text);
        return attribute;
    }
    attribute.kind = Attribute::Kind::Integer;
    attribute.integer = static_cast<std::int64_t>(unsignedOf(token.text).value_or(0));
    return attribute;
}

// Anything that begins with a word: a type, an enumerator, a nested dialect's attribute.
Result<Attribute> readWordAttribute(TtirLexer& lexer, Literal* literal)
{
    const Token token = lexer.take();
    Attribute attribute;
    attribute.kind = Attribute::Kind::Text;
    attribute.text = std::string(token.text);
    if (isTruth(token))
    {
        attribute.kind = Attribute::Kind::Bool;
        attribute.integer = token.text == "true" ? 1 : 0;
        if (literal)
            literal->numbers.push_back(token);
    }
    else if (token.text == "unit")
        attribute.kind = Attribute::Kind::Unit;
    else if (token.text == "array" && lexer.isSign('<'))
        return readArray(lexer);
    else if (token.text == "dense" && lexer.isSign('<') && literal)
        REINSPECT_CHECK(readDense(lexer, *literal));
    else if (lexer.isSign('<') || (token.text == "loc" && lexer.isSign('(')))
        REINSPECT_CHECK(skipBalanced(lexer));
    return attribute;
}

// (i32, f32) -> i32, as in function_type.
Result<Attribute> readFunctionType(TtirLexer& lexer, int depth)
{
    REINSPECT_CHECK(skipBalanced(lexer));
    if (lexer.token().kind == TokenKind::Arrow)
    {
        lexer.take();
        if (lexer.isSign('('))
            REINSPECT_CHECK(skipBalanced(lexer));
        else
            REINSPECT_CHECK(readType(lexer, depth + 1));
    }
    return Attribute{.kind = Attribute::Kind::Text, .text = "function type"};
}

Result<Attribute> readPlainAttribute(TtirLexer& lexer, Literal* literal, int depth)
{
    const Token token = lexer.token();
    switch (token.kind)
    {
    case TokenKind::Number:
        if (literal)
            literal->numbers.push_back(token);
        return numberAttribute(lexer.take());
    case TokenKind::String:
    case TokenKind::Symbol:
        lexer.take();
        return Attribute{.kind = Attribute::Kind::Text, .text = std::string(token.text)};
    case TokenKind::Alias:
        lexer.take();
        if (lexer.isSign('<'))
            REINSPECT_CHECK(skipBalanced(lexer));
        return Attribute{.kind = Attribute::Kind::Text, .text = std::string(token.text)};
    case TokenKind::Bang:
    {
        REINSPECT_TRY(const Type type, readType(lexer, depth + 1));
        return Attribute{.kind = Attribute::Kind::Text, .text = toText(type)};
    }
    case TokenKind::Word: return readWordAttribute(lexer, literal);
    default: break;
    }
    if (lexer.isSign('['))
        return readList(lexer, depth);
    if (lexer.isSign('('))
        return readFunctionType(lexer, depth);
    if (lexer.isSign('{'))
    {
        Attributes inner;
        REINSPECT_CHECK(readAttributes(lexer, inner, nullptr, depth + 1));
        return Attribute{.kind = Attribute::Kind::List};
    }
    return lexer.error("expected an attribute");
}

// The bits of an element, from the hexadecimal text of a dense constant.
std::optional<std::uint64_t> littleEndian(std::string_view hex)
{
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < hex.size(); i += 2)
    {
        std::uint8_t byte = 0;
        const auto [end, failure] = std::from_chars(hex.data() + i, hex.data() + i + 2, byte, 16);
        if (failure != std::errc() || end != hex.data() + i + 2)
            return std::nullopt;
        value |= std::uint64_t{byte} << (4 * i);
    }
    return value;
}

void append(Constant& constant, const Type& type, std::uint64_t bits)
{
    if (type.isFloat())
        constant.reals.push_back(decodeFloat(type.scalar, bits));
    else
        constant.integers.push_back(signExtended(bits, type.bits));
}

Result<Constant> constantOfBytes(const TtirLexer& lexer, std::string_view bytes, const Type& type)
{
    Constant constant;
    const std::size_t digits = type.bits / 4u;
    if (type.bits % 8 != 0 || bytes.size() % digits != 0)
        return lexer.error("the bytes of this constant do not fit its type");
    for (std::size_t i = 0; i < bytes.size(); i += digits)
    {
        const auto bits = littleEndian(bytes.substr(i, digits));
        if (!bits)
            return lexer.error("the bytes of this constant are no hexadecimal digits");
        append(constant, type, *bits);
    }
    return constant;
}

Result<void> appendNumber(Constant& constant, const TtirLexer& lexer, const Token& token,
                          const Type& type)
{
    if (isTruth(token))
    {
        append(constant, type, token.text == "true" ? 1 : 0);
        return {};
    }
    if (type.isFloat() && !isHex(token.text))
    {
        constant.reals.push_back(realOf(token.text));
        return {};
    }
    const std::optional<std::uint64_t> bits = unsignedOf(token.text);
    if (!bits)
        return lexer.errorAt(
            token, "'" + std::string(token.text) + "' is no number of type " + toText(type));
    append(constant, type, *bits);
    return {};
}

} // namespace

Result<Attribute> readAttribute(TtirLexer& lexer, Literal* literal, int depth)
{
    if (depth > kNestingLimit)
        return lexer.error("attributes are nested too deeply");
    REINSPECT_TRY(Attribute attribute, readPlainAttribute(lexer, literal, depth));
    if (lexer.takeSign(':'))
    {
        REINSPECT_TRY(Type type, readType(lexer, depth + 1));
        if (literal)
            literal->type = std::move(type);
    }
    return attribute;
}

Result<void> readAttributes(TtirLexer& lexer, Attributes& into, Literal* literal, int depth)
{
    lexer.take();
    if (lexer.takeSign('}'))
        return {};
    do
    {
        const Token key = lexer.take();
        if (key.kind != TokenKind::Word && key.kind != TokenKind::String)
            return lexer.errorAt(key, "expected an attribute's name");
        Attribute value;
        if (lexer.takeSign('='))
        {
            Literal* sink = key.text == "value" ? literal : nullptr;
            REINSPECT_TRY(value, readAttribute(lexer, sink, depth + 1));
        }
        into.emplace_back(std::string(key.text), std::move(value));
    } while (lexer.takeSign(','));
    if (!lexer.takeSign('}'))
        return lexer.error("expected '}' after attributes");
    return {};
}

// Of nested locations the last one counts: of a call site, the caller, which is the kernel itself.
Result<Place> readLocation(TtirLexer& lexer)
{
    const Token start = lexer.take();
    if (!lexer.isSign('('))
        return lexer.error("expected '(' after loc");
    Place place;
    int depth = 0;
    do
    {
        const Token token = lexer.take();
        if (token.kind == TokenKind::End)
            return lexer.errorAt(start, "what opens here is never closed");
        if (token.kind == TokenKind::Alias)
            place = {.sourceFile = "#" + std::string(token.text)};
        else if (token.kind == TokenKind::String && lexer.takeSign(':'))
        {
            const Token line = lexer.take();
            if (line.kind != TokenKind::Number)
                return lexer.errorAt(line, "expected a line's number");
            place.sourceFile = std::string(token.text);
            place.sourceLine = static_cast<std::uint32_t>(unsignedOf(line.text).value_or(0));
        }
        else if (token.kind == TokenKind::Sign && token.text == "(")
            ++depth;
        else if (token.kind == TokenKind::Sign && token.text == ")")
            --depth;
    } while (depth > 0);
    return place;
}

Result<Constant> makeConstant(const TtirLexer& lexer, const Literal& literal, const Type& type)
{
    if (!type.isInteger() && !type.isFloat())
        return lexer.error("a constant of type " + toText(type) + " is not known");
    if (type.scalar == Scalar::None || type.bits == 0)
        return lexer.error("a constant without a type");
    Constant constant;
    if (!literal.bytes.empty())
    {
        REINSPECT_TRY(constant, constantOfBytes(lexer, literal.bytes, type));
    }
    for (const Token& number : literal.numbers)
        REINSPECT_CHECK(appendNumber(constant, lexer, number, type));
    const std::size_t size = constant.integers.size() + constant.reals.size();
    if (size != 1 && size != static_cast<std::size_t>(type.count()))
        return lexer.error("a constant of type " + toText(type) + " has " + std::to_string(size)
                           + " numbers");
    return constant;
}

} // namespace reinspect::triton
