// SPDX-License-Identifier: MIT
// Pooling in any number of dimensions: for each window the list of its elements, the same for every plane.
#include "core/exec/kernel_registry.h"
#include "core/exec/operands.h"
#include "core/exec/windows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reinspect::exec
{
namespace
{

struct Pool
{
    Sizes large;                       // spatial sizes of the input
    Sizes small;                       // and of the result
    std::vector<std::size_t> starts;   // of each window in `members`, and the end
    std::vector<std::int64_t> members; // places on the large side
    std::vector<std::int64_t> inside;  // the place in the kernel of each
    std::vector<double> divisors;      // of each window, for means

    std::size_t windows() const { return starts.size() - 1; }
    std::size_t largeCount() const { return static_cast<std::size_t>(*elementCount(large)); }
};

Pool poolOf(const WindowGrid& grid)
{
    Pool pool{grid.large, grid.small, {}, {}, {}, {}};
    const std::vector<std::int64_t> places = windowPlaces(grid);
    const auto windows = static_cast<std::size_t>(grid.smallCount());
    for (std::size_t w = 0; w < windows; ++w)
    {
        pool.starts.push_back(pool.members.size());
        for (std::size_t at = w, k = 0; at < places.size(); at += windows, ++k)
            if (places[at] >= 0)
            {
                pool.members.push_back(places[at]);
                pool.inside.push_back(static_cast<std::int64_t>(k));
            }
    }
    pool.starts.push_back(pool.members.size());
    return pool;
}

// What a mean divides by: a given number, the elements, or those with the padding that counts.
void setDivisors(const KernelCall& call, const WindowGrid& grid, Pool& pool)
{
    const auto given = call.optionalInteger("divisor_override");
    const bool countsPadding = call.flag("count_include_pad");
    for (std::size_t w = 0; w < pool.windows(); ++w)
    {
        double divisor = static_cast<double>(pool.starts[w + 1] - pool.starts[w]);
        if (given)
            divisor = static_cast<double>(*given);
        else if (countsPadding)
        {
            divisor = 1;
            auto rest = static_cast<std::int64_t>(w);
            for (std::size_t d = grid.rank(); d-- > 0; rest /= grid.small[d])
            {
                const std::int64_t start = rest % grid.small[d] * grid.stride[d] - grid.padding[d];
                divisor *= static_cast<double>(
                    std::min(start + grid.kernel[d], grid.large[d] + grid.padding[d]) - start);
            }
        }
        pool.divisors.push_back(divisor);
    }
}

// Window i of `small` sees [floor(i * large / small), ceil((i + 1) * large / small)).
Pool adaptivePool(const Sizes& large, const Sizes& small)
{
    Pool pool{large, small, {}, {}, {}, {}};
    const std::int64_t windows = *elementCount(small);
    for (std::int64_t w = 0; w < windows; ++w)
    {
        pool.starts.push_back(pool.members.size());
        std::vector<std::int64_t> places{0};
        Sizes index(small.size());
        for (std::int64_t rest = w, d = std::ssize(small) - 1; d >= 0; --d)
        {
            index[static_cast<std::size_t>(d)] = rest % small[static_cast<std::size_t>(d)];
            rest /= small[static_cast<std::size_t>(d)];
        }
        for (std::size_t d = 0; d < small.size(); ++d)
        {
            const std::int64_t from = index[d] * large[d] / small[d];
            const std::int64_t to = ((index[d] + 1) * large[d] + small[d] - 1) / small[d];
            std::vector<std::int64_t> next;
            for (const std::int64_t place : places)
                for (std::int64_t at = from; at < to; ++at)
                    next.push_back(place * large[d] + at);
            places = std::move(next);
        }
        pool.members.insert(pool.members.end(), places.begin(), places.end());
        pool.divisors.push_back(static_cast<double>(places.size()));
    }
    pool.starts.push_back(pool.members.size());
    return pool;
}

Result<Pool> adaptivePoolOf(const KernelCall& call, const Tensor& self, const Sizes& small)
{
    REINSPECT_TRY(const Sizes large, spatialSizes(call, self, small.size()));
    if (std::ranges::min(small) < 0 || (std::ranges::min(large) < 1 && *elementCount(small) > 0))
        return call.error("an input of " + sizesText(large) + " for a result of "
                          + sizesText(small));
    return adaptivePool(large, small);
}

Result<Value> means(const KernelCall& call, const Tensor& self, const Pool& pool)
{
    REINSPECT_TRY(const Tensor result, pooledResult(call, self, self.dtype, pool.small));
    const std::vector<double> values = readAll<double>(self);
    std::vector<double> made;
    made.reserve(static_cast<std::size_t>(result.count()));
    for (std::size_t plane = 0; plane < values.size(); plane += pool.largeCount())
        for (std::size_t w = 0; w < pool.windows(); ++w)
        {
            double sum = 0;
            for (std::size_t i = pool.starts[w]; i < pool.starts[w + 1]; ++i)
                sum += values[plane + static_cast<std::size_t>(pool.members[i])];
            made.push_back(sum / pool.divisors[w]);
        }
    writeAll<double>(result, made);
    return Value(result);
}

Result<Value> meansBackward(const KernelCall& call, const Tensor& self, const Pool& pool)
{
    REINSPECT_TRY(const Tensor grad, call.tensor("grad_output"));
    if (grad.sizes != pooledSizes(self, pool.small))
        return call.error("a gradient " + tensorText(grad) + " does not fit");
    REINSPECT_TRY(const Tensor result, pooledResult(call, self, self.dtype, pool.large));
    const std::vector<double> grads = readAll<double>(grad);
    std::vector<double> made(static_cast<std::size_t>(result.count()), 0);
    for (std::size_t g = 0; g < grads.size(); ++g)
    {
        const std::size_t w = g % pool.windows();
        const std::size_t plane = g / pool.windows() * pool.largeCount();
        for (std::size_t i = pool.starts[w]; i < pool.starts[w + 1]; ++i)
            made[plane + static_cast<std::size_t>(pool.members[i])] += grads[g] / pool.divisors[w];
    }
    writeAll<double>(result, made);
    return Value(result);
}

template<bool IsBackward>
Result<Value> average(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Sizes large, spatialSizes(call, self, poolRank(call)));
    REINSPECT_TRY(const WindowGrid grid, poolGrid(call, large));
    if (call.optionalInteger("divisor_override") == 0)
        return call.error("the divisor is zero");
    Pool pool = poolOf(grid);
    setDivisors(call, grid, pool);
    return IsBackward ? meansBackward(call, self, pool) : means(call, self, pool);
}

Result<Value> adaptiveAverage(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Sizes small, spatialArgument(call, "output_size", poolRank(call)));
    REINSPECT_TRY(const Pool pool, adaptivePoolOf(call, self, small));
    return means(call, self, pool);
}

Result<Value> adaptiveAverageBackward(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor grad, call.tensor("grad_output"));
    REINSPECT_TRY(const Sizes small, spatialSizes(call, grad, poolRank(call)));
    REINSPECT_TRY(const Pool pool, adaptivePoolOf(call, self, small));
    return meansBackward(call, self, pool);
}

// The largest of each window and where it is: on the large side, or in the kernel.
Result<Value> largest(const KernelCall& call, const Tensor& self, const Pool& pool, DType places,
                      bool inKernel)
{
    REINSPECT_TRY(const Tensor result, pooledResult(call, self, self.dtype, pool.small, 0));
    REINSPECT_TRY(const Tensor found, pooledResult(call, self, places, pool.small, 1));
    const std::vector<double> values = readAll<double>(self);
    std::vector<double> made;
    std::vector<std::int64_t> where;
    for (std::size_t plane = 0; plane < values.size(); plane += pool.largeCount())
        for (std::size_t w = 0; w < pool.windows(); ++w)
        {
            const auto at = [&](std::size_t i) {
                return values[plane + static_cast<std::size_t>(pool.members[i])];
            };
            std::size_t best = pool.starts[w];
            if (best == pool.starts[w + 1]) // a dilated window that sees only padding
            {
                made.push_back(-std::numeric_limits<double>::infinity());
                where.push_back(0);
                continue;
            }
            for (std::size_t i = best + 1; i < pool.starts[w + 1]; ++i)
                if (at(i) > at(best) || std::isnan(at(i)))
                    best = i;
            made.push_back(at(best));
            where.push_back(inKernel ? pool.inside[best] : pool.members[best]);
        }
    writeAll<double>(result, made);
    writeAll<std::int64_t>(found, where);
    return listOf(std::vector<Tensor>{result, found});
}

template<bool InKernel>
Result<Value> maximum(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Sizes kernel, call.integers("kernel_size"));
    REINSPECT_TRY(const Sizes large,
                  spatialSizes(call, self, InKernel ? kernel.size() : poolRank(call)));
    REINSPECT_TRY(const WindowGrid grid, poolGrid(call, large));
    return largest(call, self, poolOf(grid), InKernel ? DType::Int8 : DType::Int64, InKernel);
}

Result<Value> adaptiveMaximum(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Sizes small, spatialArgument(call, "output_size", poolRank(call)));
    REINSPECT_TRY(const Pool pool, adaptivePoolOf(call, self, small));
    return largest(call, self, pool, DType::Int64, false);
}

// Each gradient goes to the place that its index names.
Result<Value> maximumBackward(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor grad, call.tensor("grad_output"));
    REINSPECT_TRY(const Tensor indices, call.tensor("indices"));
    REINSPECT_TRY(const Sizes large, spatialSizes(call, self, poolRank(call)));
    REINSPECT_TRY(const Sizes small, spatialSizes(call, grad, poolRank(call)));
    if (grad.sizes != indices.sizes || grad.sizes != pooledSizes(self, small))
        return call.error("gradient " + tensorText(grad) + " and indices " + tensorText(indices)
                          + " do not fit");
    REINSPECT_TRY(const Tensor result, pooledResult(call, self, grad.dtype, large));
    const std::vector<double> grads = readAll<double>(grad);
    const std::vector<std::int64_t> places = readAll<std::int64_t>(indices);
    const auto windows = static_cast<std::size_t>(*elementCount(small));
    const std::int64_t count = *elementCount(large);
    std::vector<double> made(static_cast<std::size_t>(result.count()), 0);
    for (std::size_t i = 0; i < grads.size(); ++i)
    {
        if (places[i] < 0 || places[i] >= count)
            return call.error("index " + std::to_string(places[i])
                              + " is out of range for a plane of " + std::to_string(count)
                              + " elements");
        made[i / windows * static_cast<std::size_t>(count) + static_cast<std::size_t>(places[i])] +=
            grads[i];
    }
    writeAll<double>(result, made);
    return Value(result);
}

// From places in the kernel to places on the large side.
Result<Value> offsetsToIndices(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Sizes large, call.integers("input_size"));
    REINSPECT_TRY(WindowGrid grid, poolGrid(call, large));
    REINSPECT_TRY(grid.small, spatialSizes(call, self, large.size()));
    REINSPECT_TRY(const Tensor result, pooledResult(call, self, DType::Int64, grid.small));
    const std::vector<std::int64_t> places = windowPlaces(grid);
    const auto windows = static_cast<std::size_t>(grid.smallCount());
    std::vector<std::int64_t> values = readAll<std::int64_t>(self);
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        if (values[i] < 0 || values[i] >= grid.kernelCount())
            return call.error("offset " + std::to_string(values[i]) + " is outside of the kernel");
        values[i] = places[static_cast<std::size_t>(values[i]) * windows + i % windows];
    }
    writeAll<std::int64_t>(result, values);
    return Value(result);
}

const KernelRow table[] = {
    {"aten.avg_pool1d.default", average<false>},
    {"aten.avg_pool2d.default", average<false>},
    {"aten.avg_pool3d.default", average<false>},
    {"aten.avg_pool2d_backward.default", average<true>},
    {"aten.avg_pool3d_backward.default", average<true>},
    {"aten._adaptive_avg_pool2d.default", adaptiveAverage},
    {"aten._adaptive_avg_pool3d.default", adaptiveAverage},
    {"aten.adaptive_avg_pool1d.default", adaptiveAverage},
    {"aten._adaptive_avg_pool2d_backward.default", adaptiveAverageBackward},
    {"aten._adaptive_avg_pool3d_backward.default", adaptiveAverageBackward},
    {"aten.max_pool2d_with_indices.default", maximum<false>},
    {"aten.max_pool3d_with_indices.default", maximum<false>},
    {"aten.max_pool2d_with_indices_backward.default", maximumBackward},
    {"aten.max_pool3d_with_indices_backward.default", maximumBackward},
    {"aten.adaptive_max_pool2d.default", adaptiveMaximum},
    {"aten.adaptive_max_pool3d.default", adaptiveMaximum},
    {"aten.adaptive_max_pool2d_backward.default", maximumBackward},
    {"aten.adaptive_max_pool3d_backward.default", maximumBackward},
    {"prims._low_memory_max_pool_with_offsets.default", maximum<true>},
    {"prims._low_memory_max_pool_offsets_to_indices.default", offsetsToIndices},
};

} // namespace

std::span<const KernelRow> poolKernels()
{
    return table;
}

} // namespace reinspect::exec
