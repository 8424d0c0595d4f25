// SPDX-License-Identifier: MIT
// Layer, group and root-mean-square normalization and their gradients, computed in double.
#include "core/exec/elements.h"
#include "core/exec/kernel_registry.h"
#include "core/exec/normalization.h"
#include "core/exec/operands.h"
#include "core/exec/windows.h"

#include <algorithm>

namespace reinspect::exec
{
namespace
{

Error notFor(const KernelCall& call, DType dtype)
{
    return call.unsupported("not for dtype " + std::string(dtypeName(dtype)));
}

struct Layers
{
    NormShape shape;
    Sizes statistics; // sizes of mean and scale
    Sizes parameters;
};

Result<Layers> layersOf(const KernelCall& call, const Tensor& input)
{
    Layers layers;
    REINSPECT_TRY(layers.parameters, call.integers("normalized_shape"));
    const std::size_t last = layers.parameters.size();
    if (!isFloating(input.dtype))
        return notFor(call, input.dtype);
    if (last == 0 || last > input.rank()
        || !std::equal(layers.parameters.rbegin(), layers.parameters.rend(), input.sizes.rbegin()))
        return call.error("a normalized shape " + sizesText(layers.parameters) + " for an input of "
                          + sizesText(input.sizes));
    layers.shape.length = static_cast<std::size_t>(*elementCount(layers.parameters));
    layers.statistics = input.sizes;
    std::fill(layers.statistics.end() - static_cast<std::ptrdiff_t>(last), layers.statistics.end(),
              1);
    layers.shape.rows = static_cast<std::size_t>(*elementCount(layers.statistics));
    return layers;
}

// The normalized result and the statistics that follow it.
Result<Value> layerNorm(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor input, call.tensor("input"));
    REINSPECT_TRY(const Layers layers, layersOf(call, input));
    REINSPECT_TRY(const double eps, call.number("eps"));
    const NormShape& shape = layers.shape;
    REINSPECT_TRY(const Parameters weight, parametersOf(call, "weight", shape.parameters()));
    REINSPECT_TRY(const Parameters bias, parametersOf(call, "bias", shape.parameters()));
    REINSPECT_TRY(const Tensor result, call.result(input.dtype, input.sizes, 0));
    REINSPECT_TRY(const Tensor mean,
                  call.result(statisticsType(call, input.dtype, 1), layers.statistics, 1));
    REINSPECT_TRY(const Tensor scale,
                  call.result(statisticsType(call, input.dtype, 2), layers.statistics, 2));
    std::vector<double> values = readAll<double>(input);
    const RowStatistics rows = rowStatistics(values, shape, eps);
    normalize(values, shape, rows, weight, bias);
    writeAll<double>(result, values);
    writeAll<double>(mean, rows.mean);
    writeAll<double>(scale, rows.scale);
    return listOf(std::vector<Tensor>{result, mean, scale});
}

Result<Value> rmsNorm(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor input, call.tensor("input"));
    REINSPECT_TRY(const Layers layers, layersOf(call, input));
    const double smallest =
        input.dtype == DType::Float64 ? 2.220446049250313e-16 : 1.1920928955078125e-07;
    const double eps = call.optionalNumber("eps").value_or(smallest);
    REINSPECT_TRY(const Parameters weight, parametersOf(call, "weight", layers.shape.parameters()));
    REINSPECT_TRY(const Tensor result, call.result(input.dtype, input.sizes, 0));
    std::vector<double> values = readAll<double>(input);
    const RowStatistics rows = rowStatistics(values, layers.shape, eps, false);
    normalize(values, layers.shape, rows, weight, {});
    writeAll<double>(result, values);
    if (call.target == "aten.rms_norm.default")
        return Value(result);
    REINSPECT_TRY(const Tensor scale,
                  call.result(statisticsType(call, input.dtype, 1), layers.statistics, 1));
    writeAll<double>(scale, rows.scale);
    return listOf(std::vector<Tensor>{result, scale});
}

Result<void> readStatistic(const KernelCall& call, std::string_view name, std::size_t count,
                           std::vector<double>& into)
{
    REINSPECT_TRY(const Tensor given, call.tensor(name));
    if (static_cast<std::size_t>(given.count()) != count)
        return call.error("argument '" + std::string(name) + "' has "
                          + std::to_string(given.count()) + " elements instead of "
                          + std::to_string(count));
    into = readAll<double>(given);
    return {};
}

// The gradients of input, weight and bias that the mask asks for; None for the others.
Result<Value> gradientParts(const KernelCall& call, const Tensor& input, const NormGradients& made,
                            const Sizes& parameters, std::size_t count)
{
    const std::optional<Tensor> weight = call.optionalTensor("weight");
    const DType dtype = weight ? weight->dtype : input.dtype;
    std::vector<Value> parts(count);
    for (std::size_t part = 0; part < count; ++part)
    {
        if (!isPartAsked(call, "output_mask", part))
            continue;
        REINSPECT_TRY(const Tensor result,
                      part == 0 ? call.result(input.dtype, input.sizes, part)
                                : call.result(dtype, parameters, part));
        writeAll<double>(result, part == 0 ? made.input : part == 1 ? made.weight : made.bias);
        parts[part] = result;
    }
    return listOf(std::move(parts));
}

Result<Tensor> gradOf(const KernelCall& call, const Tensor& input)
{
    REINSPECT_TRY(Tensor grad, call.tensor("grad_out"));
    if (grad.sizes != input.sizes)
        return call.error("a gradient " + tensorText(grad) + " for a result of "
                          + sizesText(input.sizes));
    return grad;
}

template<bool Centers>
Result<Value> layerNormBackward(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor input, call.tensor("input"));
    REINSPECT_TRY(const Tensor grad, gradOf(call, input));
    REINSPECT_TRY(const Layers layers, layersOf(call, input));
    const NormShape& shape = layers.shape;
    REINSPECT_TRY(const Parameters weight, parametersOf(call, "weight", shape.parameters()));
    RowStatistics rows;
    rows.mean.assign(shape.rows, 0);
    if (Centers)
        REINSPECT_CHECK(readStatistic(call, "mean", shape.rows, rows.mean));
    REINSPECT_CHECK(readStatistic(call, "rstd", shape.rows, rows.scale));
    const NormGradients made = normGradients(readAll<double>(grad), readAll<double>(input), shape,
                                             rows, weight, false, Centers);
    return gradientParts(call, input, made, layers.parameters, Centers ? 3 : 2);
}

Result<NormShape> groupsOf(const KernelCall& call, const Tensor& input)
{
    REINSPECT_TRY(const std::int64_t batch, call.integer("N"));
    REINSPECT_TRY(const std::int64_t channels, call.integer("C"));
    REINSPECT_TRY(const std::int64_t inner, call.integer("HxW"));
    REINSPECT_TRY(const std::int64_t groups, call.integer("group"));
    if (!isFloating(input.dtype))
        return notFor(call, input.dtype);
    if (groups < 1 || channels % groups != 0 || input.rank() < 2 || input.sizes[0] != batch
        || input.sizes[1] != channels || batch * channels * inner != input.count())
        return call.error(std::to_string(groups) + " groups of an input of "
                          + sizesText(input.sizes));
    return NormShape{static_cast<std::size_t>(batch * groups),
                     static_cast<std::size_t>(channels / groups * inner),
                     static_cast<std::size_t>(groups), static_cast<std::size_t>(inner)};
}

Result<Value> groupNorm(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor input, call.tensor("input"));
    REINSPECT_TRY(const NormShape shape, groupsOf(call, input));
    REINSPECT_TRY(const double eps, call.number("eps"));
    REINSPECT_TRY(const Parameters weight, parametersOf(call, "weight", shape.parameters()));
    REINSPECT_TRY(const Parameters bias, parametersOf(call, "bias", shape.parameters()));
    const auto groups = static_cast<std::int64_t>(shape.groups);
    const Sizes sizes{input.sizes[0], groups};
    REINSPECT_TRY(const Tensor result,
                  call.result(input.dtype, input.sizes, 0, stridesLike(input, input.sizes)));
    REINSPECT_TRY(const Tensor mean, call.result(statisticsType(call, input.dtype, 1), sizes, 1));
    REINSPECT_TRY(const Tensor scale, call.result(statisticsType(call, input.dtype, 2), sizes, 2));
    std::vector<double> values = readAll<double>(input);
    const RowStatistics rows = rowStatistics(values, shape, eps);
    normalize(values, shape, rows, weight, bias);
    writeAll<double>(result, values);
    writeAll<double>(mean, rows.mean);
    writeAll<double>(scale, rows.scale);
    return listOf(std::vector<Tensor>{result, mean, scale});
}

Result<Value> groupNormBackward(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor input, call.tensor("input"));
    REINSPECT_TRY(const Tensor grad, gradOf(call, input));
    REINSPECT_TRY(const NormShape shape, groupsOf(call, input));
    REINSPECT_TRY(const Parameters weight, parametersOf(call, "weight", shape.parameters()));
    RowStatistics rows;
    REINSPECT_CHECK(readStatistic(call, "mean", shape.rows, rows.mean));
    REINSPECT_CHECK(readStatistic(call, "rstd", shape.rows, rows.scale));
    const NormGradients made =
        normGradients(readAll<double>(grad), readAll<double>(input), shape, rows, weight);
    return gradientParts(call, input, made, {input.sizes[1]}, 3);
}

const KernelRow table[] = {
    {"aten.native_layer_norm.default", layerNorm},
    {"aten.native_layer_norm_backward.default", layerNormBackward<true>},
    {"aten.rms_norm.default", rmsNorm},
    {"aten._fused_rms_norm.default", rmsNorm},
    {"aten._fused_rms_norm_backward.default", layerNormBackward<false>},
    {"aten.native_group_norm.default", groupNorm},
    {"aten.native_group_norm_backward.default", groupNormBackward},
};

} // namespace

std::span<const KernelRow> normKernels()
{
    return table;
}

} // namespace reinspect::exec
