// SPDX-License-Identifier: MIT
#include "core/exec/axis_maps.h"

#include "core/exec/elements.h"
#include "core/exec/operands.h"
#include "core/exec/windows.h"

#include <numeric>

namespace reinspect::exec
{
namespace
{

Sizes mappedSizes(const AxisMaps& maps)
{
    Sizes sizes;
    for (const auto& map : maps)
        sizes.push_back(std::ssize(map));
    return sizes;
}

// For each element of the result in order: the place in a tensor of these strides, or -1.
template<typename Visit>
void forEachPlace(const AxisMaps& maps, const Sizes& strides, Visit&& visit)
{
    const Sizes sizes = mappedSizes(maps);
    const std::int64_t count = *elementCount(sizes);
    Sizes index(sizes.size(), 0);
    for (std::int64_t i = 0; i < count; ++i)
    {
        std::int64_t place = 0;
        for (std::size_t d = 0; d < sizes.size() && place >= 0; ++d)
        {
            const std::int64_t at = maps[d][static_cast<std::size_t>(index[d])];
            place = at < 0 ? -1 : place + at * strides[d];
        }
        visit(place);
        for (std::size_t d = sizes.size(); d-- > 0; index[d] = 0)
            if (++index[d] < sizes[d])
                break;
    }
}

} // namespace

AxisMaps identityMaps(const Sizes& sizes)
{
    AxisMaps maps;
    for (const std::int64_t size : sizes)
    {
        maps.emplace_back(static_cast<std::size_t>(size));
        std::iota(maps.back().begin(), maps.back().end(), 0);
    }
    return maps;
}

Result<Value> mapped(const KernelCall& call, const Tensor& self, const AxisMaps& maps,
                     const Value& fill)
{
    const Sizes sizes = mappedSizes(maps);
    REINSPECT_TRY(const Tensor result, call.result(self.dtype, sizes, 0, stridesLike(self, sizes)));
    REINSPECT_TRY(const Tensor rows, call.scratch(self.dtype, sizes));
    const auto width = static_cast<std::size_t>(self.elementBytes());
    std::array<std::byte, 16> filler{};
    if (isComplex(self.dtype))
    {
        const std::complex<double> number(fill.number().value_or(0));
        storeRun<std::complex<double>>(self.dtype, filler.data(), 1, 1, &number);
    }
    else if (const double number = fill.number().value_or(0); isIntegral(self.dtype))
    {
        const std::int64_t whole = fill.integer().value_or(static_cast<std::int64_t>(number));
        storeRun<std::int64_t>(self.dtype, filler.data(), 1, 1, &whole);
    }
    else
        storeRun<double>(self.dtype, filler.data(), 1, 1, &number);
    std::byte* next = rows.data();
    forEachPlace(maps, self.strides, [&](std::int64_t place) {
        const std::byte* from =
            place < 0 ? filler.data() : self.data() + place * static_cast<std::int64_t>(width);
        std::memcpy(next, from, width);
        next += width;
    });
    REINSPECT_CHECK(copyElements(result, rows));
    return Value(result);
}

Result<Value> mappedBackward(const KernelCall& call, const Tensor& grad, const Sizes& sizes,
                             const AxisMaps& maps)
{
    if (grad.sizes != mappedSizes(maps))
        return call.error("a gradient " + tensorText(grad) + " for a result of "
                          + sizesText(mappedSizes(maps)));
    REINSPECT_TRY(const Tensor result, call.result(grad.dtype, sizes, 0, stridesLike(grad, sizes)));
    const std::vector<double> grads = readAll<double>(grad);
    std::vector<double> made(static_cast<std::size_t>(result.count()), 0);
    std::size_t next = 0;
    forEachPlace(maps, contiguousStrides(sizes), [&](std::int64_t place) {
        if (place >= 0)
            made[static_cast<std::size_t>(place)] += grads[next];
        ++next;
    });
    writeAll<double>(result, made);
    return Value(result);
}

} // namespace reinspect::exec
