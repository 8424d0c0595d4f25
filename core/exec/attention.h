// SPDX-License-Identifier: MIT
// softmax(query key^T scale + bias) value for each head, and its parts that forward and backward share.
// Sizes: query (batch, heads, queries, depth), key (batch, key heads, keys, depth), value (batch, key heads,
// keys, value depth). Fewer key heads than heads are shared between neighbours. Scores are added up in float32
// (float64 for float64) and nothing is rounded in between.
#pragma once

#include "core/exec/kernel_call.h"
#include "core/exec/philox.h"

namespace reinspect::exec
{

struct Attention
{
    Tensor query;
    Tensor key;
    Tensor value;
    std::optional<Tensor> bias; // broadcast to (batch, heads, queries, keys)
    Sizes biasSizes;            // before that
    bool isMask = false;        // the bias is bool: false hides a key
    bool isCausal = false;      // query i sees the keys up to i
    double scale = 1;
    double dropChance = 0;        // of a weight; what is kept is multiplied by 1 / (1 - chance)
    std::uint64_t dropStream = 0; // of Philox: the forward node's name, handed on as "philox_seed"
    std::uint64_t seed = 0;       // of the run
    std::optional<Tensor> keepMask; // given in place of drawn numbers; bool, broadcast
    std::int64_t batch = 0;
    std::int64_t heads = 0;
    std::int64_t keyHeads = 0;
    std::int64_t queries = 0;
    std::int64_t keys = 0;
    std::int64_t depth = 0;
    std::int64_t valueDepth = 0;

    std::int64_t keyHead(std::int64_t head) const { return head / (heads / keyHeads); }
};

// By the names of the arguments. The error says what does not fit, and where a gradient is not told what the
// forward step dropped.
Result<Attention> attentionOf(const KernelCall& call);

// Operands read once, row by row.
template<typename C>
struct AttentionValues
{
    std::vector<C> query;
    std::vector<C> key;
    std::vector<C> value;
    std::vector<C> bias; // empty: none

    explicit AttentionValues(const Attention& attention);
};

// 0 for each weight of one head that is dropped, else the factor of what is kept; queries x keys. Empty where
// nothing is dropped.
template<typename C>
std::vector<C> keepFactors(const Attention& attention, std::int64_t batch, std::int64_t head);

// What devices give beside the result, and how they lay it out: (batch, queries, heads, depth).
Sizes attendedStrides(const Attention& attention);
// The sizes of the logarithms of the sums: as captured (some kernels pad the queries), otherwise one a query.
Sizes logSumSizes(const KernelCall& call, const Attention& attention);
// The parts behind those two: lengths, and zeros that nobody but the gradient's own kernel reads. Where weights are
// dropped one of them says which, for the gradient to drop the same.
Result<void> addCompanions(const KernelCall& call, const Attention& attention,
                           std::vector<Value>& parts);

// The scores of one head, queries x keys; -inf where a key is hidden.
template<typename C>
void attentionScores(const Attention& attention, const AttentionValues<C>& values,
                     std::int64_t batch, std::int64_t head, std::vector<C>& scores);

} // namespace reinspect::exec
