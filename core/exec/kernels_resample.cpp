// SPDX-License-Identifier: MIT
// Upsampling: the nearest element, or a weighted mean of the two neighbours along each dimension.
#include "core/exec/axis_maps.h"
#include "core/exec/elements.h"
#include "core/exec/joined_rows.h"
#include "core/exec/operands.h"
#include "core/exec/resampling.h"
#include "core/exec/windows.h"

#include <algorithm>
#include <cmath>

namespace reinspect::exec
{
namespace
{

AxisMaps nearestMaps(const Sizes& sizes, const Resampling& made, bool isExact)
{
    AxisMaps maps = identityMaps({sizes[0], sizes[1]});
    for (std::size_t d = 0; d < made.input.size(); ++d)
    {
        const float ratio = ratioOf(made, d);
        maps.emplace_back();
        for (std::int64_t i = 0; i < made.output[d]; ++i)
        {
            const float at = (static_cast<float>(i) + (isExact ? 0.5F : 0.0F)) * ratio;
            maps.back().push_back(
                std::min(static_cast<std::int64_t>(std::floor(at)), made.input[d] - 1));
        }
    }
    return maps;
}

bool isExact(const KernelCall& call)
{
    return call.target.find("exact") != std::string::npos;
}

Result<Value> nearest(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor(call.schema->arguments[0].name));
    REINSPECT_TRY(const Resampling made, resamplingOf(call, self.sizes));
    return mapped(call, self, nearestMaps(self.sizes, made, isExact(call)));
}

Result<Value> nearestBackward(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor grad, call.tensor("grad_output"));
    REINSPECT_TRY(const Sizes sizes, call.integers("input_size"));
    REINSPECT_TRY(const Resampling made, resamplingOf(call, sizes));
    return mappedBackward(call, grad, sizes, nearestMaps(sizes, made, isExact(call)));
}

// The two neighbours along one dimension and the weight of the second.
struct Neighbours
{
    std::vector<std::size_t> first;
    std::vector<std::size_t> second;
    std::vector<double> weight;
};

Neighbours neighboursOf(const Resampling& made, std::size_t d, bool alignsCorners)
{
    Neighbours list;
    const double last = static_cast<double>(made.input[d] - 1);
    const double ratio = alignsCorners
        ? (made.output[d] > 1 ? last / static_cast<double>(made.output[d] - 1) : 0)
        : static_cast<double>(ratioOf(made, d));
    for (std::int64_t i = 0; i < made.output[d]; ++i)
    {
        const double plain = static_cast<double>(i) * ratio;
        const double at =
            alignsCorners ? plain : std::max(0.0, (static_cast<double>(i) + 0.5) * ratio - 0.5);
        const double low = std::min(std::floor(at), last);
        list.first.push_back(static_cast<std::size_t>(low));
        list.second.push_back(static_cast<std::size_t>(std::min(low + 1, last)));
        list.weight.push_back(std::clamp(at - low, 0.0, 1.0));
    }
    return list;
}

// One dimension at a time: rows of `inner` elements, `from` (or back) to as many as there are neighbours.
std::vector<double> blended(const std::vector<double>& values, const Neighbours& list,
                            std::size_t size, std::size_t inner, bool isBackward)
{
    const std::size_t count = list.first.size();
    const std::size_t outer = values.size() / ((isBackward ? count : size) * inner);
    std::vector<double> made(outer * (isBackward ? size : count) * inner, 0);
    for (std::size_t o = 0; o < outer; ++o)
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t k = 0; k < inner; ++k)
            {
                const std::size_t wide = (o * count + i) * inner + k;
                const std::size_t a = (o * size + list.first[i]) * inner + k;
                const std::size_t b = (o * size + list.second[i]) * inner + k;
                if (isBackward)
                {
                    made[a] += (1 - list.weight[i]) * values[wide];
                    made[b] += list.weight[i] * values[wide];
                }
                else
                    made[wide] = (1 - list.weight[i]) * values[a] + list.weight[i] * values[b];
            }
    return made;
}

Result<Value> linear(const KernelCall& call, const Tensor& given, const Sizes& sizes,
                     bool isBackward)
{
    REINSPECT_TRY(const Resampling made, resamplingOf(call, sizes));
    if (!isFloating(given.dtype))
        return call.unsupported("not for dtype " + std::string(dtypeName(given.dtype)));
    Sizes wide{sizes[0], sizes[1]};
    wide.insert(wide.end(), made.output.begin(), made.output.end());
    if (isBackward && given.sizes != wide)
        return call.error("a gradient " + tensorText(given) + " for a result of "
                          + sizesText(wide));
    const Sizes& resultSizes = isBackward ? sizes : wide;
    REINSPECT_TRY(const Tensor result,
                  call.result(given.dtype, resultSizes, 0, stridesLike(given, resultSizes)));
    std::vector<double> values = readAll<double>(given);
    std::size_t inner = 1;
    for (std::size_t d = made.input.size(); d-- > 0 && !values.empty();)
    {
        const Neighbours list = neighboursOf(made, d, call.flag("align_corners"));
        values = blended(values, list, static_cast<std::size_t>(made.input[d]), inner, isBackward);
        inner *= static_cast<std::size_t>(isBackward ? made.input[d] : made.output[d]);
    }
    writeAll<double>(result, values);
    return Value(result);
}

Result<Value> linearForward(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor(call.schema->arguments[0].name));
    return linear(call, self, self.sizes, false);
}

Result<Value> linearBackward(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor grad, call.tensor("grad_output"));
    REINSPECT_TRY(const Sizes sizes, call.integers("input_size"));
    return linear(call, grad, sizes, true);
}

#define REINSPECT_UPSAMPLE(name, forward, backward, where)                                         \
    {"aten." name ".default", forward, {}, where}, {"aten." name ".vec", forward, {}, where},      \
    {                                                                                              \
        "aten." name "_backward.default", backward, {}, where                                      \
    }

const KernelRow table[] = {
    REINSPECT_UPSAMPLE("upsample_nearest1d", nearest, nearestBackward, RunsOn::Anywhere),
    REINSPECT_UPSAMPLE("upsample_nearest2d", nearest, nearestBackward, RunsOn::Anywhere),
    REINSPECT_UPSAMPLE("upsample_nearest3d", nearest, nearestBackward, RunsOn::Anywhere),
    REINSPECT_UPSAMPLE("_upsample_nearest_exact1d", nearest, nearestBackward, RunsOn::Anywhere),
    REINSPECT_UPSAMPLE("_upsample_nearest_exact2d", nearest, nearestBackward, RunsOn::Anywhere),
    REINSPECT_UPSAMPLE("_upsample_nearest_exact3d", nearest, nearestBackward, RunsOn::Anywhere),
    REINSPECT_UPSAMPLE("upsample_linear1d", linearForward, linearBackward, RunsOn::Table),
    REINSPECT_UPSAMPLE("upsample_bilinear2d", linearForward, linearBackward, RunsOn::Table),
    REINSPECT_UPSAMPLE("upsample_trilinear3d", linearForward, linearBackward, RunsOn::Table),
};

} // namespace

std::span<const KernelRow> resampleKernels()
{
    static const std::vector<KernelRow> rows = joinedRows({table, cubicRows(), gridRows()});
    return rows;
}

} // namespace reinspect::exec
