// SPDX-License-Identifier: MIT
// What layer, group and batch normalization share: rows of elements, each with a mean and an inverse root of
// its variance, and a weight and a bias for each parameter.
#pragma once

#include "core/exec/kernel_call.h"

#include <algorithm>
#include <span>

namespace reinspect::exec
{

struct NormShape
{
    std::size_t rows = 0;
    std::size_t length = 0; // of a row
    std::size_t groups = 1; // rows with parameters of their own
    std::size_t inner = 1;  // elements side by side with the same parameter

    std::size_t perRow() const { return length / std::max<std::size_t>(inner, 1); }
    std::size_t parameters() const { return groups * perRow(); }
    std::size_t parameterOf(std::size_t row, std::size_t i) const
    {
        return row % groups * perRow() + i / inner;
    }
};

struct RowStatistics
{
    std::vector<double> mean;
    std::vector<double> variance; // of all elements, without correction
    std::vector<double> scale;    // 1 / sqrt(variance + eps)
};

// With `centers` false the mean counts as 0: root mean square.
RowStatistics rowStatistics(std::span<const double> values, const NormShape& shape, double eps,
                            bool centers = true);

using Parameters = std::optional<std::vector<double>>;
// The error names the argument that has not as many elements as there are parameters.
Result<Parameters> parametersOf(const KernelCall& call, std::string_view name, std::size_t count);

// (x - mean) * scale * weight + bias, in place.
void normalize(std::vector<double>& values, const NormShape& shape, const RowStatistics& rows,
               const Parameters& weight, const Parameters& bias);

struct NormGradients
{
    std::vector<double> input;
    std::vector<double> weight;
    std::vector<double> bias;
};
// With `isFixed` mean and scale are constants; with `centers` false the mean is.
NormGradients normGradients(std::span<const double> grad, std::span<const double> input,
                            const NormShape& shape, const RowStatistics& rows,
                            const Parameters& weight, bool isFixed = false, bool centers = true);

// The dtype of statistics: as captured, otherwise float32 for shorter floats.
DType statisticsType(const KernelCall& call, DType own, std::size_t part);

// Does a list of bool ask for this part?
bool isPartAsked(const KernelCall& call, std::string_view mask, std::size_t part);

} // namespace reinspect::exec
