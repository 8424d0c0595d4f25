// SPDX-License-Identifier: MIT
// Views: the same storage, other sizes and strides, by the rules of core/ir/view_rules.h.
#include "core/exec/elements.h"
#include "core/exec/kernel_registry.h"

namespace reinspect::exec
{
namespace
{

Result<Value> detach(const KernelCall& call)
{
    REINSPECT_TRY(Tensor self, call.tensor(call.schema->arguments.front().name));
    return Value(std::move(self));
}

const KernelRow table[] = {
    {"aten.alias.default", detach},
    {"aten.detach.default", detach},
};

} // namespace

std::span<const KernelRow> viewKernels()
{
    return table;
}

} // namespace reinspect::exec
