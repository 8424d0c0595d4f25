// SPDX-License-Identifier: MIT
// Operators whose result takes its elements by one list of places for each dimension: flip, roll, repeat,
// padding, nearest upsampling. Element (i, j, ...) of the result is element (maps[0][i], maps[1][j], ...) of the
// tensor; -1 is outside of it.
#pragma once

#include "core/exec/kernel_call.h"

namespace reinspect::exec
{

using AxisMaps = std::vector<std::vector<std::int64_t>>;

// Each dimension as it is.
AxisMaps identityMaps(const Sizes& sizes);
// The result; outside of the tensor `fill` is taken, a number of Python. As many maps as dimensions.
Result<Value> mapped(const KernelCall& call, const Tensor& self, const AxisMaps& maps,
                     const Value& fill = Value(std::int64_t{0}));
// The gradient of the tensor of sizes `sizes`: each element of `grad` is added at the place it came from.
Result<Value> mappedBackward(const KernelCall& call, const Tensor& grad, const Sizes& sizes,
                             const AxisMaps& maps);

} // namespace reinspect::exec
