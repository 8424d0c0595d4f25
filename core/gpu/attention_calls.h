// SPDX-License-Identifier: MIT
// Attention as products of matrices, for its rows forward and backward. Heads that share a key lie behind each other,
// so that a batch of the products is a key head: queries are (batch x key heads, heads of the key x queries, depth),
// scores (the same, the same, keys). Everything is added up in float32 (float64 for float64), as on the host.
#pragma once

#include "core/exec/attention.h"
#include "core/gpu/gpu_calls.h"

namespace reinspect::gpu
{

struct AttentionShape
{
    DType computed = DType::Float32;
    std::int64_t batches = 0; // of the products
    std::int64_t rows = 0;    // queries of one

    exec::Sizes wide;   // (batch, heads, queries, keys)
    exec::Sizes scores; // the same elements as a batch of matrices
};

// Nothing: the host's; what draws numbers, what is empty, and dtypes that cuBLAS does not know.
Result<std::optional<exec::Attention>> attentionHere(const exec::KernelCall& call);
AttentionShape shapeOf(const exec::Attention& attention);
// (batch, heads or key heads, rows, depth) as a batch of matrices in this dtype.
Result<exec::Tensor> matricesOf(const exec::KernelCall& call, const AttentionShape& shape,
                                const exec::Tensor& tensor, DType dtype);
// query key^T scale + bias, -inf where a key is hidden; without gaps, of the sizes `scores`.
Result<exec::Tensor> scoresOf(const exec::KernelCall& call, const exec::Attention& attention,
                              const AttentionShape& shape);
// a b as the elements of `result`, whatever its layout and dtype.
Result<void> multipliedInto(const exec::KernelCall& call, const AttentionShape& shape,
                            const exec::Tensor& result, const exec::Tensor& a,
                            const exec::Tensor& b, double alpha = 1);

} // namespace reinspect::gpu
