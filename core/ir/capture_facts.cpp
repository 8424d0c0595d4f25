// SPDX-License-Identifier: MIT
#include "core/ir/capture_facts.h"

#include <algorithm>

namespace reinspect
{

const TritonKernel* CaptureFacts::kernel(std::int64_t index) const
{
    const auto found =
        std::find_if(kernels.begin(), kernels.end(),
                     [index](const TritonKernel& kernel) { return kernel.index == index; });
    return found == kernels.end() ? nullptr : &*found;
}

const TritonConstants* CaptureFacts::constants(std::int64_t index) const
{
    const auto found = std::ranges::find(tritonConstants, index, &TritonConstants::index);
    return found == tritonConstants.end() ? nullptr : &*found;
}

const CustomOperator* CaptureFacts::customOperator(std::string_view target) const
{
    const auto found =
        std::find_if(operators.begin(), operators.end(),
                     [target](const CustomOperator& op) { return op.target == target; });
    return found == operators.end() ? nullptr : &*found;
}

} // namespace reinspect
