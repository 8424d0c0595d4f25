// SPDX-License-Identifier: MIT
// The geometry of convolutions in any number of dimensions. Transposed ones are the same with the sides swapped: the
// large side is then the result. Weights are (small channels, large channels / groups, kernel...) either way.
#pragma once

#include "core/exec/windows.h"

namespace reinspect::exec
{

struct Convolution
{
    WindowGrid grid;
    std::int64_t batch = 1;
    std::int64_t groups = 1;
    std::int64_t smallChannels = 0;
    std::int64_t largeChannels = 0;
    bool isTransposed = false;
    Sizes resultSizes;

    std::int64_t smallRows() const { return smallChannels / groups; } // of one group
    std::int64_t largeRows() const { return largeChannels / groups; }
    std::int64_t windowRows() const { return largeRows() * grid.kernelCount(); }
    std::int64_t smallStep() const { return smallRows() * grid.smallCount(); }
    std::int64_t largeStep() const { return largeRows() * grid.largeCount(); }
    std::int64_t weightStep() const { return smallRows() * windowRows(); }
};

// By the arguments of convolution and of its gradient. The error says what does not fit.
Result<Convolution> convolutionOf(const KernelCall& call, const Tensor& input,
                                  const Tensor& weight);
// A batch of one where it has none, as PyTorch takes it.
Tensor withBatch(Tensor tensor, bool isSingle);

} // namespace reinspect::exec
