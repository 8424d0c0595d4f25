// SPDX-License-Identifier: MIT
// Two tensors or numbers, element by element. Equal bits are equal, and so are two NaNs. Anything else is
// measured, and judged by the one table of tolerances below. Where one of two tensors lies on a device, they are compared
// there; on the host where the device cannot.
#pragma once

#include "core/exec/executor.h"

namespace reinspect::proof
{

// How exact a result can be expected to be when two implementations of the operators computed it.
enum class Exactness : std::uint8_t
{
    Moved,       // only copies, views, integers: bit for bit
    Elementwise, // functions of single elements
    Cancelling, // the same, and what they rounded is added or put into functions that enlarge the error
    Accumulated, // sums in another order: reductions, products of matrices, kernels
};

// The table. A difference passes when it is within `ulps` units in the last place of the larger number, or
// within `relative` times the larger of that number and `scale`, the root of the mean square of the tensor:
// what remains of a cancellation is as exact as what was cancelled. Elementwise functions have `ulps` only; where
// sin(x), two implementations of which may differ by a unit, is subtracted from something near it, no number of
// units bounds the rest, and Cancelling allows as many units of the tensor's scale.
struct Tolerance
{
    double ulps = 0;
    double relative = 0;
};
std::string_view exactnessName(Exactness exactness); // "elementwise"
Tolerance toleranceFor(DType dtype, Exactness exactness);
// Of what a graph computes: the least exact of its operators.
Exactness exactnessOf(const Graph& graph, const CaptureFacts& facts);

struct Difference
{
    bool isBitwise = true;  // the same bits everywhere (NaN is NaN)
    bool isWithin = true;   // of the tolerance asked for
    double maxAbsolute = 0; // infinite when one is NaN or infinite and the other is not
    double maxRelative = 0;
    double maxUlps = 0;
    std::int64_t differing = 0;            // elements
    std::optional<exec::Sizes> firstIndex; // of the first that differs
    std::string mismatch;                  // other sizes, dtypes or kinds: nothing to measure
    bool isFromDevice = false;             // compared there
};

Difference compareTensors(const exec::Tensor& expected, const exec::Tensor& found,
                          const Tolerance& tolerance = {});
Difference compareValues(const exec::Value& expected, const exec::Value& found,
                         const Tolerance& tolerance = {});

} // namespace reinspect::proof
