// SPDX-License-Identifier: MIT
#include "views/models/node_query.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace reinspect
{

namespace
{

constexpr QueryKeyWords kKeys[] = {
    {QueryKey::Name, "name", "the node's name", false},
    {QueryKey::Op, "op", "its operator", false},
    {QueryKey::DType, "dtype", "f32, bf16, i64", false},
    {QueryKey::Device, "device", "cuda:0, cpu", false},
    {QueryKey::Shape, "shape", "[8, 4] or a part of it", false},
    {QueryKey::Storage, "storage", "name of a node that shares its memory", false},
    {QueryKey::Source, "source", "file or text of your line of code", false},
    {QueryKey::Module, "module", "layers.0.attn", false},
    {QueryKey::Kind, "kind", "input, call, output, view, copy", false},
    {QueryKey::Verdict, "verdict", "kept, reinplaced, missed", false},
    {QueryKey::Reason, "reason", "UsedLater and so on", false},
    {QueryKey::Bytes, "bytes", "size of its tensor", true},
    {QueryKey::Users, "users", "how many nodes use it", true},
    {QueryKey::Inputs, "inputs", "how many nodes it uses", true},
    {QueryKey::Line, "line", "its line in the text", true},
};

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

// A piece of the query up to the next blank outside of quotes and brackets; quotes are taken off.
std::string nextPiece(std::string_view& rest)
{
    while (!rest.empty() && isBlank(rest.front()))
        rest.remove_prefix(1);
    std::string piece;
    bool isQuoted = false;
    int depth = 0;
    while (!rest.empty() && (isQuoted || depth > 0 || !isBlank(rest.front())))
    {
        const char c = rest.front();
        rest.remove_prefix(1);
        if (c == '"')
        {
            isQuoted = !isQuoted;
            continue;
        }
        depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
        piece += c;
    }
    return piece;
}

// "1.5M" as 1572864; nothing for what is no number.
std::optional<double> numberOf(const std::string& text)
{
    char* end = nullptr;
    double value = std::strtod(text.c_str(), &end);
    if (end == text.c_str())
        return {};
    std::string unit = lowered(end);
    if (unit.ends_with("ib"))
        unit.resize(unit.size() - 2);
    else if (unit.ends_with("b"))
        unit.pop_back();
    constexpr std::string_view kUnits = "kmgt";
    if (unit.empty())
        return value;
    const std::size_t power = kUnits.find(unit);
    if (unit.size() != 1 || power == std::string_view::npos)
        return {};
    for (std::size_t i = 0; i <= power; ++i)
        value *= 1024;
    return value;
}

// Commas part alternatives, but not inside of a shape.
std::vector<std::string> alternatives(const std::string& value)
{
    std::vector<std::string> texts(1);
    int depth = 0;
    for (const char c : value)
    {
        depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
        if (c == ',' && depth <= 0)
            texts.emplace_back();
        else
            texts.back() += c;
    }
    std::erase(texts, std::string());
    return texts;
}

QueryTest testOf(std::string_view sign)
{
    if (sign == "<")
        return QueryTest::Less;
    if (sign == "<=")
        return QueryTest::LessOrEqual;
    if (sign == ">")
        return QueryTest::Greater;
    if (sign == ">=")
        return QueryTest::GreaterOrEqual;
    return sign == "=" ? QueryTest::Equals : QueryTest::Contains;
}

Error unknownKey(const std::string& word)
{
    std::string known;
    for (const QueryKeyWords& key : kKeys)
        known += (known.empty() ? "" : ", ") + std::string(key.word);
    return {.message = "there is no \"" + word + "\" to look for", .hint = "Known: " + known + "."};
}

Result<void> takeValue(QueryTerm& term, const QueryKeyWords& key, std::string_view sign,
                       const std::string& value)
{
    term.key = key.key;
    term.test = testOf(sign);
    if (value.empty())
        return Error{.message = std::string("\"") + key.word + "\" needs a value",
                     .hint = std::string("It is ") + key.meaning + "."};
    if (!key.isNumber)
    {
        if (term.test != QueryTest::Contains && term.test != QueryTest::Equals)
            return Error{.message = std::string("\"") + key.word + "\" is a text",
                         .hint = std::string("Write ") + key.word + ":" + value + "."};
        term.texts = alternatives(value);
        return {};
    }
    const std::optional<double> number = numberOf(value);
    if (!number)
        return Error{.message = "\"" + value + "\" is no number",
                     .hint = std::string("Such as ") + key.word + ">1M."};
    term.number = *number;
    if (term.test == QueryTest::Contains)
        term.test = QueryTest::Equals;
    return {};
}

Result<QueryTerm> termOf(std::string_view piece)
{
    QueryTerm term;
    if (piece.size() > 1 && piece.front() == '-')
    {
        term.isNegated = true;
        piece.remove_prefix(1);
    }
    const std::size_t at = piece.find_first_of(":=<>");
    // "::" and a sign at the front belong to a name.
    const bool hasKey = at != std::string_view::npos && at > 0 && piece.compare(at, 2, "::") != 0;
    if (!hasKey)
    {
        term.texts = {std::string(piece)};
        return term;
    }
    const std::string word(piece.substr(0, at));
    const bool hasEqual = piece[at] != ':' && at + 1 < piece.size() && piece[at + 1] == '=';
    const std::size_t length = hasEqual ? 2 : 1;
    const auto key = std::ranges::find_if(
        kKeys, [&word](const QueryKeyWords& known) { return word == known.word; });
    if (key == std::end(kKeys))
        return unknownKey(word);
    std::string sign(piece.substr(at, length));
    std::string value(piece.substr(at + length));
    // "bytes:>1M" is what people write who know other search fields.
    if (sign == ":" && !value.empty() && (value[0] == '<' || value[0] == '>' || value[0] == '='))
    {
        const std::size_t more = value.size() > 1 && value[1] == '=' ? 2 : 1;
        sign = value.substr(0, more);
        value.erase(0, more);
    }
    REINSPECT_CHECK(takeValue(term, *key, sign, value));
    return term;
}

} // namespace

std::span<const QueryKeyWords> queryKeys()
{
    return kKeys;
}

Result<std::vector<QueryTerm>> parseQuery(std::string_view text)
{
    std::vector<QueryTerm> terms;
    const std::string low = lowered(text);
    std::string_view rest = low;
    for (std::string piece = nextPiece(rest); !piece.empty(); piece = nextPiece(rest))
    {
        REINSPECT_TRY(QueryTerm term, termOf(piece));
        terms.push_back(std::move(term));
    }
    return terms;
}

} // namespace reinspect
