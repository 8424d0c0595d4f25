// SPDX-License-Identifier: MIT
#include "core/exec/tensor.h"

#include "core/base/checked_math.h"

#include <algorithm>

namespace reinspect::exec
{

std::optional<std::int64_t> elementCount(const Sizes& sizes)
{
    std::optional<std::int64_t> count = 1;
    for (const std::int64_t size : sizes)
    {
        if (size < 0)
            return {};
        if (size == 0)
            return 0;
    }
    for (const std::int64_t size : sizes)
        if (count)
            count = checkedMultiply(*count, size);
    return count;
}

std::int64_t Tensor::count() const
{
    return elementCount(sizes).value_or(0);
}

bool Tensor::isContiguous() const
{
    std::int64_t expected = 1;
    for (std::size_t i = sizes.size(); i-- > 0;)
    {
        if (sizes[i] == 0)
            return true;
        if (sizes[i] != 1 && strides[i] != expected)
            return count() == 0;
        expected *= sizes[i];
    }
    return true;
}

Sizes contiguousStrides(const Sizes& sizes)
{
    Sizes strides(sizes.size(), 1);
    for (std::size_t i = sizes.size(); i-- > 1;)
        strides[i - 1] =
            checkedMultiply(strides[i], std::max<std::int64_t>(sizes[i], 1)).value_or(0);
    return strides;
}

std::optional<std::int64_t> extent(const Sizes& sizes, const Sizes& strides)
{
    std::optional<std::int64_t> last = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i)
    {
        if (sizes[i] < 0 || strides[i] < 0)
            return {};
        if (sizes[i] == 0)
            return 0;
    }
    for (std::size_t i = 0; i < sizes.size() && last; ++i)
    {
        const auto step = checkedMultiply(sizes[i] - 1, strides[i]);
        last = step ? checkedAdd(*last, *step) : std::nullopt;
    }
    return last ? checkedAdd(*last, 1) : std::nullopt;
}

Result<Tensor> viewOf(const Tensor& base, DType dtype, Sizes sizes, Sizes strides,
                      std::int64_t offset)
{
    const auto refusal = [&](std::string why) {
        return Error{"a view of sizes " + sizesText(sizes) + ", strides " + sizesText(strides)
                     + " and offset " + std::to_string(offset) + " " + std::move(why)};
    };
    if (sizes.size() != strides.size())
        return refusal("has not as many sizes as strides");
    const auto elements = extent(sizes, strides);
    if (!elements || !elementCount(sizes) || offset < 0)
        return refusal("does not exist");
    const auto end = checkedAdd(*elements, offset);
    const auto bytes = end ? checkedMultiply(*end, dtypeBytes(dtype)) : std::nullopt;
    if (!bytes || (*elements > 0 && *bytes > base.storage->bytes()))
        return refusal("reaches outside of a storage of " + std::to_string(base.storage->bytes())
                       + " bytes");
    return Tensor{dtype, std::move(sizes), std::move(strides), offset, base.storage, base.isOnHost};
}

Result<Tensor> viewOf(const Tensor& base, Sizes sizes, Sizes strides, std::int64_t offset)
{
    return viewOf(base, base.dtype, std::move(sizes), std::move(strides), offset);
}

Result<Tensor> broadcastTo(const Tensor& tensor, const Sizes& sizes)
{
    const Error refusal{"sizes " + sizesText(tensor.sizes) + " do not broadcast to "
                        + sizesText(sizes)};
    if (tensor.rank() > sizes.size())
        return refusal;
    const std::size_t lead = sizes.size() - tensor.rank();
    Sizes strides(sizes.size(), 0);
    for (std::size_t i = 0; i < tensor.rank(); ++i)
    {
        if (tensor.sizes[i] == sizes[lead + i])
            strides[lead + i] = tensor.strides[i];
        else if (tensor.sizes[i] != 1)
            return refusal;
    }
    return viewOf(tensor, sizes, std::move(strides), tensor.offset);
}

Result<Sizes> broadcastSizes(const Sizes& a, const Sizes& b)
{
    const Sizes& longer = a.size() >= b.size() ? a : b;
    const Sizes& shorter = a.size() >= b.size() ? b : a;
    Sizes sizes = longer;
    for (std::size_t i = 0; i < shorter.size(); ++i)
    {
        std::int64_t& size = sizes[longer.size() - shorter.size() + i];
        if (size == 1)
            size = shorter[i];
        else if (shorter[i] != 1 && shorter[i] != size)
            return Error{"sizes " + sizesText(a) + " and " + sizesText(b) + " do not broadcast"};
    }
    return sizes;
}

bool sharesStorage(const Tensor& a, const Tensor& b)
{
    return a.storage == b.storage;
}

std::optional<std::size_t> dimensionAt(std::int64_t dim, std::size_t rank)
{
    const std::int64_t count = std::max<std::int64_t>(static_cast<std::int64_t>(rank), 1);
    dim += dim < 0 ? count : 0;
    if (dim < 0 || dim >= count)
        return {};
    return static_cast<std::size_t>(dim);
}

std::string sizesText(const Sizes& sizes)
{
    std::string text = "[";
    for (const std::int64_t size : sizes)
        text += (text.size() > 1 ? ", " : "") + std::to_string(size);
    return text + "]";
}

std::string tensorText(const Tensor& tensor)
{
    return std::string(dtypeName(tensor.dtype)) + sizesText(tensor.sizes);
}

} // namespace reinspect::exec
