// SPDX-License-Identifier: MIT
#include "core/exec/clones.h"

#include "core/exec/elements.h"

namespace reinspect::exec
{

Result<Tensor> cloneKeepingStrides(const KernelCall& call, const Tensor& tensor)
{
    const std::int64_t spanned = extent(tensor.sizes, tensor.strides).value_or(0);
    const std::int64_t length = spanned > 0 ? tensor.offset + spanned : 0;
    REINSPECT_TRY(const Tensor flat, call.allocate(tensor.dtype, {length}));
    REINSPECT_TRY(const Tensor all, viewOf(tensor, {length}, {1}, 0));
    REINSPECT_CHECK(copyElements(flat, all));
    call.context->copiedBytes += flat.storage->bytes();
    return viewOf(flat, tensor.sizes, tensor.strides, length > 0 ? tensor.offset : 0);
}

} // namespace reinspect::exec
