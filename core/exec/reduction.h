// SPDX-License-Identifier: MIT
// A tensor seen as kept places times reduced ones, and the loop of every reduction. float32 and shorter floats
// are accumulated in double, float64 in pairs, integers in int64 (they wrap); the result is rounded once.
//
//     REINSPECT_TRY(const Folded input, foldedArgument(call));
//     return reduce<double, double>(call, input, dtype, [](std::span<const double> values) { ... });
#pragma once

#include "core/exec/kernel_registry.h"
#include "core/exec/operands.h"

#include <span>

namespace reinspect::exec
{

struct Folded
{
    Sizes kept;              // the result's sizes
    Tensor ordered;          // the input, reduced dimensions last
    std::int64_t length = 1; // of what is reduced
    // Which of the result's dimensions those are that `ordered` begins with.
    std::vector<std::size_t> keptPlaces;
};

Folded folded(const Tensor& self, const std::vector<std::size_t>& dims, bool keepsDims);
// The first argument by its `dim` or `dims` (all where it is left out) and `keepdim`. The error names a
// dimension that is out of range or given twice.
Result<Folded> foldedArgument(const KernelCall& call);

// The dtype of a sum: integers are added up in int64.
DType sumType(const KernelCall& call, DType own);
// What a variance takes off the count: `unbiased` of the older forms, or `correction`.
double correctionOf(const KernelCall& call);

// A tensor's dimension moved to the end, so that the elements along it follow each other. A tensor without
// dimensions has one line of one element.
Tensor withLast(const Tensor& tensor, std::size_t dim);
std::size_t lineLength(const Tensor& tensor, std::size_t dim);

// In pairs: the error grows with the logarithm of the count.
double sumOf(std::span<const double> values);

// fold(values of one place) for each kept place. `part`: which part of a tuple the result is.
template<typename C, typename Out, typename Fold>
Result<Value> reduce(const KernelCall& call, const Folded& input, DType dtype, Fold&& fold,
                     std::size_t part = 0)
{
    REINSPECT_TRY(const Tensor result, call.result(dtype, input.kept, part));
    if (result.count() == 0)
        return Value(result);
    const std::vector<C> values = readAll<C>(input.ordered);
    const auto length = static_cast<std::size_t>(input.length);
    std::vector<Out> made(static_cast<std::size_t>(result.count()));
    for (std::size_t i = 0; i < made.size(); ++i)
        made[i] = fold(std::span<const C>(values).subspan(i * length, length));
    writeAll<Out>(result, made);
    return Value(result);
}

} // namespace reinspect::exec
