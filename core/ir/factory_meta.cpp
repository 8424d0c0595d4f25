// SPDX-License-Identifier: MIT
// Memory made from sizes alone, or in the form of another tensor.
#include "core/ir/fresh_rules.h"
#include "core/ir/meta_families.h"

#include <algorithm>
#include <array>

namespace reinspect
{
namespace
{

DType fillType(const Argument* value)
{
    if (!value || value->as<double>())
        return DType::Float32;
    if (value->as<bool>())
        return DType::Bool;
    return value->as<std::complex<double>>() ? DType::Complex64 : DType::Int64;
}

std::optional<TensorMeta> withStrides(const RuleCall& call, TensorMeta result)
{
    auto strides = call.sizes("stride");
    if (!strides || strides->size() != result.sizes.size())
        return {};
    result.strides = std::move(strides);
    return result;
}

// empty(size), full(size, value), rand(size)
std::optional<TensorMeta> fromSizes(const RuleCall& call)
{
    static constexpr std::array<std::string_view, 9> kNames = {
        "empty", "zeros",         "ones",          "full",   "rand",
        "randn", "empty_strided", "scalar_tensor", "randint"};
    const std::string_view name = call.packet();
    if (std::ranges::find(kNames, name) == kNames.end())
        return {};
    const auto sizes = name == "scalar_tensor" ? std::vector<SymExpr>{} : call.sizes("size");
    DType type = DType::Float32;
    if (name == "full")
        type = fillType(call.given("fill_value"));
    else if (name == "randint")
        type = DType::Int64;
    type = call.dtype(type);
    if (!sizes || type == DType::Unknown)
        return {};
    TensorMeta result = freshMeta(type, call.device("cpu"), *sizes);
    return name == "empty_strided" ? withStrides(call, std::move(result))
                                   : std::optional<TensorMeta>(std::move(result));
}

// new_empty(x, size), empty_like(x)
std::optional<TensorMeta> fromTensor(const RuleCall& call)
{
    const std::string_view name = call.packet();
    const TensorMeta* self = call.tensor("self");
    const bool isLike = name.ends_with("_like");
    if (!self || !(isLike || name.starts_with("new_")))
        return {};
    const auto sizes = isLike ? self->sizes : call.sizes("size");
    const DType type = call.dtype(self->dtype);
    if (!sizes || type == DType::Unknown)
        return {};
    TensorMeta result = freshMeta(type, call.device(self->device), *sizes);
    if (name == "new_empty_strided")
        return withStrides(call, std::move(result));
    if (isLike && !call.given("memory_format"))
        result.strides = cloneResult(*self).strides;
    return result;
}

// ceil((end - start) / step), for whole numbers and for sizes.
std::optional<SymExpr> wholeLength(const RuleCall& call)
{
    const Argument* first = call.given("start");
    const auto start = first ? call.size(first) : std::optional<SymExpr>(0);
    const auto end = call.size(call.given("end"));
    const auto step = call.number("step", 1);
    if (!start || !end || !step || *step < 1)
        return {};
    const SymExpr length = *end - *start;
    if (length.constant().value_or(0) < 0)
        return {};
    return *step == 1 ? length : SymExpr::floorDiv(length + (*step - 1), *step);
}

std::optional<TensorMeta> counted(const RuleCall& call)
{
    const bool isIota = call.target() == "prims.iota.default";
    if (!isIota && !(call.target().starts_with("aten.arange.") && !call.target().ends_with("out")))
        return {};
    const auto length = isIota ? call.size(call.given("length")) : wholeLength(call);
    const DType type = call.dtype(DType::Int64);
    if (!length || type == DType::Unknown)
        return {};
    return freshMeta(type, call.device("cpu"), {*length});
}

} // namespace

std::optional<TensorMeta> factoryMeta(const RuleCall& call)
{
    if (!call.facts() || call.facts()->isMutable)
        return {};
    if (auto result = counted(call))
        return result;
    if (!call.target().starts_with("aten."))
        return {};
    auto result = fromSizes(call);
    return result ? result : fromTensor(call);
}

} // namespace reinspect
