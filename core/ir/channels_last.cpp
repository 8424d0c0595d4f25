// SPDX-License-Identifier: MIT
#include "core/ir/channels_last.h"

#include "core/ir/rule_call.h"

namespace reinspect
{
namespace
{

using Sizes = std::vector<SymExpr>;

Sizes channelsLastStrides(const Sizes& sizes)
{
    Sizes strides(sizes.size());
    SymExpr stride = sizes[1];
    strides[1] = 1;
    for (std::size_t dim = sizes.size(); dim-- > 2;)
    {
        strides[dim] = stride;
        stride = stride * sizes[dim];
    }
    strides[0] = stride;
    return strides;
}

} // namespace

bool isChannelsLast(const TensorMeta& meta)
{
    const bool hasForm = meta.sizes.size() == 4 || meta.sizes.size() == 5;
    return hasForm && !isContiguous(meta) && *meta.strides == channelsLastStrides(meta.sizes);
}

TensorMeta laidOut(TensorMeta result, bool channelsLast)
{
    if (channelsLast && result.sizes.size() > 2)
        result.strides = channelsLastStrides(result.sizes);
    return result;
}

TensorMeta formatLike(const TensorMeta& meta)
{
    return laidOut(freshLike(meta, meta.sizes), isChannelsLast(meta));
}

} // namespace reinspect
