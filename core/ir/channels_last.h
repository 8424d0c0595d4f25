// SPDX-License-Identifier: MIT
// The memory format in which channels lie innermost: sizes [N, C, H, W] with strides [H*W*C, 1, W*C, C].
#pragma once

#include "core/ir/tensor_meta.h"

namespace reinspect
{

// Of four or five dimensions, and not contiguous too.
bool isChannelsLast(const TensorMeta& meta);
// Dense, in that format or in row order.
TensorMeta laidOut(TensorMeta result, bool channelsLast);
// Memory of its own with the same sizes and format.
TensorMeta formatLike(const TensorMeta& meta);

} // namespace reinspect
