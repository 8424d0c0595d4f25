// SPDX-License-Identifier: MIT
#include "core/triton/ttir_reader.h"

#include <algorithm>

namespace reinspect::triton
{
namespace
{

constexpr std::size_t kTextLimit = std::size_t{64} << 20;

} // namespace

Result<Kernel> readTtir(std::string_view text)
{
    if (text.size() > kTextLimit)
        return Error{.message = "a TTIR text of more than 64 MiB is not read"};
    return TtirReader(text).read();
}

Result<Kernel> TtirReader::read()
{
    while (m_lexer.token().kind != TokenKind::End)
        REINSPECT_CHECK(readTopLevel());
    if (m_kernel.functions.empty())
        return m_lexer.error("no tt.func in this text: it is no TTIR of a kernel");
    const auto isKernel = [](const Function& f) { return f.isPublic && !f.body.blocks.empty(); };
    const auto entry = std::ranges::find_if(m_kernel.functions, isKernel);
    if (entry == m_kernel.functions.end())
        return m_lexer.error("no public tt.func with a body in this text");
    m_kernel.entry = static_cast<std::size_t>(entry - m_kernel.functions.begin());
    resolvePlaces();
    return std::move(m_kernel);
}

Result<void> TtirReader::expect(char sign, const char* what)
{
    if (!m_lexer.takeSign(sign))
        return m_lexer.error(std::string("expected '") + sign + "' " + what);
    return {};
}

bool TtirReader::isLocation() const
{
    return m_lexer.isWord("loc");
}

Result<void> TtirReader::readTopLevel()
{
    const Token token = m_lexer.token();
    if (token.kind == TokenKind::Alias || token.kind == TokenKind::Bang)
        return readAliasDefinition();
    if (token.kind == TokenKind::String && token.text == "builtin.module")
        return readGenericModule();
    if (token.kind == TokenKind::String && token.text == "tt.func")
        return readGenericFunction();
    if (m_lexer.isWord("module") || m_lexer.isWord("builtin.module"))
        return readModule();
    if (m_lexer.isWord("tt.func"))
        return readFunction();
    return m_lexer.error("expected 'module', 'tt.func' or the definition of an alias");
}

// "#loc3 = loc(...)", "#blocked = #ttg.blocked<...>".
Result<void> TtirReader::readAliasDefinition()
{
    const Token name = m_lexer.take();
    REINSPECT_CHECK(expect('=', "after an alias"));
    if (!isLocation())
    {
        REINSPECT_CHECK(readAttribute(m_lexer));
        return {};
    }
    REINSPECT_TRY(Place place, readLocation(m_lexer));
    m_aliases.insert_or_assign(std::string(name.text), std::move(place));
    return {};
}

// "module @name attributes {...} { ... } loc(...)"
Result<void> TtirReader::readModule()
{
    m_lexer.take();
    if (m_lexer.token().kind == TokenKind::Symbol)
        m_lexer.take();
    Attributes attributes;
    if (m_lexer.takeWord("attributes"))
    {
        if (!m_lexer.isSign('{'))
            return m_lexer.error("expected '{' after attributes");
        REINSPECT_CHECK(readAttributes(m_lexer, attributes));
    }
    REINSPECT_CHECK(expect('{', "to open the module"));
    return readModuleBody();
}

Result<void> TtirReader::readModuleBody()
{
    const Token start = m_lexer.token();
    while (!m_lexer.isSign('}'))
    {
        const Token token = m_lexer.token();
        if (token.kind == TokenKind::End)
            return m_lexer.errorAt(start, "the module that opens here is never closed");
        if (m_lexer.isWord("tt.func"))
            REINSPECT_CHECK(readFunction());
        else if (token.kind == TokenKind::String && token.text == "tt.func")
            REINSPECT_CHECK(readGenericFunction());
        else
            return m_lexer.error("expected tt.func");
    }
    m_lexer.take();
    Place place;
    return readTrailingLocation(place);
}

// "\"builtin.module\"() <{...}> ({ ... }) {...} : () -> ()"
Result<void> TtirReader::readGenericModule()
{
    m_lexer.take();
    REINSPECT_CHECK(expect('(', "after the module's name"));
    REINSPECT_CHECK(expect(')', "after the module's name"));
    if (m_lexer.isSign('<'))
        REINSPECT_CHECK(skipBalanced(m_lexer));
    REINSPECT_CHECK(expect('(', "before the module's region"));
    REINSPECT_CHECK(expect('{', "to open the module"));
    REINSPECT_CHECK(readModuleBody());
    REINSPECT_CHECK(expect(')', "after the module's region"));
    if (m_lexer.isSign('{'))
        REINSPECT_CHECK(skipBalanced(m_lexer));
    REINSPECT_CHECK(expect(':', "before the module's type"));
    REINSPECT_CHECK(readSignature());
    Place place;
    return readTrailingLocation(place);
}

Result<void> TtirReader::beginFunction(const Token& token)
{
    m_function = {};
    m_function.place = {.line = token.line, .column = m_lexer.columnOf(token)};
    m_names.clear();
    m_undo.clear();
    m_scopes.clear();
    m_labels.clear();
    m_depth = 0;
    return {};
}

Result<void> TtirReader::endFunction()
{
    if (m_kernel.find(m_function.name))
        return m_lexer.error("a second function '" + m_function.name + "'");
    m_kernel.functions.push_back(std::move(m_function));
    return {};
}

// "%x: !tt.ptr<f32> {tt.divisibility = 16 : i32} loc(...), ..." in parentheses. A declaration has types
// only.
Result<void> TtirReader::readParameters(std::vector<Type>& types, std::vector<Token>& names)
{
    REINSPECT_CHECK(expect('(', "before the parameters"));
    if (m_lexer.takeSign(')'))
        return {};
    do
    {
        names.push_back(m_lexer.token());
        if (m_lexer.token().kind == TokenKind::Value)
        {
            m_lexer.take();
            REINSPECT_CHECK(expect(':', "after a parameter's name"));
        }
        REINSPECT_TRY(Type type, readType(m_lexer));
        types.push_back(std::move(type));
        Attributes attributes;
        if (m_lexer.isSign('{'))
            REINSPECT_CHECK(readAttributes(m_lexer, attributes));
        Place place;
        REINSPECT_CHECK(readTrailingLocation(place));
    } while (m_lexer.takeSign(','));
    return expect(')', "after the parameters");
}

Result<void> TtirReader::readFunction()
{
    const Token start = m_lexer.take();
    REINSPECT_CHECK(beginFunction(start));
    m_function.isPublic = !m_lexer.takeWord("private");
    m_lexer.takeWord("public");
    const Token name = m_lexer.take();
    if (name.kind != TokenKind::Symbol)
        return m_lexer.errorAt(name, "expected the function's name after tt.func");
    m_function.name = std::string(name.text);

    std::vector<Type> types;
    std::vector<Token> names;
    REINSPECT_CHECK(readParameters(types, names));
    if (m_lexer.token().kind == TokenKind::Arrow)
    {
        m_lexer.take();
        REINSPECT_CHECK(readTypeList(m_function.results));
    }
    Attributes attributes;
    if (m_lexer.takeWord("attributes") && m_lexer.isSign('{'))
        REINSPECT_CHECK(readAttributes(m_lexer, attributes));
    if (m_lexer.isSign('{'))
    {
        openScope();
        for (std::size_t i = 0; i < names.size(); ++i)
        {
            if (names[i].kind != TokenKind::Value)
                return m_lexer.errorAt(names[i], "expected a parameter's name");
            REINSPECT_TRY(const ValueId id, define(names[i], std::string(names[i].text), types[i]));
            m_function.parameters.push_back(id);
        }
        REINSPECT_CHECK(readRegion(m_function.body, m_function.parameters));
        closeScope();
    }
    REINSPECT_CHECK(readTrailingLocation(m_function.place));
    return endFunction();
}

// The function as a generic operation: parameters are the entry block's arguments.
Result<void> TtirReader::readGenericFunction()
{
    REINSPECT_CHECK(beginFunction(m_lexer.token()));
    m_lexer.take();
    Operation operation;
    Literal literal;
    REINSPECT_CHECK(expect('(', "after tt.func"));
    REINSPECT_CHECK(expect(')', "after tt.func"));
    REINSPECT_CHECK(readGenericTail(operation, literal));
    REINSPECT_CHECK(expect(':', "before the function's type"));
    REINSPECT_CHECK(readSignature());
    REINSPECT_CHECK(readTrailingLocation(m_function.place));
    m_function.name = std::string(operation.text("sym_name"));
    m_function.isPublic = operation.text("sym_visibility") != "private";
    if (m_function.name.empty())
        return m_lexer.error("a tt.func without sym_name");
    if (!operation.regions.empty())
        m_function.body = std::move(operation.regions.front());
    if (!m_function.body.blocks.empty())
        m_function.parameters = m_function.body.blocks.front().arguments;
    return endFunction();
}

Result<void> TtirReader::readRegion(Region& region, const std::vector<ValueId>& entryArguments)
{
    if (++m_depth > kNestingLimit)
        return m_lexer.error("regions are nested too deeply");
    REINSPECT_CHECK(expect('{', "to open a region"));
    openScope();
    m_labels.emplace_back();
    REINSPECT_CHECK(readBlocks(region, entryArguments));
    m_labels.pop_back();
    closeScope();
    --m_depth;
    return {};
}

Result<void> TtirReader::readBlocks(Region& region, const std::vector<ValueId>& entryArguments)
{
    const Token start = m_lexer.token();
    region.blocks.emplace_back();
    region.blocks[0].arguments = entryArguments;
    std::vector<bool> seen = {true};
    std::size_t current = 0;
    if (m_lexer.token().kind == TokenKind::Label) // the entry has a name
    {
        seen[0] = false;
        m_labels.back().emplace(std::string(m_lexer.token().text), 0);
        REINSPECT_CHECK(readLabel(region, current, seen));
    }
    else
        m_labels.back().emplace("(entry)", 0);
    while (!m_lexer.takeSign('}'))
    {
        if (m_lexer.token().kind == TokenKind::End)
            return m_lexer.errorAt(start, "the region that opens here is never closed");
        if (m_lexer.token().kind == TokenKind::Label)
            REINSPECT_CHECK(readLabel(region, current, seen));
        else
            REINSPECT_CHECK(readOperation(region.blocks[current]));
    }
    region.blocks.resize(m_labels.back().size());
    seen.resize(region.blocks.size());
    for (const auto& [label, index] : m_labels.back())
        if (!seen[index])
            return m_lexer.error("a branch leads to '^" + label + "', which is not there");
    return {};
}

// "^bb1(%a: i32 loc(...)):"
Result<void> TtirReader::readLabel(Region& region, std::size_t& current, std::vector<bool>& seen)
{
    const Token label = m_lexer.take();
    current = blockOf(label.text);
    if (region.blocks.size() <= current)
        region.blocks.resize(current + 1);
    seen.resize(region.blocks.size());
    if (seen[current])
        return m_lexer.errorAt(label, "a second block '^" + std::string(label.text) + "'");
    seen[current] = true;
    region.blocks[current].label = std::string(label.text);
    if (m_lexer.isSign('('))
        REINSPECT_CHECK(readBlockArguments(region.blocks[current]));
    return expect(':', "after a block's name");
}

Result<void> TtirReader::readBlockArguments(Block& block)
{
    std::vector<Type> types;
    std::vector<Token> names;
    REINSPECT_CHECK(readParameters(types, names));
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        if (names[i].kind != TokenKind::Value)
            return m_lexer.errorAt(names[i], "expected a block argument's name");
        REINSPECT_TRY(const ValueId id, define(names[i], std::string(names[i].text), types[i]));
        block.arguments.push_back(id);
    }
    return {};
}

} // namespace reinspect::triton
