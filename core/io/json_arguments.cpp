// SPDX-License-Identifier: MIT
// JsonValueReader, the ARG half.
#include "core/io/json_values.h"

#include <limits>

namespace reinspect
{
namespace
{

// The pair whose key starts with '$': what kind of argument an object is.
struct TaggedPair
{
    std::string_view tag;
    JsonValue content;
};

TaggedPair tagOf(JsonValue object)
{
    const JsonValue::Iterator last = object.end();
    for (JsonValue::Iterator it = object.begin(); it != last; ++it)
    {
        const std::string_view key = (*it).string();
        ++it;
        if (key.starts_with('$'))
            return {key, *it};
    }
    return {};
}

} // namespace

Error JsonValueReader::errorAt(JsonValue value, std::string message, std::string hint) const
{
    const SourceText& source = m_problems.source();
    const std::size_t length =
        std::max<std::size_t>(1, std::min<std::size_t>(value.raw().size(), 80));
    return source.errorAt(source.spanAt(value.offset(), length), std::move(message),
                          std::move(hint));
}

Result<Argument> JsonValueReader::argument(JsonValue value, const JsonScope& scope)
{
    switch (value.kind())
    {
    case JsonKind::Null: return Argument{None{}};
    case JsonKind::False:
    case JsonKind::True: return Argument{value.kind() == JsonKind::True};
    case JsonKind::Number: return number(value);
    case JsonKind::String: return Argument{std::string(value.string())};
    case JsonKind::Array:
    {
        REINSPECT_TRY(std::vector<Argument> items, arguments(value, scope));
        return Argument{ListArgument{std::move(items)}};
    }
    case JsonKind::Object: break;
    }
    return tagged(value, scope);
}

Result<std::vector<Argument>> JsonValueReader::arguments(JsonValue array, const JsonScope& scope)
{
    std::vector<Argument> items;
    if (array.isNull())
        return items;
    if (!array.isArray())
        return errorAt(array, "expected a list of arguments");
    items.reserve(array.count());
    for (const JsonValue item : array)
    {
        REINSPECT_TRY(Argument read, argument(item, scope));
        items.push_back(std::move(read));
    }
    return items;
}

Result<std::vector<NamedArgument>> JsonValueReader::namedArguments(JsonValue object,
                                                                   const JsonScope& scope)
{
    std::vector<NamedArgument> items;
    if (object.isNull())
        return items;
    if (!object.isObject())
        return errorAt(object, "expected an object of keyword arguments");
    const JsonValue pairs = object["$dict"];
    items.reserve(pairs.present() ? pairs.count() : object.count());
    const auto add = [&](JsonValue key, JsonValue value) -> Result<void> {
        REINSPECT_TRY(Argument read, argument(value, scope));
        items.push_back({std::string(key.string()), std::move(read)});
        return {};
    };
    if (!pairs.present())
    {
        REINSPECT_CHECK(object.forEachPair(add));
        return items;
    }
    for (const JsonValue pair : pairs)
    {
        if (!pair.isArray() || pair.count() != 2)
            return errorAt(pair, "expected a pair of key and value");
        JsonValue::Iterator it = pair.begin();
        const JsonValue key = *it;
        REINSPECT_CHECK(add(key, *++it));
    }
    return items;
}

// Python's integers have no limit; ours have 64 bits, and what is larger stays a text.
Argument JsonValueReader::number(JsonValue value)
{
    const std::string_view raw = value.raw();
    if (const std::optional<std::int64_t> integer = value.integer())
        return Argument{*integer};
    const bool isInteger = raw.find_first_not_of("-0123456789") == std::string_view::npos;
    const std::optional<double> number = value.number();
    if (!isInteger && number)
        return Argument{*number};
    m_problems.addOnce(value.offset(),
                       "the number " + quotedExcerpt(raw) + " does not fit and is kept as text");
    return Argument{OpaqueArgument{std::string(raw), isInteger ? "int" : "float"}};
}

Result<Argument> JsonValueReader::tagged(JsonValue value, const JsonScope& scope)
{
    const TaggedPair pair = tagOf(value);
    if (pair.tag.empty())
        return errorAt(value,
                       "expected an argument: an object here has one key that starts with '$'");
    if (pair.tag == "$node")
        return nodeReference(pair.content, scope);
    if (pair.tag == "$sym")
    {
        const JsonValue hint = value["hint"];
        rememberHint(pair.content.string(), hint);
        return Argument{SymArgument{expression(pair.content), hint.integer()}};
    }
    if (pair.tag == "$opaque")
        return Argument{OpaqueArgument{std::string(pair.content.string()),
                                       std::string(value["type"].string())}};
    if (std::optional<Argument> known = constant(pair.tag, pair.content))
        return std::move(*known);
    return container(pair.tag, pair.content, scope);
}

Result<Argument> JsonValueReader::container(std::string_view tag, JsonValue content,
                                            const JsonScope& scope)
{
    if (tag == "$tuple")
    {
        REINSPECT_TRY(std::vector<Argument> items, arguments(content, scope));
        return Argument{TupleArgument{std::move(items)}};
    }
    if (tag == "$slice")
    {
        REINSPECT_TRY(std::vector<Argument> items, arguments(content, scope));
        if (items.size() != 3)
            return errorAt(content, "a slice has three items: start, stop and step");
        return Argument{SliceArgument{std::move(items)}};
    }
    if (tag == "$dict")
        return dict(content, scope);
    if (tag == "$view")
        return view(content, scope);
    if (tag == "$complex")
        return complex(content, scope);
    m_problems.addOnce(content.offset(),
                       "unknown kind of argument " + quotedExcerpt(tag) + ", kept as text",
                       "The capture may come from a newer version.");
    return Argument{OpaqueArgument{std::string(content.raw()), std::string(tag)}};
}

std::optional<Argument> JsonValueReader::constant(std::string_view tag, JsonValue content) const
{
    using Kind = ConstantArgument::Kind;
    const std::string_view text = content.string();
    const auto make = [text](Kind kind) {
        return Argument{ConstantArgument{kind, std::string(text)}};
    };
    if (tag == "$dtype")
        return make(Kind::DType);
    if (tag == "$device")
        return make(Kind::Device);
    if (tag == "$layout")
        return make(Kind::Layout);
    if (tag == "$memory_format")
        return make(Kind::MemoryFormat);
    if (tag == "$op")
        return make(Kind::Operator);
    if (tag != "$float")
        return {};
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (text == "inf" || text == "-inf")
        return Argument{text == "inf" ? kInfinity : -kInfinity};
    return Argument{std::numeric_limits<double>::quiet_NaN()};
}

Result<Argument> JsonValueReader::nodeReference(JsonValue name, const JsonScope& scope)
{
    const std::string_view wanted = name.string();
    if (const NodeId id = scope.names.find(wanted))
        return Argument{id};
    const std::string quoted = quotedExcerpt(wanted);
    for (const JsonValue node : scope.nodes)
    {
        if (node["name"].string() == wanted)
            return errorAt(
                name, "node " + quoted + " is used before it is defined",
                "Nodes stand in program order; this graph is out of order or has a cycle.");
    }
    return errorAt(name, "unknown node " + quoted, scope.names.nearestHint(wanted));
}

Result<Argument> JsonValueReader::dict(JsonValue pairs, const JsonScope& scope)
{
    DictArgument dict;
    for (const JsonValue pair : pairs)
    {
        if (!pair.isArray() || pair.count() != 2)
            return errorAt(pair, "expected a pair of key and value");
        REINSPECT_TRY(std::vector<Argument> items, arguments(pair, scope));
        dict.items.emplace_back(std::move(items[0]), std::move(items[1]));
    }
    return Argument{std::move(dict)};
}

Result<Argument> JsonValueReader::view(JsonValue content, const JsonScope& scope)
{
    ViewArgument view;
    view.target = content["target"].string();
    REINSPECT_TRY(view.args, arguments(content["args"], scope));
    REINSPECT_TRY(view.kwargs, namedArguments(content["kwargs"], scope));
    return Argument{std::move(view)};
}

Result<Argument> JsonValueReader::complex(JsonValue content, const JsonScope& scope)
{
    REINSPECT_TRY(const std::vector<Argument> parts, arguments(content, scope));
    double values[2] = {0, 0};
    for (std::size_t i = 0; i < 2; ++i)
    {
        const Argument part = i < parts.size() ? parts[i] : Argument{};
        if (const double* real = part.as<double>())
            values[i] = *real;
        else if (const std::optional<std::int64_t> whole = part.integer())
            values[i] = static_cast<double>(*whole);
        else
            return errorAt(content, "a complex number has two parts, both numbers");
    }
    return Argument{std::complex<double>(values[0], values[1])};
}

} // namespace reinspect
