// SPDX-License-Identifier: MIT
// One family of operators whose rows lie in several files.
#pragma once

#include "core/exec/kernel_registry.h"

#include <vector>

namespace reinspect::exec
{

inline std::vector<KernelRow> joinedRows(std::initializer_list<std::span<const KernelRow>> tables)
{
    std::vector<KernelRow> rows;
    for (const std::span<const KernelRow>& table : tables)
        rows.insert(rows.end(), table.begin(), table.end());
    return rows;
}

// Parts of families that kernel_registry.h lists.
std::span<const KernelRow> scaledProductRows(); // of the products
std::span<const KernelRow> embeddingBagRows();  // of what is gathered
std::span<const KernelRow> cubicRows();         // of resampling
std::span<const KernelRow> gridRows();
std::span<const KernelRow> drawRows();        // of random operators
std::span<const KernelRow> complexViewRows(); // of views
std::span<const KernelRow> fourierRows();     // of special functions
std::span<const KernelRow> splitNumberRows();

} // namespace reinspect::exec
