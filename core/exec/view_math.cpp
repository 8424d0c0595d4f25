// SPDX-License-Identifier: MIT
#include "core/exec/view_math.h"

#include "core/base/checked_math.h"

#include <algorithm>

namespace reinspect::exec
{

Result<Tensor> sliceOf(const Tensor& base, std::size_t dim, std::optional<std::int64_t> start,
                       std::optional<std::int64_t> end, std::int64_t step)
{
    if (base.rank() == 0)
        return Error{"a tensor without dimensions has no slices"};
    if (step < 1)
        return Error{"the step of a slice must be positive"};
    const std::int64_t size = base.sizes[dim];
    const auto clamped = [&](std::int64_t at, std::int64_t least) {
        at += at < 0 ? size : 0;
        return std::clamp(at, least, size);
    };
    const std::int64_t from = clamped(start.value_or(0), 0);
    const std::int64_t to = clamped(end.value_or(size), from > size ? size : 0);
    Tensor view = base;
    view.sizes[dim] = to > from ? (to - from - 1) / step + 1 : 0;
    view.offset += from * base.strides[dim];
    view.strides[dim] = checkedMultiply(base.strides[dim], step).value_or(base.strides[dim]);
    return viewOf(base, view.sizes, view.strides, view.offset);
}

Result<Tensor> selectOf(const Tensor& base, std::size_t dim, std::int64_t index)
{
    if (base.rank() == 0)
        return Error{"a tensor without dimensions has no parts to select"};
    const std::int64_t size = base.sizes[dim];
    const std::int64_t at = index < 0 ? index + size : index;
    if (at < 0 || at >= size)
        return Error{"index " + std::to_string(index) + " is out of range for dimension "
                     + std::to_string(dim) + " of size " + std::to_string(size)};
    Tensor view = base;
    view.offset += at * base.strides[dim];
    view.sizes.erase(view.sizes.begin() + static_cast<std::ptrdiff_t>(dim));
    view.strides.erase(view.strides.begin() + static_cast<std::ptrdiff_t>(dim));
    return viewOf(base, view.sizes, view.strides, view.offset);
}

Result<Tensor> diagonalOf(const Tensor& base, std::int64_t offset, std::size_t one, std::size_t two)
{
    if (base.rank() < 2 || one == two)
        return Error{"a diagonal needs two different dimensions"};
    const std::int64_t down = std::max<std::int64_t>(-offset, 0);
    const std::int64_t right = std::max<std::int64_t>(offset, 0);
    const std::int64_t length =
        std::max<std::int64_t>(0, std::min(base.sizes[one] - down, base.sizes[two] - right));
    Tensor view = base;
    if (length > 0)
        view.offset += down * base.strides[one] + right * base.strides[two];
    view.sizes.clear();
    view.strides.clear();
    for (std::size_t i = 0; i < base.rank(); ++i)
        if (i != one && i != two)
        {
            view.sizes.push_back(base.sizes[i]);
            view.strides.push_back(base.strides[i]);
        }
    view.sizes.push_back(length);
    view.strides.push_back(base.strides[one] + base.strides[two]);
    return viewOf(base, view.sizes, view.strides, view.offset);
}

Result<Tensor> reinterpreted(const Tensor& base, DType dtype)
{
    const std::int64_t from = base.elementBytes();
    const std::int64_t to = dtypeBytes(dtype);
    if (from == 0 || to == 0)
        return Error{"the dtype of the view is not known"};
    if (from == to)
        return viewOf(base, dtype, base.sizes, base.strides, base.offset);
    if (base.rank() == 0 || base.strides.back() != 1)
        return Error{"a view as a dtype of another width needs a last dimension of stride 1"};
    Sizes sizes = base.sizes;
    Sizes strides = base.strides;
    std::int64_t offset = base.offset * from;
    sizes.back() *= from;
    bool fits = sizes.back() % to == 0 && offset % to == 0;
    for (std::size_t i = 0; i + 1 < strides.size(); ++i)
    {
        strides[i] *= from;
        fits = fits && (strides[i] % to == 0 || sizes[i] <= 1);
        strides[i] /= to;
    }
    if (!fits)
        return Error{"sizes and strides do not divide into elements of " + std::to_string(to)
                     + " bytes"};
    sizes.back() /= to;
    return viewOf(base, dtype, std::move(sizes), std::move(strides), offset / to);
}

Result<Sizes> filledSizes(const Tensor& tensor, Sizes sizes)
{
    const std::int64_t count = tensor.count();
    const Error refusal{"sizes " + sizesText(sizes) + " do not fit " + std::to_string(count)
                        + " elements"};
    const auto open = std::ranges::find(sizes, -1);
    if (open != sizes.end())
    {
        *open = 1;
        const auto others = elementCount(sizes);
        if (!others || *others == 0 || count % *others != 0)
            return refusal;
        *open = count / *others;
    }
    if (elementCount(sizes) != count)
        return refusal;
    return sizes;
}

std::optional<Tensor> reshapedView(const Tensor& tensor, const Sizes& sizes)
{
    Tensor view = tensor;
    view.sizes = sizes;
    view.strides = contiguousStrides(sizes);
    if (tensor.count() == 0)
    {
        if (sizes == tensor.sizes)
            view.strides = tensor.strides;
        return view;
    }
    // Walks chunks of the old dimensions that lie evenly, and hands each to as many new ones.
    auto next = static_cast<std::ptrdiff_t>(sizes.size()) - 1;
    std::int64_t chunkStride = tensor.strides.empty() ? 1 : tensor.strides.back();
    std::int64_t chunk = 1;
    std::int64_t taken = 1;
    for (auto old = static_cast<std::ptrdiff_t>(tensor.rank()) - 1; old >= 0; --old)
    {
        const auto o = static_cast<std::size_t>(old);
        chunk *= tensor.sizes[o];
        const bool ends =
            old == 0 || (tensor.sizes[o - 1] != 1 && tensor.strides[o - 1] != chunk * chunkStride);
        if (!ends)
            continue;
        while (next >= 0 && (taken < chunk || sizes[static_cast<std::size_t>(next)] == 1))
        {
            view.strides[static_cast<std::size_t>(next)] = taken * chunkStride;
            taken *= sizes[static_cast<std::size_t>(next)];
            --next;
        }
        if (taken != chunk)
            return {};
        if (old > 0)
            chunkStride = tensor.strides[o - 1];
        chunk = 1;
        taken = 1;
    }
    if (tensor.rank() == 0)
        view.strides = contiguousStrides(sizes);
    else if (next >= 0)
        return {};
    return view;
}

} // namespace reinspect::exec
