// SPDX-License-Identifier: MIT
#include "core/io/fx_value_reader.h"

#include "core/io/operator_names.h"
#include "core/io/value_reader.h"

#include <algorithm>
#include <array>
#include <limits>

namespace reinspect
{
namespace
{

using Kind = ConstantArgument::Kind;

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos)
        return text.substr(text.size());
    return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

// The end of the item that `items` begins with: a comma outside of brackets and quotes.
std::size_t itemEnd(std::string_view items, char separator)
{
    std::size_t depth = 0;
    char quote = '\0';
    for (std::size_t i = 0; i < items.size(); ++i)
    {
        const char c = items[i];
        if (quote != '\0')
            quote = c == quote ? '\0' : quote;
        else if (c == '"')
            quote = c;
        else if (c == '(' || c == '[' || c == '{')
            ++depth;
        else if ((c == ')' || c == ']' || c == '}') && depth > 0)
            --depth;
        else if (c == separator && depth == 0)
            return i;
    }
    return items.size();
}

bool isBalanced(std::string_view text)
{
    std::size_t depth = 0;
    for (const char c : text)
    {
        if (c == '(' || c == '[' || c == '{')
            ++depth;
        else if ((c == ')' || c == ']' || c == '}') && depth-- == 0)
            return false;
    }
    return depth == 0;
}

bool isDevice(std::string_view text)
{
    constexpr std::array<std::string_view, 8> kTypes = {"cpu", "cuda", "meta", "mps",
                                                        "xpu", "hpu",  "npu",  "xla"};
    const std::size_t colon = std::min(text.find(':'), text.size());
    const bool indexed = colon + 1 < text.size()
        && text.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
    return (colon == text.size() || indexed)
        && std::find(kTypes.begin(), kTypes.end(), text.substr(0, colon)) != kTypes.end();
}

// "aten.sin.default": three names.
bool isOperator(std::string_view text)
{
    const bool names = std::all_of(text.begin(), text.end(),
                                   [](char c) { return isNameCharacter(c) || c == '.'; });
    return names && isNameStart(text.front()) && std::count(text.begin(), text.end(), '.') == 2;
}

std::optional<Argument> torchWord(std::string_view text)
{
    if (!text.starts_with("torch."))
        return {};
    const std::string_view rest = text.substr(6);
    if (rest.starts_with("ops."))
        return Argument{ConstantArgument{Kind::Operator, canonicalTarget(text)}};
    if (rest == "strided" || rest.starts_with("sparse_") || rest == "jagged")
        return Argument{ConstantArgument{Kind::Layout, std::string(rest)}};
    if (rest.ends_with("_format") || rest.starts_with("channels_last"))
        return Argument{ConstantArgument{Kind::MemoryFormat, std::string(rest)}};
    return Argument{ConstantArgument{Kind::DType, std::string(rest)}};
}

std::optional<Argument> plainWord(std::string_view text)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (text == "None")
        return Argument{None{}};
    if (text == "True" || text == "False")
        return Argument{text == "True"};
    if (text == "inf" || text == "-inf")
        return Argument{text == "inf" ? kInfinity : -kInfinity};
    if (text == "nan")
        return Argument{std::numeric_limits<double>::quiet_NaN()};
    const bool negative = text.starts_with('-');
    const std::string_view digits = text.substr(negative ? 1 : 0);
    if (!digits.empty() && digits.front() >= '0' && digits.front() <= '9')
        return parseNumber(digits, negative);
    return {};
}

} // namespace

Error FxValueReader::errorAt(std::string_view part, std::string message, std::string hint) const
{
    const auto offset = static_cast<std::size_t>(part.data() - m_source.text().data());
    return m_source.errorAt(m_source.spanAt(offset, std::max<std::size_t>(1, part.size())),
                            std::move(message), std::move(hint));
}

Result<std::vector<Argument>> FxValueReader::arguments(std::string_view items)
{
    m_unknownName = {};
    m_bareNames = false;
    return list(items, 0);
}

Result<std::vector<NamedArgument>> FxValueReader::namedArguments(std::string_view items)
{
    m_bareNames = false;
    REINSPECT_TRY(Argument read, dict(items, 0));
    std::vector<NamedArgument> named;
    for (auto& [key, item] : std::get<DictArgument>(read.value).items)
    {
        const std::string* name = key.as<std::string>();
        named.push_back({name ? *name : toText(Graph{}, key), std::move(item)});
    }
    return named;
}

Result<Argument> FxValueReader::returned(std::string_view text)
{
    m_unknownName = {};
    m_bareNames = true;
    if (!isBalanced(text))
        return errorAt(text, "a bracket is not closed");
    return value(text, 0);
}

Result<std::vector<Argument>> FxValueReader::list(std::string_view items, std::size_t depth)
{
    std::vector<Argument> read;
    for (items = trimmed(items); !items.empty(); items = trimmed(items))
    {
        const std::size_t end = itemEnd(items, ',');
        REINSPECT_TRY(Argument item, value(items.substr(0, end), depth + 1));
        read.push_back(std::move(item));
        items.remove_prefix(std::min(end + 1, items.size()));
    }
    return read;
}

Result<Argument> FxValueReader::dict(std::string_view items, std::size_t depth)
{
    DictArgument read;
    for (items = trimmed(items); !items.empty(); items = trimmed(items))
    {
        const std::size_t end = itemEnd(items, ',');
        const std::string_view pair = items.substr(0, end);
        const std::size_t colon = itemEnd(pair, ':');
        if (colon == pair.size())
            return errorAt(pair, "expected 'key: value'");
        REINSPECT_TRY(Argument item, value(pair.substr(colon + 1), depth + 1));
        std::string_view key = trimmed(pair.substr(0, colon));
        // Behind "return" the keys have quotes.
        const bool isQuoted = key.size() >= 2 && (key.front() == '\'' || key.front() == '"');
        read.items.emplace_back(Argument{isQuoted ? unquoted(key) : std::string(key)},
                                std::move(item));
        items.remove_prefix(std::min(end + 1, items.size()));
    }
    return Argument{std::move(read)};
}

// Its parts are Python's spelling again: a node has no percent sign.
Result<Argument> FxValueReader::slice(std::string_view items, std::size_t depth)
{
    const bool outside = m_bareNames;
    m_bareNames = true;
    Result<std::vector<Argument>> parts = list(items, depth);
    m_bareNames = outside;
    if (!parts)
        return parts.error();
    if (parts->size() != 3)
        return errorAt(items, "a slice has three parts");
    return Argument{SliceArgument{std::move(*parts)}};
}

Result<Argument> FxValueReader::nodeNamed(std::string_view name)
{
    if (const NodeId id = m_names.find(name))
        return Argument{id};
    m_unknownName = name;
    return errorAt(name, "unknown node '" + std::string(name) + "'");
}

Result<Argument> FxValueReader::value(std::string_view text, std::size_t depth)
{
    text = trimmed(text);
    if (depth > ValueReader::kDepthLimit)
        return errorAt(
            text, "nested deeper than " + std::to_string(ValueReader::kDepthLimit) + " levels");
    if (text.starts_with('%'))
        return nodeNamed(text.substr(1));
    const std::string_view inside =
        text.size() >= 2 ? text.substr(1, text.size() - 2) : std::string_view();
    if (text.starts_with('[') && text.ends_with(']'))
    {
        REINSPECT_TRY(std::vector<Argument> items, list(inside, depth));
        return Argument{ListArgument{std::move(items)}};
    }
    // Parentheses around one value are an expression, "((s0 + 3)//4)"; a tuple of one has a comma.
    const bool isTuple =
        text.size() >= 2 && (inside.empty() || itemEnd(inside, ',') < inside.size());
    if (isTuple && text.starts_with('(') && text.ends_with(')'))
    {
        REINSPECT_TRY(std::vector<Argument> items, list(inside, depth));
        return Argument{TupleArgument{std::move(items)}};
    }
    if (text.size() >= 2 && text.starts_with('{') && text.ends_with('}'))
        return dict(inside, depth);
    if (text.starts_with("slice(") && text.ends_with(')'))
        return slice(text.substr(6, text.size() - 7), depth);
    return word(text);
}

Result<Argument> FxValueReader::word(std::string_view text)
{
    if (const NodeId id = m_bareNames ? m_names.find(text) : NodeId{})
        return Argument{id};
    if (const std::optional<Argument> plain = plainWord(text))
        return *plain;
    if (const std::optional<Argument> torch = torchWord(text))
        return *torch;
    if (text.empty())
        return Argument{std::string()};
    if (isDevice(text))
        return Argument{ConstantArgument{Kind::Device, std::string(text)}};
    if (isOperator(text))
        return Argument{ConstantArgument{Kind::Operator, std::string(text)}};
    const bool isSymbol = text.size() > 1 && (text.front() == 's' || text.front() == 'u')
        && text.find_first_not_of("0123456789", 1) == std::string_view::npos;
    const bool isExpression = text.find_first_of("*+/(") != std::string_view::npos;
    if (isSymbol || isExpression)
    {
        if (Result<SymExpr> parsed = SymExpr::parse(text))
            return Argument{SymArgument{std::move(*parsed), {}}};
    }
    // Where strings have quotes, a word without them is a name.
    if (m_bareNames && std::all_of(text.begin(), text.end(), isNameCharacter))
        return nodeNamed(text);
    const bool isQuoted = text.size() >= 2 && (text.front() == '\'' || text.front() == '"')
        && text.back() == text.front();
    return Argument{isQuoted ? unquoted(text) : std::string(text)};
}

} // namespace reinspect
