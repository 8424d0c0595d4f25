// SPDX-License-Identifier: MIT
// The reader of schema text declared in op_facts.h:
//     namespace::name.overload(Type(alias!) name=default, *, Type name) -> (Type, Type name)
#include "core/ir/op_facts.h"

#include <optional>

namespace reinspect
{

namespace
{

struct SchemaParts
{
    std::string_view arguments; // between the parentheses
    std::string_view results;   // after the arrow
};

bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && isSpace(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isSpace(text.back()))
        text.remove_suffix(1);
    return text;
}

// Walks over text and knows what is nested or quoted.
class Nesting
{
public:
    // False when a bracket closes that was never opened.
    bool take(char c)
    {
        if (m_quote != '\0')
        {
            takeQuoted(c);
            return true;
        }
        if (c == '"' || c == '\'')
            m_quote = c;
        else if (c == '(' || c == '[')
            ++m_depth;
        else if (c == ')' || c == ']')
            --m_depth;
        return m_depth >= 0;
    }
    bool isOutside() const { return m_depth == 0 && m_quote == '\0'; }

private:
    void takeQuoted(char c)
    {
        if (m_escaped)
            m_escaped = false;
        else if (c == '\\')
            m_escaped = true;
        else if (c == m_quote)
            m_quote = '\0';
    }

    int m_depth = 0;
    char m_quote = '\0';
    bool m_escaped = false;
};

// The text in the parentheses that open at text[0]; nothing when they do not close.
std::optional<std::string_view> parenthesized(std::string_view text)
{
    Nesting nesting;
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        if (!nesting.take(text[i]))
            return std::nullopt;
        if (nesting.isOutside())
            return text.substr(1, i - 1);
    }
    return std::nullopt;
}

// Where the first character that satisfies `wanted` stands outside of brackets and quotes; else the size.
template<typename Wanted>
std::optional<std::size_t> findOutside(std::string_view text, Wanted wanted)
{
    Nesting nesting;
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        if (nesting.isOutside() && wanted(text[i]))
            return i;
        if (!nesting.take(text[i]))
            return std::nullopt;
    }
    if (!nesting.isOutside())
        return std::nullopt;
    return text.size();
}

// Parts between commas; an empty list when the text is malformed, e.g. "a,,b".
std::optional<std::vector<std::string_view>> splitAtCommas(std::string_view text)
{
    std::vector<std::string_view> parts;
    if (trimmed(text).empty())
        return parts;
    while (true)
    {
        const std::optional<std::size_t> comma = findOutside(text, [](char c) { return c == ','; });
        if (!comma || trimmed(text.substr(0, *comma)).empty())
            return std::nullopt;
        parts.push_back(trimmed(text.substr(0, *comma)));
        if (*comma == text.size())
            return parts;
        text.remove_prefix(*comma + 1);
    }
}

std::optional<SchemaParts> schemaParts(std::string_view schema)
{
    schema = trimmed(schema);
    const std::size_t opening = schema.find('(');
    if (opening == std::string_view::npos || opening == 0)
        return std::nullopt;
    const std::optional<std::string_view> arguments = parenthesized(schema.substr(opening));
    if (!arguments)
        return std::nullopt;
    const std::string_view rest = trimmed(schema.substr(opening + arguments->size() + 2));
    if (!rest.starts_with("->") || trimmed(rest.substr(2)).empty())
        return std::nullopt;
    return SchemaParts{.arguments = *arguments, .results = trimmed(rest.substr(2))};
}

bool hasTypeParameters(std::string_view typeName)
{
    return typeName.empty() || typeName == "Dict" || typeName == "Future" || typeName == "RRef"
        || typeName == "Await";
}

// "a" and written for "Tensor(a!)", "a" for "Tensor(a -> *)". The parentheses of Dict(str, t) and of the
// tuple (int, int) are part of the type, and an alias set may follow them.
void readAliasSet(SchemaArgument& argument)
{
    std::string_view rest = argument.type;
    std::size_t opening = rest.find('(');
    if (opening != std::string_view::npos && hasTypeParameters(rest.substr(0, opening)))
    {
        const std::optional<std::string_view> parameters = parenthesized(rest.substr(opening));
        rest.remove_prefix(opening + parameters->size() + 2);
        opening = rest.find('(');
    }
    if (opening == std::string_view::npos)
        return;
    std::string_view set = *parenthesized(rest.substr(opening));
    set = trimmed(set.substr(0, set.find("->")));
    argument.isMutable = set.find('!') != std::string_view::npos;
    argument.aliasSet = trimmed(set.substr(0, set.find('!')));
}

// "Tensor(a!) self", "str approximate="none"".
std::optional<SchemaArgument> readArgument(std::string_view text)
{
    const std::optional<std::size_t> space = findOutside(text, isSpace);
    if (!space || *space == 0 || *space == text.size())
        return std::nullopt;

    SchemaArgument argument;
    argument.type = text.substr(0, *space);
    if (argument.type.find_first_of("\"'") != std::string_view::npos)
        return std::nullopt;
    const std::string_view declared = trimmed(text.substr(*space));
    const std::size_t equals = declared.find('=');
    argument.name = trimmed(declared.substr(0, equals));
    if (equals != std::string_view::npos)
        argument.defaultText = trimmed(declared.substr(equals + 1));
    if (argument.name.empty() || argument.name.find(' ') != std::string_view::npos)
        return std::nullopt;
    readAliasSet(argument);
    return argument;
}

} // namespace

std::vector<SchemaArgument> schemaArguments(std::string_view schema)
{
    const std::optional<SchemaParts> parts = schemaParts(schema);
    if (!parts)
        return {};
    const std::optional<std::vector<std::string_view>> texts = splitAtCommas(parts->arguments);
    if (!texts)
        return {};

    std::vector<SchemaArgument> arguments;
    bool isKeywordOnly = false;
    for (const std::string_view text : *texts)
    {
        if (text == "...") // any further arguments
            continue;
        if (text == "*")
        {
            isKeywordOnly = true;
            continue;
        }
        std::optional<SchemaArgument> argument = readArgument(text);
        if (!argument)
            return {};
        argument->isKeywordOnly = isKeywordOnly;
        arguments.push_back(*argument);
    }
    return arguments;
}

std::size_t schemaReturnCount(std::string_view schema)
{
    const std::optional<SchemaParts> parts = schemaParts(schema);
    if (!parts)
        return 0;
    if (!parts->results.starts_with('('))
        return 1;
    const std::optional<std::string_view> inside = parenthesized(parts->results);
    if (!inside)
        return 0;
    const auto results = splitAtCommas(*inside);
    return results && *inside != "..." ? results->size() : 0;
}

} // namespace reinspect
