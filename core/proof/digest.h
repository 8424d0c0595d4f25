// SPDX-License-Identifier: MIT
// A number for what a value holds: equal content, dtypes and sizes give equal numbers, whatever the layout and
// wherever it lies: a device works it out for what it holds.
#pragma once

#include "core/exec/value.h"

namespace reinspect::proof
{

std::uint64_t digestOf(const exec::Tensor& tensor);
std::uint64_t digestOf(const exec::Value& value);

} // namespace reinspect::proof
