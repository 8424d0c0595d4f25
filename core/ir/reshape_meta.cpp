// SPDX-License-Identifier: MIT
// Results that share memory with an argument: views with rules of their own here, those of view_rules, and
// in-place operators, which give back what they wrote.
#include "core/ir/fresh_rules.h"
#include "core/ir/meta_families.h"
#include "core/ir/reshape_strides.h"
#include "core/ir/view_rules.h"

#include <algorithm>

namespace reinspect
{
namespace
{

using Sizes = std::vector<SymExpr>;

// The sizes asked for, with -1 worked out.
std::optional<Sizes> wholeSizes(Sizes sizes, const TensorMeta& base)
{
    SymExpr others = 1;
    SymExpr* open = nullptr;
    for (SymExpr& size : sizes)
    {
        if (size.constant() != -1)
            others = others * size;
        else if (open)
            return {};
        else
            open = &size;
    }
    if (!open)
        return sizes;
    if (others.constant() == 0)
        return {};
    *open = SymExpr::floorDiv(elementCount(base), others);
    return sizes;
}

std::optional<TensorMeta> reshaped(const RuleCall& call, const TensorMeta& base)
{
    const auto asked = call.sizes(call.packet() == "reshape" ? "shape" : "size");
    const auto sizes = asked ? wholeSizes(*asked, base) : std::nullopt;
    if (!sizes)
        return {};
    TensorMeta result = base;
    result.sizes = *sizes;
    const auto strides = reshapedStrides(base, *sizes);
    result.strides = strides ? *strides : contiguousStrides(*sizes);
    if (!strides)
        result.offset = 0; // reshape() has to copy
    return result;
}

std::optional<TensorMeta> expanded(const RuleCall& call, const TensorMeta& base)
{
    const auto asked = call.sizes("size");
    if (!asked || asked->size() < base.sizes.size())
        return {};
    TensorMeta result = base;
    result.sizes = *asked;
    result.strides = Sizes(asked->size(), 0);
    const std::size_t missing = asked->size() - base.sizes.size();
    for (std::size_t i = 0; i < base.sizes.size(); ++i)
    {
        SymExpr& size = result.sizes[missing + i];
        if (size.constant() == -1)
            size = base.sizes[i];
        if (size == base.sizes[i])
            (*result.strides)[missing + i] = (*base.strides)[i];
    }
    return result;
}

std::optional<TensorMeta> squeezed(const RuleCall& call, const TensorMeta& base)
{
    std::vector<bool> asked(base.sizes.size(), !call.given("dim"));
    if (call.given("dim"))
    {
        const auto dims = call.sizes("dim");
        if (!dims)
            return {};
        for (const SymExpr& dim : *dims)
            if (const auto number = dim.constant())
                if (const auto at = dimensionOf(*number, asked.size()))
                    asked[*at] = true;
    }
    TensorMeta result = base;
    result.sizes.clear();
    result.strides->clear();
    for (std::size_t i = 0; i < base.sizes.size(); ++i)
        if (!asked[i] || base.sizes[i].constant() != 1)
        {
            result.sizes.push_back(base.sizes[i]);
            result.strides->push_back((*base.strides)[i]);
        }
    return result;
}

std::optional<TensorMeta> unsqueezed(const RuleCall& call, const TensorMeta& base)
{
    const std::size_t rank = base.sizes.size();
    const auto dim = call.dimension("dim", 0, rank + 1);
    if (!dim)
        return {};
    const auto at = static_cast<std::ptrdiff_t>(*dim);
    TensorMeta result = base;
    const SymExpr stride = *dim < rank ? base.sizes[*dim] * (*base.strides)[*dim] : SymExpr(1);
    result.sizes.insert(result.sizes.begin() + at, 1);
    result.strides->insert(result.strides->begin() + at, stride);
    return result;
}

TensorMeta transposed(TensorMeta base)
{
    std::ranges::reverse(base.sizes);
    std::ranges::reverse(*base.strides);
    return base;
}

std::optional<TensorMeta> contiguousOf(const RuleCall& call, const TensorMeta& base)
{
    if (isContiguous(base))
        return base;
    return call.given("memory_format") ? std::nullopt : std::optional(freshLike(base, base.sizes));
}

// view(x, dtype): the bytes read as elements of another type, along the last dimension.
std::optional<TensorMeta> reinterpreted(const RuleCall& call, const TensorMeta& base)
{
    TensorMeta result = base;
    result.dtype = call.dtype(DType::Unknown);
    const std::int64_t before = dtypeBytes(base.dtype);
    const std::int64_t after = dtypeBytes(result.dtype);
    if (before < 1 || after < 1)
        return {};
    if (before == after)
        return result;
    if (base.sizes.empty() || base.strides->back().constant() != 1)
        return {};
    const auto rescaled = [&](const SymExpr& number) {
        return SymExpr::floorDiv(number * before, after);
    };
    result.sizes.back() = rescaled(base.sizes.back());
    for (std::size_t dim = 0; dim + 1 < base.sizes.size(); ++dim)
        (*result.strides)[dim] = rescaled((*base.strides)[dim]);
    if (base.offset)
        result.offset = rescaled(*base.offset);
    return result;
}

std::optional<TensorMeta> ownRule(const RuleCall& call, const TensorMeta& base)
{
    const std::string_view name = call.packet();
    if (call.target() == "aten.view.dtype")
        return reinterpreted(call, base);
    if (name == "view" || name == "reshape" || name == "_unsafe_view")
        return reshaped(call, base);
    if (name == "expand")
        return expanded(call, base);
    if (name == "squeeze")
        return squeezed(call, base);
    if (name == "unsqueeze")
        return unsqueezed(call, base);
    if (name == "t" && base.sizes.size() <= 2)
        return transposed(base);
    if (name == "contiguous")
        return contiguousOf(call, base);
    return name == "lift_fresh" ? std::optional(base) : std::nullopt;
}

// Arguments after the tensor with sizes that are nodes put in as expressions, which viewResult reads.
std::vector<Argument> plainArguments(const RuleCall& call)
{
    std::vector<Argument> args(call.node().args.begin() + 1, call.node().args.end());
    for (Argument& argument : args)
        if (argument.node())
            if (const auto size = call.size(&argument))
                argument = size->isConstant() ? Argument{*size->constant()}
                                              : Argument{SymArgument{*size, {}}};
    return args;
}

} // namespace

std::optional<TensorMeta> reshapeMeta(const RuleCall& call)
{
    const OpFacts* facts = call.facts();
    const std::string_view target = call.target();
    if (target == "aten._unsafe_view.default")
    {
        const TensorMeta* self = call.tensor("self");
        return self ? reshaped(call, *self) : std::nullopt;
    }
    if (!facts || facts->aliasedArgument < 0
        || static_cast<std::size_t>(facts->aliasedArgument) >= call.schema().size())
        return {};
    const auto aliased = static_cast<std::size_t>(facts->aliasedArgument);
    const TensorMeta* base = call.tensor(call.schema()[aliased].name);
    if (!base)
        return {};
    if (facts
            ->isMutable) // but for resize_ and the like, which are not called in what the pass is given
        return target.find("resize") == std::string_view::npos ? std::optional(*base)
                                                               : std::nullopt;
    if (auto result = target.starts_with("aten.") ? ownRule(call, *base) : std::nullopt)
        return result;
    if (aliased != 0 || call.node().args.empty())
        return {};
    const std::vector<Argument> args = plainArguments(call);
    return viewResult(target, *base, args, call.node().kwargs);
}

} // namespace reinspect
