// SPDX-License-Identifier: MIT
// Sorting, and random numbers: the same Philox as the host's. As core/exec/kernels_order.cpp and kernels_random.cpp.
#include "core/exec/elements.h"
#include "core/exec/philox.h"
#include "core/exec/random.h"
#include "core/exec/reduction.h"
#include "core/gpu/gpu_device.h"
#include "core/gpu/gpu_rows.h"

#include <algorithm>

namespace reinspect::gpu
{
namespace
{

using exec::KernelCall;
using exec::Philox;
using exec::Sizes;
using exec::Tensor;
using exec::Value;

// Lines along `dim`, sorted: values and where they were. Nothing where the kernels cannot.
struct Sorted
{
    Tensor values; // [lines, length]
    Tensor places;
};

bool isSorted(const Tensor& self)
{
    return isReadable(self.dtype) && kindOf(self.dtype) && self.dtype != DType::Float8E4M3FN
        && self.dtype != DType::Float8E5M2 && self.rank() > 0 && self.count() > 0;
}

Result<Sorted> sorted(const KernelCall& call, const Tensor& self, std::size_t dim, bool descends)
{
    const std::int64_t length = self.sizes[dim];
    const Sizes sizes{self.count() / length, length};
    const Tensor moved = exec::withLast(self, dim);
    REINSPECT_TRY(Tensor input, call.scratch(self.dtype, moved.sizes));
    REINSPECT_CHECK(exec::copyElements(input, moved));
    input.sizes = sizes;
    input.strides = exec::contiguousStrides(sizes);
    Sorted made;
    REINSPECT_TRY(made.values, call.scratch(self.dtype, sizes));
    REINSPECT_TRY(made.places, call.scratch(DType::Int64, sizes));
    SortCall job{*arrayOf(input), *arrayOf(made.values), *arrayOf(made.places), descends};
    GpuDevice& device = gpuOf(call);
    if (const auto done = device.check(device.api().sort(job)); !done.ok())
        return call.error(done.error().message, done.error().kind);
    return made;
}

// The first `count` of every sorted line into `result`.
Result<void> take(const Tensor& result, std::size_t dim, Tensor lines, std::int64_t count)
{
    const Tensor moved = exec::withLast(result, dim);
    lines.sizes[1] = count;
    Tensor shaped = lines; // [lines, count] as the result's dimensions
    shaped.sizes = moved.sizes;
    shaped.strides = exec::contiguousStrides(moved.sizes);
    for (std::size_t d = 0; d + 1 < shaped.rank(); ++d)
        shaped.strides[d] = count > 0 ? shaped.strides[d] / count * lines.strides[0] : 0;
    shaped.strides.back() = 1;
    return exec::copyElements(moved, shaped);
}

Result<Value> sortedParts(const KernelCall& call, const Tensor& self, std::size_t dim,
                          std::int64_t count, bool descends, bool onlyPlaces)
{
    Sizes sizes = self.sizes;
    sizes[dim] = count;
    const Sizes strides =
        sizes == self.sizes ? exec::preservedStrides(self) : exec::contiguousStrides(sizes);
    REINSPECT_TRY(const Sorted made, sorted(call, self, dim, descends));
    std::vector<Tensor> parts;
    if (!onlyPlaces)
    {
        REINSPECT_TRY(const Tensor values, call.result(self.dtype, sizes, 0, strides));
        REINSPECT_CHECK(take(values, dim, made.values, count));
        parts.push_back(values);
    }
    REINSPECT_TRY(const Tensor places, call.result(DType::Int64, sizes, parts.size(), strides));
    REINSPECT_CHECK(take(places, dim, made.places, count));
    if (onlyPlaces)
        return Value(places);
    parts.push_back(places);
    return exec::listOf(std::move(parts));
}

template<bool OnlyPlaces>
Result<Value> sort(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    if (!isSorted(self))
        return exec::runOnHost(call);
    return sortedParts(call, self, dim, self.sizes[dim], call.flag("descending"), OnlyPlaces);
}

Result<Value> topK(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    REINSPECT_TRY(const std::int64_t count, call.integer("k"));
    if (!isSorted(self) || count < 0 || count > self.sizes[dim])
        return exec::runOnHost(call);
    return sortedParts(call, self, dim, count, call.flag("largest"), false);
}

Result<Value> drawn(const KernelCall& call, const Tensor& result, RandomCall job)
{
    const auto array = arrayOf(result);
    if (!array)
        return exec::runOnHost(call);
    job.result = *array;
    exec::noteRandom(call);
    GpuDevice& device = gpuOf(call);
    if (const auto done = device.check(device.api().random(job)); !done.ok())
        return call.error(done.error().message, done.error().kind);
    return Value(result);
}

RandomCall streamOf(const KernelCall& call, Draw draw)
{
    RandomCall job;
    job.draw = draw;
    job.seed = call.context->seed;
    job.stream = Philox::streamOf(call.node);
    return job;
}

Result<Value> uniform(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor result, exec::randomResult(call, DType::Float32));
    RandomCall job = streamOf(call, Draw::Uniform);
    job.a = call.optionalNumber("from").value_or(0);
    job.b = call.optionalNumber("to").value_or(1) - job.a;
    return drawn(call, result, job);
}

Result<Value> normal(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor result, exec::randomResult(call, DType::Float32));
    RandomCall job = streamOf(call, Draw::Normal);
    job.a = call.optionalNumber("mean").value_or(0);
    job.b = call.optionalNumber("std").value_or(1);
    return drawn(call, result, job);
}

Result<Value> randint(const KernelCall& call)
{
    RandomCall job = streamOf(call, Draw::Whole);
    job.low = call.optionalInteger("low").value_or(0);
    REINSPECT_TRY(const std::int64_t high, call.integer("high"));
    if (high <= job.low)
        return exec::runOnHost(call);
    job.span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(job.low);
    REINSPECT_TRY(const Tensor result, exec::randomResult(call, DType::Int64));
    return drawn(call, result, job);
}

// The seed's number chooses the stream.
Result<Value> inductorSeeds(const KernelCall& call)
{
    REINSPECT_TRY(const std::int64_t count, call.integer("count"));
    REINSPECT_TRY(const Tensor result, call.result(DType::Int64, {count}));
    return drawn(call, result, streamOf(call, Draw::Seed));
}

Result<Value> inductorRandom(const KernelCall& call)
{
    REINSPECT_TRY(const Sizes sizes, call.integers("size"));
    REINSPECT_TRY(const Tensor seed, call.tensor("seed"));
    if (seed.dtype != DType::Int64 || seed.count() < 1 || !seed.storage->isOnDevice())
        return exec::runOnHost(call);
    REINSPECT_TRY(const Tensor result, call.result(DType::Float32, sizes));
    RandomCall job = streamOf(call, call.text("mode") == "randn" ? Draw::Normal : Draw::Uniform);
    job.streamFrom = reinterpret_cast<const std::int64_t*>(seed.storage->address()) + seed.offset;
    return drawn(call, result, job);
}

const exec::KernelRow table[] = {
    {"aten.sort.default", sort<false>},
    {"aten.sort.stable", sort<false>},
    {"aten.argsort.default", sort<true>},
    {"aten.argsort.stable", sort<true>},
    {"aten.topk.default", topK},
    {"aten.rand.default", uniform},
    {"aten.rand_like.default", uniform},
    {"aten.uniform.default", uniform},
    {"aten.randn.default", normal},
    {"aten.randn_like.default", normal},
    {"aten.normal_functional.default", normal},
    {"aten.randint.default", randint},
    {"aten.randint.low", randint},
    {"aten.randint_like.default", randint},
    {"aten.randint_like.low_dtype", randint},
    {"prims.inductor_seeds.default", inductorSeeds},
    {"prims.inductor_random.default", inductorRandom},
};

} // namespace

std::span<const exec::KernelRow> orderRows()
{
    return table;
}

exec::KernelFunction findRow(std::string_view name)
{
    static const auto rows = [] {
        std::map<std::string_view, exec::KernelFunction> made;
        for (const auto rowsOf :
             {attentionRows, attentionBackwardRows, productRows, reductionRows, lineRows, indexRows,
              orderRows, padRows, convolutionRows, poolRows, scatterRows})
            for (const exec::KernelRow& row : rowsOf())
                made.emplace(row.name, row.run);
        return made;
    }();
    const auto at = rows.find(name);
    return at == rows.end() ? nullptr : at->second;
}

} // namespace reinspect::gpu
