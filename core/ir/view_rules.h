// SPDX-License-Identifier: MIT
// Sizes, strides and offset of a view operator's result, as PyTorch computes them.
#pragma once

#include "core/ir/tensor_meta.h"

#include <optional>
#include <span>

namespace reinspect
{

// Result of a view operator applied to a tensor with `base` metadata. `args` are the arguments after
// the tensor. Nothing for an operator without a rule here or for arguments that are not plain numbers.
// Storage and device are the base's.
std::optional<TensorMeta> viewResult(std::string_view target, const TensorMeta& base,
                                     std::span<const Argument> args,
                                     std::span<const NamedArgument> kwargs);

} // namespace reinspect
