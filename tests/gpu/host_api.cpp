// SPDX-License-Identifier: MIT
#include "tests/gpu/host_api.h"

#include "core/exec/philox.h"

#include "tests/gpu/host_elements.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>

namespace reinspect::gpu
{
namespace
{

bool isBetter(bool wantsLargest, double value, double best)
{
    if (best != best)
        return false;
    return value != value || (wantsLargest ? value > best : value < best);
}

// Ten bits of the fraction stay.
double roundedToTf32(double value)
{
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    return std::ldexp(std::rint(std::ldexp(fraction, 11)), exponent - 11);
}

double reduced(Reduction function, const std::vector<double>& line, double parameter)
{
    const auto count = static_cast<double>(line.size());
    const double sum = std::accumulate(line.begin(), line.end(), 0.0);
    const bool wantsLargest = function != Reduction::Least && function != Reduction::PlaceOfLeast;
    std::size_t best = 0;
    for (std::size_t i = 1; i < line.size(); ++i)
        best = isBetter(wantsLargest, line[i], line[best]) ? i : best;
    const double most = line.empty() ? 0 : line[best];
    const double shift = std::isinf(most) ? 0 : most;
    double squares = 0;
    double exponentials = 0;
    double shifted = 0;
    for (const double value : line)
    {
        squares += (value - sum / count) * (value - sum / count);
        exponentials += std::exp(value - most);
        shifted += std::exp(value - shift);
    }
    const double spread = squares / std::max(count - parameter, 0.0);
    const auto isTrue = [](double value) { return value != 0; };
    switch (function)
    {
    case Reduction::Sum: return sum;
    case Reduction::Mean: return sum / count;
    case Reduction::Product:
        return std::accumulate(line.begin(), line.end(), 1.0, std::multiplies<>());
    case Reduction::Largest:
    case Reduction::Least: return most;
    case Reduction::PlaceOfLargest:
    case Reduction::PlaceOfLeast: return static_cast<double>(best);
    case Reduction::Any: return std::ranges::any_of(line, isTrue);
    case Reduction::All: return std::ranges::all_of(line, isTrue);
    case Reduction::Variance: return spread;
    case Reduction::Deviation: return std::sqrt(spread);
    case Reduction::SumOfExponentials: return exponentials;
    case Reduction::LogSumExp: return std::log(shifted) + shift;
    }
    return 0;
}

void changeLine(LineFunction function, std::vector<double>& line, const std::vector<double>& second)
{
    double most = -std::numeric_limits<double>::infinity();
    double sum = 0;
    double product = 0;
    for (std::size_t i = 0; i < line.size(); ++i)
    {
        most = std::max(most, line[i]);
        sum += line[i];
        product += second.empty() ? 0 : line[i] * second[i];
    }
    double exponentials = 0;
    for (const double value : line)
        exponentials += std::exp(value - most);
    double running = function == LineFunction::RunningProduct ? 1 : 0;
    for (std::size_t i = 0; i < line.size(); ++i)
        switch (function)
        {
        case LineFunction::SafeSoftmax:
        case LineFunction::Softmax:
            line[i] = function == LineFunction::SafeSoftmax && std::isinf(most) && most < 0
                ? 0
                : std::exp(line[i] - most) / exponentials;
            break;
        case LineFunction::LogSoftmax: line[i] = line[i] - most - std::log(exponentials); break;
        case LineFunction::SoftmaxGradient: line[i] = second[i] * (line[i] - product); break;
        case LineFunction::LogSoftmaxGradient: line[i] -= std::exp(second[i]) * sum; break;
        case LineFunction::RunningSum: line[i] = running += line[i]; break;
        case LineFunction::RunningProduct: line[i] = running *= line[i]; break;
        }
}

} // namespace

const char* HostApi::takeFailure()
{
    return std::exchange(failure, nullptr);
}

const Facts& HostApi::facts()
{
    m_facts.totalBytes = limit;
    m_facts.freeBytes = limit - m_total;
    return m_facts;
}

void* HostApi::allocate(std::int64_t bytes, Pool pool)
{
    if (m_total + bytes > limit)
        return nullptr;
    auto block = std::make_unique<std::byte[]>(static_cast<std::size_t>(bytes));
    std::memset(block.get(), 0xA5, static_cast<std::size_t>(bytes)); // what was there before
    void* data = block.get();
    m_blocks.emplace(data, std::pair(std::move(block), bytes));
    m_total += bytes;
    m_live += pool == Pool::Nodes ? bytes : 0;
    m_peak = std::max(m_peak, m_live);
    return data;
}

void HostApi::release(void* data, Pool pool)
{
    const auto at = m_blocks.find(data);
    if (at == m_blocks.end())
        return;
    m_total -= at->second.second;
    m_live -= pool == Pool::Nodes ? at->second.second : 0;
    m_blocks.erase(at);
}

const char* HostApi::fill(void* data, std::int64_t bytes, std::uint64_t pattern, int width)
{
    for (std::int64_t i = 0; i < bytes; ++i)
        static_cast<std::byte*>(data)[i] =
            static_cast<std::byte>(pattern >> (8 * (i % width)) & 0xFF);
    return takeFailure();
}

const char* HostApi::upload(void* to, const void* from, std::int64_t bytes)
{
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
    return takeFailure();
}

const char* HostApi::download(void* to, const void* from, std::int64_t bytes)
{
    ++downloads;
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
    return takeFailure();
}

const char* HostApi::copy(const Array& to, const Array& from)
{
    forEachIndex(to.sizes, to.rank, [&](const Sizes& index) {
        const std::int64_t target = offsetOf(index, to.strides);
        const std::int64_t source = offsetOf(index, from.strides);
        if (to.dtype == from.dtype)
            std::memcpy(static_cast<std::byte*>(to.data) + target * to.width,
                        static_cast<const std::byte*>(from.data) + source * from.width,
                        static_cast<std::size_t>(to.width));
        else if (exec::computeKind(from.dtype) == exec::ComputeKind::Integer)
            store(to.dtype, to.data, target, load<std::int64_t>(from.dtype, from.data, source));
        else
            store(to.dtype, to.data, target,
                  load<std::complex<double>>(from.dtype, from.data, source));
    });
    return takeFailure();
}

const char* HostApi::reduce(const ReductionCall& call)
{
    const int kept = call.result.rank;
    forEachIndex(call.result.sizes, kept, [&](const Sizes& index) {
        std::vector<double> line;
        const std::int64_t base = offsetOf(index, call.input.strides);
        forEachIndex(call.input.sizes + kept, call.input.rank - kept, [&](const Sizes& rest) {
            line.push_back(load<double>(call.input.dtype, call.input.data,
                                        base + offsetOf(rest, call.input.strides + kept)));
        });
        store(call.result.dtype, call.result.data, offsetOf(index, call.result.strides),
              reduced(call.function, line, call.parameter));
    });
    return takeFailure();
}

const char* HostApi::lines(const LineCall& call)
{
    const int last = std::max(call.result.rank - 1, 0);
    const std::int64_t length = call.result.rank > 0 ? call.result.sizes[last] : 1;
    forEachIndex(call.result.sizes, last, [&](const Sizes& index) {
        std::vector<double> line;
        std::vector<double> second;
        for (std::int64_t i = 0; i < length; ++i)
        {
            line.push_back(
                load<double>(call.input.dtype, call.input.data,
                             offsetOf(index, call.input.strides) + i * call.input.strides[last]));
            if (call.second.data)
                second.push_back(load<double>(call.second.dtype, call.second.data,
                                              offsetOf(index, call.second.strides)
                                                  + i * call.second.strides[last]));
        }
        changeLine(call.function, line, second);
        for (std::int64_t i = 0; i < length; ++i)
            store(call.result.dtype, call.result.data,
                  offsetOf(index, call.result.strides) + i * call.result.strides[last],
                  line[static_cast<std::size_t>(i)]);
    });
    return takeFailure();
}

const char* HostApi::multiply(const MatrixCall& call)
{
    forEachIndex(call.result.sizes, 3, [&](const Sizes& index) {
        double sum = 0;
        const auto factor = [&](const Array& array, const Sizes& at) {
            const double value = load<double>(array.dtype, array.data, offsetOf(at, array.strides));
            return m_allowsTf32 && array.dtype == DType::Float32 ? roundedToTf32(value) : value;
        };
        for (std::int64_t k = 0; k < call.a.sizes[2]; ++k)
            sum +=
                factor(call.a, {index[0], index[1], k}) * factor(call.b, {index[0], k, index[2]});
        const std::int64_t at = offsetOf(index, call.result.strides);
        const double before =
            call.beta == 0 ? 0 : load<double>(call.result.dtype, call.result.data, at);
        store(call.result.dtype, call.result.data, at, call.beta * before + call.alpha * sum);
    });
    return takeFailure();
}

const char* HostApi::random(const RandomCall& call)
{
    const exec::Philox random(
        call.seed, call.streamFrom ? static_cast<std::uint64_t>(*call.streamFrom) : call.stream);
    std::uint64_t place = 0;
    forEachIndex(call.result.sizes, call.result.rank, [&](const Sizes& index) {
        double value = 0;
        switch (call.draw)
        {
        case Draw::Uniform: value = call.a + call.b * random.uniform(place); break;
        case Draw::Normal: value = call.a + call.b * random.normal(place); break;
        case Draw::Whole:
            value = static_cast<double>(
                call.low + static_cast<std::int64_t>(random.bits(place) % call.span));
            break;
        case Draw::Count: value = call.a + call.b * static_cast<double>(place); break;
        case Draw::Seed:
            store(call.result.dtype, call.result.data, offsetOf(index, call.result.strides),
                  static_cast<std::int64_t>(random.bits(place++) >> 1));
            return;
        }
        store(call.result.dtype, call.result.data, offsetOf(index, call.result.strides), value);
        ++place;
    });
    return takeFailure();
}

const char* HostApi::sort(const SortCall& call)
{
    const std::int64_t length = call.input.sizes[1];
    for (std::int64_t line = 0; line < call.input.sizes[0]; ++line)
    {
        std::vector<std::int64_t> order(static_cast<std::size_t>(length));
        std::iota(order.begin(), order.end(), line * length);
        const auto isLess = [&](std::int64_t a, std::int64_t b) {
            const auto x = load<double>(call.input.dtype, call.input.data, a);
            const auto y = load<double>(call.input.dtype, call.input.data, b);
            return x < y || (y != y && x == x);
        };
        std::ranges::stable_sort(order, [&](std::int64_t a, std::int64_t b) {
            return call.descends ? isLess(b, a) : isLess(a, b);
        });
        for (std::int64_t i = 0; i < length; ++i)
        {
            const std::int64_t from = order[static_cast<std::size_t>(i)];
            store(call.values.dtype, call.values.data, line * length + i,
                  load<double>(call.input.dtype, call.input.data, from));
            store(call.places.dtype, call.places.data, line * length + i, from % length);
        }
    }
    return takeFailure();
}

const char* HostApi::launch(const KernelLaunch& launch)
{
    launches.push_back(std::string(launch.entry) + " (" + std::to_string(launch.grid[0]) + ", "
                       + std::to_string(launch.grid[1]) + ", " + std::to_string(launch.grid[2])
                       + ") x " + std::to_string(launch.threads));
    return launchFailure ? launchFailure : takeFailure();
}

void HostApi::beginNode(int node, bool)
{
    m_node = node;
}

const char* HostApi::finish(IndexFault& fault)
{
    fault = std::exchange(m_fault, IndexFault());
    return takeFailure();
}

void HostApi::nodeSeconds(double* seconds, int count)
{
    std::fill_n(seconds, count, 1e-6);
}

} // namespace reinspect::gpu
