// SPDX-License-Identifier: MIT
#include "core/exec/convolution.h"

#include <algorithm>

namespace reinspect::exec
{
namespace
{

Error unfit(const KernelCall& call, const Tensor& input, const Tensor& weight)
{
    return call.error("input " + tensorText(input) + " and weight " + tensorText(weight)
                      + " do not fit");
}

// The sides' sizes from the input's.
Result<void> placeSides(const KernelCall& call, Convolution& conv, const Tensor& input)
{
    const Sizes spatial(input.sizes.begin() + 2, input.sizes.end());
    conv.batch = input.sizes[0];
    (conv.isTransposed ? conv.grid.small : conv.grid.large) = spatial;
    if (conv.isTransposed)
    {
        REINSPECT_TRY(const Sizes extra,
                      spatialArgument(call, "output_padding", spatial.size(), {0}));
        for (std::size_t d = 0; d < spatial.size(); ++d)
            conv.grid.large.push_back(
                (spatial[d] - 1) * conv.grid.stride[d] - 2 * conv.grid.padding[d]
                + conv.grid.dilation[d] * (conv.grid.kernel[d] - 1) + extra[d] + 1);
    }
    else
        conv.grid.small = conv.grid.windowCounts();
    for (const Sizes* side : {&conv.grid.large, &conv.grid.small})
        for (const std::int64_t size : *side)
            if (size < 1)
                return call.error("the kernel " + sizesText(conv.grid.kernel)
                                  + " does not fit into the padded input " + sizesText(spatial));
    return {};
}

} // namespace

Result<Convolution> convolutionOf(const KernelCall& call, const Tensor& input, const Tensor& weight)
{
    Convolution conv;
    const std::size_t rank = weight.rank() < 3 ? 0 : weight.rank() - 2;
    REINSPECT_TRY(conv.groups, call.integer("groups"));
    conv.isTransposed = call.flag("transposed");
    if (rank == 0 || input.rank() != rank + 2 || conv.groups < 1 || input.dtype != weight.dtype)
        return unfit(call, input, weight);
    conv.grid.kernel.assign(weight.sizes.begin() + 2, weight.sizes.end());
    REINSPECT_TRY(conv.grid.stride, spatialArgument(call, "stride", rank, {1}));
    REINSPECT_TRY(conv.grid.padding, spatialArgument(call, "padding", rank, {0}));
    REINSPECT_TRY(conv.grid.dilation, spatialArgument(call, "dilation", rank, {1}));
    if (std::ranges::min(conv.grid.stride) < 1 || std::ranges::min(conv.grid.dilation) < 1)
        return call.error("stride and dilation must be positive");
    conv.smallChannels = weight.sizes[0];
    conv.largeChannels = weight.sizes[1] * conv.groups;
    const std::int64_t channels = conv.isTransposed ? conv.smallChannels : conv.largeChannels;
    if (input.sizes[1] != channels || conv.smallChannels % conv.groups != 0)
        return unfit(call, input, weight);
    REINSPECT_CHECK(placeSides(call, conv, input));
    conv.resultSizes = {conv.batch, conv.isTransposed ? conv.largeChannels : conv.smallChannels};
    for (const std::int64_t size : conv.isTransposed ? conv.grid.large : conv.grid.small)
        conv.resultSizes.push_back(size);
    return conv;
}

Tensor withBatch(Tensor tensor, bool isSingle)
{
    if (isSingle)
    {
        tensor.sizes.insert(tensor.sizes.begin(), 1);
        tensor.strides.insert(tensor.strides.begin(), tensor.count());
    }
    return tensor;
}

} // namespace reinspect::exec
