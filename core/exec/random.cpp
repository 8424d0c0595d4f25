// SPDX-License-Identifier: MIT
#include "core/exec/random.h"

#include "core/exec/operands.h"

namespace reinspect::exec
{

Result<Tensor> randomResult(const KernelCall& call, DType otherwise)
{
    if (call.has("self"))
    {
        REINSPECT_TRY(const Tensor self, call.tensor("self"));
        return call.result(call.dtype(self.dtype), self.sizes, 0, preservedStrides(self));
    }
    REINSPECT_TRY(Sizes sizes, call.integers("size"));
    return call.result(call.dtype(otherwise), std::move(sizes));
}

void noteRandom(const KernelCall& call)
{
    call.note("Random operators draw from Philox with the seed of this program, not from a "
              "device's generator.");
}

} // namespace reinspect::exec
