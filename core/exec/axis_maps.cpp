// SPDX-License-Identifier: MIT
#include "core/exec/axis_maps.h"

#include "core/exec/device.h"
#include "core/exec/windows.h"

#include <algorithm>
#include <cstring>
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

bool isIdentity(const std::vector<std::int64_t>& map, std::int64_t size)
{
    if (std::ssize(map) != size)
        return false;
    for (std::size_t i = 0; i < map.size(); ++i)
        if (map[i] != static_cast<std::int64_t>(i))
            return false;
    return true;
}

// Ends of the parts of a map that count in equal steps: flipped, rolled and padded dimensions have few of them.
std::vector<std::size_t> partsOf(const std::vector<std::int64_t>& map)
{
    std::vector<std::size_t> ends;
    std::size_t start = 0;
    for (std::size_t i = 2; i < map.size(); ++i)
        if (i - start > 1 && map[i] - map[i - 1] != map[i - 1] - map[i - 2])
        {
            ends.push_back(i);
            start = i;
        }
    ends.push_back(map.size());
    return ends;
}

// The map as a tensor of the device: counted there, or sent, for which the run waits.
Result<Tensor> onDevice(const KernelCall& call, const std::vector<std::int64_t>& map)
{
    constexpr std::size_t mostParts = 8;
    REINSPECT_TRY(const Tensor places, call.scratch(DType::Int64, {std::ssize(map)}));
    const std::vector<std::size_t> ends = partsOf(map);
    if (ends.size() > mostParts)
    {
        writeAll<std::int64_t>(places, map);
        return places;
    }
    std::size_t start = 0;
    for (const std::size_t end : ends)
    {
        Tensor part = places;
        part.offset += static_cast<std::int64_t>(start);
        part.sizes = {static_cast<std::int64_t>(end - start)};
        const std::int64_t step = end - start > 1 ? map[start + 1] - map[start] : 0;
        REINSPECT_CHECK(call.context->accelerator->count(part, static_cast<double>(map[start]),
                                                         static_cast<double>(step)));
        start = end;
    }
    return places;
}

// One dimension after the other.
Result<Value> mappedOnDevice(const KernelCall& call, const Tensor& self, const AxisMaps& maps)
{
    if (std::ranges::any_of(maps, [](const auto& map) { return std::ranges::count(map, -1) > 0; }))
        return runOnHost(call);
    const Sizes sizes = mappedSizes(maps);
    REINSPECT_TRY(const Tensor result, call.result(self.dtype, sizes, 0, stridesLike(self, sizes)));
    if (result.count() == 0)
        return Value(result);
    const ScratchScope scope(*call.context);
    Value made(self);
    for (std::size_t d = 0; d < maps.size(); ++d)
    {
        if (isIdentity(maps[d], self.sizes[d]))
            continue;
        ListValue places;
        places.items.resize(d);
        REINSPECT_TRY(const Tensor column, onDevice(call, maps[d]));
        places.items.emplace_back(column);
        REINSPECT_TRY(made, callKernel(call, "aten.index.Tensor", {made, Value(places)}));
    }
    REINSPECT_CHECK(copyElements(result, *made.tensor()));
    return Value(result);
}

// The same in the other direction: rows are added up at their places, in double.
Result<Value> mappedBackwardOnDevice(const KernelCall& call, const Tensor& grad, const Sizes& sizes,
                                     const AxisMaps& maps)
{
    if (!isFloating(grad.dtype) || grad.count() == 0)
        return runOnHost(call);
    REINSPECT_TRY(const Tensor result, call.result(grad.dtype, sizes, 0, stridesLike(grad, sizes)));
    const ScratchScope scope(*call.context);
    REINSPECT_TRY(Tensor made, call.scratch(DType::Float64, grad.sizes));
    REINSPECT_CHECK(copyElements(made, grad));
    for (std::size_t d = 0; d < maps.size(); ++d)
    {
        if (isIdentity(maps[d], sizes[d]))
            continue;
        Sizes before = made.sizes;
        before[d] = sizes[d];
        REINSPECT_TRY(const Tensor zeros, call.scratch(DType::Float64, before));
        REINSPECT_CHECK(fillWithZeros(call, zeros));
        REINSPECT_TRY(const Tensor places, onDevice(call, maps[d]));
        REINSPECT_TRY(const Value sums,
                      callKernel(call, "aten.index_add.default",
                                 {Value(zeros), Value(static_cast<std::int64_t>(d)), Value(places),
                                  Value(made)}));
        made = *sums.tensor();
    }
    REINSPECT_CHECK(copyElements(result, made));
    return Value(result);
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
    if (self.storage->isOnDevice())
        return mappedOnDevice(call, self, maps);
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
    if (grad.storage->isOnDevice())
        return mappedBackwardOnDevice(call, grad, sizes, maps);
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
