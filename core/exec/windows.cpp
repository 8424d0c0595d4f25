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

std::size_t poolRank(const KernelCall& call)
{
    for (const char digit : {'1', '2', '3'})
        if (call.target.find(std::string("pool") + digit + "d") != std::string::npos)
            return static_cast<std::size_t>(digit - '0');
    return 2;
}

Result<Sizes> spatialSizes(const KernelCall& call, const Tensor& self, std::size_t rank)
{
    if (self.rank() != rank + 1 && self.rank() != rank + 2)
        return call.error("an input of " + std::to_string(self.rank()) + " dimensions for "
                          + std::to_string(rank) + " spatial ones");
    return Sizes(self.sizes.end() - static_cast<std::ptrdiff_t>(rank), self.sizes.end());
}

Result<WindowGrid> poolGrid(const KernelCall& call, const Sizes& large)
{
    const std::size_t rank = large.size();
    WindowGrid grid;
    grid.large = large;
    REINSPECT_TRY(grid.kernel, spatialArgument(call, "kernel_size", rank));
    REINSPECT_TRY(grid.stride, spatialArgument(call, "stride", rank, grid.kernel));
    REINSPECT_TRY(grid.padding, spatialArgument(call, "padding", rank, {0}));
    REINSPECT_TRY(grid.dilation, spatialArgument(call, "dilation", rank, {1}));
    for (const Sizes* list : {&grid.kernel, &grid.stride, &grid.dilation})
        if (std::ranges::min(*list) < 1)
            return call.error("kernel, stride and dilation must be positive");
    for (std::size_t d = 0; d < rank; ++d)
        if (grid.padding[d] < 0 || grid.padding[d] * 2 > grid.kernel[d])
            return call.error("padding must be at most half of the kernel");
    grid.small = grid.windowCounts(call.flag("ceil_mode"));
    if (std::ranges::min(grid.small) < 1)
        return call.error("the kernel " + sizesText(grid.kernel)
                          + " does not fit into the padded input " + sizesText(large));
    return grid;
}

Sizes pooledSizes(const Tensor& self, const Sizes& spatial)
{
    Sizes sizes(self.sizes.begin(), self.sizes.end() - static_cast<std::ptrdiff_t>(spatial.size()));
    sizes.insert(sizes.end(), spatial.begin(), spatial.end());
    return sizes;
}

Result<Tensor> pooledResult(const KernelCall& call, const Tensor& self, DType dtype,
                            const Sizes& spatial, std::size_t part)
{
    const Sizes sizes = pooledSizes(self, spatial);
    return call.result(dtype, sizes, part, stridesLike(self, sizes));
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
