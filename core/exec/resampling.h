// SPDX-License-Identifier: MIT
// From which sizes to which an upsampling goes, and the factors that it was given.
#pragma once

#include "core/exec/kernel_call.h"

namespace reinspect::exec
{

struct Resampling
{
    Sizes input; // spatial sizes
    Sizes output;
    std::vector<double> scales; // given factors; 0 where none is
};

// `sizes`: of the tensor that is upsampled, batch and channels first.
Result<Resampling> resamplingOf(const KernelCall& call, const Sizes& sizes);

// Elements of the input for one of the output, in float as PyTorch computes it.
float ratioOf(const Resampling& made, std::size_t d);

} // namespace reinspect::exec
