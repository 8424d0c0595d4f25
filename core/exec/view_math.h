// SPDX-License-Identifier: MIT
// Sizes, strides and offsets of views, for the view operators and those that write through one. Dimensions
// are counted from the front and lie in range.
#pragma once

#include "core/exec/tensor.h"

namespace reinspect::exec
{

// Bounds are clamped as Python clamps them; a step below 1 is an error.
Result<Tensor> sliceOf(const Tensor& base, std::size_t dim, std::optional<std::int64_t> start,
                       std::optional<std::int64_t> end, std::int64_t step);
Result<Tensor> selectOf(const Tensor& base, std::size_t dim, std::int64_t index);
Result<Tensor> diagonalOf(const Tensor& base, std::int64_t offset, std::size_t one,
                          std::size_t two);
// The same bytes as another dtype; the last dimension grows or shrinks when the widths differ.
Result<Tensor> reinterpreted(const Tensor& base, DType dtype);

// One -1 among the sizes becomes what is left. The error says that the elements do not fit.
Result<Sizes> filledSizes(const Tensor& tensor, Sizes sizes);
// A view with other sizes of the same elements in index order; nothing when only a copy can have them.
// Mirrors computeStride.
std::optional<Tensor> reshapedView(const Tensor& tensor, const Sizes& sizes);

} // namespace reinspect::exec
