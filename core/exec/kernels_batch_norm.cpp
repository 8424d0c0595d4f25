// SPDX-License-Identifier: MIT
// Batch normalization: one row of elements a channel. In training the statistics come from the input and the
// running ones follow them; otherwise the running ones are used.
#include "core/exec/elements.h"
#include "core/exec/kernel_registry.h"
#include "core/exec/normalization.h"
#include "core/exec/operands.h"
#include "core/exec/windows.h"

#include <cmath>

namespace reinspect::exec
{
namespace
{

// Channels first.
Tensor byChannels(Tensor tensor)
{
    std::swap(tensor.sizes[0], tensor.sizes[1]);
    std::swap(tensor.strides[0], tensor.strides[1]);
    return tensor;
}

Result<NormShape> channelsOf(const KernelCall& call, const Tensor& input)
{
    if (!isFloating(input.dtype))
        return call.unsupported("not for dtype " + std::string(dtypeName(input.dtype)));
    if (input.rank() < 2)
        return call.error("an input of " + std::to_string(input.rank())
                          + " dimensions has no channels");
    const auto channels = static_cast<std::size_t>(input.sizes[1]);
    const std::size_t length =
        channels == 0 ? 0 : static_cast<std::size_t>(input.count()) / channels;
    return NormShape{channels, length, channels, std::max<std::size_t>(length, 1)};
}

// Fixed statistics, from the running ones.
Result<RowStatistics> runningStatistics(const KernelCall& call, std::size_t count, double eps)
{
    RowStatistics rows;
    REINSPECT_TRY(const Parameters mean, parametersOf(call, "running_mean", count));
    REINSPECT_TRY(const Parameters variance, parametersOf(call, "running_var", count));
    if (!mean || !variance)
        return call.error("running statistics are missing");
    rows.mean = *mean;
    rows.variance = *variance;
    for (const double value : *variance)
        rows.scale.push_back(1 / std::sqrt(value + eps));
    return rows;
}

// What the running statistics become.
std::vector<double> moved(const std::vector<double>& running, const std::vector<double>& seen,
                          double momentum, double factor)
{
    std::vector<double> made;
    for (std::size_t i = 0; i < running.size(); ++i)
        made.push_back((1 - momentum) * running[i] + momentum * seen[i] * factor);
    return made;
}

struct Normalized
{
    NormShape shape;
    RowStatistics rows;
    bool isTraining = false;
    double momentum = 0;
    Tensor result;
};

Result<Normalized> normalized(const KernelCall& call, bool isTraining)
{
    Normalized made;
    REINSPECT_TRY(const Tensor input, call.tensor("input"));
    REINSPECT_TRY(made.shape, channelsOf(call, input));
    const std::size_t count = made.shape.rows;
    REINSPECT_TRY(const double eps, call.number(call.has("eps") ? "eps" : "epsilon"));
    REINSPECT_TRY(made.momentum,
                  call.number(call.has("momentum") ? "momentum" : "exponential_average_factor"));
    REINSPECT_TRY(const Parameters weight, parametersOf(call, "weight", count));
    REINSPECT_TRY(const Parameters bias, parametersOf(call, "bias", count));
    REINSPECT_TRY(made.result,
                  call.result(input.dtype, input.sizes, 0, stridesLike(input, input.sizes)));
    std::vector<double> values = readAll<double>(byChannels(input));
    made.isTraining = isTraining;
    if (isTraining)
        made.rows = rowStatistics(values, made.shape, eps);
    else
    {
        REINSPECT_TRY(made.rows, runningStatistics(call, count, eps));
    }
    normalize(values, made.shape, made.rows, weight, bias);
    writeAll<double>(byChannels(made.result), values);
    return made;
}

// Mean and scale that the gradient needs; empty when the running ones were used.
Result<Value> savedStatistic(const KernelCall& call, const Normalized& made, std::size_t part)
{
    const TensorMeta* meta = call.expectedTensor(part);
    const bool isEmpty =
        meta ? meta->sizes.size() == 1 && meta->sizes[0].constant() == 0 : !made.isTraining;
    const auto count = isEmpty ? 0 : static_cast<std::int64_t>(made.shape.rows);
    REINSPECT_TRY(const Tensor saved,
                  call.result(statisticsType(call, made.result.dtype, part), {count}, part));
    if (!isEmpty)
        writeAll<double>(saved, part == 1 ? made.rows.mean : made.rows.scale);
    return Value(saved);
}

// The running statistics after this batch, in order mean, variance; nothing where there are none.
Result<std::optional<std::vector<double>>> movedStatistic(const KernelCall& call,
                                                          const Normalized& made, bool isMean)
{
    const std::string_view name = isMean ? "running_mean" : "running_var";
    REINSPECT_TRY(const Parameters running, parametersOf(call, name, made.shape.rows));
    if (!running || !made.isTraining)
        return running;
    const auto count = static_cast<double>(made.shape.length);
    return Parameters(moved(*running, isMean ? made.rows.mean : made.rows.variance, made.momentum,
                            isMean ? 1 : count / (count - 1)));
}

enum class Running : std::uint8_t
{
    Kept,
    Written,  // into the arguments
    Returned, // as new tensors
};

template<Running How>
Result<Value> batchNorm(const KernelCall& call, bool isTraining, std::vector<Value> between = {})
{
    REINSPECT_TRY(const Normalized made, normalized(call, isTraining));
    std::vector<Value> parts{Value(made.result)};
    for (const std::size_t part : {std::size_t{1}, std::size_t{2}})
    {
        REINSPECT_TRY(Value saved, savedStatistic(call, made, part));
        parts.push_back(std::move(saved));
    }
    parts.insert(parts.end(), between.begin(), between.end());
    for (const bool isMean : {true, false})
    {
        if (How == Running::Kept)
            break;
        REINSPECT_TRY(const Parameters values, movedStatistic(call, made, isMean));
        const auto running = call.optionalTensor(isMean ? "running_mean" : "running_var");
        if (!values || !running)
            continue;
        if (How == Running::Written)
        {
            writeAll<double>(*running, *values);
            continue;
        }
        REINSPECT_TRY(const Tensor result,
                      call.result(running->dtype, running->sizes, parts.size()));
        writeAll<double>(result, *values);
        parts.push_back(result);
    }
    return listOf(std::move(parts));
}

template<Running How>
Result<Value> batchNormByFlag(const KernelCall& call)
{
    return batchNorm<How>(call, call.flag("training"));
}

Result<Value> batchNormFixed(const KernelCall& call)
{
    return batchNorm<Running::Kept>(call, false);
}

// Some forms carry memory that only their own gradient reads.
Result<Value> reserve(const KernelCall& call)
{
    const TensorMeta* meta = call.expectedTensor(3);
    const bool isKnown = meta && meta->sizes.size() == 1 && meta->sizes[0].constant();
    REINSPECT_TRY(const Tensor memory,
                  call.result(DType::UInt8, {isKnown ? *meta->sizes[0].constant() : 0}, 3));
    writeAll<std::int64_t>(memory,
                           std::vector<std::int64_t>(static_cast<std::size_t>(memory.count()), 0));
    return Value(memory);
}

template<Running How>
Result<Value> batchNormWithReserve(const KernelCall& call)
{
    REINSPECT_TRY(Value memory, reserve(call));
    const bool isTraining = call.has("training") ? call.flag("training") : How != Running::Kept;
    return batchNorm<How>(call, isTraining, {std::move(memory)});
}

Result<RowStatistics> savedStatistics(const KernelCall& call, std::size_t count, bool isTraining,
                                      double eps)
{
    if (!isTraining)
        return runningStatistics(call, count, eps);
    RowStatistics rows;
    const std::string_view scaleName = call.has("save_invstd") ? "save_invstd" : "save_var";
    REINSPECT_TRY(const Parameters mean, parametersOf(call, "save_mean", count));
    REINSPECT_TRY(const Parameters scale, parametersOf(call, scaleName, count));
    if (!mean || !scale)
        return call.error("the statistics of the forward step are missing");
    rows.mean = *mean;
    rows.scale = *scale;
    return rows;
}

Result<Value> batchNormBackward(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor input, call.tensor("input"));
    REINSPECT_TRY(const Tensor grad,
                  call.tensor(call.has("grad_out") ? "grad_out" : "grad_output"));
    REINSPECT_TRY(const NormShape shape, channelsOf(call, input));
    if (grad.sizes != input.sizes)
        return call.error("a gradient " + tensorText(grad) + " for a result of "
                          + sizesText(input.sizes));
    const bool isCudnn = call.target.find("cudnn") != std::string::npos;
    const bool isTraining = isCudnn || call.flag("train") || call.flag("update");
    REINSPECT_TRY(const double eps, call.number(call.has("eps") ? "eps" : "epsilon"));
    REINSPECT_TRY(const Parameters weight, parametersOf(call, "weight", shape.rows));
    REINSPECT_TRY(const RowStatistics rows, savedStatistics(call, shape.rows, isTraining, eps));
    const NormGradients made =
        normGradients(readAll<double>(byChannels(grad)), readAll<double>(byChannels(input)), shape,
                      rows, weight, !isTraining);
    const std::optional<Tensor> given = call.optionalTensor("weight");
    const DType dtype = given ? given->dtype : statisticsType(call, input.dtype, 1);
    std::vector<Value> parts(3);
    for (std::size_t part = 0; part < parts.size(); ++part)
    {
        if (!isCudnn && !isPartAsked(call, "output_mask", part))
            continue;
        REINSPECT_TRY(
            const Tensor result,
            part == 0 ? call.result(input.dtype, input.sizes, 0, stridesLike(input, input.sizes))
                      : call.result(dtype, {input.sizes[1]}, part));
        if (part == 0)
            writeAll<double>(byChannels(result), made.input);
        else
            writeAll<double>(result, part == 1 ? made.weight : made.bias);
        parts[part] = result;
    }
    return listOf(std::move(parts));
}

const KernelRow table[] = {
    {"aten.native_batch_norm.default", batchNormByFlag<Running::Written>},
    {"aten._native_batch_norm_legit.default", batchNormByFlag<Running::Written>},
    {"aten._native_batch_norm_legit.no_stats", batchNormByFlag<Running::Kept>},
    {"aten._native_batch_norm_legit_functional.default", batchNormByFlag<Running::Returned>},
    {"aten._native_batch_norm_legit_no_training.default", batchNormFixed},
    {"aten.cudnn_batch_norm.default", batchNormWithReserve<Running::Written>},
    {"aten._batch_norm_with_update.default", batchNormWithReserve<Running::Written>},
    {"aten._batch_norm_with_update_functional.default", batchNormWithReserve<Running::Returned>},
    {"aten._batch_norm_no_update.default", batchNormWithReserve<Running::Kept>},
    {"aten.native_batch_norm_backward.default", batchNormBackward},
    {"aten.batch_norm_backward.default", batchNormBackward},
    {"aten.cudnn_batch_norm_backward.default", batchNormBackward},
};

} // namespace

std::span<const KernelRow> batchNormKernels()
{
    return table;
}

} // namespace reinspect::exec
