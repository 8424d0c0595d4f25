// SPDX-License-Identifier: MIT
// Further random operators: other distributions, permutations, samples by weight, and the leaky rectifier with
// random slopes. They draw from Philox by the node's name, as those of kernels_random.cpp.
#include "core/exec/joined_rows.h"
#include "core/exec/operands.h"
#include "core/exec/philox.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace reinspect::exec
{
namespace
{

Philox generatorFor(const KernelCall& call)
{
    call.note("Random operators draw from Philox with the seed of this program, not from a "
              "device's generator.");
    return Philox(call.context->seed, Philox::streamOf(call.node));
}

// A result like `self` (or of the sizes of the argument `size`), each element drawn by its number.
template<typename Draw>
Result<Value> filled(const KernelCall& call, Draw&& draw)
{
    Sizes sizes;
    Sizes strides;
    DType dtype = call.dtype(DType::Float32);
    if (call.has("self"))
    {
        REINSPECT_TRY(const Tensor self, call.tensor("self"));
        sizes = self.sizes;
        strides = preservedStrides(self);
        dtype = call.dtype(self.dtype);
    }
    else
    {
        REINSPECT_TRY(sizes, call.integers("size"));
        strides = contiguousStrides(sizes);
    }
    REINSPECT_TRY(const Tensor result, call.result(dtype, sizes, 0, strides));
    std::vector<double> values(static_cast<std::size_t>(result.count()));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = draw(i);
    writeAll<double>(result, values);
    return Value(result);
}

// (0, 1]: its logarithm is finite.
double positiveUniform(const Philox& random, std::size_t place)
{
    return 1 - random.uniform(place);
}

Result<Value> exponential(const KernelCall& call)
{
    const double rate = call.optionalNumber("lambd").value_or(1);
    if (!(rate > 0))
        return call.error("a rate of " + std::to_string(rate));
    const Philox random = generatorFor(call);
    return filled(call,
                  [&](std::size_t i) { return -std::log(positiveUniform(random, i)) / rate; });
}

Result<Value> geometric(const KernelCall& call)
{
    REINSPECT_TRY(const double p, call.number("p"));
    if (!(p > 0 && p < 1))
        return call.error("a chance of " + std::to_string(p));
    const Philox random = generatorFor(call);
    return filled(call, [&](std::size_t i) {
        return std::max(1.0, std::ceil(std::log(positiveUniform(random, i)) / std::log1p(-p)));
    });
}

Result<Value> cauchy(const KernelCall& call)
{
    const double median = call.optionalNumber("median").value_or(0);
    const double sigma = call.optionalNumber("sigma").value_or(1);
    const Philox random = generatorFor(call);
    return filled(call, [&](std::size_t i) {
        return median + sigma * std::tan(3.141592653589793 * (random.uniform(i) - 0.5));
    });
}

Result<Value> logNormal(const KernelCall& call)
{
    const double mean = call.optionalNumber("mean").value_or(1);
    const double deviation = call.optionalNumber("std").value_or(2);
    const Philox random = generatorFor(call);
    return filled(call,
                  [&](std::size_t i) { return std::exp(mean + deviation * random.normal(i)); });
}

Result<Value> plainNormal(const KernelCall& call)
{
    const double mean = call.optionalNumber("mean").value_or(0);
    const double deviation = call.optionalNumber("std").value_or(1);
    const Philox random = generatorFor(call);
    return filled(call, [&](std::size_t i) { return mean + deviation * random.normal(i); });
}

// Means and deviations as tensors, numbers, or one of each.
Result<Value> normalOf(const KernelCall& call)
{
    REINSPECT_TRY(const Operands operands, operandsOf(call, {"mean", "std"}));
    const DType dtype = isFloating(operands.promoted) ? operands.promoted : DType::Float32;
    REINSPECT_TRY(const Tensor result, elementwiseResult(call, dtype, operands));
    const Philox random = generatorFor(call);
    std::array<std::vector<double>, 2> given;
    for (std::size_t k = 0; k < 2; ++k)
    {
        const Operand& operand = operands.list[k];
        given[k].assign(static_cast<std::size_t>(result.count()),
                        operand.number.number().value_or(0));
        if (!operand.tensor)
            continue;
        REINSPECT_TRY(const Tensor wide, broadcastTo(*operand.tensor, result.sizes));
        given[k] = readAll<double>(wide);
    }
    std::vector<double> values(given[0].size());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = given[0][i] + given[1][i] * random.normal(i);
    writeAll<double>(result, values);
    return Value(result);
}

// Integers from `from` to below `to`, as far as the dtype can tell them apart.
Result<Value> integers(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    const std::int64_t low = call.optionalInteger("from").value_or(0);
    std::int64_t most = std::numeric_limits<std::int64_t>::max();
    switch (self.dtype)
    {
    case DType::Float64: most = std::int64_t{1} << 53; break;
    case DType::Float32: most = std::int64_t{1} << 24; break;
    case DType::Float16: most = std::int64_t{1} << 11; break;
    case DType::BFloat16: most = std::int64_t{1} << 8; break;
    case DType::Int32: most = std::numeric_limits<std::int32_t>::max(); break;
    case DType::Int16: most = std::numeric_limits<std::int16_t>::max(); break;
    case DType::Int8: most = std::numeric_limits<std::int8_t>::max(); break;
    case DType::UInt8: most = std::numeric_limits<std::uint8_t>::max(); break;
    case DType::Bool: most = 2; break;
    default: break;
    }
    const std::int64_t high = call.optionalInteger("to").value_or(most);
    if (high <= low)
        return call.error("no integers from " + std::to_string(low) + " to "
                          + std::to_string(high));
    const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    const Philox random = generatorFor(call);
    return filled(call, [&](std::size_t i) {
        return static_cast<double>(low + static_cast<std::int64_t>(random.bits(i) % span));
    });
}

// Each element's own chance.
Result<Value> bernoulliOf(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor p, call.tensor("p"));
    REINSPECT_TRY(const Tensor wide, broadcastTo(p, self.sizes));
    const std::vector<double> chances = readAll<double>(wide);
    const Philox random = generatorFor(call);
    return filled(call, [&](std::size_t i) { return random.uniform(i) < chances[i] ? 1.0 : 0.0; });
}

// Arrivals until their gaps, exponential, add up to one unit at the element's rate.
Result<Value> poisson(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    const std::vector<double> rates = readAll<double>(self);
    constexpr double most = 1e6;
    for (const double rate : rates)
        if (!(rate >= 0 && rate <= most))
            return call.error("a rate of " + std::to_string(rate));
    const Philox random = generatorFor(call);
    return filled(call, [&](std::size_t i) {
        const Philox own(random.bits(i), i);
        double left = rates[i];
        std::size_t count = 0;
        for (; left > 0; ++count)
            left += std::log(positiveUniform(own, count));
        return count == 0 ? 0.0 : static_cast<double>(count - 1);
    });
}

Result<Value> permutation(const KernelCall& call)
{
    REINSPECT_TRY(const std::int64_t count, call.integer("n"));
    if (count < 0)
        return call.error("a permutation of " + std::to_string(count));
    REINSPECT_TRY(const Tensor result, call.result(call.dtype(DType::Int64), {count}));
    const Philox random = generatorFor(call);
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[random.bits(i) % i]);
    writeAll<std::int64_t>(result, order);
    return Value(result);
}

// Places with the largest of weight / exponential: as drawn one by one without putting back.
std::vector<std::int64_t> sampleOf(const double* weights, std::size_t count, std::size_t samples,
                                   bool putsBack, const Philox& random, std::size_t row)
{
    std::vector<std::int64_t> chosen;
    if (putsBack)
    {
        std::vector<double> sums(count);
        std::partial_sum(weights, weights + count, sums.begin());
        for (std::size_t k = 0; k < samples; ++k)
        {
            const double at = random.uniform(row * samples + k) * sums.back();
            chosen.push_back(
                std::min<std::int64_t>(std::ranges::upper_bound(sums, at) - sums.begin(),
                                       static_cast<std::int64_t>(count) - 1));
        }
        return chosen;
    }
    std::vector<std::pair<double, std::int64_t>> ranked;
    for (std::size_t i = 0; i < count; ++i)
        ranked.emplace_back(-std::log(positiveUniform(random, row * count + i)) / weights[i],
                            static_cast<std::int64_t>(i));
    std::ranges::stable_sort(ranked);
    for (std::size_t k = 0; k < samples; ++k)
        chosen.push_back(ranked[k].second);
    return chosen;
}

Result<Value> multinomial(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::int64_t samples, call.integer("num_samples"));
    const bool putsBack = call.flag("replacement");
    const std::int64_t count = self.rank() == 0 ? 0 : self.sizes.back();
    if (self.rank() < 1 || self.rank() > 2 || count < 1 || samples < 1
        || (!putsBack && samples > count))
        return call.error(std::to_string(samples) + " samples of " + tensorText(self));
    const std::vector<double> weights = readAll<double>(self);
    if (std::ranges::any_of(weights,
                            [](double weight) { return !(weight >= 0) || std::isinf(weight); }))
        return call.error("a weight is negative or no number");
    Sizes sizes = self.sizes;
    sizes.back() = samples;
    REINSPECT_TRY(const Tensor result, call.result(DType::Int64, sizes));
    const Philox random = generatorFor(call);
    std::vector<std::int64_t> chosen;
    const auto width = static_cast<std::size_t>(count);
    for (std::size_t row = 0; row < weights.size() / width; ++row)
    {
        const auto own = sampleOf(weights.data() + row * width, width,
                                  static_cast<std::size_t>(samples), putsBack, random, row);
        chosen.insert(chosen.end(), own.begin(), own.end());
    }
    writeAll<std::int64_t>(result, chosen);
    return Value(result);
}

// The slope of each negative element is drawn where the graph trains, and kept as noise for the gradient.
Result<Value> leakyWithNoise(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor noise, call.tensor("noise"));
    REINSPECT_TRY(const double lower, call.number("lower"));
    REINSPECT_TRY(const double upper, call.number("upper"));
    if (noise.sizes != self.sizes)
        return call.error("noise " + tensorText(noise) + " for " + tensorText(self));
    const bool trains = call.flag("training");
    std::vector<double> values = readAll<double>(self);
    std::vector<double> slopes(values.size(), 1);
    if (trains)
    {
        const Philox random = generatorFor(call);
        for (std::size_t i = 0; i < values.size(); ++i)
            if (values[i] <= 0)
                slopes[i] = lower + (upper - lower) * random.uniform(i);
    }
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] <= 0)
            values[i] *= trains ? slopes[i] : (lower + upper) / 2;
    REINSPECT_TRY(const Tensor result,
                  call.result(self.dtype, self.sizes, 0, preservedStrides(self)));
    writeAll<double>(result, values);
    if (call.target.find("_functional") == std::string::npos)
    {
        if (trains)
            writeAll<double>(noise, slopes);
        return Value(result);
    }
    REINSPECT_TRY(const Tensor kept,
                  call.result(noise.dtype, noise.sizes, 1, preservedStrides(noise)));
    writeAll<double>(kept, trains ? slopes : readAll<double>(noise));
    return listOf(std::vector<Value>{Value(result), Value(kept)});
}

Result<Value> leakyWithNoiseBackward(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor grad, call.tensor("grad_output"));
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor noise, call.tensor("noise"));
    REINSPECT_TRY(const double lower, call.number("lower"));
    REINSPECT_TRY(const double upper, call.number("upper"));
    if (grad.sizes != self.sizes || noise.sizes != self.sizes)
        return call.error("gradient " + tensorText(grad) + " and noise " + tensorText(noise)
                          + " for " + tensorText(self));
    const bool usesNoise = call.flag("training") && upper - lower > 1e-6;
    std::vector<double> values = readAll<double>(grad);
    const std::vector<double> at = readAll<double>(self);
    const std::vector<double> slopes = readAll<double>(noise);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (usesNoise)
            values[i] *= slopes[i];
        else if (!(at[i] > 0))
            values[i] *= (lower + upper) / 2;
    REINSPECT_TRY(const Tensor result,
                  call.result(grad.dtype, grad.sizes, 0, preservedStrides(grad)));
    writeAll<double>(result, values);
    return Value(result);
}

const KernelRow table[] = {
    {"aten.exponential.default", exponential},
    {"aten.geometric.default", geometric},
    {"aten.cauchy.default", cauchy},
    {"aten.log_normal.default", logNormal},
    {"aten.normal.float_float", plainNormal},
    {"aten.normal.Tensor_Tensor", normalOf},
    {"aten.normal.Tensor_float", normalOf},
    {"aten.normal.float_Tensor", normalOf},
    {"aten.random.default", integers},
    {"aten.random.from", integers},
    {"aten.random.to", integers},
    {"aten.bernoulli.Tensor", bernoulliOf},
    {"aten.poisson.default", poisson},
    {"aten.randperm.default", permutation},
    {"aten.multinomial.default", multinomial},
    {"aten.rrelu_with_noise.default", leakyWithNoise},
    {"aten.rrelu_with_noise_functional.default", leakyWithNoise},
    {"aten.rrelu_with_noise_backward.default", leakyWithNoiseBackward},
};

} // namespace

std::span<const KernelRow> drawRows()
{
    return table;
}

} // namespace reinspect::exec
