// SPDX-License-Identifier: MIT
// Windows that slide over the last dimensions of a tensor: geometry of convolution and pooling in any number of
// dimensions. The large side holds the elements that windows see, the small side one element a window.
#pragma once

#include "core/exec/kernel_call.h"

namespace reinspect::exec
{

struct WindowGrid
{
    Sizes large; // spatial sizes
    Sizes small;
    Sizes kernel;
    Sizes stride;
    Sizes padding; // in front; behind it follows from the sizes
    Sizes dilation;

    std::size_t rank() const { return large.size(); }
    std::int64_t largeCount() const { return *elementCount(large); }
    std::int64_t smallCount() const { return *elementCount(small); }
    std::int64_t kernelCount() const { return *elementCount(kernel); }
    // How many windows fit, for each dimension; below 1 where none does.
    Sizes windowCounts(bool roundsUp = false) const;
};

// A list argument with one number for each dimension: one number stands for all, an empty list for `otherwise`.
Result<Sizes> spatialArgument(const KernelCall& call, std::string_view name, std::size_t rank,
                              const Sizes& otherwise = {});

// Of pooling. The number of spatial dimensions is the operator's name's; the input has a dimension or two before them.
std::size_t poolRank(const KernelCall& call);
Result<Sizes> spatialSizes(const KernelCall& call, const Tensor& self, std::size_t rank);
// The windows by the call's arguments. The error says what does not fit.
Result<WindowGrid> poolGrid(const KernelCall& call, const Sizes& large);
// The tensor's sizes with these spatial ones.
Sizes pooledSizes(const Tensor& self, const Sizes& spatial);
Result<Tensor> pooledResult(const KernelCall& call, const Tensor& self, DType dtype,
                            const Sizes& spatial, std::size_t part = 0);

// The place on the large side of each (window, place in the kernel); -1 outside. Row by row: for each place in
// the kernel all windows.
std::vector<std::int64_t> windowPlaces(const WindowGrid& grid);

// Strides as those of `like`: channels last where it has them so, row-major otherwise.
Sizes stridesLike(const Tensor& like, const Sizes& sizes);

} // namespace reinspect::exec
