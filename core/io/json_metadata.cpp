// SPDX-License-Identifier: MIT
// JsonValueReader, the VALUE half.
#include "core/io/json_values.h"

#include "core/io/lexer.h"

#include <algorithm>

namespace reinspect
{
namespace
{

bool isPlainSymbol(std::string_view text)
{
    return !text.empty() && isNameStart(text.front())
        && std::all_of(text.begin(), text.end(), isNameCharacter);
}

} // namespace

Result<MetaValue> JsonValueReader::meta(JsonValue value)
{
    if (value.isNull())
        return MetaValue{};
    if (!value.isObject())
        return errorAt(value, "expected metadata: an object with a \"kind\"");
    const std::string_view kind = value["kind"].string();
    if (kind == "tensor")
        return tensor(value);
    if (kind == "list" || kind == "tuple")
        return sequence(value, kind == "tuple");
    if (kind == "symint")
        return symbolic(value, SymScalarMeta::Kind::Int);
    if (kind == "symfloat")
        return symbolic(value, SymScalarMeta::Kind::Float);
    if (kind == "symbool")
        return symbolic(value, SymScalarMeta::Kind::Bool);
    if (kind == "opaque")
        return MetaValue{OpaqueMeta{std::string(value["repr"].string())}};
    if (kind == "scalar")
    {
        // A constant holds no nodes, so there are none to refer to.
        const NameTable none;
        REINSPECT_TRY(Argument scalar, argument(value["value"], {none, {}}));
        return MetaValue{ScalarMeta{std::move(scalar)}};
    }
    m_problems.addOnce(value.offset(), "unknown kind of metadata " + quotedExcerpt(kind),
                       "The capture may come from a newer version.");
    return MetaValue{OpaqueMeta{std::string(value.raw())}};
}

Result<MetaValue> JsonValueReader::tensor(JsonValue value)
{
    TensorMeta meta;
    const JsonValue dtype = value["dtype"];
    meta.dtype = dtypeFromName(dtype.string());
    if (meta.dtype == DType::Unknown)
        m_problems.addOnce(dtype.offset(), "unknown element type " + quotedExcerpt(dtype.string()),
                           "Its tensors are shown, and their size in bytes counts as 0.");
    meta.device = value["device"].string();
    REINSPECT_TRY(meta.sizes, sizes(value["shape"]));
    if (const JsonValue strides = value["stride"]; !strides.isNull())
    {
        REINSPECT_TRY(meta.strides, sizes(strides));
        if (meta.strides->size() != meta.sizes.size())
            return errorAt(strides, "a tensor has as many strides as sizes");
    }
    if (const JsonValue offset = value["offset"]; !offset.isNull())
    {
        REINSPECT_TRY(meta.offset, size(offset));
    }
    if (const JsonValue bytes = value["storage_bytes"]; !bytes.isNull())
    {
        REINSPECT_TRY(meta.storageBytes, size(bytes));
    }
    if (const JsonValue storage = value["storage"]; !storage.isNull())
    {
        constexpr std::int64_t kLargest = 0x7fffffff;
        const std::optional<std::int64_t> id = storage.integer();
        if (!id || *id < 0 || *id > kLargest)
            return errorAt(storage, "a storage is a number from 0 to 2147483647");
        meta.storage = StorageId(static_cast<std::size_t>(*id));
    }
    return MetaValue{std::move(meta)};
}

Result<MetaValue> JsonValueReader::sequence(JsonValue value, bool isTuple)
{
    auto sequence = std::make_shared<SequenceMeta>();
    sequence->isTuple = isTuple;
    for (const JsonValue item : value["items"])
    {
        REINSPECT_TRY(MetaValue read, meta(item));
        sequence->items.push_back(std::move(read));
    }
    return MetaValue{std::shared_ptr<const SequenceMeta>(std::move(sequence))};
}

Result<MetaValue> JsonValueReader::symbolic(JsonValue value, SymScalarMeta::Kind kind)
{
    SymScalarMeta meta;
    meta.kind = kind;
    meta.text = value["expr"].string();
    if (kind == SymScalarMeta::Kind::Int)
        meta.expr = expression(value["expr"]);
    if (const JsonValue hint = value["hint"]; !hint.isNull())
    {
        const NameTable none;
        REINSPECT_TRY(meta.hint, argument(hint, {none, {}}));
        if (kind == SymScalarMeta::Kind::Int)
            rememberHint(meta.text, hint);
    }
    return MetaValue{std::move(meta)};
}

Result<SymExpr> JsonValueReader::size(JsonValue value)
{
    if (const std::optional<std::int64_t> number = value.integer())
        return SymExpr(*number);
    const JsonValue symbolicText = value["$sym"];
    if (!symbolicText.isString())
        return errorAt(value, "expected a size: a number or {\"$sym\": text}");
    rememberHint(symbolicText.string(), value["hint"]);
    return expression(symbolicText);
}

Result<std::vector<SymExpr>> JsonValueReader::sizes(JsonValue array)
{
    if (!array.isArray())
        return errorAt(array, "expected a list of sizes");
    std::vector<SymExpr> read;
    read.reserve(array.count());
    for (const JsonValue item : array)
    {
        REINSPECT_TRY(SymExpr one, size(item));
        read.push_back(std::move(one));
    }
    return read;
}

SymExpr JsonValueReader::expression(JsonValue text)
{
    const auto known = m_expressions.find(text.string());
    if (known != m_expressions.end())
        return known->second;
    Result<SymExpr> parsed = SymExpr::parse(text.string());
    if (!parsed)
        m_problems.addOnce(text.offset(),
                           "the expression " + quotedExcerpt(text.string()) + " cannot be read",
                           "It is treated as a number of which nothing is known.");
    SymExpr expr = parsed ? std::move(parsed.value()) : SymExpr::symbol(text.string());
    m_expressions.emplace(text.string(), expr);
    return expr;
}

void JsonValueReader::rememberHint(std::string_view text, JsonValue hint)
{
    if (hint.isNull() || !isPlainSymbol(text))
        return;
    if (const std::optional<std::int64_t> value = hint.integer())
        m_shapes.setHint(text, *value);
}

} // namespace reinspect
