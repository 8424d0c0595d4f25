// SPDX-License-Identifier: MIT
// What an operator does with the memory of its operands, where its schema does not say.
#pragma once

#include "core/alias/view_geometry.h"

namespace reinspect
{

// Its first operand gives shape, dtype and device only.
bool ignoresFirstOperand(const OpTarget& target);
// A view that may turn out to be a copy, which then reads here and now.
bool mayCopy(const OpTarget& target);
// A higher-order operator that writes nothing: what its body writes is functionalized.
bool isFunctionalWrapper(const OpTarget& target);
// Python's arithmetic on sizes. In-place operators are not among it (operator.iadd).
bool isPlainTarget(const OpTarget& target);
// "aten.slice.Tensor" for "aten.slice_scatter.default"; empty for what is no view scatter.
std::string_view viewOfScatter(const OpTarget& target);

// The part of `scatter`'s first operand that it replaces, by its list of views or its own arguments;
// nothing when it is no view scatter or a view has no rule.
std::optional<TensorMeta> scatteredPart(const Node& scatter, const TensorMeta& input);

// The schema of a known or captured operator; empty when there is none.
std::string_view schemaOf(const OpTarget& target, const CaptureFacts& facts);

} // namespace reinspect
