// SPDX-License-Identifier: MIT
// Places that tensors of whole numbers name, as the api's index calls: for the rows of indexing and of scattering.
// Where one of these gives nothing, the host is to run the call, or to say what is odd.
#pragma once

#include "core/gpu/gpu_calls.h"

namespace reinspect::gpu
{

struct Places
{
    IndexCall call;
    exec::Sizes sizes; // of what is read or written
};

// By dimension; masks are expanded, for which the run waits.
using Indices = std::vector<std::optional<exec::Tensor>>;
Result<std::optional<Indices>> indicesOf(const exec::KernelCall& call, const exec::Tensor& self);
// As placesOf() of kernels_index.cpp: indices side by side keep their place, otherwise theirs are the first.
std::optional<Places> placesOf(const Indices& indices, const exec::Tensor& self);
// The element (i, j, k) of the index names the place along `dim`.
std::optional<Places> placesAlong(const exec::Tensor& self, std::size_t dim,
                                  const exec::Tensor& index);
// The index, of one dimension at most, names rows along `dim`; they may count from the end, or not.
std::optional<Places> rowsAlong(const exec::Tensor& self, std::size_t dim,
                                const exec::Tensor& index, bool countsFromEnd);

// A tensor of int64 for each dimension of the mask: where it is not 0, in index order. Waits.
Result<std::vector<exec::Tensor>> placesWhereTrue(const exec::KernelCall& call,
                                                  const exec::Tensor& mask);
bool isMask(const exec::Tensor& tensor);
bool canSelect(const exec::Tensor& mask);

// The elements at the places, as a result of their sizes.
Result<exec::Value> readPlaces(const exec::KernelCall& call, const Places& places,
                               const exec::Tensor& self);
// `given`, broadcast to the sizes, to the places.
Result<void> writePlaces(const exec::KernelCall& call, const Places& places, IndexUse use,
                         const exec::Tensor& self, const exec::Tensor& given);
bool canAdd(DType dtype); // IndexUse::Add

} // namespace reinspect::gpu
