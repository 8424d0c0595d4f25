// SPDX-License-Identifier: MIT
// Convolution in any number of dimensions as products of matrices over gathered windows. Transposed ones are
// the same with the sides swapped: the large side is then the result. Weights are (small channels,
// large channels / groups, kernel...) either way.
#include "core/exec/convolution.h"
#include "core/exec/gemm.h"
#include "core/exec/kernel_registry.h"
#include "core/exec/normalization.h"
#include "core/exec/operands.h"

#include <algorithm>

namespace reinspect::exec
{
namespace
{

struct Gathered : Convolution
{
    std::vector<std::int64_t> places;

    explicit Gathered(Convolution convolution)
        : Convolution(std::move(convolution))
        , places(windowPlaces(grid))
    {}
};

// rows[(channel, place in the kernel)][window] from the channels of a group.
template<typename C>
void gatherWindows(const Gathered& conv, const C* large, C* rows)
{
    const std::size_t windows = conv.places.size();
    for (std::int64_t channel = 0; channel < conv.largeRows(); ++channel)
    {
        const C* from = large + channel * conv.grid.largeCount();
        for (std::size_t i = 0; i < windows; ++i)
            *rows++ = conv.places[i] < 0 ? C(0) : from[conv.places[i]];
    }
}

template<typename C>
void spreadWindows(const Gathered& conv, const C* rows, C* large)
{
    const std::size_t windows = conv.places.size();
    for (std::int64_t channel = 0; channel < conv.largeRows(); ++channel)
    {
        C* to = large + channel * conv.grid.largeCount();
        for (std::size_t i = 0; i < windows; ++i, ++rows)
            if (conv.places[i] >= 0)
                to[conv.places[i]] += *rows;
    }
}

template<typename C>
std::vector<C> zeros(std::int64_t count)
{
    return std::vector<C>(static_cast<std::size_t>(count), C(0));
}

// visit(small, large, weight): offsets of each group of each batch.
template<typename Visit>
void forEachGroup(const Gathered& conv, Visit&& visit)
{
    for (std::int64_t n = 0; n < conv.batch; ++n)
        for (std::int64_t g = 0; g < conv.groups; ++g)
            visit((n * conv.groups + g) * conv.smallStep(),
                  (n * conv.groups + g) * conv.largeStep(), g * conv.weightStep());
}

template<typename C>
std::vector<C> smallFrom(const Gathered& conv, const std::vector<C>& large,
                         const std::vector<C>& weight)
{
    const std::int64_t windows = conv.grid.smallCount();
    std::vector<C> small = zeros<C>(conv.batch * conv.groups * conv.smallStep());
    std::vector<C> rows = zeros<C>(conv.windowRows() * windows);
    forEachGroup(conv, [&](std::int64_t s, std::int64_t l, std::int64_t w) {
        gatherWindows<C>(conv, large.data() + l, rows.data());
        multiplyMatrices<C>({weight.data() + w, conv.smallRows(), conv.windowRows()},
                            {rows.data(), conv.windowRows(), windows}, small.data() + s);
    });
    return small;
}

template<typename C>
std::vector<C> largeFrom(const Gathered& conv, const std::vector<C>& small,
                         const std::vector<C>& weight)
{
    const std::int64_t windows = conv.grid.smallCount();
    std::vector<C> large = zeros<C>(conv.batch * conv.groups * conv.largeStep());
    std::vector<C> rows = zeros<C>(conv.windowRows() * windows);
    forEachGroup(conv, [&](std::int64_t s, std::int64_t l, std::int64_t w) {
        multiplyMatrices<C>({weight.data() + w, conv.windowRows(), conv.smallRows(), true},
                            {small.data() + s, conv.smallRows(), windows}, rows.data());
        spreadWindows<C>(conv, rows.data(), large.data() + l);
    });
    return large;
}

// The batches are added up in double: there may be many.
template<typename C>
std::vector<double> weightFrom(const Gathered& conv, const std::vector<C>& small,
                               const std::vector<C>& large)
{
    const std::int64_t windows = conv.grid.smallCount();
    std::vector<double> weight = zeros<double>(conv.groups * conv.weightStep());
    std::vector<C> part = zeros<C>(conv.weightStep());
    std::vector<C> rows = zeros<C>(conv.windowRows() * windows);
    forEachGroup(conv, [&](std::int64_t s, std::int64_t l, std::int64_t w) {
        gatherWindows<C>(conv, large.data() + l, rows.data());
        multiplyMatrices<C>({small.data() + s, conv.smallRows(), windows},
                            {rows.data(), windows, conv.windowRows(), true}, part.data());
        for (std::size_t i = 0; i < part.size(); ++i)
            weight[static_cast<std::size_t>(w) + i] += static_cast<double>(part[i]);
    });
    return weight;
}

template<typename C>
void addBias(const Sizes& sizes, std::vector<C>& values, const std::vector<C>& bias)
{
    const std::size_t inner =
        values.size() / static_cast<std::size_t>(std::max<std::int64_t>(sizes[0] * sizes[1], 1));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] += bias[i / inner % bias.size()];
}

Result<Value> convolution(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor given, call.tensor("input"));
    REINSPECT_TRY(const Tensor weight, call.tensor("weight"));
    const std::optional<Tensor> bias = call.optionalTensor("bias");
    const bool isSingle = given.rank() + 1 == weight.rank();
    const Tensor input = withBatch(given, isSingle);
    REINSPECT_TRY(Convolution shape, convolutionOf(call, input, weight));
    const Gathered conv(std::move(shape));
    if (!isFloating(input.dtype))
        return call.unsupported("not for dtype " + std::string(dtypeName(input.dtype)));
    if (bias && bias->count() != conv.resultSizes[1])
        return call.error("a bias of " + std::to_string(bias->count()) + " elements for "
                          + std::to_string(conv.resultSizes[1]) + " channels");
    Sizes sizes = conv.resultSizes;
    if (isSingle)
        sizes.erase(sizes.begin());
    REINSPECT_TRY(const Tensor result,
                  call.result(input.dtype, sizes, 0, stridesLike(given, sizes)));
    dispatchFloating(computeKind(input.dtype), [&]<typename C>(TypeTag<C>) {
        const std::vector<C> x = readAll<C>(input);
        const std::vector<C> w = readAll<C>(weight);
        std::vector<C> made = conv.isTransposed ? largeFrom(conv, x, w) : smallFrom(conv, x, w);
        if (bias)
            addBias(conv.resultSizes, made, readAll<C>(*bias));
        writeAll<C>(result, made);
    });
    return Value(result);
}

// Sums over all but the channels.
std::vector<double> channelSums(const Tensor& grad)
{
    const auto channels = static_cast<std::size_t>(grad.sizes[1]);
    const std::vector<double> values = readAll<double>(grad);
    std::vector<double> sums(channels, 0);
    const std::size_t inner =
        values.empty() ? 1 : values.size() / (channels * static_cast<std::size_t>(grad.sizes[0]));
    for (std::size_t i = 0; i < values.size(); ++i)
        sums[i / inner % channels] += values[i];
    return sums;
}

Result<Value> convolutionBackward(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor givenGrad, call.tensor("grad_output"));
    REINSPECT_TRY(const Tensor givenInput, call.tensor("input"));
    REINSPECT_TRY(const Tensor weight, call.tensor("weight"));
    const bool isSingle = givenInput.rank() + 1 == weight.rank();
    const Tensor grad = withBatch(givenGrad, isSingle);
    const Tensor input = withBatch(givenInput, isSingle);
    REINSPECT_TRY(Convolution shape, convolutionOf(call, input, weight));
    const Gathered conv(std::move(shape));
    if (!isFloating(input.dtype) || grad.dtype != input.dtype)
        return call.unsupported("not for dtype " + std::string(dtypeName(input.dtype)));
    if (grad.sizes != conv.resultSizes)
        return call.error("a gradient " + tensorText(grad) + " for a result of sizes "
                          + sizesText(conv.resultSizes));
    std::array<Value, 3> parts;
    if (isPartAsked(call, "output_mask", 0))
    {
        REINSPECT_TRY(parts[0],
                      call.result(input.dtype, givenInput.sizes, 0,
                                  stridesLike(givenInput, givenInput.sizes)));
    }
    if (isPartAsked(call, "output_mask", 1))
    {
        REINSPECT_TRY(
            parts[1],
            call.result(weight.dtype, weight.sizes, 1, stridesLike(weight, weight.sizes)));
    }
    if (isPartAsked(call, "output_mask", 2))
    {
        REINSPECT_TRY(parts[2], call.result(grad.dtype, {grad.sizes[1]}, 2));
        writeAll<double>(*parts[2].tensor(), channelSums(grad));
    }
    dispatchFloating(computeKind(input.dtype), [&]<typename C>(TypeTag<C>) {
        const std::vector<C> g = readAll<C>(grad);
        const std::vector<C> x = readAll<C>(input);
        const std::vector<C> w = readAll<C>(weight);
        if (const Tensor* part = parts[0].tensor())
            writeAll<C>(*part, conv.isTransposed ? smallFrom(conv, g, w) : largeFrom(conv, g, w));
        if (const Tensor* part = parts[1].tensor())
            writeAll<double>(*part,
                             conv.isTransposed ? weightFrom(conv, x, g) : weightFrom(conv, g, x));
    });
    return listOf(std::vector<Value>(parts.begin(), parts.end()));
}

const KernelRow table[] = {
    {"aten.convolution.default", convolution},
    {"aten._convolution.default", convolution},
    {"aten.convolution_backward.default", convolutionBackward},
};

} // namespace

std::span<const KernelRow> convolutionKernels()
{
    return table;
}

} // namespace reinspect::exec
