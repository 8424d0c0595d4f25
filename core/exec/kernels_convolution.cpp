// SPDX-License-Identifier: MIT
// Convolution in any number of dimensions as products of matrices over gathered windows. Transposed ones are
// the same with the sides swapped: the large side is then the result. Weights are (small channels,
// large channels / groups, kernel...) either way.
#include "core/exec/gemm.h"
#include "core/exec/kernel_registry.h"
#include "core/exec/operands.h"
#include "core/exec/windows.h"

#include <algorithm>

namespace reinspect::exec
{
namespace
{

struct Convolution
{
    WindowGrid grid;
    std::int64_t batch = 1;
    std::int64_t groups = 1;
    std::int64_t smallChannels = 0;
    std::int64_t largeChannels = 0;
    bool isTransposed = false;
    Sizes resultSizes;
    std::vector<std::int64_t> places;

    std::int64_t smallRows() const { return smallChannels / groups; } // of one group
    std::int64_t largeRows() const { return largeChannels / groups; }
    std::int64_t windowRows() const { return largeRows() * grid.kernelCount(); }
    std::int64_t smallStep() const { return smallRows() * grid.smallCount(); }
    std::int64_t largeStep() const { return largeRows() * grid.largeCount(); }
    std::int64_t weightStep() const { return smallRows() * windowRows(); }
};

// rows[(channel, place in the kernel)][window] from the channels of a group.
template<typename C>
void gatherWindows(const Convolution& conv, const C* large, C* rows)
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
void spreadWindows(const Convolution& conv, const C* rows, C* large)
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
void forEachGroup(const Convolution& conv, Visit&& visit)
{
    for (std::int64_t n = 0; n < conv.batch; ++n)
        for (std::int64_t g = 0; g < conv.groups; ++g)
            visit((n * conv.groups + g) * conv.smallStep(),
                  (n * conv.groups + g) * conv.largeStep(), g * conv.weightStep());
}

template<typename C>
std::vector<C> smallFrom(const Convolution& conv, const std::vector<C>& large,
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
std::vector<C> largeFrom(const Convolution& conv, const std::vector<C>& small,
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
std::vector<double> weightFrom(const Convolution& conv, const std::vector<C>& small,
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

Error unfit(const KernelCall& call, const Tensor& input, const Tensor& weight)
{
    return call.error("input " + tensorText(input) + " and weight " + tensorText(weight)
                      + " do not fit");
}

// The sides' sizes from the input's.
Result<void> placeSides(const KernelCall& call, Convolution& conv, const Tensor& input)
{
    const Sizes spatial(input.sizes.begin() + 2, input.sizes.end());
    conv.batch = input.sizes[0];
    (conv.isTransposed ? conv.grid.small : conv.grid.large) = spatial;
    if (conv.isTransposed)
    {
        REINSPECT_TRY(const Sizes extra,
                      spatialArgument(call, "output_padding", spatial.size(), {0}));
        for (std::size_t d = 0; d < spatial.size(); ++d)
            conv.grid.large.push_back(
                (spatial[d] - 1) * conv.grid.stride[d] - 2 * conv.grid.padding[d]
                + conv.grid.dilation[d] * (conv.grid.kernel[d] - 1) + extra[d] + 1);
    }
    else
        conv.grid.small = conv.grid.windowCounts();
    for (const Sizes* side : {&conv.grid.large, &conv.grid.small})
        for (const std::int64_t size : *side)
            if (size < 1)
                return call.error("the kernel " + sizesText(conv.grid.kernel)
                                  + " does not fit into the padded input " + sizesText(spatial));
    return {};
}

Result<Convolution> convolutionOf(const KernelCall& call, const Tensor& input, const Tensor& weight)
{
    Convolution conv;
    const std::size_t rank = weight.rank() < 3 ? 0 : weight.rank() - 2;
    REINSPECT_TRY(conv.groups, call.integer("groups"));
    conv.isTransposed = call.flag("transposed");
    if (rank == 0 || input.rank() != rank + 2 || conv.groups < 1 || input.dtype != weight.dtype)
        return unfit(call, input, weight);
    conv.grid.kernel.assign(weight.sizes.begin() + 2, weight.sizes.end());
    REINSPECT_TRY(conv.grid.stride, spatialArgument(call, "stride", rank, {1}));
    REINSPECT_TRY(conv.grid.padding, spatialArgument(call, "padding", rank, {0}));
    REINSPECT_TRY(conv.grid.dilation, spatialArgument(call, "dilation", rank, {1}));
    if (std::ranges::min(conv.grid.stride) < 1 || std::ranges::min(conv.grid.dilation) < 1)
        return call.error("stride and dilation must be positive");
    conv.smallChannels = weight.sizes[0];
    conv.largeChannels = weight.sizes[1] * conv.groups;
    const std::int64_t channels = conv.isTransposed ? conv.smallChannels : conv.largeChannels;
    if (input.sizes[1] != channels || conv.smallChannels % conv.groups != 0)
        return unfit(call, input, weight);
    REINSPECT_CHECK(placeSides(call, conv, input));
    conv.resultSizes = {conv.batch, conv.isTransposed ? conv.largeChannels : conv.smallChannels};
    for (const std::int64_t size : conv.isTransposed ? conv.grid.large : conv.grid.small)
        conv.resultSizes.push_back(size);
    conv.places = windowPlaces(conv.grid);
    return conv;
}

// A batch of one where the input has none, as PyTorch takes it.
Tensor withBatch(Tensor tensor, bool isSingle)
{
    if (isSingle)
    {
        tensor.sizes.insert(tensor.sizes.begin(), 1);
        tensor.strides.insert(tensor.strides.begin(), tensor.count());
    }
    return tensor;
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
    REINSPECT_TRY(const Convolution conv, convolutionOf(call, input, weight));
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

bool isAsked(const KernelCall& call, std::size_t part)
{
    const Value* mask = call.given("output_mask");
    const std::vector<Value>* items = mask ? mask->items() : nullptr;
    return items && part < items->size() && (*items)[part].integer().value_or(0) != 0;
}

Result<Value> convolutionBackward(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor givenGrad, call.tensor("grad_output"));
    REINSPECT_TRY(const Tensor givenInput, call.tensor("input"));
    REINSPECT_TRY(const Tensor weight, call.tensor("weight"));
    const bool isSingle = givenInput.rank() + 1 == weight.rank();
    const Tensor grad = withBatch(givenGrad, isSingle);
    const Tensor input = withBatch(givenInput, isSingle);
    REINSPECT_TRY(const Convolution conv, convolutionOf(call, input, weight));
    if (!isFloating(input.dtype) || grad.dtype != input.dtype)
        return call.unsupported("not for dtype " + std::string(dtypeName(input.dtype)));
    if (grad.sizes != conv.resultSizes)
        return call.error("a gradient " + tensorText(grad) + " for a result of sizes "
                          + sizesText(conv.resultSizes));
    std::array<Value, 3> parts;
    if (isAsked(call, 0))
    {
        REINSPECT_TRY(parts[0],
                      call.result(input.dtype, givenInput.sizes, 0,
                                  stridesLike(givenInput, givenInput.sizes)));
    }
    if (isAsked(call, 1))
    {
        REINSPECT_TRY(
            parts[1],
            call.result(weight.dtype, weight.sizes, 1, stridesLike(weight, weight.sizes)));
    }
    if (isAsked(call, 2))
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
