// SPDX-License-Identifier: MIT
#include "core/ir/rule_call.h"

#include <algorithm>

namespace reinspect
{

RuleCall::RuleCall(const Node& node, const TensorLookup& tensors, const SizeLookup& sizes)
    : m_node(node)
    , m_tensors(tensors)
    , m_sizes(sizes)
    , m_facts(node.target.facts())
{
    if (m_facts)
        m_schema = schemaArguments(m_facts->schema);
}

std::string_view RuleCall::packet() const
{
    const std::string_view name = target();
    const std::size_t first = name.find('.');
    if (first == std::string_view::npos)
        return name;
    return name.substr(first + 1, name.find('.', first + 1) - first - 1);
}

std::string_view RuleCall::overload() const
{
    const std::string_view name = target();
    const std::size_t first = name.find('.');
    return first == std::string_view::npos ? name : name.substr(first + 1);
}

const Argument* RuleCall::given(std::string_view name) const
{
    const auto at = std::ranges::find(m_schema, name, &SchemaArgument::name);
    const Argument* argument = nullptr;
    if (at != m_schema.end() && !at->isKeywordOnly)
    {
        const auto position = static_cast<std::size_t>(at - m_schema.begin());
        argument = position < m_node.args.size() ? &m_node.args[position] : nullptr;
    }
    argument = argument ? argument : m_node.kwarg(name);
    return argument && !argument->isNone() ? argument : nullptr;
}

const TensorMeta* RuleCall::tensor(const Argument* argument) const
{
    const NodeId id = argument ? argument->node() : NodeId{};
    return id ? m_tensors(id) : nullptr;
}

std::optional<SymExpr> RuleCall::size(const Argument* argument) const
{
    if (!argument)
        return {};
    if (const auto value = argument->integer())
        return *value;
    if (const SymArgument* symbolic = argument->as<SymArgument>())
        return symbolic->expr;
    return argument->node() ? m_sizes(argument->node()) : std::nullopt;
}

std::optional<std::int64_t> RuleCall::number(std::string_view name, std::int64_t otherwise) const
{
    const Argument* argument = given(name);
    if (!argument)
        return otherwise;
    const auto value = size(argument);
    return value ? value->constant() : std::nullopt;
}

bool RuleCall::flag(std::string_view name) const
{
    const Argument* argument = given(name);
    const bool* value = argument ? argument->as<bool>() : nullptr;
    return value && *value;
}

std::optional<std::vector<SymExpr>> RuleCall::sizes(std::string_view name) const
{
    const Argument* argument = given(name);
    const std::vector<Argument>* items = argument ? argument->sequence() : nullptr;
    std::vector<SymExpr> values;
    if (!items)
    {
        if (const auto one = size(argument))
            return std::vector<SymExpr>{*one};
        return {};
    }
    for (const Argument& item : *items)
    {
        const auto value = size(&item);
        if (!value)
            return {};
        values.push_back(*value);
    }
    return values;
}

std::vector<const TensorMeta*> RuleCall::tensors(std::string_view name) const
{
    const Argument* argument = given(name);
    const std::vector<Argument>* items = argument ? argument->sequence() : nullptr;
    std::vector<const TensorMeta*> values;
    for (std::size_t i = 0; items && i < items->size(); ++i)
    {
        const TensorMeta* meta = tensor(&(*items)[i]);
        if (!meta)
            return {};
        values.push_back(meta);
    }
    return values;
}

std::optional<std::size_t> RuleCall::dimension(std::string_view name, std::int64_t otherwise,
                                               std::size_t rank) const
{
    const auto dim = number(name, otherwise);
    return dim ? dimensionOf(*dim, rank) : std::nullopt;
}

DType RuleCall::dtype(DType otherwise) const
{
    const Argument* argument = given("dtype");
    const ConstantArgument* constant = argument ? argument->as<ConstantArgument>() : nullptr;
    return constant ? dtypeFromName(constant->text) : argument ? DType::Unknown : otherwise;
}

std::string RuleCall::device(const std::string& otherwise) const
{
    const Argument* argument = given("device");
    const ConstantArgument* constant = argument ? argument->as<ConstantArgument>() : nullptr;
    return constant ? constant->text : otherwise;
}

std::optional<std::size_t> dimensionOf(std::int64_t dim, std::size_t rank)
{
    const auto count = static_cast<std::int64_t>(rank);
    dim += dim < 0 ? count : 0;
    if (dim < 0 || dim >= count)
        return {};
    return static_cast<std::size_t>(dim);
}

TensorMeta freshMeta(DType dtype, std::string device, std::vector<SymExpr> sizes)
{
    TensorMeta meta;
    meta.dtype = dtype;
    meta.device = std::move(device);
    meta.sizes = std::move(sizes);
    meta.strides = contiguousStrides(meta.sizes);
    meta.offset = 0;
    return meta;
}

TensorMeta freshLike(const TensorMeta& like, std::vector<SymExpr> sizes)
{
    return freshMeta(like.dtype, like.device, std::move(sizes));
}

std::optional<std::vector<SymExpr>> broadcast(const std::vector<SymExpr>& a,
                                              const std::vector<SymExpr>& b)
{
    const std::vector<SymExpr>& longer = a.size() >= b.size() ? a : b;
    const std::vector<SymExpr>& shorter = a.size() >= b.size() ? b : a;
    std::vector<SymExpr> sizes = longer;
    for (std::size_t i = 0; i < shorter.size(); ++i)
    {
        SymExpr& size = sizes[longer.size() - shorter.size() + i];
        if (size == shorter[i] || shorter[i].constant() == 1)
            continue;
        // A symbol beside a number other than 1 must be that number, or nothing would run.
        const bool takes = size.constant() == 1 || (shorter[i].isConstant() && !size.isConstant());
        if (takes)
            size = shorter[i];
        else if (!size.isConstant() || shorter[i].isConstant())
            return {};
    }
    return sizes;
}

} // namespace reinspect
