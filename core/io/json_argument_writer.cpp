// SPDX-License-Identifier: MIT
#include "core/io/json_argument_writer.h"

#include <cmath>

namespace reinspect
{
namespace
{

std::string_view constantTag(ConstantArgument::Kind kind)
{
    switch (kind)
    {
    case ConstantArgument::Kind::DType: return "$dtype";
    case ConstantArgument::Kind::Device: return "$device";
    case ConstantArgument::Kind::Layout: return "$layout";
    case ConstantArgument::Kind::MemoryFormat: return "$memory_format";
    case ConstantArgument::Kind::Operator: break;
    }
    return "$op";
}

std::string_view symbolicKind(SymScalarMeta::Kind kind)
{
    switch (kind)
    {
    case SymScalarMeta::Kind::Float: return "symfloat";
    case SymScalarMeta::Kind::Bool: return "symbool";
    case SymScalarMeta::Kind::Int: break;
    }
    return "symint";
}

} // namespace

void JsonArgumentWriter::arguments(const std::vector<Argument>& items)
{
    m_text += '[';
    JsonSeparator separator(m_text);
    for (const Argument& item : items)
    {
        separator.next();
        argument(item);
    }
    m_text += ']';
}

void JsonArgumentWriter::tagged(std::string_view tag, std::string_view content)
{
    ((m_text += "{\"") += tag) += "\":";
    appendJsonString(m_text, content);
    m_text += '}';
}

void JsonArgumentWriter::tagged(std::string_view tag, const std::vector<Argument>& items)
{
    ((m_text += "{\"") += tag) += "\":";
    arguments(items);
    m_text += '}';
}

void JsonArgumentWriter::operator()(None)
{
    m_text += "null";
}

void JsonArgumentWriter::operator()(bool value)
{
    m_text += value ? "true" : "false";
}

void JsonArgumentWriter::operator()(std::int64_t value)
{
    m_text += std::to_string(value);
}

void JsonArgumentWriter::operator()(double value)
{
    if (std::isfinite(value))
        appendJsonNumber(m_text, value);
    else
        tagged("$float", std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
}

void JsonArgumentWriter::operator()(const std::complex<double>& value)
{
    tagged("$complex", std::vector<Argument>{{value.real()}, {value.imag()}});
}

void JsonArgumentWriter::operator()(const std::string& value)
{
    appendJsonString(m_text, value);
}

void JsonArgumentWriter::operator()(NodeId node)
{
    tagged("$node", m_graph[node].name);
}

void JsonArgumentWriter::operator()(const SymArgument& value)
{
    m_text += "{\"$sym\":";
    appendJsonString(m_text, toText(value.expr));
    if (value.hint)
        (m_text += ",\"hint\":") += std::to_string(*value.hint);
    m_text += '}';
}

void JsonArgumentWriter::operator()(const ConstantArgument& value)
{
    tagged(constantTag(value.kind), value.text);
}

void JsonArgumentWriter::operator()(const ListArgument& value)
{
    arguments(value.items);
}

void JsonArgumentWriter::operator()(const TupleArgument& value)
{
    tagged("$tuple", value.items);
}

void JsonArgumentWriter::operator()(const SliceArgument& value)
{
    tagged("$slice", value.items);
}

void JsonArgumentWriter::operator()(const DictArgument& value)
{
    m_text += "{\"$dict\":[";
    JsonSeparator separator(m_text);
    for (const auto& [key, item] : value.items)
    {
        separator.next() += '[';
        argument(key);
        m_text += ',';
        argument(item);
        m_text += ']';
    }
    m_text += "]}";
}

void JsonArgumentWriter::operator()(const ViewArgument& value)
{
    m_text += "{\"$view\":{\"target\":";
    appendJsonString(m_text, value.target);
    m_text += ",\"args\":";
    arguments(value.args);
    DictArgument named;
    for (const NamedArgument& item : value.kwargs)
        named.items.emplace_back(Argument{item.name}, item.value);
    m_text += ",\"kwargs\":";
    (*this)(named);
    m_text += "}}";
}

void JsonArgumentWriter::operator()(const OpaqueArgument& value)
{
    m_text += "{\"$opaque\":";
    appendJsonString(m_text, value.text);
    m_text += ",\"type\":";
    appendJsonString(m_text, value.type);
    m_text += '}';
}

void JsonArgumentWriter::kind(std::string_view name)
{
    ((m_text += "{\"kind\":\"") += name) += '"';
}

void JsonArgumentWriter::meta(const MetaValue& value)
{
    if (const TensorMeta* tensorMeta = value.tensor())
        return tensor(*tensorMeta);
    if (const SequenceMeta* sequenceMeta = value.sequence())
        return sequence(*sequenceMeta);
    if (const auto* scalar = std::get_if<SymScalarMeta>(&value.value))
        return symbolic(*scalar);
    if (const auto* scalar = std::get_if<ScalarMeta>(&value.value))
    {
        kind("scalar");
        m_text += ",\"value\":";
        argument(scalar->value);
        m_text += '}';
    }
    else if (const auto* opaque = std::get_if<OpaqueMeta>(&value.value))
    {
        kind("opaque");
        m_text += ",\"repr\":";
        appendJsonString(m_text, opaque->repr);
        m_text += '}';
    }
    else
        m_text += "null";
}

void JsonArgumentWriter::size(const SymExpr& expr)
{
    if (expr.isConstant())
        m_text += toText(expr);
    else
        (*this)(SymArgument{expr, m_shapes.hintOf(expr)});
}

void JsonArgumentWriter::sizes(const std::vector<SymExpr>& items)
{
    m_text += '[';
    JsonSeparator separator(m_text);
    for (const SymExpr& item : items)
    {
        separator.next();
        size(item);
    }
    m_text += ']';
}

void JsonArgumentWriter::tensor(const TensorMeta& meta)
{
    kind("tensor");
    ((m_text += ",\"dtype\":\"") += dtypeName(meta.dtype)) += "\",\"shape\":";
    sizes(meta.sizes);
    if (!meta.device.empty())
    {
        m_text += ",\"device\":";
        appendJsonString(m_text, meta.device);
    }
    if (meta.strides)
    {
        m_text += ",\"stride\":";
        sizes(*meta.strides);
    }
    if (meta.offset)
    {
        m_text += ",\"offset\":";
        size(*meta.offset);
    }
    if (meta.storage)
        (m_text += ",\"storage\":") += std::to_string(meta.storage.index());
    if (meta.storageBytes)
    {
        m_text += ",\"storage_bytes\":";
        size(*meta.storageBytes);
    }
    m_text += '}';
}

void JsonArgumentWriter::symbolic(const SymScalarMeta& meta)
{
    kind(symbolicKind(meta.kind));
    m_text += ",\"expr\":";
    appendJsonString(m_text, meta.text);
    if (meta.hint)
    {
        m_text += ",\"hint\":";
        argument(*meta.hint);
    }
    m_text += '}';
}

void JsonArgumentWriter::sequence(const SequenceMeta& meta)
{
    kind(meta.isTuple ? "tuple" : "list");
    m_text += ",\"items\":[";
    JsonSeparator separator(m_text);
    for (const MetaValue& item : meta.items)
    {
        separator.next();
        this->meta(item);
    }
    m_text += "]}";
}

} // namespace reinspect
