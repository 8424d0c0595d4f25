// SPDX-License-Identifier: MIT
#include "core/exec/resampling.h"

#include "core/exec/windows.h"

#include <array>

namespace reinspect::exec
{
namespace
{

// Factors come one by one ("scales_h") or as a list.
double givenScale(const KernelCall& call, std::size_t d, std::size_t rank)
{
    if (const Value* list = call.given("scale_factors"); list && list->items())
        return d < list->items()->size() ? (*list->items())[d].number().value_or(0) : 0;
    constexpr std::array<std::string_view, 3> names{"scales_d", "scales_h", "scales_w"};
    return call.optionalNumber(rank == 1 ? "scales" : names[3 - rank + d]).value_or(0);
}

} // namespace

Result<Resampling> resamplingOf(const KernelCall& call, const Sizes& sizes)
{
    Resampling made;
    if (sizes.size() < 3 || sizes.size() > 5)
        return call.error("sizes " + sizesText(sizes) + " have no spatial dimensions");
    made.input.assign(sizes.begin() + 2, sizes.end());
    const std::size_t rank = made.input.size();
    for (std::size_t d = 0; d < rank; ++d)
        made.scales.push_back(givenScale(call, d, rank));
    if (call.has("output_size"))
    {
        REINSPECT_TRY(made.output, spatialArgument(call, "output_size", rank));
    }
    else
        for (std::size_t d = 0; d < rank; ++d)
            made.output.push_back(
                static_cast<std::int64_t>(static_cast<double>(made.input[d]) * made.scales[d]));
    for (std::size_t d = 0; d < rank; ++d)
        if (made.input[d] < 1 || made.output[d] < 1)
            return call.error("from " + sizesText(made.input) + " to " + sizesText(made.output));
    return made;
}

float ratioOf(const Resampling& made, std::size_t d)
{
    return made.scales[d] > 0
        ? static_cast<float>(1.0 / made.scales[d])
        : static_cast<float>(made.input[d]) / static_cast<float>(made.output[d]);
}

} // namespace reinspect::exec
