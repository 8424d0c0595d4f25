// SPDX-License-Identifier: MIT
// Upsampling by cubic convolution of the sixteen neighbours, and its gradient.
#include "core/exec/cubic.h"
#include "core/exec/joined_rows.h"
#include "core/exec/operands.h"
#include "core/exec/resampling.h"

#include <algorithm>

namespace reinspect::exec
{
namespace
{

// Of each place of the result, the four of the input along one dimension. Beyond the border the last one counts
// again.
struct Taps
{
    std::array<std::int64_t, 4> place;
    CubicWeights weights;
};

std::vector<Taps> tapsOf(const Resampling& made, std::size_t d, bool alignsCorners)
{
    const std::int64_t last = made.input[d] - 1;
    const float ratio = !alignsCorners ? ratioOf(made, d)
        : made.output[d] > 1 ? static_cast<float>(last) / static_cast<float>(made.output[d] - 1)
                             : 0.0F;
    std::vector<Taps> taps;
    for (std::int64_t i = 0; i < made.output[d]; ++i)
    {
        const float at = alignsCorners ? static_cast<float>(i) * ratio
                                       : (static_cast<float>(i) + 0.5F) * ratio - 0.5F;
        const float floor = std::floor(at);
        Taps one{{}, cubicWeights(static_cast<double>(at - floor))};
        for (std::int64_t k = 0; k < 4; ++k)
            one.place[static_cast<std::size_t>(k)] =
                std::clamp<std::int64_t>(static_cast<std::int64_t>(floor) - 1 + k, 0, last);
        taps.push_back(one);
    }
    return taps;
}

// visit(place in the input's plane, place in the output's plane, weight) for all that meet.
template<typename Visit>
void forEachMeeting(const Resampling& made, bool alignsCorners, Visit&& visit)
{
    const std::vector<Taps> rows = tapsOf(made, 0, alignsCorners);
    const std::vector<Taps> columns = tapsOf(made, 1, alignsCorners);
    std::size_t out = 0;
    for (const Taps& row : rows)
        for (const Taps& column : columns)
        {
            for (std::size_t i = 0; i < 4; ++i)
                for (std::size_t j = 0; j < 4; ++j)
                    visit(static_cast<std::size_t>(row.place[i] * made.input[1] + column.place[j]),
                          out, row.weights[i] * column.weights[j]);
            ++out;
        }
}

Result<Value> cubic(const KernelCall& call, const Tensor& given, const Sizes& sizes,
                    bool isBackward)
{
    REINSPECT_TRY(const Resampling made, resamplingOf(call, sizes));
    if (made.input.size() != 2 || !isFloating(given.dtype))
        return call.unsupported("not for " + tensorText(given));
    const Sizes wide{sizes[0], sizes[1], made.output[0], made.output[1]};
    if (isBackward && given.sizes != wide)
        return call.error("a gradient " + tensorText(given) + " for a result of "
                          + sizesText(wide));
    REINSPECT_TRY(const Tensor result, call.result(given.dtype, isBackward ? sizes : wide));
    const std::vector<double> values = readAll<double>(given);
    std::vector<double> sums(static_cast<std::size_t>(result.count()), 0);
    const auto narrowPlane = static_cast<std::size_t>(made.input[0] * made.input[1]);
    const auto widePlane = static_cast<std::size_t>(made.output[0] * made.output[1]);
    const auto planes = static_cast<std::size_t>(sizes[0] * sizes[1]);
    forEachMeeting(made, call.flag("align_corners"),
                   [&](std::size_t in, std::size_t out, double weight) {
                       for (std::size_t plane = 0; plane < planes; ++plane)
                       {
                           const std::size_t narrow = plane * narrowPlane + in;
                           const std::size_t broad = plane * widePlane + out;
                           if (isBackward)
                               sums[narrow] += weight * values[broad];
                           else
                               sums[broad] += weight * values[narrow];
                       }
                   });
    writeAll<double>(result, sums);
    return Value(result);
}

Result<Value> cubicForward(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor(call.schema->arguments[0].name));
    return cubic(call, self, self.sizes, false);
}

Result<Value> cubicBackward(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor grad, call.tensor("grad_output"));
    REINSPECT_TRY(const Sizes sizes, call.integers("input_size"));
    return cubic(call, grad, sizes, true);
}

const KernelRow table[] = {
    {"aten.upsample_bicubic2d.default", cubicForward},
    {"aten.upsample_bicubic2d.vec", cubicForward},
    {"aten.upsample_bicubic2d_backward.default", cubicBackward},
};

} // namespace

std::span<const KernelRow> cubicRows()
{
    return table;
}

} // namespace reinspect::exec
