// SPDX-License-Identifier: MIT
#include "core/exec/clones.h"

#include "core/exec/elements.h"

namespace reinspect::exec
{

Result<Tensor> cloneKeepingStrides(const KernelCall& call, const Tensor& tensor)
{
    const std::int64_t length = extent(tensor.sizes, tensor.strides).value_or(0);
    REINSPECT_TRY(const Tensor flat, call.allocate(tensor.dtype, {length}));
    REINSPECT_TRY(const Tensor spanned, viewOf(tensor, {length}, {1}, tensor.offset));
    REINSPECT_CHECK(copyElements(flat, spanned));
    call.context->copiedBytes += flat.storage->bytes();
    return viewOf(flat, tensor.sizes, tensor.strides, 0);
}

} // namespace reinspect::exec
