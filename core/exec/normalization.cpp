// SPDX-License-Identifier: MIT
#include "core/exec/normalization.h"

#include "core/exec/elements.h"
#include "core/exec/reduction.h"

#include <cmath>

namespace reinspect::exec
{

RowStatistics rowStatistics(std::span<const double> values, const NormShape& shape, double eps,
                            bool centers)
{
    RowStatistics rows;
    const auto count = static_cast<double>(shape.length);
    std::vector<double> squares(shape.length);
    for (std::size_t row = 0; row < shape.rows; ++row)
    {
        const auto line = values.subspan(row * shape.length, shape.length);
        const double mean = centers ? sumOf(line) / count : 0;
        for (std::size_t i = 0; i < line.size(); ++i)
            squares[i] = (line[i] - mean) * (line[i] - mean);
        rows.mean.push_back(mean);
        rows.variance.push_back(sumOf(squares) / count);
        rows.scale.push_back(1 / std::sqrt(rows.variance.back() + eps));
    }
    return rows;
}

Result<Parameters> parametersOf(const KernelCall& call, std::string_view name, std::size_t count)
{
    const std::optional<Tensor> given = call.optionalTensor(name);
    if (!given)
        return Parameters();
    if (static_cast<std::size_t>(given->count()) != count)
        return call.error("argument '" + std::string(name) + "' has "
                          + std::to_string(given->count()) + " elements instead of "
                          + std::to_string(count));
    return Parameters(readAll<double>(*given));
}

void normalize(std::vector<double>& values, const NormShape& shape, const RowStatistics& rows,
               const Parameters& weight, const Parameters& bias)
{
    for (std::size_t row = 0; row < shape.rows; ++row)
        for (std::size_t i = 0; i < shape.length; ++i)
        {
            double& value = values[row * shape.length + i];
            const std::size_t parameter = shape.parameterOf(row, i);
            value = (value - rows.mean[row]) * rows.scale[row];
            if (weight)
                value *= (*weight)[parameter];
            if (bias)
                value += (*bias)[parameter];
        }
}

namespace
{

// One row: fills in its part of the input's gradient from what weights leave of the gradient.
void rowGradient(std::span<const double> weighted, std::span<const double> normal, double scale,
                 bool isFixed, bool centers, std::span<double> made)
{
    std::vector<double> products(weighted.size());
    for (std::size_t i = 0; i < weighted.size(); ++i)
        products[i] = weighted[i] * normal[i];
    const auto count = static_cast<double>(weighted.size());
    const double along = isFixed ? 0 : sumOf(products) / count;
    const double shift = isFixed || !centers ? 0 : sumOf(weighted) / count;
    for (std::size_t i = 0; i < weighted.size(); ++i)
        made[i] = scale * (weighted[i] - shift - normal[i] * along);
}

} // namespace

NormGradients normGradients(std::span<const double> grad, std::span<const double> input,
                            const NormShape& shape, const RowStatistics& rows,
                            const Parameters& weight, bool isFixed, bool centers)
{
    NormGradients made{std::vector<double>(input.size()),
                       std::vector<double>(shape.parameters(), 0),
                       std::vector<double>(shape.parameters(), 0)};
    std::vector<double> weighted(shape.length);
    std::vector<double> normal(shape.length);
    for (std::size_t row = 0; row < shape.rows; ++row)
    {
        for (std::size_t i = 0; i < shape.length; ++i)
        {
            const std::size_t at = row * shape.length + i;
            const std::size_t parameter = shape.parameterOf(row, i);
            normal[i] = (input[at] - rows.mean[row]) * rows.scale[row];
            weighted[i] = grad[at] * (weight ? (*weight)[parameter] : 1.0);
            made.weight[parameter] += grad[at] * normal[i];
            made.bias[parameter] += grad[at];
        }
        rowGradient(weighted, normal, rows.scale[row], isFixed, centers,
                    std::span<double>(made.input).subspan(row * shape.length, shape.length));
    }
    return made;
}

DType statisticsType(const KernelCall& call, DType own, std::size_t part)
{
    if (const TensorMeta* meta = call.expectedTensor(part))
        return meta->dtype;
    return own == DType::Float64 ? own : DType::Float32;
}

bool isPartAsked(const KernelCall& call, std::string_view mask, std::size_t part)
{
    const Value* given = call.given(mask);
    const std::vector<Value>* items = given ? given->items() : nullptr;
    return items && part < items->size() && (*items)[part].integer().value_or(0) != 0;
}

} // namespace reinspect::exec
