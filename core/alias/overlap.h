// SPDX-License-Identifier: MIT
// May two tensors of one storage touch the same element? Mirrors the overlap test of
// torch/_inductor/fx_passes/reinplace.py (`_overlap`): "disjoint" is upstream's certainty, anything
// else counts as overlap. Decided on numbers and on what is statically known of symbols, never on
// hints. For column blocks of one matrix upstream is wrong at times (see matrixBlocks); so is this.
#pragma once

#include "core/ir/shape_env.h"
#include "core/ir/tensor_meta.h"

namespace reinspect
{

enum class OverlapKind
{
    Disjoint, // upstream's rules show that they share no element
    Overlaps, // shares elements, or could not be shown not to
    Assumed,  // sizes that only the data decides, or geometry that the dump lacks: taken as overlap
};

struct OverlapAnswer
{
    OverlapKind kind = OverlapKind::Overlaps;
    std::string_view rule; // one constant phrase: "the second starts after the first ends"
};

OverlapAnswer mayOverlap(const TensorMeta& a, const TensorMeta& b, const ShapeEnv& shapes);

// Two indices of one tensor name the same element (an expanded tensor). Mirrors
// torch._debug_has_internal_overlap: Yes for a stride of 0 with size over 1, No when the elements
// fill their memory without a gap in some order of the dimensions, else Unknown ("too hard").
Known hasInternalOverlap(const TensorMeta& meta, const ShapeEnv& shapes);

} // namespace reinspect
