// SPDX-License-Identifier: MIT
#include "core/exec/operands.h"

#include "core/ir/fresh_rules.h"

namespace reinspect::exec
{
namespace
{

DType numberType(const Value& value)
{
    if (value.as<bool>())
        return DType::Bool;
    if (value.as<double>())
        return DType::Float32;
    if (value.as<std::complex<double>>())
        return DType::Complex64;
    return DType::Int64;
}

std::vector<SymExpr> expressions(const Sizes& sizes)
{
    return {sizes.begin(), sizes.end()};
}

Sizes numbers(const std::vector<SymExpr>& sizes)
{
    Sizes list;
    for (const SymExpr& size : sizes)
        list.push_back(size.constant().value_or(0));
    return list;
}

} // namespace

ResultType::Rank Operand::rank() const
{
    if (!tensor)
        return ResultType::Rank::Number;
    return tensor->rank() > 0 ? ResultType::Rank::Dimensioned : ResultType::Rank::ZeroDimensional;
}

Operand operandFrom(const Tensor& tensor)
{
    return {tensor, {}, tensor.dtype};
}

Result<Operand> operandOf(const KernelCall& call, std::string_view name)
{
    const Value* value = call.given(name);
    if (!value)
        return call.error("argument '" + std::string(name) + "' is missing");
    if (const Tensor* tensor = value->tensor())
        return operandFrom(*tensor);
    if (!value->number() && !value->as<std::complex<double>>())
        return call.error("argument '" + std::string(name) + "' is " + kindText(*value)
                          + ", neither a tensor nor a number");
    return Operand{{}, *value, numberType(*value)};
}

Result<Operands> operandsFrom(const KernelCall& call, std::vector<Operand> list)
{
    Operands operands;
    ResultType type;
    for (const Operand& operand : list)
    {
        type.add(operand.dtype, operand.rank());
        if (!operand.tensor)
            continue;
        auto sizes = broadcastSizes(operands.sizes, operand.tensor->sizes);
        if (!sizes.ok())
            return call.error(sizes.error().message);
        operands.sizes = std::move(*sizes);
    }
    operands.promoted = type.dtype();
    operands.list = std::move(list);
    return operands;
}

Result<Operands> operandsOf(const KernelCall& call, std::initializer_list<std::string_view> names)
{
    std::vector<Operand> list;
    for (const std::string_view name : names)
    {
        REINSPECT_TRY(Operand operand, operandOf(call, name));
        list.push_back(std::move(operand));
    }
    return operandsFrom(call, std::move(list));
}

TensorMeta metaOf(const Tensor& tensor)
{
    TensorMeta meta;
    meta.dtype = tensor.dtype;
    meta.sizes = expressions(tensor.sizes);
    meta.strides = expressions(tensor.strides);
    meta.offset = tensor.offset;
    return meta;
}

Sizes elementwiseStrides(const Operands& operands, const Sizes& sizes)
{
    std::vector<TensorMeta> metas;
    std::vector<const TensorMeta*> pointers;
    for (const Operand& operand : operands.list)
        if (operand.tensor)
            metas.push_back(metaOf(*operand.tensor));
    for (const TensorMeta& meta : metas)
        pointers.push_back(&meta);
    TensorMeta result;
    result.sizes = expressions(sizes);
    result.strides = expressions(contiguousStrides(sizes));
    if (const auto laidOut = pointwiseResult(result, pointers); laidOut && laidOut->strides)
        return numbers(*laidOut->strides);
    return contiguousStrides(sizes);
}

Sizes preservedStrides(const Tensor& tensor)
{
    const TensorMeta kept = cloneResult(metaOf(tensor));
    return kept.strides ? numbers(*kept.strides) : contiguousStrides(tensor.sizes);
}

Result<Tensor> elementwiseResult(const KernelCall& call, DType dtype, const Operands& operands)
{
    return call.result(dtype, operands.sizes, 0, elementwiseStrides(operands, operands.sizes));
}

bool isFloating(DType dtype)
{
    return dtypeKind(dtype) == DTypeKind::Floating;
}
bool isComplex(DType dtype)
{
    return dtypeKind(dtype) == DTypeKind::Complex;
}
bool isIntegral(DType dtype)
{
    return dtypeKind(dtype) == DTypeKind::Integer || dtypeKind(dtype) == DTypeKind::Bool;
}

} // namespace reinspect::exec
