// SPDX-License-Identifier: MIT
// The pretty forms of loops and branches, brought to the generic shape: operands of a loop are bounds
// and initial values, its block's arguments the induction variable and what is carried.
#include "core/triton/ttir_reader.h"

namespace reinspect::triton
{

// "(%a = %x, %b = %y)": the names are left to the caller, the values become operands.
Result<void> TtirReader::readAssignments(Operation& operation, std::vector<Token>& names)
{
    REINSPECT_CHECK(expect('(', "before the carried values"));
    if (m_lexer.takeSign(')'))
        return {};
    do
    {
        names.push_back(m_lexer.take());
        if (names.back().kind != TokenKind::Value)
            return m_lexer.errorAt(names.back(), "expected the name of a carried value");
        REINSPECT_CHECK(expect('=', "after the name of a carried value"));
        REINSPECT_CHECK(readOperand(operation));
    } while (m_lexer.takeSign(','));
    return expect(')', "after the carried values");
}

// "scf.for %i = %lower to %upper step %s iter_args(%a = %x) -> (type) : i32 {...} {...}"
Result<void> TtirReader::readFor(Operation& operation, const std::vector<ResultName>& names)
{
    m_lexer.take();
    if (m_lexer.takeWord("unsigned"))
        operation.words.emplace_back("unsigned");
    const Token variable = m_lexer.take();
    if (variable.kind != TokenKind::Value)
        return m_lexer.errorAt(variable, "expected the loop's variable");
    REINSPECT_CHECK(expect('=', "after the loop's variable"));
    REINSPECT_CHECK(readOperand(operation));
    for (const char* word : {"to", "step"})
    {
        if (!m_lexer.takeWord(word))
            return m_lexer.error(std::string("expected '") + word + "' in a loop");
        REINSPECT_CHECK(readOperand(operation));
    }
    std::vector<Token> carried;
    std::vector<Type> types;
    if (m_lexer.takeWord("iter_args"))
    {
        REINSPECT_CHECK(readAssignments(operation, carried));
        if (m_lexer.token().kind != TokenKind::Arrow)
            return m_lexer.error("expected '->' and the types of the carried values");
        m_lexer.take();
        REINSPECT_CHECK(readTypeList(types));
    }
    if (types.size() != carried.size())
        return m_lexer.error("as many types as carried values are expected");
    Type counter = m_function.type(operation.operands[0]);
    if (m_lexer.takeSign(':'))
    {
        REINSPECT_TRY(counter, readType(m_lexer));
    }

    openScope();
    std::vector<ValueId> arguments(1);
    REINSPECT_TRY(arguments[0], define(variable, std::string(variable.text), std::move(counter)));
    for (std::size_t i = 0; i < carried.size(); ++i)
    {
        REINSPECT_TRY(const ValueId id, define(carried[i], std::string(carried[i].text), types[i]));
        arguments.push_back(id);
    }
    operation.regions.emplace_back();
    REINSPECT_CHECK(readRegion(operation.regions.back(), arguments));
    closeScope();
    if (m_lexer.isSign('{'))
        REINSPECT_CHECK(readAttributes(m_lexer, operation.attributes));
    return defineResults(operation, names, std::move(types));
}

// "scf.if %condition -> (types) {...} else {...} {...}"
Result<void> TtirReader::readIf(Operation& operation, const std::vector<ResultName>& names)
{
    m_lexer.take();
    REINSPECT_CHECK(readOperand(operation));
    std::vector<Type> types;
    if (m_lexer.token().kind == TokenKind::Arrow)
    {
        m_lexer.take();
        REINSPECT_CHECK(readTypeList(types));
    }
    operation.regions.resize(2);
    REINSPECT_CHECK(readRegion(operation.regions[0], {}));
    if (m_lexer.takeWord("else"))
        REINSPECT_CHECK(readRegion(operation.regions[1], {}));
    else if (!types.empty())
        return m_lexer.error("expected 'else', since the branch has results");
    if (m_lexer.isSign('{'))
        REINSPECT_CHECK(readAttributes(m_lexer, operation.attributes));
    return defineResults(operation, names, std::move(types));
}

// "scf.while (%a = %x) : (types) -> (types) {...} do {...} attributes {...}"
Result<void> TtirReader::readWhile(Operation& operation, const std::vector<ResultName>& names)
{
    m_lexer.take();
    std::vector<Token> carried;
    if (m_lexer.isSign('('))
        REINSPECT_CHECK(readAssignments(operation, carried));
    REINSPECT_CHECK(expect(':', "before the types of a loop"));
    std::vector<Type> before;
    std::vector<Type> after;
    REINSPECT_CHECK(readTypeList(before));
    if (m_lexer.token().kind != TokenKind::Arrow)
        return m_lexer.error("expected '->' in the types of a loop");
    m_lexer.take();
    REINSPECT_CHECK(readTypeList(after));
    if (before.size() != carried.size())
        return m_lexer.error("as many types as carried values are expected");

    openScope();
    std::vector<ValueId> arguments;
    for (std::size_t i = 0; i < carried.size(); ++i)
    {
        REINSPECT_TRY(const ValueId id,
                      define(carried[i], std::string(carried[i].text), before[i]));
        arguments.push_back(id);
    }
    operation.regions.resize(2);
    REINSPECT_CHECK(readRegion(operation.regions[0], arguments));
    closeScope();
    if (!m_lexer.takeWord("do"))
        return m_lexer.error("expected 'do' and the loop's body");
    REINSPECT_CHECK(readRegion(operation.regions[1], {}));
    if (m_lexer.takeWord("attributes") && m_lexer.isSign('{'))
        REINSPECT_CHECK(readAttributes(m_lexer, operation.attributes));
    return defineResults(operation, names, std::move(after));
}

} // namespace reinspect::triton
