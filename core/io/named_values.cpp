// SPDX-License-Identifier: MIT
// ValueReader: values that begin with a name.
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

constexpr std::array<std::string_view, 8> kLayouts = {"strided",    "sparse_coo", "sparse_csr",
                                                      "sparse_csc", "sparse_bsr", "sparse_bsc",
                                                      "_mkldnn",    "jagged"};
constexpr std::array<std::string_view, 4> kMemoryFormats = {"contiguous_format", "channels_last",
                                                            "channels_last_3d", "preserve_format"};

template<typename Names>
bool contains(const Names& names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

Argument constantOf(Kind kind, std::string_view text)
{
    return Argument{ConstantArgument{kind, std::string(text)}};
}

// "s77", "u0", "zuf3": what ShapeEnv calls its symbols.
bool isSymbolName(std::string_view name)
{
    const std::size_t digits = name.find_first_of("0123456789");
    if (digits == std::string_view::npos
        || name.find_first_not_of("0123456789", digits) != std::string_view::npos)
        return false;
    constexpr std::array<std::string_view, 5> kPrefixes = {"s", "u", "ps", "zf", "zuf"};
    return contains(kPrefixes, name.substr(0, digits));
}

// "<OpOverload(op='aten.slice', overload='Tensor')>" is "aten.slice.Tensor"; empty for other texts.
std::string overloadTarget(std::string_view text)
{
    const auto quoted = [text](std::string_view key) -> std::string_view {
        const std::size_t at = text.find(key);
        if (at == std::string_view::npos)
            return {};
        const std::size_t begin = at + key.size();
        return text.substr(begin, text.find('\'', begin) - begin);
    };
    if (!text.starts_with("<OpOverload("))
        return {};
    return std::string(quoted("op='")) + "." + std::string(quoted("overload='"));
}

} // namespace

std::string_view ValueReader::dottedPath()
{
    const std::size_t begin = m_tokens.take().offset;
    while (m_tokens.current().is("."))
    {
        m_tokens.take();
        if (m_tokens.current().kind != TokenKind::Name)
            break;
        m_tokens.take();
    }
    return m_tokens.text(begin, m_tokens.previousEnd());
}

Result<Argument> ValueReader::name()
{
    const std::size_t offset = m_tokens.current().offset;
    const std::string_view path = dottedPath();
    if (const NodeId node = nodeNamed(path))
        return Argument{node};
    return namedConstant(path, offset);
}

Result<Argument> ValueReader::namedConstant(std::string_view path, std::size_t offset)
{
    if (path == "None")
        return Argument{None{}};
    if (path == "True" || path == "False")
        return Argument{path == "True"};
    if (path == "inf" || path == "nan")
    {
        m_tokens.skipTo(offset);
        return number(false);
    }
    if (path.starts_with("torch."))
        return torchConstant(path, offset);
    if (!m_tokens.current().is("("))
        return unknownName(path, offset);
    if (path == "slice")
        return slice();
    if (path == "device")
        return device();
    if (path == "float")
        return floatCall();
    if (path == "ViewOp")
        return viewOp();
    return opaqueCall(offset);
}

Result<Argument> ValueReader::torchConstant(std::string_view path, std::size_t offset)
{
    const std::string_view rest = path.substr(path.find('.') + 1);
    if (rest.starts_with("ops."))
        return constantOf(Kind::Operator, canonicalTarget(path));
    if (rest == "device" && m_tokens.current().is("("))
        return device();
    if (m_tokens.current().is("("))
        return opaqueCall(offset);
    if (contains(kLayouts, rest))
        return constantOf(Kind::Layout, rest);
    if (contains(kMemoryFormats, rest))
        return constantOf(Kind::MemoryFormat, rest);
    constexpr std::array<std::string_view, 8> kTypeWords = {"float",   "int",  "uint", "bfloat",
                                                            "complex", "bool", "bits", "q"};
    const bool looksLikeType =
        std::any_of(kTypeWords.begin(), kTypeWords.end(), [rest](std::string_view word) {
            return rest.starts_with(word) && rest.find('.') == std::string_view::npos;
        });
    if (looksLikeType)
        return constantOf(Kind::DType, rest);
    return Argument{OpaqueArgument{std::string(path), {}}};
}

Result<Argument> ValueReader::unknownName(std::string_view path, std::size_t offset)
{
    if (isSymbolName(path))
        return Argument{SymArgument{m_annotations.expression(path, offset), {}}};
    const SourceText& source = m_problems.source();
    const TextSpan span = source.spanAt(offset, path.size());
    const std::size_t dot = path.find('.');
    if (dot != std::string_view::npos && nodeNamed(path.substr(0, dot)))
        return source.errorAt(span, "an attribute inside an argument",
                              "Give it a line of its own.");
    // An enum member, "Reduction.SUM".
    if (dot != std::string_view::npos)
        return Argument{OpaqueArgument{std::string(path), {}}};
    m_unknownName = path;
    return source.errorAt(span, "unknown node '" + std::string(path) + "'",
                          m_problems.isFull() ? std::string() : m_names->nearestHint(path));
}

// device(type='cuda', index=0), torch.device('cuda:0')
Result<Argument> ValueReader::device()
{
    REINSPECT_TRY(const CallArguments call, callArguments());
    std::string text;
    std::string index;
    const auto take = [&](const Argument& argument) {
        if (const std::string* type = argument.as<std::string>())
            text = *type;
        else if (const std::optional<std::int64_t> number = argument.integer())
            index = ":" + std::to_string(*number);
    };
    for (const Argument& argument : call.args)
        take(argument);
    for (const NamedArgument& argument : call.kwargs)
        take(argument.value);
    return constantOf(Kind::Device, text + index);
}

// slice(stop), slice(start, stop), slice(start, stop, step)
Result<Argument> ValueReader::slice()
{
    REINSPECT_TRY(CallArguments call, callArguments());
    std::vector<Argument>& parts = call.args;
    if (parts.empty() || parts.size() > 3 || !call.kwargs.empty())
        return errorHere("slice() has one to three parts");
    if (parts.size() == 1)
        parts.insert(parts.begin(), Argument{});
    parts.resize(3);
    return Argument{SliceArgument{std::move(parts)}};
}

// float('inf'), as people and old printers write it
Result<Argument> ValueReader::floatCall()
{
    REINSPECT_TRY(const CallArguments call, callArguments());
    const std::string* text = call.args.size() == 1 ? call.args.front().as<std::string>() : nullptr;
    const bool negative = text && text->starts_with('-');
    const std::string_view word =
        text ? std::string_view(*text).substr(negative ? 1 : 0) : std::string_view();
    if (word == "inf")
        return Argument{negative ? -std::numeric_limits<double>::infinity()
                                 : std::numeric_limits<double>::infinity()};
    if (word == "nan")
        return Argument{std::numeric_limits<double>::quiet_NaN()};
    return errorHere("float() is given neither 'inf' nor 'nan'");
}

// ViewOp(target=<OpOverload(op='aten.slice', overload='Tensor')>, args=(1, 0, 4), kwargs={}): one
// view of a generalized scatter.
Result<Argument> ValueReader::viewOp()
{
    const DepthGuard guard(*this);
    REINSPECT_CHECK(guard.check());
    m_tokens.take();
    ViewArgument view;
    while (!m_tokens.takeIf(")"))
    {
        const std::string_view key = m_tokens.take().text;
        if (!m_tokens.takeIf("="))
            return unexpected("'='");
        if (key == "kwargs")
        {
            REINSPECT_TRY(view.kwargs, dictOfNames());
        }
        else
        {
            REINSPECT_TRY(Argument item, value());
            if (const auto* target = item.as<ConstantArgument>())
                view.target = target->text;
            else if (const std::vector<Argument>* args = item.sequence())
                view.args = *args;
        }
        if (!m_tokens.takeIf(",") && !m_tokens.current().is(")"))
            return unexpected("',' or ')'");
    }
    return Argument{std::move(view)};
}

// {'k': v} or {k = v}
Result<std::vector<NamedArgument>> ValueReader::dictOfNames()
{
    if (!m_tokens.takeIf("{"))
        return unexpected("'{'");
    std::vector<NamedArgument> named;
    while (!m_tokens.takeIf("}"))
    {
        const Token key = m_tokens.take();
        if (!m_tokens.takeIf(":") && !m_tokens.takeIf("="))
            return unexpected("':'");
        REINSPECT_TRY(Argument item, value());
        named.push_back({key.kind == TokenKind::String ? unquoted(key.text) : std::string(key.text),
                         std::move(item)});
        if (!m_tokens.takeIf(",") && !m_tokens.current().is("}"))
            return unexpected("',' or '}'");
    }
    return named;
}

// A call that is no node: a named tuple, a TreeSpec, a tensor constant. Its text is kept; where it
// holds nodes they are what matters, so that no use is lost.
Result<Argument> ValueReader::opaqueCall(std::size_t begin)
{
    std::vector<Argument> nodes;
    std::size_t depth = 0;
    do
    {
        const Token& token = m_tokens.current();
        if (token.kind == TokenKind::End || token.kind == TokenKind::LineBreak
            || token.kind == TokenKind::Broken)
            return unexpected("')'");
        if (token.is("(") || token.is("[") || token.is("{"))
            ++depth;
        else if (token.is(")") || token.is("]") || token.is("}"))
            --depth;
        else if (token.kind == TokenKind::Name)
        {
            if (const NodeId node = nodeNamed(token.text))
                nodes.push_back({node});
        }
        m_tokens.take();
    } while (depth > 0);
    const std::string_view text = m_tokens.text(begin, m_tokens.previousEnd());
    if (nodes.empty())
        return Argument{OpaqueArgument{std::string(text), {}}};
    m_problems.addOnce(begin, quotedExcerpt(text) + " is kept as the tuple of its nodes");
    return Argument{TupleArgument{std::move(nodes)}};
}

// <...>: a repr that is no Python. It ends at the bracket that closes the first, in its line.
Result<Argument> ValueReader::angleText()
{
    const std::size_t begin = m_tokens.current().offset;
    const std::string_view text = m_tokens.text();
    std::size_t depth = 0;
    for (std::size_t at = begin; at < text.size() && text[at] != '\n'; ++at)
    {
        if (text[at] == '<')
            ++depth;
        else if (text[at] == '>' && --depth == 0)
        {
            const std::string_view whole = text.substr(begin, at + 1 - begin);
            m_tokens.skipTo(at + 1);
            const std::string target = overloadTarget(whole);
            return target.empty() ? Argument{OpaqueArgument{std::string(whole), {}}}
                                  : constantOf(Kind::Operator, target);
        }
    }
    return errorHere("this '<' has no '>' in its line");
}

} // namespace reinspect
