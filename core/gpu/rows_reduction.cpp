// SPDX-License-Identifier: MIT
// Reductions. Schemas, dtypes and errors are those of core/exec/kernels_reduce.cpp and kernels_extreme.cpp.
#include "core/exec/reduction.h"
#include "core/gpu/gpu_device.h"
#include "core/gpu/gpu_rows.h"

namespace reinspect::gpu
{
namespace
{

using exec::Folded;
using exec::KernelCall;
using exec::Tensor;
using exec::Value;

// What a reduction makes of the first argument, as part `part` of the result; computed as `computed` is.
Result<Value> reduced(const KernelCall& call, const Folded& input, Reduction function,
                      DType computed, DType dtype, std::size_t part = 0, double parameter = 0)
{
    REINSPECT_TRY(const Tensor result, call.result(dtype, input.kept, part));
    ReductionCall job;
    job.function = function;
    job.kind = *kindOf(computed);
    job.parameter = parameter;
    Tensor kept = result; // without the dimensions of 1 that `keepdim` leaves
    kept.sizes.clear();
    kept.strides.clear();
    for (const std::size_t place : input.keptPlaces)
    {
        kept.sizes.push_back(result.sizes[place]);
        kept.strides.push_back(result.strides[place]);
    }
    job.result = *arrayOf(kept);
    job.input = *arrayOf(input.ordered);
    GpuDevice& device = gpuOf(call);
    if (const auto done = device.check(device.api().reduce(job)); !done.ok())
        return call.error(done.error().message, done.error().kind);
    return Value(result);
}

// Tensors that the kernels can read, and as many dimensions as they take.
bool isSuited(const Folded& input)
{
    return isReadable(input.ordered.dtype) && input.ordered.rank() <= kMostDimensions
        && input.kept.size() <= kMostDimensions && kindOf(input.ordered.dtype).has_value();
}

template<Reduction Function>
Result<Value> total(const KernelCall& call)
{
    REINSPECT_TRY(const Folded input, exec::foldedArgument(call));
    const DType dtype = exec::sumType(call, input.ordered.dtype);
    if (!isSuited(input) || !kindOf(dtype) || !isReadable(dtype))
        return exec::runOnHost(call);
    return reduced(call, input, Function, dtype, dtype);
}

Result<Value> mean(const KernelCall& call)
{
    REINSPECT_TRY(const Folded input, exec::foldedArgument(call));
    const DType dtype = call.dtype(input.ordered.dtype);
    if (!isSuited(input) || !exec::isFloating(dtype) || !isReadable(dtype))
        return exec::runOnHost(call);
    return reduced(call, input, Reduction::Mean, dtype, dtype);
}

template<Reduction Function>
Result<Value> truth(const KernelCall& call)
{
    REINSPECT_TRY(const Folded input, exec::foldedArgument(call));
    const DType own = input.ordered.dtype;
    if (!isSuited(input))
        return exec::runOnHost(call);
    return reduced(call, input, Function, own, own == DType::UInt8 ? own : DType::Bool);
}

// Empty lines have no extreme: the host says so.
template<Reduction Value_, Reduction Place>
Result<Value> extremes(const KernelCall& call, bool hasValue, bool hasPlace)
{
    REINSPECT_TRY(const Folded input, exec::foldedArgument(call));
    const DType own = input.ordered.dtype;
    if (!isSuited(input) || input.length == 0)
        return exec::runOnHost(call);
    std::vector<Value> parts;
    if (hasValue)
    {
        REINSPECT_TRY(Value made, reduced(call, input, Value_, own, own, 0));
        parts.push_back(std::move(made));
    }
    if (hasPlace)
    {
        REINSPECT_TRY(Value made, reduced(call, input, Place, own, DType::Int64, parts.size()));
        parts.push_back(std::move(made));
    }
    return parts.size() == 1 ? parts.front() : exec::listOf(std::move(parts));
}

template<bool IsLargest, bool HasValue, bool HasPlace>
Result<Value> extreme(const KernelCall& call)
{
    return IsLargest
        ? extremes<Reduction::Largest, Reduction::PlaceOfLargest>(call, HasValue, HasPlace)
        : extremes<Reduction::Least, Reduction::PlaceOfLeast>(call, HasValue, HasPlace);
}

template<bool WithMean, bool IsRoot>
Result<Value> variance(const KernelCall& call)
{
    REINSPECT_TRY(const Folded input, exec::foldedArgument(call));
    const DType given = call.dtype(DType::Unknown, "output_dtype");
    const DType dtype = given == DType::Unknown ? input.ordered.dtype : given;
    if (!isSuited(input) || !exec::isFloating(dtype) || !isReadable(dtype))
        return exec::runOnHost(call);
    REINSPECT_TRY(Value spread,
                  reduced(call, input, IsRoot ? Reduction::Deviation : Reduction::Variance, dtype,
                          dtype, 0, exec::correctionOf(call)));
    if (!WithMean)
        return spread;
    REINSPECT_TRY(Value middle, reduced(call, input, Reduction::Mean, dtype, dtype, 1));
    return exec::listOf(std::vector<Value>{std::move(spread), std::move(middle)});
}

Result<Value> logSumExp(const KernelCall& call)
{
    REINSPECT_TRY(const Folded input, exec::foldedArgument(call));
    const DType own = input.ordered.dtype;
    if (!isSuited(input) || !exec::isFloating(own))
        return exec::runOnHost(call);
    return reduced(call, input, Reduction::LogSumExp, own, own);
}

Result<Value> prepareSoftmax(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("a"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    if (self.rank() == 0 || !exec::isFloating(self.dtype))
        return exec::runOnHost(call);
    const Folded input = exec::folded(self, {dim}, true);
    if (!isSuited(input) || input.length == 0)
        return exec::runOnHost(call);
    REINSPECT_TRY(Value most, reduced(call, input, Reduction::Largest, self.dtype, self.dtype, 0));
    REINSPECT_TRY(Value sum,
                  reduced(call, input, Reduction::SumOfExponentials, self.dtype, self.dtype, 1));
    return exec::listOf(std::vector<Value>{std::move(most), std::move(sum)});
}

const exec::KernelRow table[] = {
    {"aten.sum.default", total<Reduction::Sum>},
    {"aten.sum.dim_IntList", total<Reduction::Sum>},
    {"prims.sum.default", total<Reduction::Sum>},
    {"aten.prod.default", total<Reduction::Product>},
    {"aten.prod.dim_int", total<Reduction::Product>},
    {"prims.prod.default", total<Reduction::Product>},
    {"aten.mean.default", mean},
    {"aten.mean.dim", mean},
    {"aten.any.default", truth<Reduction::Any>},
    {"aten.any.dim", truth<Reduction::Any>},
    {"aten.any.dims", truth<Reduction::Any>},
    {"aten.all.default", truth<Reduction::All>},
    {"aten.all.dim", truth<Reduction::All>},
    {"aten.all.dims", truth<Reduction::All>},
    {"aten.var.default", variance<false, false>},
    {"aten.var.dim", variance<false, false>},
    {"aten.var.correction", variance<false, false>},
    {"prims.var.default", variance<false, false>},
    {"aten.std.default", variance<false, true>},
    {"aten.std.dim", variance<false, true>},
    {"aten.std.correction", variance<false, true>},
    {"aten.var_mean.default", variance<true, false>},
    {"aten.var_mean.dim", variance<true, false>},
    {"aten.var_mean.correction", variance<true, false>},
    {"aten.std_mean.default", variance<true, true>},
    {"aten.std_mean.dim", variance<true, true>},
    {"aten.std_mean.correction", variance<true, true>},
    {"aten.logsumexp.default", logSumExp},
    {"prims.prepare_softmax_online.default", prepareSoftmax},
    {"aten.amax.default", extreme<true, true, false>},
    {"aten.amin.default", extreme<false, true, false>},
    {"prims.amax.default", extreme<true, true, false>},
    {"prims.amin.default", extreme<false, true, false>},
    {"aten.max.default", extreme<true, true, false>},
    {"aten.min.default", extreme<false, true, false>},
    {"aten.max.dim", extreme<true, true, true>},
    {"aten.min.dim", extreme<false, true, true>},
    {"aten.argmax.default", extreme<true, false, true>},
    {"aten.argmin.default", extreme<false, false, true>},
};

} // namespace

std::span<const exec::KernelRow> reductionRows()
{
    return table;
}

} // namespace reinspect::gpu
