// SPDX-License-Identifier: MIT
#include "core/exec/windows.h"

#include <algorithm>

namespace reinspect::exec
{
namespace
{

// Advances an index in row-major order.
void advance(Sizes& index, const Sizes& sizes)
{
    for (std::size_t i = index.size(); i-- > 0;)
    {
        if (++index[i] < sizes[i])
            return;
        index[i] = 0;
    }
}

std::int64_t placeOf(const WindowGrid& grid, const Sizes& window, const Sizes& inside)
{
    std::int64_t place = 0;
    for (std::size_t d = 0; d < grid.rank(); ++d)
    {
        const std::int64_t at =
            window[d] * grid.stride[d] - grid.padding[d] + inside[d] * grid.dilation[d];
        if (at < 0 || at >= grid.large[d])
            return -1;
        place = place * grid.large[d] + at;
    }
    return place;
}

} // namespace

Sizes WindowGrid::windowCounts(bool roundsUp) const
{
    Sizes counts;
    for (std::size_t d = 0; d < rank(); ++d)
    {
        const std::int64_t room = large[d] + 2 * padding[d] - dilation[d] * (kernel[d] - 1) - 1;
        std::int64_t count = room < 0 ? 0 : room / stride[d] + 1;
        // Rounded up, but a window has to start inside the tensor or in front of it.
        if (roundsUp && room >= 0 && room % stride[d] != 0
            && count * stride[d] < large[d] + padding[d])
            ++count;
        counts.push_back(count);
    }
    return counts;
}

Result<Sizes> spatialArgument(const KernelCall& call, std::string_view name, std::size_t rank,
                              const Sizes& otherwise)
{
    Sizes list;
    if (call.has(name))
    {
        REINSPECT_TRY(list, call.integers(name));
    }
    if (list.empty())
        list = otherwise;
    if (list.size() == 1)
        list.assign(rank, list.front());
    if (list.size() != rank)
        return call.error("argument '" + std::string(name) + "' has " + std::to_string(list.size())
                          + " numbers for " + std::to_string(rank) + " dimensions");
    return list;
}

std::vector<std::int64_t> windowPlaces(const WindowGrid& grid)
{
    const std::int64_t windows = grid.smallCount();
    const std::int64_t insides = grid.kernelCount();
    std::vector<std::int64_t> places;
    places.reserve(static_cast<std::size_t>(windows * insides));
    Sizes inside(grid.rank(), 0);
    for (std::int64_t k = 0; k < insides; ++k, advance(inside, grid.kernel))
    {
        Sizes window(grid.rank(), 0);
        for (std::int64_t w = 0; w < windows; ++w, advance(window, grid.small))
            places.push_back(placeOf(grid, window, inside));
    }
    return places;
}

Sizes stridesLike(const Tensor& like, const Sizes& sizes)
{
    const bool isChannelsLast = like.rank() == sizes.size() && like.rank() >= 4
        && like.strides[1] == 1 && like.strides.back() == like.sizes[1] && !like.isContiguous();
    Sizes strides = contiguousStrides(sizes);
    if (!isChannelsLast)
        return strides;
    std::int64_t step = sizes[1];
    strides[1] = 1;
    for (std::size_t d = sizes.size(); d-- > 2;)
    {
        strides[d] = step;
        step *= std::max<std::int64_t>(sizes[d], 1);
    }
    strides[0] = step;
    return strides;
}

} // namespace reinspect::exec
