// SPDX-License-Identifier: MIT
// Metadata where a dump has none: each call's result from those of its operands, by its operator's rule.
//
//     def forward(self, x: "f32[8, 4]"):
//         t = torch.ops.aten.t.default(x)        # f32[4, 8][1, 4]
//         y = torch.ops.demo.op.default(t)       # not known, and so is all that depends on it
//
// What is worked out is marked (TensorMeta::isInferred): it is never written to a file, and a verdict that
// rests on it says so. What a dump says of a node stands.
#pragma once

#include "core/ir/rule_call.h"

#include <memory>

namespace reinspect
{

// The result of one call; nothing for an operator without a rule, an operand that is not known, or a shape
// beyond reason. A getitem is the part of its tuple.
std::optional<TensorMeta> resultMeta(const Graph& graph, NodeId node, const TensorLookup& tensors,
                                     const SizeLookup& sizes);

// The number that a node stands for: a printed symbolic size, or nothing.
std::optional<SymExpr> printedSize(const Graph& graph, NodeId node);

// The graph itself when nothing is added, or when it comes from a capture, which has all there is.
std::shared_ptr<const Graph> withInferredMeta(std::shared_ptr<const Graph> graph);

} // namespace reinspect
