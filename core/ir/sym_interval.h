// SPDX-License-Identifier: MIT
// Which values can a polynomial take, given the ranges of its symbols? Interval arithmetic, so the
// answer may be wider than the truth and never narrower. For shape_env.
#pragma once

#include "core/ir/shape_env.h"
#include "core/ir/sym_polynomial.h"

#include <limits>

namespace reinspect
{

struct SymInterval
{
    static constexpr std::int64_t kNoLower = std::numeric_limits<std::int64_t>::min();
    static constexpr std::int64_t kNoUpper = std::numeric_limits<std::int64_t>::max();

    std::int64_t lower = kNoLower;
    std::int64_t upper = kNoUpper;
};

SymInterval intervalOf(const SymPolynomial& polynomial, const ShapeEnv& shapes);

} // namespace reinspect
