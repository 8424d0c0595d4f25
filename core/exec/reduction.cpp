// SPDX-License-Identifier: MIT
#include "core/exec/reduction.h"

#include <algorithm>

namespace reinspect::exec
{

Folded folded(const Tensor& self, const std::vector<std::size_t>& dims, bool keepsDims)
{
    std::vector<bool> reduced(self.rank(), false);
    for (const std::size_t dim : dims)
        reduced[dim] = true;
    Folded result;
    result.ordered = self;
    result.ordered.sizes.clear();
    result.ordered.strides.clear();
    for (const bool last : {false, true})
        for (std::size_t i = 0; i < self.rank(); ++i)
            if (reduced[i] == last)
            {
                result.ordered.sizes.push_back(self.sizes[i]);
                result.ordered.strides.push_back(self.strides[i]);
            }
    for (std::size_t i = 0; i < self.rank(); ++i)
    {
        if (reduced[i])
            result.length *= self.sizes[i];
        else
            result.keptPlaces.push_back(result.kept.size());
        if (!reduced[i] || keepsDims)
            result.kept.push_back(reduced[i] ? 1 : self.sizes[i]);
    }
    return result;
}

Result<Folded> foldedArgument(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor(call.schema->arguments.front().name));
    REINSPECT_TRY(auto dims, call.dimensions(call.has("dims") ? "dims" : "dim", self));
    std::ranges::sort(dims);
    if (const auto twice = std::ranges::adjacent_find(dims); twice != dims.end())
        return call.error("dimension " + std::to_string(*twice) + " is given twice");
    return folded(self, dims, call.flag("keepdim"));
}

Tensor withLast(const Tensor& tensor, std::size_t dim)
{
    Tensor moved = tensor;
    if (tensor.rank() == 0)
        return moved;
    const auto rotate = [dim](Sizes& list) {
        const auto at = list.begin() + static_cast<std::ptrdiff_t>(dim);
        std::rotate(at, at + 1, list.end());
    };
    rotate(moved.sizes);
    rotate(moved.strides);
    return moved;
}

std::size_t lineLength(const Tensor& tensor, std::size_t dim)
{
    return static_cast<std::size_t>(tensor.rank() > 0 ? tensor.sizes[dim] : 1);
}

double sumOf(std::span<const double> values)
{
    if (values.size() > 64)
        return sumOf(values.first(values.size() / 2)) + sumOf(values.subspan(values.size() / 2));
    double sum = 0;
    for (const double value : values)
        sum += value;
    return sum;
}

DType sumType(const KernelCall& call, DType own)
{
    const DType given = call.dtype(DType::Unknown, "output_dtype");
    return given != DType::Unknown ? given : call.dtype(isIntegral(own) ? DType::Int64 : own);
}

double correctionOf(const KernelCall& call)
{
    if (call.has("unbiased"))
        return call.flag("unbiased") ? 1 : 0;
    return call.optionalNumber("correction").value_or(1);
}

} // namespace reinspect::exec
