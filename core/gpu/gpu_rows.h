// SPDX-License-Identifier: MIT
// Operators of the table that the device runs by kernels of its own: a row a name, as in core/exec/kernel_registry.h,
// with the same schema. A function that finds a case that it has no kernel for hands it to exec::runOnHost().
#pragma once

#include "core/exec/kernel_registry.h"

#include <span>

namespace reinspect::gpu
{

std::span<const exec::KernelRow> attentionRows();
std::span<const exec::KernelRow> attentionBackwardRows();
std::span<const exec::KernelRow> productRows();
std::span<const exec::KernelRow> reductionRows();
std::span<const exec::KernelRow> lineRows();
std::span<const exec::KernelRow> indexRows();
std::span<const exec::KernelRow> scatterRows();
std::span<const exec::KernelRow> orderRows();
std::span<const exec::KernelRow> convolutionRows();
std::span<const exec::KernelRow> padRows();
std::span<const exec::KernelRow> poolRows();

// Null: no row.
exec::KernelFunction findRow(std::string_view name);

} // namespace reinspect::gpu
