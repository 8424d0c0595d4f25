// SPDX-License-Identifier: MIT
#include "core/io/annotation.h"

#include "core/io/lexer.h"

#include <algorithm>
#include <charconv>

namespace reinspect
{
namespace
{

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// The length of the bracketed list that `text` begins with, brackets included; 0 when it does not
// end.
std::size_t listLength(std::string_view text)
{
    std::size_t depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        if (text[i] == '[' || text[i] == '(')
            ++depth;
        else if ((text[i] == ']' || text[i] == ')') && --depth == 0)
            return i + 1;
    }
    return 0;
}

// Takes the first item off a list's inside: up to a comma outside parentheses ("Max(1, s0), 4").
std::string_view takeItem(std::string_view& items)
{
    std::size_t depth = 0;
    std::size_t end = 0;
    for (; end < items.size() && (items[end] != ',' || depth > 0); ++end)
    {
        if (items[end] == '(')
            ++depth;
        else if (items[end] == ')' && depth > 0)
            --depth;
    }
    const std::string_view item = items.substr(0, end);
    items.remove_prefix(std::min(end + 1, items.size()));
    return trimmed(item);
}

SymScalarMeta::Kind symbolicKind(std::string_view text)
{
    const bool compares = text.find_first_of("<>=") != std::string_view::npos
        || text.starts_with("Eq(") || text.starts_with("Ne(") || text.starts_with("And(")
        || text.starts_with("Or(") || text.starts_with("Not(") || text == "True" || text == "False";
    if (compares)
        return SymScalarMeta::Kind::Bool;
    const bool hasFloat = text.starts_with("zf") || text.starts_with("zuf")
        || text.starts_with("ToFloat(") || text.find('.') != std::string_view::npos;
    return hasFloat ? SymScalarMeta::Kind::Float : SymScalarMeta::Kind::Int;
}

bool isSubclass(std::string_view text)
{
    const std::size_t open = text.find('(');
    return open != 0 && open != std::string_view::npos && text.back() == ')'
        && std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(open),
                       isNameCharacter);
}

} // namespace

MetaValue AnnotationReader::read(std::string_view text, std::size_t offset)
{
    text = trimmed(text);
    if (text.starts_with("Sym(") && text.ends_with(')'))
        return readSymbolic(text.substr(4, text.size() - 5), offset);
    if (isSubclass(text))
        return MetaValue{OpaqueMeta{std::string(text)}};
    const std::size_t open = text.find('[');
    const auto dtypeEnd = text.begin() + static_cast<std::ptrdiff_t>(std::min(open, text.size()));
    const bool isTensor = open != 0 && open != std::string_view::npos
        && (text.starts_with('?') || std::all_of(text.begin(), dtypeEnd, isNameCharacter));
    if (isTensor)
        return readTensor(text, offset);
    return {};
}

MetaValue AnnotationReader::readTensor(std::string_view text, std::size_t offset)
{
    TensorMeta meta;
    const std::string_view dtype = text.substr(0, text.find('['));
    meta.dtype = dtypeFromAbbreviation(dtype);
    if (meta.dtype == DType::Unknown)
        m_problems.addOnce(offset, "unknown element type " + quotedExcerpt(dtype),
                           "Its tensors are shown, and their size in bytes counts as 0.");
    std::string_view rest = text.substr(dtype.size());
    std::optional<std::vector<SymExpr>> sizes = readSizes(rest.substr(0, listLength(rest)), offset);
    if (sizes)
    {
        meta.sizes = std::move(*sizes);
        rest.remove_prefix(listLength(rest));
        if (rest.starts_with('['))
        {
            meta.strides = readSizes(rest.substr(0, listLength(rest)), offset);
            rest.remove_prefix(listLength(rest));
        }
    }
    const bool oddStrides = meta.strides && meta.strides->size() != meta.sizes.size();
    if (!sizes || oddStrides || rest.starts_with('['))
    {
        m_problems.add(offset, "the annotation " + quotedExcerpt(text) + " cannot be read",
                       "Nothing is known of the shape of this node.");
        return MetaValue{OpaqueMeta{std::string(text)}};
    }
    meta.device = rest;
    return MetaValue{std::move(meta)};
}

MetaValue AnnotationReader::readSymbolic(std::string_view inner, std::size_t offset)
{
    SymScalarMeta meta;
    meta.kind = symbolicKind(inner);
    meta.text = inner;
    if (meta.kind == SymScalarMeta::Kind::Int)
        meta.expr = expression(inner, offset);
    return MetaValue{std::move(meta)};
}

std::optional<std::vector<SymExpr>> AnnotationReader::readSizes(std::string_view list,
                                                                std::size_t offset)
{
    if (list.size() < 2)
        return {};
    std::string_view items = trimmed(list.substr(1, list.size() - 2));
    std::vector<SymExpr> sizes;
    sizes.reserve(static_cast<std::size_t>(std::count(items.begin(), items.end(), ',')) + 1);
    while (!items.empty())
        sizes.push_back(expression(takeItem(items), offset));
    return sizes;
}

SymExpr AnnotationReader::expression(std::string_view text, std::size_t offset)
{
    std::int64_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure == std::errc() && end == text.data() + text.size())
        return SymExpr(number);
    const auto known = m_expressions.find(text);
    if (known != m_expressions.end())
        return known->second;
    Result<SymExpr> parsed = SymExpr::parse(text);
    if (!parsed)
        m_problems.addOnce(offset, "the expression " + quotedExcerpt(text) + " cannot be read",
                           "It is treated as a number of which nothing is known.");
    SymExpr expr = parsed ? std::move(parsed.value()) : SymExpr::symbol(text);
    m_expressions.emplace(text, expr);
    return expr;
}

} // namespace reinspect
