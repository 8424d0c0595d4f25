// SPDX-License-Identifier: MIT
// A tensor on the host: a strided view of a shared storage. Copying a Tensor copies the view, never the
// elements. Sizes, strides and offset count elements. Every tensor was checked when it was made: all its
// elements lie inside its storage, so loops over them need no checks.
#pragma once

#include "core/exec/storage.h"

#include <optional>

namespace reinspect::exec
{

using Sizes = std::vector<std::int64_t>;

struct Tensor
{
    DType dtype = DType::Unknown;
    Sizes sizes;
    Sizes strides;
    std::int64_t offset = 0;
    StoragePtr storage;
    bool isOnHost = false; // device "cpu" beside a graph on another device

    std::size_t rank() const { return sizes.size(); }
    std::int64_t count() const; // elements; fits, since it was checked
    std::int64_t elementBytes() const { return dtypeBytes(dtype); }
    std::byte* data() const { return storage->data() + offset * elementBytes(); }
    bool isContiguous() const; // row-major without gaps; empty tensors are
};

// Nothing where the product does not fit.
std::optional<std::int64_t> elementCount(const Sizes& sizes);
Sizes contiguousStrides(const Sizes& sizes);
// Elements from the first to behind the last one; nothing on overflow or a negative stride. 0 when empty.
std::optional<std::int64_t> extent(const Sizes& sizes, const Sizes& strides);

// Another view of the storage. The error says what reaches outside.
Result<Tensor> viewOf(const Tensor& base, DType dtype, Sizes sizes, Sizes strides,
                      std::int64_t offset);
Result<Tensor> viewOf(const Tensor& base, Sizes sizes, Sizes strides, std::int64_t offset);
// As if repeated along dimensions of size 1 and new leading ones. Not writable in general.
Result<Tensor> broadcastTo(const Tensor& tensor, const Sizes& sizes);
Result<Sizes> broadcastSizes(const Sizes& a, const Sizes& b);

// May the two share an element? False only when certainly not.
bool sharesStorage(const Tensor& a, const Tensor& b);

// The dimension counted from either end; nothing outside the rank (rank 0 counts as one dimension).
std::optional<std::size_t> dimensionAt(std::int64_t dim, std::size_t rank);

std::string sizesText(const Sizes& sizes);    // "[2, 3]"
std::string tensorText(const Tensor& tensor); // "float32[2, 3]"

} // namespace reinspect::exec
