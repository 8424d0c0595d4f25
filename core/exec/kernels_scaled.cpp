// SPDX-License-Identifier: MIT
// Products of matrices of few bits with scales beside them, and of groups of rows.
#include "core/exec/gemm.h"
#include "core/exec/joined_rows.h"
#include "core/exec/operands.h"

#include <algorithm>

namespace reinspect::exec
{
namespace
{

// The matrix as numbers, each multiplied by its scale: one for all, one a row or a column, or one a block of
// equal size.
Result<std::vector<float>> scaled(const KernelCall& call, const Tensor& matrix, const Tensor& scale)
{
    std::vector<float> values = readAll<float>(matrix);
    const std::int64_t rows = matrix.sizes[0];
    const std::int64_t columns = matrix.sizes[1];
    Sizes blocks{1, 1};
    if (scale.count() != 1)
        blocks = scale.sizes;
    const bool fits = scale.dtype == DType::Float32 && blocks.size() == 2 && blocks[0] > 0
        && blocks[1] > 0 && rows % blocks[0] == 0 && columns % blocks[1] == 0;
    if (!fits)
        return call.unsupported("scales " + tensorText(scale) + " of a matrix "
                                + tensorText(matrix));
    const std::vector<float> factors = readAll<float>(scale);
    const std::int64_t tall = rows / blocks[0];
    const std::int64_t wide = columns / blocks[1];
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j)
            values[static_cast<std::size_t>(i * columns + j)] *=
                factors[static_cast<std::size_t>(i / tall * blocks[1] + j / wide)];
    return values;
}

Result<void> addBias(const KernelCall& call, std::vector<float>& values, std::int64_t columns)
{
    const auto bias = call.optionalTensor("bias");
    if (!bias)
        return {};
    if (bias->count() != columns)
        return call.error("a bias " + tensorText(*bias) + " for " + std::to_string(columns)
                          + " columns");
    const std::vector<float> row = readAll<float>(*bias);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] += row[i % row.size()];
    return {};
}

Result<Value> scaledProduct(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor other, call.tensor("mat2"));
    if (self.rank() != 2 || other.rank() != 2 || self.sizes[1] != other.sizes[0])
        return call.error(tensorText(self) + " and " + tensorText(other) + " do not fit");
    REINSPECT_TRY(const Tensor scaleA, call.tensor("scale_a"));
    REINSPECT_TRY(const Tensor scaleB, call.tensor("scale_b"));
    REINSPECT_TRY(const std::vector<float> a, scaled(call, self, scaleA));
    REINSPECT_TRY(const std::vector<float> b, scaled(call, other, scaleB));
    REINSPECT_TRY(
        const Tensor result,
        call.result(call.dtype(self.dtype, "out_dtype"), {self.sizes[0], other.sizes[1]}));
    std::vector<float> made(static_cast<std::size_t>(result.count()));
    multiplyMatrices<float>({a.data(), self.sizes[0], self.sizes[1]},
                            {b.data(), other.sizes[0], other.sizes[1]}, made.data());
    REINSPECT_CHECK(addBias(call, made, other.sizes[1]));
    if (const auto factor = call.optionalTensor("scale_result"))
        for (float& value : made)
            value *= readAll<float>(*factor).front();
    writeAll<float>(result, made);
    return Value(result);
}

// Weights of eight bits, (columns, depth), with a scale a column.
Result<Value> int8Product(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor weights, call.tensor("mat2"));
    REINSPECT_TRY(const Tensor scales, call.tensor("scales"));
    if (self.rank() != 2 || weights.rank() != 2 || self.sizes[1] != weights.sizes[1]
        || scales.count() != weights.sizes[0])
        return call.error(tensorText(self) + ", " + tensorText(weights) + " and "
                          + tensorText(scales) + " do not fit");
    const std::int64_t columns = weights.sizes[0];
    REINSPECT_TRY(const Tensor result, call.result(self.dtype, {self.sizes[0], columns}));
    const std::vector<float> a = readAll<float>(self);
    const std::vector<float> b = readAll<float>(weights);
    const std::vector<float> factors = readAll<float>(scales);
    std::vector<float> made(static_cast<std::size_t>(result.count()));
    multiplyMatrices<float>({a.data(), self.sizes[0], self.sizes[1]},
                            {b.data(), self.sizes[1], columns, true}, made.data());
    for (std::size_t i = 0; i < made.size(); ++i)
        made[i] *= factors[i % factors.size()];
    writeAll<float>(result, made);
    return Value(result);
}

// Where each group ends, along the dimension that is not the matrices' own.
Result<std::vector<std::int64_t>> groupEnds(const KernelCall& call, std::int64_t size)
{
    const auto offsets = call.optionalTensor("offs");
    if (!offsets)
        return call.error("argument 'offs' is missing");
    std::vector<std::int64_t> ends = readAll<std::int64_t>(*offsets);
    if (!std::ranges::is_sorted(ends)
        || (!ends.empty() && (ends.front() < 0 || ends.back() > size)))
        return call.error("the ends of the groups do not lie in order within "
                          + std::to_string(size));
    return ends;
}

// One product of the group's part of `self` and of `other`: narrowed along a dimension, or chosen by number.
Result<void> groupProduct(const Tensor& self, const Tensor& other, const Tensor& result)
{
    const std::vector<float> a = readAll<float>(self);
    const std::vector<float> b = readAll<float>(other);
    std::vector<float> made(static_cast<std::size_t>(result.count()));
    multiplyMatrices<float>({a.data(), self.sizes[0], self.sizes[1]},
                            {b.data(), other.sizes[0], other.sizes[1]}, made.data());
    writeAll<float>(result, made);
    return {};
}

Tensor narrowed(Tensor tensor, std::size_t dim, std::int64_t from, std::int64_t to)
{
    tensor.offset += from * tensor.strides[dim];
    tensor.sizes[dim] = to - from;
    return tensor;
}

Tensor chosen(Tensor tensor, std::size_t number)
{
    tensor.offset += static_cast<std::int64_t>(number) * tensor.strides[0];
    tensor.sizes.erase(tensor.sizes.begin());
    tensor.strides.erase(tensor.strides.begin());
    return tensor;
}

Result<Value> groupedProduct(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor other, call.tensor("mat2"));
    const bool isWide = self.rank() == 2; // rows, or the depth, hold the groups one after the other
    const bool isTall = other.rank() == 2; // columns, or the depth, do
    if (call.has("bias"))
        return call.unsupported("groups with a bias");
    if (self.rank() + other.rank() < 4 || self.rank() > 3 || other.rank() > 3
        || (!isWide && !isTall && self.sizes[0] != other.sizes[0])
        || self.sizes.back() != other.sizes[other.rank() - 2])
        return call.error(tensorText(self) + " and " + tensorText(other) + " do not fit");
    std::vector<std::int64_t> ends;
    if (isWide || isTall)
    {
        const std::int64_t size = isWide && isTall ? self.sizes[1]
            : isWide                               ? self.sizes[0]
                                                   : other.sizes[1];
        REINSPECT_TRY(ends, groupEnds(call, size));
    }
    const std::size_t groups =
        isWide && isTall ? ends.size() : static_cast<std::size_t>((isWide ? other : self).sizes[0]);
    if ((isWide || isTall) && groups != ends.size())
        return call.error(std::to_string(ends.size()) + " groups end, and there are "
                          + std::to_string(groups));
    const std::int64_t rows = self.sizes[self.rank() - 2];
    const std::int64_t columns = other.sizes.back();
    Sizes sizes{rows, columns};
    if (isWide == isTall)
        sizes.insert(sizes.begin(), static_cast<std::int64_t>(groups));
    REINSPECT_TRY(const Tensor result, call.result(call.dtype(self.dtype, "out_dtype"), sizes));
    writeAll<double>(result, std::vector<double>(static_cast<std::size_t>(result.count()), 0));
    for (std::size_t g = 0; g < groups; ++g)
    {
        const std::int64_t from = ends.empty() || g == 0 ? 0 : ends[g - 1];
        const std::int64_t to = ends.empty() ? 0 : ends[g];
        const Tensor a = !isWide ? chosen(self, g) : narrowed(self, isTall ? 1 : 0, from, to);
        const Tensor b = !isTall ? chosen(other, g) : narrowed(other, isWide ? 0 : 1, from, to);
        const Tensor part =
            isWide == isTall ? chosen(result, g) : narrowed(result, isWide ? 0 : 1, from, to);
        REINSPECT_CHECK(groupProduct(a, b, part));
    }
    return Value(result);
}

const KernelRow table[] = {
    {"aten._scaled_mm.default", scaledProduct},
    {"aten._weight_int8pack_mm.default", int8Product},
    {"aten._grouped_mm.default", groupedProduct},
};

} // namespace

std::span<const KernelRow> scaledProductRows()
{
    return table;
}

} // namespace reinspect::exec
