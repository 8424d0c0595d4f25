// SPDX-License-Identifier: MIT
// One result element from each place of the operands: broadcasting and type promotion.
#include "core/ir/dtype_promotion.h"
#include "core/ir/fresh_rules.h"
#include "core/ir/meta_families.h"

#include <algorithm>
#include <array>

namespace reinspect
{
namespace
{

template<std::size_t N>
bool isOneOf(const std::array<std::string_view, N>& names, std::string_view name)
{
    return std::ranges::find(names, name) != names.end();
}

bool givesBool(std::string_view name)
{
    static constexpr std::array<std::string_view, 18> kNames = {
        "eq",          "ne",       "lt",          "le",         "gt",       "ge",
        "greater",     "less",     "logical_and", "logical_or", "isnan",    "isinf",
        "logical_not", "isfinite", "logical_xor", "signbit",    "isneginf", "isposinf"};
    return isOneOf(kNames, name);
}

// Integers give the default floating type.
bool givesFloating(std::string_view name, std::string_view target)
{
    static constexpr std::array<std::string_view, 33> kNames = {
        "sin",     "cos",        "tan",         "asin",   "acos",  "atan",   "sinh",
        "cosh",    "tanh",       "asinh",       "acosh",  "atanh", "exp",    "exp2",
        "expm1",   "log",        "log2",        "log10",  "log1p", "sqrt",   "rsqrt",
        "sigmoid", "erf",        "erfc",        "erfinv", "logit", "lgamma", "digamma",
        "atan2",   "reciprocal", "true_divide", "xlogy",  "i0"};
    return isOneOf(kNames, name) || name.starts_with("special_") || target == "aten.div.Tensor"
        || target == "aten.div.Scalar";
}

// Arguments whose type takes part in promotion, where they are numbers.
bool isOperandNumber(const SchemaArgument& argument)
{
    static constexpr std::array<std::string_view, 6> kNames = {"self", "other", "exponent",
                                                               "min",  "max",   "a"};
    return argument.type.starts_with("Scalar") && isOneOf(kNames, argument.name);
}

bool isTensorType(std::string_view type)
{
    return type == "Tensor" || type == "Tensor?" || type.starts_with("Tensor(");
}

DType numberType(const Argument& argument)
{
    if (argument.as<bool>())
        return DType::Bool;
    if (argument.as<double>())
        return DType::Float32;
    if (argument.as<std::complex<double>>())
        return DType::Complex64;
    return DType::Int64; // a number, or a size that is a node or an expression
}

struct Operands
{
    std::vector<const TensorMeta*> tensors;
    ResultType type;
    bool known = true;
};

Operands operandsOf(const RuleCall& call)
{
    Operands operands;
    for (const SchemaArgument& argument : call.schema())
    {
        const Argument* given = call.given(argument.name);
        if (!given)
            continue;
        const TensorMeta* tensor = call.tensor(given);
        const bool isNumber = !given->node() || (!tensor && call.size(given));
        if (tensor)
        {
            operands.tensors.push_back(tensor);
            if (argument.name != "condition" && argument.name != "mask")
                operands.type.add(tensor->dtype,
                                  tensor->sizes.empty() ? ResultType::Rank::ZeroDimensional
                                                        : ResultType::Rank::Dimensioned);
        }
        else if (isNumber && (isOperandNumber(argument) || isTensorType(argument.type)))
            operands.type.add(numberType(*given), ResultType::Rank::Number);
        else if (!isNumber)
            operands.known = false;
    }
    return operands;
}

DType resultType(const RuleCall& call, const Operands& operands)
{
    if (call.given("dtype"))
        return call.dtype(DType::Unknown);
    const std::string_view name = call.packet();
    if (givesBool(name))
        return DType::Bool;
    if (name == "masked_fill")
        return operands.tensors.front()->dtype;
    const DType promoted = operands.type.dtype();
    const DTypeKind kind = dtypeKind(promoted);
    const bool isWhole = kind == DTypeKind::Bool || kind == DTypeKind::Integer;
    if (isWhole && givesFloating(name, call.target()))
        return DType::Float32;
    if (name == "abs" && kind == DTypeKind::Complex)
        return DType::Unknown;
    return promoted;
}

// A tensor without dimensions follows the others to their device.
std::string resultDevice(const Operands& operands)
{
    for (const TensorMeta* operand : operands.tensors)
        if (!operand->sizes.empty() && !operand->device.empty())
            return operand->device;
    return operands.tensors.front()->device;
}

std::optional<TensorMeta> elementwise(const RuleCall& call)
{
    const Operands operands = operandsOf(call);
    if (operands.tensors.empty() || !operands.known)
        return {};
    std::vector<SymExpr> sizes;
    for (const TensorMeta* operand : operands.tensors)
    {
        auto both = broadcast(sizes, operand->sizes);
        if (!both)
            return {};
        sizes = std::move(*both);
    }
    const DType type = resultType(call, operands);
    if (type == DType::Unknown)
        return {};
    TensorMeta result = freshMeta(type, resultDevice(operands), std::move(sizes));
    if (auto laidOut = pointwiseResult(result, operands.tensors))
        result.strides = std::move(laidOut->strides);
    return result;
}

// clone, _to_copy: another type or device, the same places unless a memory format is asked for.
std::optional<TensorMeta> copyOf(const RuleCall& call)
{
    const TensorMeta* self = call.tensor("self");
    if (!self)
        return {};
    TensorMeta result = cloneResult(*self);
    const Argument* given = call.given("memory_format");
    const ConstantArgument* format = given ? given->as<ConstantArgument>() : nullptr;
    if (format && format->text == "contiguous_format")
        result.strides = contiguousStrides(result.sizes);
    else if (format && format->text != "preserve_format")
        return {};
    result.dtype = call.dtype(self->dtype);
    result.device = call.device(self->device);
    return result;
}

} // namespace

std::optional<TensorMeta> pointwiseMeta(const RuleCall& call)
{
    const std::string_view name = call.packet();
    if (call.target().starts_with("aten.") && (name == "clone" || name == "_to_copy"))
        return copyOf(call);
    if (call.target() == "_c10d_functional.all_reduce.default")
        if (const TensorMeta* input = call.tensor("input"))
            return cloneResult(*input);
    if (call.target() == "_c10d_functional.wait_tensor.default")
        if (const TensorMeta* input = call.tensor("tensor"))
            return *input;
    const OpFacts* facts = call.facts();
    if (!facts || !facts->isPointwise || facts->isMutable)
        return {};
    return elementwise(call);
}

} // namespace reinspect
