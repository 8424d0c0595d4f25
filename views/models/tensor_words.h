// SPDX-License-Identifier: MIT
// Sizes, places and amounts as the panels spell them.
#pragma once

#include <QString>

#include "core/ir/tensor_meta.h"

namespace reinspect
{

QString bytesText(const SymExpr& bytes); // "512 B", "1.5 MiB", "4*s77 B"
QString bytesText(std::int64_t bytes);
QString listText(const std::vector<SymExpr>& values); // "[8, 4]"
// Where a tensor lies in its storage: "offset 8, 3×4, strides (4, 1)".
QString regionText(const TensorMeta& meta);

} // namespace reinspect
