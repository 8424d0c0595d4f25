// SPDX-License-Identifier: MIT
// Embedding bags: sums, means or largest of the rows that the indices of each bag name, and their gradients.
#include "core/exec/joined_rows.h"
#include "core/exec/operands.h"

#include <algorithm>

namespace reinspect::exec
{
namespace
{

enum class BagMode : std::uint8_t
{
    Sum,
    Mean,
    Max,
};

Result<BagMode> modeOf(const KernelCall& call)
{
    REINSPECT_TRY(const std::int64_t mode, call.integer("mode"));
    if (mode < 0 || mode > 2)
        return call.error("mode " + std::to_string(mode) + " is none of 0, 1 and 2");
    return static_cast<BagMode>(mode);
}

struct Bags
{
    std::vector<std::int64_t> indices;
    std::vector<std::int64_t> bagOf; // by index
    std::int64_t count = 0;
    std::int64_t padding = -1;   // the row that is left out
    std::vector<double> weights; // by index; empty: 1
};

Result<Bags> bagsOf(const KernelCall& call, std::int64_t rows)
{
    REINSPECT_TRY(const Tensor indices, call.tensor("indices"));
    REINSPECT_TRY(const Tensor offsets, call.tensor("offsets"));
    Bags bags;
    bags.indices = readAll<std::int64_t>(indices);
    const std::vector<std::int64_t> starts = readAll<std::int64_t>(offsets);
    const auto all = static_cast<std::int64_t>(bags.indices.size());
    if (!std::ranges::is_sorted(starts)
        || (!starts.empty() && (starts.front() != 0 || starts.back() > all)))
        return call.error("the offsets of the bags do not lie in order from 0 to "
                          + std::to_string(all));
    bags.count = static_cast<std::int64_t>(starts.size());
    if (call.flag("include_last_offset"))
        bags.count = std::max<std::int64_t>(bags.count - 1, 0);
    bags.padding = call.optionalInteger("padding_idx").value_or(-1);
    for (std::int64_t i = 0, bag = 0; i < all; ++i)
    {
        while (bag + 1 < bags.count && starts[static_cast<std::size_t>(bag + 1)] <= i)
            ++bag;
        bags.bagOf.push_back(bag);
        if (const std::int64_t row = bags.indices[static_cast<std::size_t>(i)];
            row < 0 || row >= rows)
            return call.outOfRange(row, 0, rows);
    }
    if (const auto weights = call.optionalTensor("per_sample_weights"))
        bags.weights = readAll<double>(*weights);
    if (!bags.weights.empty() && bags.weights.size() != bags.indices.size())
        return call.error("as many weights as indices are needed");
    return bags;
}

struct Summed
{
    std::vector<double> result;        // (bags, width)
    std::vector<std::int64_t> counts;  // of indices, padding aside
    std::vector<std::int64_t> largest; // rows, by element of the result; only for Max
};

Summed summed(const Bags& bags, const std::vector<double>& rows, std::int64_t width, BagMode mode)
{
    Summed made;
    made.result.assign(static_cast<std::size_t>(bags.count * width), 0);
    made.counts.assign(static_cast<std::size_t>(bags.count), 0);
    if (mode == BagMode::Max)
        made.largest.assign(made.result.size(), -1);
    for (std::size_t i = 0; i < bags.indices.size() && bags.count > 0; ++i)
    {
        if (bags.indices[i] == bags.padding)
            continue;
        ++made.counts[static_cast<std::size_t>(bags.bagOf[i])];
        for (std::int64_t k = 0; k < width; ++k)
        {
            const auto at = static_cast<std::size_t>(bags.bagOf[i] * width + k);
            const double value = rows[static_cast<std::size_t>(bags.indices[i] * width + k)]
                * (bags.weights.empty() ? 1 : bags.weights[i]);
            if (mode != BagMode::Max)
                made.result[at] += value;
            else if (made.largest[at] < 0 || value > made.result[at])
            {
                made.result[at] = value;
                made.largest[at] = bags.indices[i];
            }
        }
    }
    for (std::size_t at = 0; mode == BagMode::Mean && at < made.result.size(); ++at)
        if (const auto count = made.counts[at / static_cast<std::size_t>(width)]; count > 0)
            made.result[at] /= static_cast<double>(count);
    return made;
}

// A part that only the gradient reads: as long as the capture says, since devices differ in what they keep.
Result<Value> keptPart(const KernelCall& call, std::size_t part, Sizes sizes,
                       const std::vector<std::int64_t>& values)
{
    if (const TensorMeta* meta = call.expectedTensor(part))
        if (meta->sizes.size() == 1 && sizes.size() == 1)
            sizes[0] = meta->sizes[0].constant().value_or(sizes[0]);
    REINSPECT_TRY(const Tensor indices, call.tensor("indices"));
    REINSPECT_TRY(const Tensor result, call.result(indices.dtype, sizes, part));
    std::vector<std::int64_t> filled = values;
    filled.resize(static_cast<std::size_t>(result.count()), 0);
    writeAll<std::int64_t>(result, filled);
    return Value(result);
}

Result<Value> embeddingBag(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor weight, call.tensor("weight"));
    REINSPECT_TRY(const BagMode mode, modeOf(call));
    if (weight.rank() != 2 || !isFloating(weight.dtype))
        return call.error("weights " + tensorText(weight) + " are no matrix of floats");
    REINSPECT_TRY(const Bags bags, bagsOf(call, weight.sizes[0]));
    const std::int64_t width = weight.sizes[1];
    const Summed made = summed(bags, readAll<double>(weight), width, mode);
    REINSPECT_TRY(const Tensor result, call.result(weight.dtype, {bags.count, width}));
    writeAll<double>(result, made.result);
    std::vector<Value> parts{Value(result)};
    const bool isMax = mode == BagMode::Max;
    for (const auto& [sizes, values] :
         {std::pair{Sizes{static_cast<std::int64_t>(bags.bagOf.size())}, &bags.bagOf},
          {Sizes{bags.count}, &made.counts},
          {isMax ? Sizes{bags.count, width} : Sizes{0}, &made.largest}})
    {
        REINSPECT_TRY(Value part, keptPart(call, parts.size(), sizes, *values));
        parts.push_back(std::move(part));
    }
    return listOf(std::move(parts));
}

// How often each row was asked for.
std::vector<double> frequencies(const std::vector<std::int64_t>& indices, std::int64_t rows)
{
    std::vector<double> counts(static_cast<std::size_t>(rows), 0);
    for (const std::int64_t index : indices)
        ++counts[static_cast<std::size_t>(index)];
    return counts;
}

struct BagGradient
{
    std::vector<double> grad; // (bags, width)
    std::int64_t bags = 0;
    std::int64_t width = 0;
    std::vector<std::int64_t> indices;
    std::vector<std::int64_t> bagOf;
};

Result<BagGradient> bagGradientOf(const KernelCall& call, std::int64_t rows)
{
    REINSPECT_TRY(const Tensor grad, call.tensor("grad"));
    REINSPECT_TRY(const Tensor indices, call.tensor("indices"));
    REINSPECT_TRY(const Tensor bagOf, call.tensor("offset2bag"));
    if (grad.rank() != 2 || bagOf.count() != indices.count())
        return call.error("gradient " + tensorText(grad) + " and bags " + tensorText(bagOf)
                          + " do not fit");
    BagGradient made{readAll<double>(grad), grad.sizes[0], grad.sizes[1],
                     readAll<std::int64_t>(indices), readAll<std::int64_t>(bagOf)};
    for (const std::int64_t index : made.indices)
        if (index < 0 || index >= rows)
            return call.outOfRange(index, 0, rows);
    for (const std::int64_t bag : made.bagOf)
        if (bag < 0 || bag >= made.bags)
            return call.outOfRange(bag, 0, made.bags);
    return made;
}

Result<std::vector<double>> largestGradient(const KernelCall& call, const BagGradient& at,
                                            std::int64_t rows)
{
    REINSPECT_TRY(const Tensor largest, call.tensor("maximum_indices"));
    const std::vector<std::int64_t> chosen = readAll<std::int64_t>(largest);
    if (chosen.size() != at.grad.size())
        return call.error("rows " + tensorText(largest) + " of another gradient");
    std::vector<double> made(static_cast<std::size_t>(rows * at.width), 0);
    for (std::size_t i = 0; i < chosen.size(); ++i)
        if (chosen[i] >= 0 && chosen[i] < rows)
            made[static_cast<std::size_t>(chosen[i] * at.width)
                 + i % static_cast<std::size_t>(at.width)] += at.grad[i];
    return made;
}

Result<std::vector<double>> summedGradient(const KernelCall& call, const BagGradient& at,
                                           std::int64_t rows, BagMode mode)
{
    REINSPECT_TRY(const Tensor sizes, call.tensor("bag_size"));
    const std::vector<double> counts = readAll<double>(sizes);
    const std::int64_t padding = call.optionalInteger("padding_idx").value_or(-1);
    std::vector<double> weights;
    if (const auto given = call.optionalTensor("per_sample_weights"))
        weights = readAll<double>(*given);
    std::vector<double> often;
    if (call.flag("scale_grad_by_freq"))
        often = frequencies(at.indices, rows);
    std::vector<double> made(static_cast<std::size_t>(rows * at.width), 0);
    for (std::size_t i = 0; i < at.indices.size(); ++i)
    {
        const auto row = static_cast<std::size_t>(at.indices[i]);
        const auto bag = static_cast<std::size_t>(at.bagOf[i]);
        if (at.indices[i] == padding)
            continue;
        double factor = i < weights.size() ? weights[i] : 1;
        if (mode == BagMode::Mean && bag < counts.size() && counts[bag] > 0)
            factor /= counts[bag];
        if (!often.empty())
            factor /= often[row];
        for (std::size_t k = 0; k < static_cast<std::size_t>(at.width); ++k)
            made[row * static_cast<std::size_t>(at.width) + k] +=
                factor * at.grad[bag * static_cast<std::size_t>(at.width) + k];
    }
    return made;
}

Result<Value> embeddingBagDenseBackward(const KernelCall& call)
{
    REINSPECT_TRY(const std::int64_t rows, call.integer("num_weights"));
    REINSPECT_TRY(const BagMode mode, modeOf(call));
    REINSPECT_TRY(const BagGradient at, bagGradientOf(call, rows));
    REINSPECT_TRY(const Tensor grad, call.tensor("grad"));
    REINSPECT_TRY(const std::vector<double> made,
                  mode == BagMode::Max ? largestGradient(call, at, rows)
                                       : summedGradient(call, at, rows, mode));
    REINSPECT_TRY(const Tensor result, call.result(grad.dtype, {rows, at.width}));
    writeAll<double>(result, made);
    return Value(result);
}

Result<Value> embeddingBagWeightsBackward(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor weight, call.tensor("weight"));
    if (weight.rank() != 2)
        return call.error("weights " + tensorText(weight) + " are no matrix");
    REINSPECT_TRY(const BagGradient at, bagGradientOf(call, weight.sizes[0]));
    if (at.width != weight.sizes[1])
        return call.error("a gradient of " + std::to_string(at.width) + " columns for weights "
                          + tensorText(weight));
    const std::vector<double> rows = readAll<double>(weight);
    const std::int64_t padding = call.optionalInteger("padding_idx").value_or(-1);
    std::vector<double> made(at.indices.size(), 0);
    const auto width = static_cast<std::size_t>(at.width);
    for (std::size_t i = 0; i < made.size(); ++i)
        for (std::size_t k = 0; k < width && at.indices[i] != padding; ++k)
            made[i] += at.grad[static_cast<std::size_t>(at.bagOf[i]) * width + k]
                * rows[static_cast<std::size_t>(at.indices[i]) * width + k];
    REINSPECT_TRY(const Tensor result,
                  call.result(weight.dtype, {static_cast<std::int64_t>(made.size())}));
    writeAll<double>(result, made);
    return Value(result);
}

const KernelRow table[] = {
    {"aten._embedding_bag.default", embeddingBag},
    {"aten._embedding_bag_forward_only.default", embeddingBag},
    {"aten._embedding_bag_dense_backward.default", embeddingBagDenseBackward},
    {"aten._embedding_bag_per_sample_weights_backward.default", embeddingBagWeightsBackward},
};

} // namespace

std::span<const KernelRow> embeddingBagRows()
{
    return table;
}

} // namespace reinspect::exec
