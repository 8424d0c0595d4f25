// SPDX-License-Identifier: MIT
// The types behind an operation's colon, and what they say of its results by the operator's rule.
#include "core/triton/ttir_reader.h"

#include <algorithm>

namespace reinspect::triton
{
namespace
{

Type oneBitOf(const Type& type)
{
    Type bit = type;
    bit.scalar = Scalar::Int;
    bit.bits = 1;
    bit.pointee = nullptr;
    bit.text.clear();
    return bit;
}

// What a load from this type gives. Triton 2 prints the loaded type itself.
Type loadedType(const Type& type)
{
    if (!type.isAnyPointer())
        return type;
    Type loaded = *type.pointee;
    if (type.isPointer() && type.isTensor)
    {
        loaded.isTensor = true;
        loaded.shape = type.shape;
    }
    return loaded;
}

} // namespace

// "(i32, f32)", "()", or a type alone.
Result<void> TtirReader::readTypeList(std::vector<Type>& types)
{
    if (!m_lexer.takeSign('('))
    {
        REINSPECT_TRY(Type type, readType(m_lexer));
        types.push_back(std::move(type));
        return {};
    }
    if (m_lexer.takeSign(')'))
        return {};
    do
    {
        REINSPECT_TRY(Type type, readType(m_lexer));
        types.push_back(std::move(type));
    } while (m_lexer.takeSign(','));
    return expect(')', "after types");
}

// "a, b", "a * b -> c", "(a) -> (b, c)", "a to b"
Result<TtirReader::Signature> TtirReader::readSignature()
{
    Signature signature;
    std::vector<Type>* into = &signature.before;
    while (true)
    {
        if (m_lexer.token().kind == TokenKind::Arrow || m_lexer.isWord("to"))
        {
            if (signature.hasArrow)
                return m_lexer.error("a second arrow between types");
            m_lexer.take();
            signature.hasArrow = true;
            into = &signature.after;
        }
        REINSPECT_CHECK(readTypeList(*into));
        if (m_lexer.takeSign(',') || m_lexer.takeSign('*'))
            continue;
        if (m_lexer.token().kind != TokenKind::Arrow && !m_lexer.isWord("to"))
            return signature;
    }
}

Result<std::vector<Type>> TtirReader::resultTypes(const OpcodeFacts& facts,
                                                  const Operation& operation,
                                                  const Signature& signature, std::size_t named)
{
    const auto missing = [&] {
        return m_lexer.error("expected ':' and the types of " + operation.name);
    };
    if (facts.form == ResultForm::None || (facts.code == Opcode::Unknown && named == 0))
        return std::vector<Type>();
    if (signature.hasArrow)
        return signature.after.size() == 1 && named > 1
            ? std::vector<Type>(named, signature.after.front())
            : signature.after;
    if (signature.before.empty() || facts.form == ResultForm::Arrow)
        return missing();
    const Type& first = signature.before.front();
    Type last = signature.before.back();
    switch (facts.form)
    {
    case ResultForm::Compare: return std::vector<Type>{oneBitOf(first)};
    case ResultForm::SameAndOneBit: return std::vector<Type>{first, oneBitOf(first)};
    case ResultForm::Load: return std::vector<Type>{loadedType(first)};
    case ResultForm::First: return std::vector<Type>{first};
    case ResultForm::Last:
        if (facts.code == Opcode::MakeDescriptor && last.scalar == Scalar::BlockPointer)
            last.scalar = Scalar::Descriptor;
        return std::vector<Type>{std::move(last)};
    default: break;
    }
    return std::vector<Type>(std::max<std::size_t>(named, 1), last);
}

} // namespace reinspect::triton
