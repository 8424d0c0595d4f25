// SPDX-License-Identifier: MIT
// Elements of strided tensors: walked in index order in runs along the last dimensions, read and written as
// the types that operators compute in.
//
//     std::vector<float> x = readAll<float>(tensor);   // index order, whatever the strides
//     writeAll<float>(result, x);                      // rounds once to the result's dtype
#pragma once

#include "core/exec/scalar_types.h"
#include "core/exec/tensor.h"

#include <array>
#include <span>

namespace reinspect::exec
{

// `count` elements of the dtype from `data` on, `stride` elements apart, as C: float, double, std::int64_t,
// std::complex<float> or std::complex<double>. Floats become integers as C++ and PyTorch do (towards zero;
// what does not fit becomes the least integer); anything becomes bool as "not zero".
template<typename C>
void loadRun(DType dtype, const std::byte* data, std::int64_t stride, std::int64_t count, C* out);
template<typename C>
void storeRun(DType dtype, std::byte* data, std::int64_t stride, std::int64_t count,
              const C* values);

// Sizes and strides of N tensors of equal sizes with neighbouring dimensions joined where all allow it.
template<std::size_t N>
struct Walk
{
    Sizes sizes;
    std::array<Sizes, N> strides; // elements

    Walk(const Sizes& all, const std::array<const Sizes*, N>& given)
    {
        for (std::size_t i = 0; i < all.size(); ++i)
            addDimension(all[i], given, i);
        if (sizes.empty())
        {
            sizes.push_back(1);
            for (Sizes& list : strides)
                list.push_back(0);
        }
    }

    // visit(offsets, strides of a run, elements of a run), offsets in elements.
    template<typename Visit>
    void run(std::array<std::int64_t, N> offsets, Visit&& visit) const
    {
        for (const std::int64_t size : sizes)
            if (size == 0)
                return;
        std::array<std::int64_t, N> inner;
        for (std::size_t k = 0; k < N; ++k)
            inner[k] = strides[k].back();
        Sizes index(sizes.size() - 1, 0);
        for (;;)
        {
            visit(offsets, inner, sizes.back());
            std::size_t i = index.size();
            for (; i-- > 0;)
            {
                for (std::size_t k = 0; k < N; ++k)
                    offsets[k] += strides[k][i];
                if (++index[i] < sizes[i])
                    break;
                for (std::size_t k = 0; k < N; ++k)
                    offsets[k] -= strides[k][i] * sizes[i];
                index[i] = 0;
            }
            if (i == static_cast<std::size_t>(-1))
                return;
        }
    }

private:
    void addDimension(std::int64_t size, const std::array<const Sizes*, N>& given, std::size_t i)
    {
        if (size == 1)
            return;
        bool joins = !sizes.empty();
        for (std::size_t k = 0; k < N && joins; ++k)
            joins = strides[k].back() == (*given[k])[i] * size;
        if (joins)
        {
            sizes.back() *= size;
            for (std::size_t k = 0; k < N; ++k)
                strides[k].back() = (*given[k])[i];
            return;
        }
        sizes.push_back(size);
        for (std::size_t k = 0; k < N; ++k)
            strides[k].push_back((*given[k])[i]);
    }
};

// The same elements in the host's memory, row by row. A tensor that is there already is given back as it is.
Tensor onHost(const Tensor& tensor);
// What `from`, on the host and row by row, holds goes to `to` on the device.
Result<void> sendToDevice(const Tensor& to, const Tensor& from);
// Memory of the host for as many elements.
Tensor hostTwin(const Tensor& tensor);

template<typename C>
void readInto(const Tensor& given, C* out)
{
    const Tensor tensor = onHost(given);
    const Walk<1> walk(tensor.sizes, {&tensor.strides});
    const std::int64_t width = tensor.elementBytes();
    walk.run({tensor.offset}, [&](const auto& at, const auto& stride, std::int64_t count) {
        loadRun<C>(tensor.dtype, tensor.storage->data() + at[0] * width, stride[0], count, out);
        out += count;
    });
}

template<typename C>
std::vector<C> readAll(const Tensor& tensor)
{
    std::vector<C> values(static_cast<std::size_t>(tensor.count()));
    readInto(tensor, values.data());
    return values;
}

// As many values as the tensor has elements.
template<typename C>
void writeAll(const Tensor& given, std::span<const C> values)
{
    const bool isRemote = given.storage->isOnDevice();
    const Tensor tensor = isRemote ? hostTwin(given) : given;
    const C* next = values.data();
    const Walk<1> walk(tensor.sizes, {&tensor.strides});
    const std::int64_t width = tensor.elementBytes();
    walk.run({tensor.offset}, [&](const auto& at, const auto& stride, std::int64_t count) {
        storeRun<C>(tensor.dtype, tensor.storage->data() + at[0] * width, stride[0], count, next);
        next += count;
    });
    if (isRemote) // what fails, the device says at the end of the run
        (void)sendToDevice(given, tensor).ok();
}
template<typename C>
void writeAll(const Tensor& tensor, const std::vector<C>& values)
{
    writeAll<C>(tensor, std::span<const C>(values));
}

// All of these work where a tensor lies on a device, by way of a copy.

// Copies elements with broadcasting and conversion, as Tensor.copy_ does. The two may overlap: what is read
// is what was there before. The error names the sizes that do not fit.
Result<void> copyElements(const Tensor& to, const Tensor& from);
// Adds element `number` of `values`, which has no gaps, to the element of `self` that lies `offset` elements after
// its first one, in the dtype's arithmetic.
void addElement(const Tensor& self, std::int64_t offset, const Tensor& values, std::int64_t number);

} // namespace reinspect::exec
