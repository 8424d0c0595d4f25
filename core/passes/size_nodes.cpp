// SPDX-License-Identifier: MIT
#include "core/passes/size_nodes.h"

#include "core/passes/new_nodes.h"

namespace reinspect
{
namespace
{

SizedValue plain(std::int64_t number)
{
    return {number, {number}};
}

bool isNumber(const SizedValue& value, std::int64_t number)
{
    return value.argument.integer() == number;
}

} // namespace

SizeNodes::SizeNodes(NodeId tensor, const TensorMeta& meta, const ShapeEnv& shapes, Insert insert)
    : m_tensor(tensor)
    , m_meta(meta)
    , m_shapes(shapes)
    , m_insert(std::move(insert))
    , m_sizes(meta.sizes.size())
    , m_strides(meta.sizes.size())
{}

MetaValue SizeNodes::scalarMeta(const SymExpr& expr) const
{
    SymScalarMeta meta{
        .kind = SymScalarMeta::Kind::Int, .text = toText(expr), .expr = expr, .hint = {}};
    if (const auto hint = m_shapes.hintOf(expr))
        meta.hint = Argument{*hint};
    return {meta};
}

SizedValue SizeNodes::read(const SymExpr& value, std::string_view target,
                           std::optional<std::size_t> dim, std::optional<SizedValue>& known)
{
    if (const auto number = value.constant())
        return plain(*number);
    if (!known)
    {
        std::vector<Argument> args{{m_tensor}};
        if (dim)
            args.push_back({static_cast<std::int64_t>(*dim)});
        known = {value, {m_insert(newCall(target, std::move(args), scalarMeta(value)))}};
    }
    return *known;
}

SizedValue SizeNodes::size(std::size_t dim)
{
    return read(m_meta.sizes[dim], "aten.sym_size.int", dim, m_sizes[dim]);
}

SizedValue SizeNodes::stride(std::size_t dim)
{
    return read((*m_meta.strides)[dim], "aten.sym_stride.int", dim, m_strides[dim]);
}

SizedValue SizeNodes::offset()
{
    return read(*m_meta.offset, "aten.sym_storage_offset.default", {}, m_offset);
}

ListArgument SizeNodes::sizes()
{
    ListArgument list;
    for (std::size_t dim = 0; dim < m_sizes.size(); ++dim)
        list.items.push_back(size(dim).argument);
    return list;
}

ListArgument SizeNodes::strides()
{
    ListArgument list;
    for (std::size_t dim = 0; dim < m_strides.size(); ++dim)
        list.items.push_back(stride(dim).argument);
    return list;
}

// Numbers are computed; the tracer leaves out a multiplication by one, and nothing else.
SizedValue SizeNodes::compute(std::string_view op, const SizedValue& a, const SizedValue& b)
{
    const SymExpr expr = op == "operator.mul" ? a.expr * b.expr
        : op == "operator.sub"                ? a.expr - b.expr
                                              : a.expr + b.expr;
    if (!a.argument.node() && !b.argument.node()) // beyond 64 bits it stays an expression
        return {expr,
                expr.constant() ? Argument{*expr.constant()} : Argument{SymArgument{expr, {}}}};
    if (op == "operator.mul" && isNumber(a, 1))
        return b;
    if (op == "operator.mul" && isNumber(b, 1))
        return a;
    return {expr, {m_insert(newCall(op, {a.argument, b.argument}, scalarMeta(expr)))}};
}

SizedValue SizeNodes::requiredLength()
{
    for (const SymExpr& size : m_meta.sizes)
        if (size == SymExpr(0))
            return plain(0);
    SizedValue reach = plain(0);
    for (std::size_t dim = 0; dim < m_sizes.size(); ++dim)
    {
        const SizedValue last = compute("operator.sub", size(dim), plain(1));
        reach = compute("operator.add", reach, compute("operator.mul", last, stride(dim)));
    }
    const SizedValue start = compute("operator.add", plain(1), offset());
    return compute("operator.add", start, reach);
}

} // namespace reinspect
