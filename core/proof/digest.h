// SPDX-License-Identifier: MIT
// A number for what a value holds: equal content, dtypes and sizes give equal numbers, whatever the layout.
#pragma once

#include "core/exec/value.h"

namespace reinspect::proof
{

std::uint64_t digestOf(const exec::Tensor& tensor);
std::uint64_t digestOf(const exec::Value& value);

} // namespace reinspect::proof
