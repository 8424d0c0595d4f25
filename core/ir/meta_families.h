// SPDX-License-Identifier: MIT
// The rules of meta_rules by family. Each answers nothing for an operator of another family and where an
// operand that matters is not known.
#pragma once

#include "core/ir/rule_call.h"

namespace reinspect
{

std::optional<TensorMeta> pointwiseMeta(const RuleCall& call); // add, where, clone, _to_copy
std::optional<TensorMeta> reductionMeta(const RuleCall& call); // sum, amax, argmax, softmax
std::optional<TensorMeta> productMeta(const RuleCall& call);   // mm, addmm, matmul
std::optional<TensorMeta> factoryMeta(const RuleCall& call); // full, arange, new_zeros, empty_like
std::optional<TensorMeta> gatherMeta(const RuleCall& call);  // cat, index, embedding, scatters
std::optional<TensorMeta>
reshapeMeta(const RuleCall& call); // every view, aliases, in-place operators
std::optional<TensorMeta> windowMeta(const RuleCall& call); // convolution, avg_pool2d
// Result `index` of convolution_backward, max_pool2d_with_indices.
std::optional<TensorMeta> windowPartMeta(const RuleCall& call, std::size_t index);
// Result `index` of _scaled_dot_product_flash_attention and its like.
std::optional<TensorMeta> attentionPartMeta(const RuleCall& call, std::size_t index);
// Result `index` of native_layer_norm, native_batch_norm, native_dropout.
std::optional<TensorMeta> normalizationPartMeta(const RuleCall& call, std::size_t index);
// Result `index` of var_mean, max.dim, sort, topk.
std::optional<TensorMeta> reductionPartMeta(const RuleCall& call, std::size_t index);
// Result `index` of an operator that gives several.
std::optional<TensorMeta> partMeta(const RuleCall& call, std::size_t index);
// wrapper['key'] of a functional Triton wrapper: a copy of the kernel's argument.
std::optional<TensorMeta> kernelArgumentMeta(const RuleCall& wrapper, std::string_view key);

} // namespace reinspect
