// SPDX-License-Identifier: MIT
// Convolution as products of matrices: what the windows see is laid out as (group, channel and place in the kernel,
// batch and window), so that one product does all batches. Schemas, layouts and errors are those of
// core/exec/kernels_convolution.cpp. Shorter floats are added up in float32.
#include "core/exec/convolution.h"
#include "core/exec/normalization.h"
#include "core/gpu/gpu_rows.h"
#include "core/gpu/window_calls.h"

#include <algorithm>

namespace reinspect::gpu
{
namespace
{

using exec::Convolution;
using exec::KernelCall;
using exec::operandFrom;
using exec::Pointwise;
using exec::Sizes;
using exec::Tensor;
using exec::Value;

// So many batches at once, that what is laid out stays small beside the memory that the run may use.
std::int64_t batchesAtOnce(const KernelCall& call, const Convolution& conv, DType computed)
{
    constexpr std::int64_t mostBytes = std::int64_t{256} << 20;
    const std::int64_t bytes = conv.largeChannels * conv.grid.kernelCount() * conv.grid.smallCount()
        * dtypeBytes(computed);
    const std::int64_t room = std::min(mostBytes, call.context->tracker->limit() / 16);
    return std::clamp<std::int64_t>(room / std::max<std::int64_t>(bytes, 1), 1, conv.batch);
}

struct Work
{
    const KernelCall& call;
    const Convolution& conv;
    DType computed;
    std::int64_t atOnce; // batches

    Work(const KernelCall& kernelCall, const Convolution& convolution, DType dtype)
        : call(kernelCall)
        , conv(convolution)
        , computed(accumulatorOf(dtype))
        , atOnce(batchesAtOnce(kernelCall, convolution, computed))
    {}

    bool canMultiply() const
    {
        return areMatrixSizes(
            {conv.groups, conv.smallRows(), conv.windowRows(), atOnce * conv.grid.smallCount()});
    }
    // Does every window see one element, its own?
    bool isPlain() const
    {
        const auto isOnly = [](const Sizes& list, std::int64_t number) {
            return std::ranges::all_of(list, [=](std::int64_t n) { return n == number; });
        };
        return isOnly(conv.grid.kernel, 1) && isOnly(conv.grid.stride, 1)
            && isOnly(conv.grid.padding, 0) && conv.grid.large == conv.grid.small;
    }
    Sizes smallSizes(std::int64_t batches) const
    {
        return {conv.groups, conv.smallRows(), batches * conv.grid.smallCount()};
    }
    Sizes windowSizes(std::int64_t batches) const
    {
        return {conv.groups, conv.windowRows(), batches * conv.grid.smallCount()};
    }
};

// visit(first batch, how many): all of them in parts.
template<typename Visit>
Result<void> forEachPart(const Work& work, Visit&& visit)
{
    for (std::int64_t first = 0; first < work.conv.batch; first += work.atOnce)
        REINSPECT_CHECK(visit(first, std::min(work.atOnce, work.conv.batch - first)));
    return {};
}

Tensor partOf(Tensor tensor, std::int64_t first, std::int64_t count)
{
    tensor.offset += first * tensor.strides[0];
    tensor.sizes[0] = count;
    return tensor;
}

// [channels, batch, spatial...]
Tensor byChannel(Tensor tensor)
{
    std::swap(tensor.sizes[0], tensor.sizes[1]);
    std::swap(tensor.strides[0], tensor.strides[1]);
    return tensor;
}

// An array of what is unfolded, of so many batches.
Array columnsOf(const Work& work, const Tensor& columns, std::int64_t batches)
{
    const exec::WindowGrid& grid = work.conv.grid;
    Sizes kernel(3 - grid.rank(), 1);
    Sizes windows = kernel;
    kernel.insert(kernel.end(), grid.kernel.begin(), grid.kernel.end());
    windows.insert(windows.end(), grid.small.begin(), grid.small.end());
    Sizes sizes{work.conv.largeChannels};
    sizes.insert(sizes.end(), kernel.begin(), kernel.end());
    sizes.push_back(batches);
    sizes.insert(sizes.end(), windows.begin(), windows.end());
    return *arrayOf(reshaped(columns, sizes));
}

// (group, channel and place in the kernel, batch and window) of a part of the large side.
Result<Tensor> unfolded(const Work& work, const Tensor& large)
{
    const std::int64_t batches = large.sizes[0];
    if (work.isPlain())
    {
        REINSPECT_TRY(const Tensor dense, denseAs(work.call, byChannel(large), large.dtype));
        return reshaped(dense, work.windowSizes(batches));
    }
    REINSPECT_TRY(const Tensor columns, work.call.scratch(large.dtype, work.windowSizes(batches)));
    WindowCall job = windowCall(WindowUse::Unfold, work.conv.grid);
    job.input = sideOf(large, work.conv.grid.rank());
    job.result = columnsOf(work, columns, batches);
    REINSPECT_CHECK(runWindow(work.call, job));
    return columns;
}

// The elements of a matrix (group, channel, batch and place) as a part of a side, with what is added to each channel.
Result<void> writeSide(const Work& work, const Tensor& side, const Tensor& matrix,
                       const std::optional<Tensor>& bias)
{
    Sizes sizes = side.sizes;
    std::swap(sizes[0], sizes[1]);
    const Tensor made = byChannel(reshaped(matrix, sizes));
    if (!bias)
        return exec::copyElements(side, made);
    Tensor added = *bias;
    added.sizes.assign(side.rank(), 1);
    added.strides.assign(side.rank(), 0);
    added.sizes[1] = side.sizes[1];
    added.strides[1] = bias->strides[0];
    return mapped(work.call, Pointwise::Sum, side, {operandFrom(made), operandFrom(added)},
                  work.computed);
}

// The reverse of unfolded().
Result<void> fold(const Work& work, const Tensor& side, const Tensor& columns,
                  const std::optional<Tensor>& bias)
{
    if (work.isPlain())
        return writeSide(work, side, columns, bias);
    Tensor sums = side;
    if (bias)
    {
        REINSPECT_TRY(sums, work.call.scratch(work.computed, side.sizes));
    }
    WindowCall job = windowCall(WindowUse::Fold, work.conv.grid);
    job.kind = *kindOf(work.computed);
    job.input = columnsOf(work, columns, side.sizes[0]);
    job.result = sideOf(sums, work.conv.grid.rank());
    REINSPECT_CHECK(runWindow(work.call, job));
    if (!bias)
        return {};
    REINSPECT_TRY(const Tensor dense, denseAs(work.call, byChannel(sums), sums.dtype));
    return writeSide(work, side, dense, bias);
}

// (group, small channel, large channel and place in the kernel)
Result<Tensor> weightMatrix(const Work& work, const Tensor& weight)
{
    REINSPECT_TRY(const Tensor dense, denseAs(work.call, weight, weight.dtype));
    return reshaped(dense, {work.conv.groups, work.conv.smallRows(), work.conv.windowRows()});
}

Result<Tensor> smallMatrix(const Work& work, const Tensor& small)
{
    REINSPECT_TRY(const Tensor dense, denseAs(work.call, byChannel(small), small.dtype));
    return reshaped(dense, work.smallSizes(small.sizes[0]));
}

Result<void> smallFrom(const Work& work, const Tensor& small, const Tensor& large,
                       const Tensor& weight, const std::optional<Tensor>& bias)
{
    REINSPECT_TRY(const Tensor factors, weightMatrix(work, weight));
    return forEachPart(work, [&](std::int64_t first, std::int64_t count) -> Result<void> {
        REINSPECT_TRY(const Tensor columns, unfolded(work, partOf(large, first, count)));
        REINSPECT_TRY(const Tensor made, work.call.scratch(work.computed, work.smallSizes(count)));
        REINSPECT_CHECK(multiplied(work.call, made, factors, columns));
        return writeSide(work, partOf(small, first, count), made, bias);
    });
}

Result<void> largeFrom(const Work& work, const Tensor& large, const Tensor& small,
                       const Tensor& weight, const std::optional<Tensor>& bias)
{
    REINSPECT_TRY(const Tensor factors, weightMatrix(work, weight));
    return forEachPart(work, [&](std::int64_t first, std::int64_t count) -> Result<void> {
        REINSPECT_TRY(const Tensor from, smallMatrix(work, partOf(small, first, count)));
        REINSPECT_TRY(const Tensor columns,
                      work.call.scratch(work.computed, work.windowSizes(count)));
        REINSPECT_CHECK(multiplied(work.call, columns, transposed(factors), from));
        return fold(work, partOf(large, first, count), columns, bias);
    });
}

Result<void> weightFrom(const Work& work, const Tensor& weight, const Tensor& small,
                        const Tensor& large)
{
    REINSPECT_TRY(
        const Tensor sums,
        work.call.scratch(work.computed,
                          {work.conv.groups, work.conv.smallRows(), work.conv.windowRows()}));
    REINSPECT_CHECK(forEachPart(work, [&](std::int64_t first, std::int64_t count) -> Result<void> {
        REINSPECT_TRY(const Tensor columns, unfolded(work, partOf(large, first, count)));
        REINSPECT_TRY(const Tensor from, smallMatrix(work, partOf(small, first, count)));
        return multiplied(work.call, sums, from, transposed(columns), 1, first == 0 ? 0 : 1);
    }));
    return exec::copyElements(weight, reshaped(sums, weight.sizes));
}

bool isConvolved(const Tensor& tensor, DType dtype)
{
    return tensor.dtype == dtype && isMultiplied(dtype) && tensor.storage->isOnDevice()
        && tensor.rank() <= 5;
}

Result<Value> convolution(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor given, call.tensor("input"));
    REINSPECT_TRY(const Tensor weight, call.tensor("weight"));
    const std::optional<Tensor> bias = call.optionalTensor("bias");
    const bool isSingle = given.rank() + 1 == weight.rank();
    const Tensor input = exec::withBatch(given, isSingle);
    REINSPECT_TRY(const Convolution conv, exec::convolutionOf(call, input, weight));
    const Work work(call, conv, input.dtype);
    const bool isBiased = bias && bias->rank() == 1 && isReadable(bias->dtype)
        && bias->storage->isOnDevice() && bias->count() == conv.resultSizes[1];
    if (!isConvolved(input, weight.dtype) || !isConvolved(weight, weight.dtype)
        || (bias && !isBiased) || (conv.batch > 0 && !work.canMultiply()))
        return exec::runOnHost(call);
    Sizes sizes = conv.resultSizes;
    if (isSingle)
        sizes.erase(sizes.begin());
    REINSPECT_TRY(const Tensor result,
                  call.result(input.dtype, sizes, 0, exec::stridesLike(given, sizes)));
    if (conv.batch > 0)
    {
        const Tensor side = exec::withBatch(result, isSingle);
        REINSPECT_CHECK(conv.isTransposed ? largeFrom(work, side, input, weight, bias)
                                          : smallFrom(work, side, input, weight, bias));
    }
    return Value(result);
}

struct Gradients
{
    Tensor grad;
    Tensor input;
    Tensor weight;
    bool isSingle = false;
};

Result<Value> inputGradient(const Work& work, const Gradients& given)
{
    Sizes sizes = given.input.sizes;
    Tensor like = given.input;
    if (given.isSingle)
        for (Sizes* list : {&sizes, &like.sizes, &like.strides})
            list->erase(list->begin());
    REINSPECT_TRY(const Tensor result,
                  work.call.result(given.input.dtype, sizes, 0, exec::stridesLike(like, sizes)));
    const Tensor side = exec::withBatch(result, given.isSingle);
    if (work.conv.batch > 0)
        REINSPECT_CHECK(work.conv.isTransposed
                            ? smallFrom(work, side, given.grad, given.weight, {})
                            : largeFrom(work, side, given.grad, given.weight, {}));
    return Value(result);
}

Result<Value> weightGradient(const Work& work, const Gradients& given)
{
    const Tensor& weight = given.weight;
    REINSPECT_TRY(
        const Tensor result,
        work.call.result(weight.dtype, weight.sizes, 1, exec::stridesLike(weight, weight.sizes)));
    if (work.conv.batch == 0)
        REINSPECT_CHECK(filled(work.call, result, 0));
    else if (work.conv.isTransposed)
        REINSPECT_CHECK(weightFrom(work, result, given.input, given.grad));
    else
        REINSPECT_CHECK(weightFrom(work, result, given.grad, given.input));
    return Value(result);
}

Result<Value> biasGradient(const Work& work, const Gradients& given)
{
    REINSPECT_TRY(const Tensor result,
                  work.call.result(given.grad.dtype, {given.grad.sizes[1]}, 2));
    REINSPECT_CHECK(
        reduced(work.call, Reduction::Sum, result, byChannel(given.grad), work.computed));
    return Value(result);
}

Result<Value> convolutionBackward(const KernelCall& call)
{
    Gradients given;
    REINSPECT_TRY(given.grad, call.tensor("grad_output"));
    REINSPECT_TRY(given.input, call.tensor("input"));
    REINSPECT_TRY(given.weight, call.tensor("weight"));
    given.isSingle = given.input.rank() + 1 == given.weight.rank();
    given.grad = exec::withBatch(given.grad, given.isSingle);
    given.input = exec::withBatch(given.input, given.isSingle);
    REINSPECT_TRY(const Convolution conv, exec::convolutionOf(call, given.input, given.weight));
    const Work work(call, conv, given.input.dtype);
    const DType dtype = given.weight.dtype;
    if (!isConvolved(given.grad, dtype) || !isConvolved(given.input, dtype)
        || !isConvolved(given.weight, dtype) || given.grad.sizes != conv.resultSizes
        || (conv.batch > 0 && !work.canMultiply()))
        return exec::runOnHost(call);
    std::vector<Value> parts(3);
    constexpr Result<Value> (*makers[])(const Work&, const Gradients&) = {
        inputGradient, weightGradient, biasGradient};
    for (std::size_t part = 0; part < parts.size(); ++part)
        if (exec::isPartAsked(call, "output_mask", part))
        {
            REINSPECT_TRY(parts[part], makers[part](work, given));
        }
    return exec::listOf(std::move(parts));
}

const exec::KernelRow table[] = {
    {"aten.convolution.default", convolution},
    {"aten._convolution.default", convolution},
    {"aten.convolution_backward.default", convolutionBackward},
};

} // namespace

std::span<const exec::KernelRow> convolutionRows()
{
    return table;
}

} // namespace reinspect::gpu
