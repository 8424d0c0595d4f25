// SPDX-License-Identifier: MIT
#include "core/triton/ttir_types.h"

#include "core/base/checked_math.h"

#include <array>
#include <charconv>

namespace reinspect::triton
{
namespace
{

constexpr std::int64_t kCountLimit = std::int64_t{1} << 40;
constexpr std::size_t kRankLimit = 16;

struct NamedScalar
{
    std::string_view name;
    Scalar scalar;
    std::uint8_t bits;
};

constexpr auto kScalars = std::to_array<NamedScalar>({
    {"f32", Scalar::Float32, 32},
    {"f16", Scalar::Float16, 16},
    {"bf16", Scalar::BFloat16, 16},
    {"f64", Scalar::Float64, 64},
    {"index", Scalar::Index, 64},
    {"f8E4M3FN", Scalar::Float8E4M3FN, 8},
    {"f8E5M2", Scalar::Float8E5M2, 8},
    {"f8E4M3FNUZ", Scalar::Float8E4M3FNUZ, 8},
    {"f8E5M2FNUZ", Scalar::Float8E5M2FNUZ, 8},
    {"f8E4M3B11FNUZ", Scalar::Float8E4M3B11FNUZ, 8},
});

// "i32", "si8", "ui8"; bits of 1 to 64.
std::optional<std::uint8_t> integerBits(std::string_view word)
{
    if (word.starts_with("si") || word.starts_with("ui"))
        word.remove_prefix(1);
    if (!word.starts_with("i"))
        return std::nullopt;
    word.remove_prefix(1);
    unsigned bits = 0;
    const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), bits);
    if (failure != std::errc() || end != word.data() + word.size() || bits < 1 || bits > 64)
        return std::nullopt;
    return static_cast<std::uint8_t>(bits);
}

Result<Type> opaqueType(TtirLexer& lexer, std::string name)
{
    if (lexer.isSign('<'))
    {
        REINSPECT_CHECK(skipBalanced(lexer));
        name += "<...>";
    }
    Type type;
    type.scalar = Scalar::Opaque;
    type.text = std::move(name);
    return type;
}

Result<void> expectSign(TtirLexer& lexer, char sign, const char* what)
{
    if (!lexer.takeSign(sign))
        return lexer.error(std::string("expected '") + sign + "' " + what);
    return {};
}

Result<Type> readTensor(TtirLexer& lexer, int depth)
{
    REINSPECT_CHECK(expectSign(lexer, '<', "after tensor"));
    Type type;
    std::int64_t count = 1;
    std::vector<std::int64_t> shape;
    const Token start = lexer.token();
    while (const std::optional<std::int64_t> size = lexer.takeDimension())
    {
        const auto product = *size < 0 ? std::nullopt : checkedMultiply(count, *size);
        if (!product || *product > kCountLimit || shape.size() == kRankLimit)
            return lexer.errorAt(start, "a tensor of this shape cannot be held");
        shape.push_back(*size);
        count = *product;
    }
    REINSPECT_TRY(type, readType(lexer, depth + 1));
    if (type.isTensor)
        return lexer.errorAt(start, "a tensor's elements cannot be tensors");
    type.isTensor = true;
    type.shape = std::move(shape);
    if (lexer.takeSign(',')) // a layout; TTIR has none, TTGIR has
        REINSPECT_CHECK(readAttribute(lexer, nullptr, depth + 1));
    REINSPECT_CHECK(expectSign(lexer, '>', "after a tensor's type"));
    return type;
}

// "<f32>", "<f32, 1>", "<tensor<8x16xf16>>".
Result<Type> readPointer(TtirLexer& lexer, int depth)
{
    REINSPECT_CHECK(expectSign(lexer, '<', "after !tt.ptr"));
    REINSPECT_TRY(Type pointee, readType(lexer, depth + 1));
    if (lexer.takeSign(',')) // the address space
        REINSPECT_CHECK(readAttribute(lexer, nullptr, depth + 1));
    REINSPECT_CHECK(expectSign(lexer, '>', "after a pointer's type"));
    Type type;
    type.scalar = pointee.isTensor ? Scalar::BlockPointer : Scalar::Pointer;
    type.bits = 64;
    type.pointee = std::make_shared<const Type>(std::move(pointee));
    return type;
}

Result<Type> readDescriptor(TtirLexer& lexer, int depth)
{
    REINSPECT_TRY(Type type, readPointer(lexer, depth));
    if (type.scalar == Scalar::BlockPointer)
        type.scalar = Scalar::Descriptor;
    return type;
}

} // namespace

Result<void> skipBalanced(TtirLexer& lexer)
{
    const Token start = lexer.token();
    std::string closers;
    do
    {
        const Token token = lexer.take();
        if (token.kind == TokenKind::End)
            return lexer.errorAt(start, "what opens here is never closed");
        if (token.kind != TokenKind::Sign)
            continue;
        const char c = token.text[0];
        if (c == '<' || c == '(' || c == '[' || c == '{')
            closers += c == '<' ? '>' : c == '(' ? ')' : c == '[' ? ']' : '}';
        else if (!closers.empty() && c == closers.back())
            closers.pop_back();
        else if (c == '>' || c == ')' || c == ']' || c == '}')
            return lexer.errorAt(token, std::string("'") + c + "' closes nothing that was opened");
    } while (!closers.empty());
    return {};
}

Result<Type> readType(TtirLexer& lexer, int depth)
{
    if (depth > kNestingLimit)
        return lexer.error("types are nested too deeply");
    if (lexer.isSign('<')) // the short form of a pointer
        return readPointer(lexer, depth);
    const Token token = lexer.token();
    if (token.kind == TokenKind::Bang)
    {
        lexer.take();
        if (token.text == "tt.ptr")
            return readPointer(lexer, depth);
        if (token.text == "tt.tensordesc")
            return readDescriptor(lexer, depth);
        return opaqueType(lexer, "!" + std::string(token.text));
    }
    if (token.kind != TokenKind::Word)
        return lexer.error("expected a type");
    lexer.take();
    if (token.text == "tensor")
        return readTensor(lexer, depth);
    Type type;
    for (const NamedScalar& row : kScalars)
        if (row.name == token.text)
        {
            type.scalar = row.scalar;
            type.bits = row.bits;
            return type;
        }
    if (const std::optional<std::uint8_t> bits = integerBits(token.text))
    {
        type.scalar = Scalar::Int;
        type.bits = *bits;
        return type;
    }
    if (token.text == "none" || token.text == "vector" || token.text == "memref"
        || token.text == "tf32" || token.text.starts_with("f") || token.text.starts_with("i"))
        return opaqueType(lexer, std::string(token.text));
    return lexer.errorAt(token, "unknown type '" + std::string(token.text) + "'");
}

} // namespace reinspect::triton
