// SPDX-License-Identifier: MIT
// One operation: its head up to the colon is collected as operands, words and attributes, whatever the
// operator.
#include "core/triton/ttir_reader.h"

#include <charconv>

namespace reinspect::triton
{
namespace
{

Attribute textAttribute(const Token& token)
{
    return {.kind = Attribute::Kind::Text, .text = std::string(token.text)};
}

} // namespace

Result<void> TtirReader::readOperation(Block& block)
{
    REINSPECT_TRY(const std::vector<ResultName> names, readResultNames());
    const Token token = m_lexer.token();
    Operation operation;
    operation.place = {.line = token.line, .column = m_lexer.columnOf(token)};
    operation.name = std::string(token.text);
    operation.code = opcodeFacts(operation.name).code;
    if (token.kind == TokenKind::String)
        REINSPECT_CHECK(readGenericOperation(operation, names));
    else if (token.kind != TokenKind::Word)
        return m_lexer.error("expected an operation");
    else if (operation.code == Opcode::For)
        REINSPECT_CHECK(readFor(operation, names));
    else if (operation.code == Opcode::If)
        REINSPECT_CHECK(readIf(operation, names));
    else if (operation.code == Opcode::While)
        REINSPECT_CHECK(readWhile(operation, names));
    else
        REINSPECT_CHECK(readPrettyOperation(operation, names));
    REINSPECT_CHECK(readTrailingLocation(operation.place));
    block.operations.push_back(std::move(operation));
    return {};
}

// "%a, %b = ", "%i:3 = ", or nothing.
Result<std::vector<TtirReader::ResultName>> TtirReader::readResultNames()
{
    std::vector<ResultName> names;
    if (m_lexer.token().kind != TokenKind::Value)
        return names;
    do
    {
        ResultName name{.token = m_lexer.take()};
        if (name.token.kind != TokenKind::Value)
            return m_lexer.errorAt(name.token, "expected the name of a result");
        if (m_lexer.takeSign(':'))
        {
            const Token count = m_lexer.take();
            std::from_chars(count.text.data(), count.text.data() + count.text.size(), name.count);
            if (count.kind != TokenKind::Number || name.count < 1 || name.count > 1024)
                return m_lexer.errorAt(count, "expected the number of results");
        }
        names.push_back(name);
    } while (m_lexer.takeSign(','));
    REINSPECT_CHECK(expect('=', "after the results"));
    return names;
}

// "\"name\"(%a, %b)[^bb1] <{...}> ({...}, {...}) {...} : (types) -> types"
Result<void> TtirReader::readGenericOperation(Operation& operation,
                                              const std::vector<ResultName>& names)
{
    m_lexer.take();
    Literal literal;
    REINSPECT_CHECK(expect('(', "after the operation's name"));
    if (!m_lexer.takeSign(')'))
    {
        do
            REINSPECT_CHECK(readOperand(operation));
        while (m_lexer.takeSign(','));
        REINSPECT_CHECK(expect(')', "after the operands"));
    }
    if (m_lexer.takeSign('['))
    {
        do
            REINSPECT_CHECK(readSuccessor(operation));
        while (m_lexer.takeSign(','));
        REINSPECT_CHECK(expect(']', "after the successors"));
    }
    REINSPECT_CHECK(readGenericTail(operation, literal));
    REINSPECT_CHECK(expect(':', "before the operation's types"));
    REINSPECT_TRY(Signature signature, readSignature());
    if (operation.code == Opcode::Constant)
    {
        if (signature.after.size() != 1)
            return m_lexer.error("a constant has one type");
        REINSPECT_TRY(Constant constant, makeConstant(m_lexer, literal, signature.after.front()));
        operation.constant = std::make_shared<const Constant>(std::move(constant));
    }
    return defineResults(operation, names, std::move(signature.after));
}

Result<void> TtirReader::readGenericTail(Operation& operation, Literal& literal)
{
    if (m_lexer.isPair('<', '{'))
    {
        m_lexer.take();
        REINSPECT_CHECK(readAttributes(m_lexer, operation.attributes, &literal));
        REINSPECT_CHECK(expect('>', "after the properties"));
    }
    if (m_lexer.isSign('('))
        REINSPECT_CHECK(readGenericRegions(operation));
    if (m_lexer.isSign('{'))
        REINSPECT_CHECK(readAttributes(m_lexer, operation.attributes, &literal));
    return {};
}

Result<void> TtirReader::readGenericRegions(Operation& operation)
{
    m_lexer.take();
    do
    {
        operation.regions.emplace_back();
        REINSPECT_CHECK(readRegion(operation.regions.back(), {}));
    } while (m_lexer.takeSign(','));
    return expect(')', "after the regions");
}

Result<void> TtirReader::readPrettyOperation(Operation& operation,
                                             const std::vector<ResultName>& names)
{
    m_lexer.take();
    if (operation.code == Opcode::Constant)
        return readConstant(operation, names);
    const OpcodeFacts facts = opcodeFacts(operation.name);
    REINSPECT_CHECK(readHead(operation));
    Signature signature;
    if (m_lexer.takeSign(':') || m_lexer.token().kind == TokenKind::Arrow)
    {
        REINSPECT_TRY(signature, readSignature());
    }
    std::size_t named = 0;
    for (const ResultName& name : names)
        named += name.count;
    REINSPECT_TRY(std::vector<Type> types, resultTypes(facts, operation, signature, named));
    return defineResults(operation, names, std::move(types));
}

// "arith.constant dense<0> : tensor<16xi32>", "arith.constant true".
Result<void> TtirReader::readConstant(Operation& operation, const std::vector<ResultName>& names)
{
    if (m_lexer.isSign('{'))
        REINSPECT_CHECK(readAttributes(m_lexer, operation.attributes));
    Literal literal;
    REINSPECT_TRY(const Attribute value, readAttribute(m_lexer, &literal));
    if (!literal.type && value.kind == Attribute::Kind::Bool)
    {
        literal.type.emplace();
        literal.type->scalar = Scalar::Int;
        literal.type->bits = 1;
    }
    if (!literal.type)
        return m_lexer.error("expected ':' and the type of the constant");
    REINSPECT_TRY(Constant constant, makeConstant(m_lexer, literal, *literal.type));
    operation.constant = std::make_shared<const Constant>(std::move(constant));
    return defineResults(operation, names, {std::move(*literal.type)});
}

Result<void> TtirReader::readHead(Operation& operation)
{
    for (int depth = 0;;)
    {
        const Token token = m_lexer.token();
        if (token.kind == TokenKind::End || (token.startsLine && depth == 0))
            return {};
        REINSPECT_TRY(const bool goesOn, readHeadToken(operation, depth));
        if (!goesOn)
            return {};
    }
}

// Stops at what cannot belong to a head: the colon before the types, an arrow, a location.
Result<bool> TtirReader::readHeadToken(Operation& operation, int& depth)
{
    const Token token = m_lexer.token();
    switch (token.kind)
    {
    case TokenKind::Value: REINSPECT_CHECK(readOperand(operation)); return true;
    case TokenKind::Label: REINSPECT_CHECK(readSuccessor(operation)); return true;
    case TokenKind::Word:
        if (isLocation())
            return false;
        takeHeadWord(operation, m_lexer.take());
        return true;
    case TokenKind::String:
    case TokenKind::Symbol:
        operation.attributes.emplace_back(token.kind == TokenKind::Symbol ? "callee" : "text",
                                          textAttribute(m_lexer.take()));
        return true;
    case TokenKind::Number:
    case TokenKind::Alias: m_lexer.take(); return true;
    case TokenKind::Arrow:
    case TokenKind::Bang:
    case TokenKind::End: return false;
    case TokenKind::Sign: break;
    }
    const char sign = token.text[0];
    if (sign == ':') // tt.print has operands behind its text's colon
    {
        m_lexer.take();
        const bool goesOn = m_lexer.token().kind == TokenKind::Value;
        if (!goesOn)
            m_lexer.goTo(token);
        return goesOn;
    }
    if (sign == '{')
        REINSPECT_CHECK(readAttributes(m_lexer, operation.attributes));
    else if (sign == '<')
        REINSPECT_CHECK(skipBalanced(m_lexer)); // fastmath<contract>, overflow<nsw>
    else if (sign == '}' || sign == '>' || sign == '='
             || ((sign == ')' || sign == ']') && depth == 0))
        return sign == '}' ? Result<bool>(false) : m_lexer.error("expected an operand");
    else
    {
        depth += sign == '(' || sign == '[' ? 1 : sign == ')' || sign == ']' ? -1 : 0;
        m_lexer.take();
    }
    return true;
}

// "slt", or "inputPrecision = tf32".
void TtirReader::takeHeadWord(Operation& operation, const Token& word)
{
    if (!m_lexer.takeSign('='))
    {
        operation.words.emplace_back(word.text);
        return;
    }
    const Token value = m_lexer.take();
    operation.attributes.emplace_back(std::string(word.text), textAttribute(value));
}

// "^bb1", "^bb1(%a, %b : i32, i32)"
Result<void> TtirReader::readSuccessor(Operation& operation)
{
    const Token label = m_lexer.take();
    if (label.kind != TokenKind::Label || m_labels.empty())
        return m_lexer.errorAt(label, "expected a block's name");
    Successor successor{.block = blockOf(label.text), .operands = {}};
    if (m_lexer.takeSign('('))
    {
        do
        {
            const Token value = m_lexer.take();
            REINSPECT_TRY(const ValueId id, valueNamed(value));
            successor.operands.push_back(id);
        } while (m_lexer.takeSign(','));
        REINSPECT_CHECK(expect(':', "before the types of a branch's operands"));
        do
            REINSPECT_CHECK(readType(m_lexer));
        while (m_lexer.takeSign(','));
        REINSPECT_CHECK(expect(')', "after a branch's operands"));
    }
    operation.successors.push_back(std::move(successor));
    return {};
}

Result<void> TtirReader::readOperand(Operation& operation)
{
    const Token token = m_lexer.take();
    if (token.kind != TokenKind::Value)
        return m_lexer.errorAt(token, "expected a value");
    REINSPECT_TRY(const ValueId id, valueNamed(token));
    operation.operands.push_back(id);
    return {};
}

Result<void> TtirReader::defineResults(Operation& operation, const std::vector<ResultName>& names,
                                       std::vector<Type> types)
{
    std::size_t next = 0;
    for (const ResultName& name : names)
        for (std::uint32_t i = 0; i < name.count; ++i)
        {
            if (next == types.size())
                return m_lexer.errorAt(name.token,
                                       operation.name + " has " + std::to_string(types.size())
                                           + " results");
            std::string text(name.token.text);
            if (name.count > 1)
                text += "#" + std::to_string(i);
            REINSPECT_TRY(const ValueId id,
                          define(name.token, std::move(text), std::move(types[next++])));
            operation.results.push_back(id);
        }
    if (next != types.size() && !names.empty())
        return m_lexer.errorAt(names.back().token,
                               operation.name + " has " + std::to_string(types.size())
                                   + " results");
    for (; next < types.size(); ++next) // results that nobody named
        operation.results.push_back(addValue(std::move(types[next]), {}));
    return {};
}

Result<void> TtirReader::readTrailingLocation(Place& place)
{
    if (!isLocation())
        return {};
    REINSPECT_TRY(Place source, readLocation(m_lexer));
    place.sourceFile = std::move(source.sourceFile);
    place.sourceLine = source.sourceLine;
    return {};
}

} // namespace reinspect::triton
