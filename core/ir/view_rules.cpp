// SPDX-License-Identifier: MIT
#include "core/ir/view_rules.h"

#include "core/ir/op_facts.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace reinspect
{
namespace
{

// A view call being worked out: reads arguments by position or name and keeps whether all were readable.
class ViewCall
{
public:
    ViewCall(std::string_view target, const TensorMeta& base, std::span<const Argument> args,
             std::span<const NamedArgument> kwargs)
        : m_args(args)
        , m_kwargs(kwargs)
        , m_schema(findOpFacts(target))
        , result(base)
    {}

    // Schema argument `position`, counted after the tensor; null when it is left out.
    const Argument* given(std::size_t position) const
    {
        if (position < m_args.size())
            return &m_args[position];
        if (!m_schema || m_kwargs.empty())
            return nullptr;
        const std::vector<SchemaArgument> names = schemaArguments(m_schema->schema);
        if (position + 1 >= names.size())
            return nullptr;
        const auto found =
            std::find_if(m_kwargs.begin(), m_kwargs.end(), [&](const NamedArgument& argument) {
                return argument.name == names[position + 1].name;
            });
        return found == m_kwargs.end() ? nullptr : &found->value;
    }

    SymExpr size(std::size_t position, SymExpr otherwise)
    {
        const Argument* argument = given(position);
        if (!argument || argument->isNone())
            return otherwise;
        return sizeOf(*argument);
    }

    std::int64_t number(std::size_t position, std::int64_t otherwise)
    {
        const SymExpr value = size(position, otherwise);
        if (!value.isConstant())
            readable = false;
        return value.constant().value_or(otherwise);
    }

    std::vector<SymExpr> sizes(std::size_t position)
    {
        std::vector<SymExpr> values;
        const Argument* argument = given(position);
        const std::vector<Argument>* items = argument ? argument->sequence() : nullptr;
        if (!items)
            readable = false;
        else
            for (const Argument& item : *items)
                values.push_back(sizeOf(item));
        return values;
    }

    // A dimension counted from either end, brought into range.
    std::size_t dimension(std::size_t position, std::int64_t otherwise, std::size_t rank)
    {
        std::int64_t dim = number(position, otherwise);
        if (dim < 0)
            dim += static_cast<std::int64_t>(rank);
        if (dim < 0 || dim >= static_cast<std::int64_t>(rank))
        {
            readable = false;
            return 0;
        }
        return static_cast<std::size_t>(dim);
    }

    std::vector<SymExpr>& strides() { return *result.strides; }
    void moveTo(const SymExpr& distance)
    {
        if (result.offset)
            result.offset = *result.offset + distance;
    }

private:
    SymExpr sizeOf(const Argument& argument)
    {
        if (const auto value = argument.integer())
            return *value;
        if (const SymArgument* symbolic = argument.as<SymArgument>())
            return symbolic->expr;
        readable = false;
        return 0;
    }

    std::span<const Argument> m_args;
    std::span<const NamedArgument> m_kwargs;
    const OpFacts* m_schema;

public:
    TensorMeta result;
    bool readable = true;
};

// Python's rule for a slice bound: from the end when negative, never outside. Only for known sizes;
// an end of 2^63-1 means the whole dimension.
std::optional<SymExpr> clampedBound(const SymExpr& bound, const SymExpr& size)
{
    const std::optional<std::int64_t> number = bound.constant();
    const std::optional<std::int64_t> length = size.constant();
    if (number && length)
        return std::clamp<std::int64_t>(*number < 0 ? *number + *length : *number, 0, *length);
    if (number && *number == std::numeric_limits<std::int64_t>::max())
        return size;
    if (bound == size || (number && *number == 0))
        return bound;
    return {};
}

void sliceView(ViewCall& call)
{
    TensorMeta& meta = call.result;
    const std::size_t dim = call.dimension(0, 0, meta.sizes.size());
    if (!call.readable)
        return;
    const SymExpr size = meta.sizes[dim];
    const auto start = clampedBound(call.size(1, 0), size);
    const auto end = clampedBound(call.size(2, size), size);
    const std::int64_t step = call.number(3, 1);
    if (!start || !end || step <= 0)
    {
        call.readable = false;
        return;
    }
    SymExpr length = *end - *start;
    if (length.constant().value_or(0) < 0)
        length = 0;
    meta.sizes[dim] = step == 1 ? length : SymExpr::floorDiv(length + (step - 1), step);
    call.moveTo(*start * call.strides()[dim]);
    call.strides()[dim] = call.strides()[dim] * step;
}

void selectView(ViewCall& call)
{
    TensorMeta& meta = call.result;
    const std::size_t dim = call.dimension(0, 0, meta.sizes.size());
    SymExpr index = call.size(1, 0);
    if (!call.readable)
        return;
    if (index.constant().value_or(0) < 0)
        index = index + meta.sizes[dim];
    call.moveTo(index * call.strides()[dim]);
    meta.sizes.erase(meta.sizes.begin() + static_cast<std::ptrdiff_t>(dim));
    call.strides().erase(call.strides().begin() + static_cast<std::ptrdiff_t>(dim));
}

void diagonalView(ViewCall& call)
{
    TensorMeta& meta = call.result;
    const std::int64_t shift = call.number(0, 0);
    const std::size_t first = call.dimension(1, 0, meta.sizes.size());
    const std::size_t second = call.dimension(2, 1, meta.sizes.size());
    if (!call.readable || first == second || !meta.sizes[first].isConstant()
        || !meta.sizes[second].isConstant())
    {
        call.readable = false;
        return;
    }
    const std::int64_t rows = *meta.sizes[first].constant() + std::min<std::int64_t>(shift, 0);
    const std::int64_t columns = *meta.sizes[second].constant() - std::max<std::int64_t>(shift, 0);
    const std::int64_t length = std::max<std::int64_t>(0, std::min(rows, columns));
    if (length > 0)
        call.moveTo(shift >= 0 ? call.strides()[second] * shift : call.strides()[first] * -shift);
    const SymExpr stride = call.strides()[first] + call.strides()[second];
    for (const std::size_t dim : {std::max(first, second), std::min(first, second)})
    {
        meta.sizes.erase(meta.sizes.begin() + static_cast<std::ptrdiff_t>(dim));
        call.strides().erase(call.strides().begin() + static_cast<std::ptrdiff_t>(dim));
    }
    meta.sizes.push_back(length);
    call.strides().push_back(stride);
}

void asStridedView(ViewCall& call)
{
    call.result.sizes = call.sizes(0);
    call.result.strides = call.sizes(1);
    const Argument* offset = call.given(2);
    if (offset && !offset->isNone())
        call.result.offset = call.size(2, 0);
}

void permuteView(ViewCall& call)
{
    const TensorMeta base = call.result;
    const std::vector<SymExpr> order = call.sizes(0);
    if (order.size() != base.sizes.size())
        call.readable = false;
    for (std::size_t i = 0; call.readable && i < order.size(); ++i)
    {
        std::int64_t dim = order[i].constant().value_or(0);
        dim += dim < 0 ? static_cast<std::int64_t>(order.size()) : 0;
        if (dim < 0 || dim >= static_cast<std::int64_t>(order.size()))
        {
            call.readable = false;
            return;
        }
        call.result.sizes[i] = base.sizes[static_cast<std::size_t>(dim)];
        call.strides()[i] = (*base.strides)[static_cast<std::size_t>(dim)];
    }
}

void transposeView(ViewCall& call)
{
    const std::size_t rank = call.result.sizes.size();
    const std::size_t first = call.dimension(0, 0, rank);
    const std::size_t second = call.dimension(1, 1, rank);
    if (!call.readable)
        return;
    std::swap(call.result.sizes[first], call.result.sizes[second]);
    std::swap(call.strides()[first], call.strides()[second]);
}

void sameView(ViewCall&) {}

using ViewRule = void (*)(ViewCall&);

const std::unordered_map<std::string_view, ViewRule>& viewRules()
{
    static const std::unordered_map<std::string_view, ViewRule> rules = {
        {"aten.slice.Tensor", sliceView},        {"aten.select.int", selectView},
        {"aten.diagonal.default", diagonalView}, {"aten.as_strided.default", asStridedView},
        {"aten.permute.default", permuteView},   {"aten.transpose.int", transposeView},
        {"aten.alias.default", sameView},        {"aten.detach.default", sameView},
    };
    return rules;
}

} // namespace

std::optional<TensorMeta> viewResult(std::string_view target, const TensorMeta& base,
                                     std::span<const Argument> args,
                                     std::span<const NamedArgument> kwargs)
{
    const auto rule = viewRules().find(target);
    if (rule == viewRules().end() || !base.strides || base.strides->size() != base.sizes.size())
        return {};
    ViewCall call(target, base, args, kwargs);
    rule->second(call);
    if (!call.readable)
        return {};
    return std::move(call.result);
}

} // namespace reinspect
