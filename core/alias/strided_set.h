// SPDX-License-Identifier: MIT
// A set of whole numbers: `start` plus any multiple of each step up to its count. That is what a
// tensor touches of its storage, counted in elements or in bytes. Questions about two such sets are
// answered exactly by a search that prunes by extent and by common divisor; the work is bounded, and
// beyond the bound the answer is Unknown.
#pragma once

#include "core/ir/shape_env.h"

#include <span>
#include <vector>

namespace reinspect
{

struct StridedDimension
{
    std::int64_t count = 1; // 0 makes the set empty
    std::int64_t step = 0;  // may be 0 or negative as given, is positive once in a set

    friend bool operator==(const StridedDimension&, const StridedDimension&) = default;
};

// Always in one form: steps positive and ascending, counts at least 2, neighbours that step through
// memory without a gap joined into one. Equal sets often, not always, compare equal.
struct StridedSet
{
    std::int64_t start = 0;
    std::vector<StridedDimension> dimensions;
    std::int64_t last = 0; // the greatest member
    bool empty = false;

    friend bool operator==(const StridedSet&, const StridedSet&) = default;
};

// Nothing when a count is negative, or numbers leave the range that can be computed with (2^60).
std::optional<StridedSet> stridedSet(std::int64_t start, std::vector<StridedDimension> dimensions);

Known contains(const StridedSet& set, std::int64_t value);
Known setsMeet(const StridedSet& a, const StridedSet& b);
// Every member of `inner` is one of `outer`.
Known setCovers(const StridedSet& outer, const StridedSet& inner);
// Two different index tuples give the same number. Takes the dimensions as given, not as joined.
Known reachesTwice(std::vector<StridedDimension> dimensions);

} // namespace reinspect
