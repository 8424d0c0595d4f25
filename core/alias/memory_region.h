// SPDX-License-Identifier: MIT
// Which elements of its storage a tensor touches, exactly where sizes are numbers. Unlike overlap.h,
// which mirrors upstream's test with its weaknesses, this says Disjoint and Meet only when certain:
// with symbols only what holds for every value that ShapeEnv allows. Tensors whose elements have
// different widths (view.dtype) are compared byte by byte.
#pragma once

#include "core/alias/strided_set.h"
#include "core/ir/tensor_meta.h"

namespace reinspect
{

enum class RegionKind
{
    Disjoint, // no byte is in both
    Meet,     // some byte is in both
    Unknown,
};

struct RegionAnswer
{
    RegionKind kind = RegionKind::Unknown;
    std::string_view reason; // one constant phrase
};

// Both must lie in the same storage. A tensor without strides, offset or a known width is Unknown.
RegionAnswer regionsMeet(const TensorMeta& a, const TensorMeta& b, const ShapeEnv& shapes);

// Every byte of `inner` is one of `outer`: writing the outer writes all of the inner.
Known regionCovers(const TensorMeta& outer, const TensorMeta& inner, const ShapeEnv& shapes);

// The same index names the same bytes in both.
Known sameRegion(const TensorMeta& a, const TensorMeta& b, const ShapeEnv& shapes);

// Two indices of one tensor share a byte (an expanded tensor, some as_strided ones).
Known regionMeetsItself(const TensorMeta& meta, const ShapeEnv& shapes);

// Bytes touched, when every size, stride and the offset is a number that can be computed with.
std::optional<StridedSet> bytesTouched(const TensorMeta& meta);

} // namespace reinspect
