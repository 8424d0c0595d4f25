// SPDX-License-Identifier: MIT
#include "core/exec/value_summary.h"

#include "core/exec/elements.h"
#include "core/ir/dtype_promotion.h"

#include <algorithm>
#include <cmath>

namespace reinspect::exec
{
namespace
{

std::vector<double> numbersOf(const Tensor& tensor)
{
    if (dtypeKind(tensor.dtype) != DTypeKind::Complex)
        return readAll<double>(tensor);
    std::vector<double> numbers;
    for (const std::complex<double>& value : readAll<std::complex<double>>(tensor))
        numbers.push_back(std::abs(value));
    return numbers;
}

} // namespace

ValueSummary summaryOf(const Tensor& tensor, std::size_t bins)
{
    ValueSummary summary;
    std::vector<double> finite = numbersOf(tensor);
    summary.count = static_cast<std::int64_t>(finite.size());
    summary.nans = static_cast<std::int64_t>(
        std::erase_if(finite, [](double value) { return std::isnan(value); }));
    summary.infinities = static_cast<std::int64_t>(
        std::erase_if(finite, [](double value) { return std::isinf(value); }));
    summary.histogram.assign(bins, 0);
    if (finite.empty())
        return summary;
    const auto [least, greatest] = std::ranges::minmax(finite);
    summary.least = least;
    summary.greatest = greatest;
    const double range = greatest - least;
    double part = 0;
    for (const double value : finite)
    {
        part += value / static_cast<double>(finite.size());
        const double place = range > 0 ? (value - least) / range * static_cast<double>(bins) : 0;
        if (bins > 0)
            ++summary.histogram[std::min(bins - 1, static_cast<std::size_t>(std::max(place, 0.0)))];
    }
    summary.mean = part;
    return summary;
}

} // namespace reinspect::exec
