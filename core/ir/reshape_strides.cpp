// SPDX-License-Identifier: MIT
#include "core/ir/reshape_strides.h"

#include <algorithm>

namespace reinspect
{
namespace
{

using Sizes = std::vector<SymExpr>;

// A tensor whose dimensions are split and merged, front to back, until they have the sizes asked for.
struct Dimensions
{
    Sizes sizes;
    Sizes strides;

    void insert(std::size_t at, SymExpr size, SymExpr stride)
    {
        sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(at), std::move(size));
        strides.insert(strides.begin() + static_cast<std::ptrdiff_t>(at), std::move(stride));
    }
    void erase(std::size_t at)
    {
        sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(at));
        strides.erase(strides.begin() + static_cast<std::ptrdiff_t>(at));
    }
};

// `whole` / `part`, when that is a whole number for certain.
std::optional<SymExpr> quotient(const SymExpr& whole, const SymExpr& part)
{
    if (whole == part)
        return 1;
    if (part.constant() == 1)
        return whole;
    const auto a = whole.constant();
    const auto b = part.constant();
    return a && b && *b > 0 && *a % *b == 0 ? std::optional<SymExpr>(*a / *b) : std::nullopt;
}

// Dimensions first..last as one; false when memory between them is left out or used twice.
bool merge(Dimensions& dims, std::size_t first, std::size_t last)
{
    SymExpr size = dims.sizes[last];
    SymExpr stride = dims.strides[last];
    for (std::size_t dim = last; dim-- > first;)
    {
        if (dims.sizes[dim].constant() == 1)
            continue;
        const bool follows = dims.sizes[dim + 1].constant() == 1
            || dims.strides[dim] == dims.strides[dim + 1] * dims.sizes[dim + 1];
        if (!follows)
            return false;
        if (size.constant() == 1)
            stride = dims.strides[dim];
        size = size * dims.sizes[dim];
    }
    for (std::size_t dim = last; dim > first; --dim)
        dims.erase(dim);
    dims.sizes[first] = size;
    dims.strides[first] = stride;
    return true;
}

// Makes dimension `at` as long as asked, the rest of it behind.
bool take(Dimensions& dims, std::size_t at, const SymExpr& length)
{
    std::size_t last = at;
    SymExpr held = dims.sizes[at];
    std::optional<SymExpr> rest = quotient(held, length);
    while (!rest && ++last < dims.sizes.size())
    {
        held = held * dims.sizes[last];
        rest = quotient(held, length);
    }
    if (!rest || (last > at && !merge(dims, at, last)))
        return false;
    if (rest->constant() == 1 && dims.sizes[at] == length)
        return true;
    const SymExpr inner = dims.strides[at];
    dims.sizes[at] = length;
    dims.strides[at] = inner * *rest;
    dims.insert(at + 1, *rest, inner);
    return true;
}

std::optional<Sizes> stepwise(const TensorMeta& base, const Sizes& sizes)
{
    Dimensions dims{base.sizes, *base.strides};
    for (std::size_t at = 0; at < sizes.size(); ++at)
    {
        if (at >= dims.sizes.size())
        {
            if (sizes[at].constant() != 1)
                return {};
            dims.insert(at, 1, 1);
        }
        else if (!(sizes[at] == dims.sizes[at]) && !take(dims, at, sizes[at]))
            return {};
    }
    const bool onlyOnes =
        std::all_of(dims.sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size()),
                    dims.sizes.end(), [](const SymExpr& size) { return size.constant() == 1; });
    dims.strides.resize(sizes.size());
    return onlyOnes ? std::optional(std::move(dims.strides)) : std::nullopt;
}

std::optional<Sizes> computedStrides(const TensorMeta& base, const Sizes& sizes)
{
    Sizes strides(sizes.size());
    std::size_t left = sizes.size();
    SymExpr held = 1; // elements of the run of dimensions that step through memory as one
    SymExpr step = base.strides->empty() ? SymExpr(1) : base.strides->back();
    for (std::size_t dim = base.sizes.size(); dim-- > 0;)
    {
        held = held * base.sizes[dim];
        const bool goesOn = dim > 0
            && (base.sizes[dim - 1].constant() == 1 || (*base.strides)[dim - 1] == held * step);
        if (goesOn)
            continue;
        SymExpr named = 1;
        for (; left > 0 && (!(named == held) || sizes[left - 1].constant() == 1); --left)
        {
            strides[left - 1] = named * step;
            named = named * sizes[left - 1];
        }
        if (!(named == held))
            return {};
        held = 1;
        step = dim > 0 ? (*base.strides)[dim - 1] : SymExpr(1);
    }
    return left == 0 ? std::optional(std::move(strides)) : std::nullopt;
}

} // namespace

std::optional<std::vector<SymExpr>> reshapedStrides(const TensorMeta& base,
                                                    const std::vector<SymExpr>& sizes)
{
    const bool isOneRow =
        isContiguous(base) && (sizes.size() == 1 || (sizes.size() == 2 && base.sizes.size() == 1));
    if (isOneRow)
        return contiguousStrides(sizes);
    if (auto strides = stepwise(base, sizes))
        return strides;
    return isContiguous(base) ? std::optional(contiguousStrides(sizes))
                              : computedStrides(base, sizes);
}

} // namespace reinspect
