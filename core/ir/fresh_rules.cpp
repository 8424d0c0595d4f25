// SPDX-License-Identifier: MIT
// Sizes and strides of results in memory of their own.
#include "core/ir/fresh_rules.h"

#include <algorithm>
#include <numeric>

namespace reinspect
{
namespace
{

bool hasStrides(const TensorMeta& meta)
{
    return meta.strides && meta.strides->size() == meta.sizes.size();
}

// Dense without gaps or overlap: sorted by stride, each stride is the product of the sizes below it.
bool isNonOverlappingAndDense(const TensorMeta& meta, const std::vector<std::size_t>& innerFirst)
{
    SymExpr expected = 1;
    for (const std::size_t dim : innerFirst)
    {
        if (meta.sizes[dim] == SymExpr(1))
            continue;
        if (!((*meta.strides)[dim] == expected))
            return false;
        expected = expected * meta.sizes[dim];
    }
    return true;
}

std::vector<std::size_t> dimensionsInnerFirst(const TensorMeta& meta)
{
    std::vector<std::size_t> order(meta.sizes.size());
    std::iota(order.rbegin(), order.rend(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&meta](std::size_t a, std::size_t b) {
        const auto strideA = (*meta.strides)[a].constant();
        const auto strideB = (*meta.strides)[b].constant();
        return strideA && strideB && *strideA < *strideB;
    });
    return order;
}

std::vector<SymExpr> denseStrides(const std::vector<SymExpr>& sizes,
                                  const std::vector<std::size_t>& innerFirst)
{
    std::vector<SymExpr> strides(sizes.size());
    SymExpr stride = 1;
    for (const std::size_t dim : innerFirst)
    {
        strides[dim] = stride;
        if (!(sizes[dim] == SymExpr(0)))
            stride = stride * sizes[dim];
    }
    return strides;
}

bool isExpanded(const TensorMeta& meta)
{
    for (std::size_t dim = 0; dim < meta.sizes.size(); ++dim)
        if ((*meta.strides)[dim] == SymExpr(0) && !(meta.sizes[dim] == SymExpr(1)))
            return true;
    return false;
}

} // namespace

SymExpr requiredLength(const TensorMeta& meta)
{
    SymExpr last = 0;
    for (std::size_t dim = 0; dim < meta.sizes.size(); ++dim)
    {
        if (meta.sizes[dim] == SymExpr(0))
            return 0;
        last = last + (meta.sizes[dim] - 1) * (*meta.strides)[dim];
    }
    return last + 1 + meta.offset.value_or(0);
}

namespace
{

// Strides of the operands over the dimensions of the result; 0 where an operand is repeated.
using OperandStrides = std::vector<std::vector<std::int64_t>>;

std::optional<OperandStrides> broadcastStrides(const TensorMeta& result,
                                               std::span<const TensorMeta* const> operands)
{
    OperandStrides all;
    for (const TensorMeta* operand : operands)
    {
        if (!hasStrides(*operand) || operand->sizes.size() > result.sizes.size())
            return {};
        std::vector<std::int64_t> strides(result.sizes.size(), 0);
        const std::size_t missing = result.sizes.size() - operand->sizes.size();
        for (std::size_t dim = 0; dim < operand->sizes.size(); ++dim)
        {
            const auto stride = (*operand->strides)[dim].constant();
            if (!stride)
                return {};
            if (operand->sizes[dim] == result.sizes[dim + missing])
                strides[dim + missing] = *stride;
        }
        all.push_back(std::move(strides));
    }
    return all;
}

// Below zero: dimension `a` lies inside `b`; above: outside; zero: the operands do not say.
int compareDimensions(const OperandStrides& operands, const std::vector<SymExpr>& sizes,
                      std::size_t a, std::size_t b)
{
    for (const std::vector<std::int64_t>& strides : operands)
    {
        if (strides[a] == 0 || strides[b] == 0)
            continue;
        if (strides[a] != strides[b])
            return strides[a] < strides[b] ? -1 : 1;
        if (sizes[a].constant().value_or(0) > sizes[b].constant().value_or(0))
            return 1;
    }
    return 0;
}

// Insertion sort, since the comparison is no order: what does not say leaves two dimensions as they are.
std::vector<std::size_t> operandOrder(const OperandStrides& operands,
                                      const std::vector<SymExpr>& sizes)
{
    std::vector<std::size_t> innerFirst(sizes.size());
    std::iota(innerFirst.rbegin(), innerFirst.rend(), std::size_t{0});
    for (std::size_t i = 1; i < innerFirst.size(); ++i)
    {
        std::size_t moving = i;
        for (std::size_t below = i; below-- > 0;)
        {
            const int order =
                compareDimensions(operands, sizes, innerFirst[below], innerFirst[moving]);
            if (order < 0)
                break;
            if (order == 0)
                continue;
            std::swap(innerFirst[below], innerFirst[moving]);
            moving = below;
        }
    }
    return innerFirst;
}

bool haveOneLayout(const TensorMeta& result, std::span<const TensorMeta* const> operands)
{
    const TensorMeta& first = *operands.front();
    return std::ranges::all_of(operands,
                               [&](const TensorMeta* operand) {
                                   return operand->sizes == result.sizes && hasStrides(*operand)
                                       && *operand->strides == *first.strides;
                               })
        && isNonOverlappingAndDense(first, dimensionsInnerFirst(first));
}

// Rows follow each other in all of them, though strides of single elements may differ.
bool areContiguous(const TensorMeta& result, std::span<const TensorMeta* const> operands)
{
    return std::ranges::all_of(operands, [&](const TensorMeta* operand) {
        return operand->sizes == result.sizes && hasStrides(*operand) && isContiguous(*operand);
    });
}

} // namespace

// Mirrors empty_like with memory_format=preserve and at::infer_dense_strides.
TensorMeta cloneResult(const TensorMeta& source)
{
    TensorMeta result = source;
    result.storage = {};
    result.offset = 0;
    if (!hasStrides(source))
        return result;
    std::vector<std::size_t> innerFirst = dimensionsInnerFirst(source);
    if (!isNonOverlappingAndDense(source, innerFirst))
    {
        const TensorMeta* const operand = &source;
        if (const auto strides = broadcastStrides(source, {&operand, 1}))
            innerFirst = operandOrder(*strides, source.sizes);
        result.strides = denseStrides(source.sizes, innerFirst);
    }
    result.storageBytes = byteCount(result);
    return result;
}

TensorMeta sameStridesResult(const TensorMeta& source)
{
    if (!hasStrides(source)
        || isExpanded(source)) // what overlaps itself cannot be written: clone()
        return cloneResult(source);
    TensorMeta result = source;
    result.storage = {};
    result.offset = 0;
    result.storageBytes = requiredLength(result) * dtypeBytes(result.dtype);
    return result;
}

std::optional<TensorMeta> pointwiseResult(const TensorMeta& result,
                                          std::span<const TensorMeta* const> operands)
{
    if (operands.empty())
        return {};
    TensorMeta fresh = result;
    fresh.offset = 0;
    if (haveOneLayout(result, operands))
        fresh.strides = operands.front()->strides;
    else if (areContiguous(result, operands))
        fresh.strides = contiguousStrides(result.sizes);
    else if (const auto strides = broadcastStrides(result, operands))
        fresh.strides = denseStrides(result.sizes, operandOrder(*strides, result.sizes));
    else
        return {};
    fresh.storageBytes = byteCount(fresh);
    return fresh;
}

} // namespace reinspect
