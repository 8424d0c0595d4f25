// SPDX-License-Identifier: MIT
// What the heavy operators compute, by the formula in double, one loop an index. Slow and plain on purpose: no
// line is shared with core/exec.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace reinspect::naive
{

using Numbers = std::vector<double>;
using Shape = std::vector<std::int64_t>;

inline std::int64_t countOf(const Shape& shape)
{
    std::int64_t count = 1;
    for (const std::int64_t size : shape)
        count *= size;
    return count;
}

// Calls visit(index) for each index of the shape, the last one fastest.
template<typename Visit>
void forEachIndex(const Shape& shape, Visit&& visit)
{
    Shape index(shape.size(), 0);
    for (std::int64_t left = countOf(shape); left > 0; --left)
    {
        visit(index);
        for (std::size_t d = shape.size(); d-- > 0 && ++index[d] == shape[d];)
            index[d] = 0;
    }
}

inline std::size_t placeOf(const Shape& shape, const Shape& index)
{
    std::int64_t place = 0;
    for (std::size_t d = 0; d < shape.size(); ++d)
        place = place * shape[d] + index[d];
    return static_cast<std::size_t>(place);
}

inline Shape joined(std::initializer_list<std::int64_t> first, const Shape& rest)
{
    Shape all(first);
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
}

struct Convolution
{
    std::int64_t batch, channelsIn, channelsOut, groups;
    Shape in, kernel, stride, padding, dilation;
    bool transposed = false;
    Shape outputPadding = {};

    Shape out() const
    {
        Shape sizes;
        for (std::size_t d = 0; d < in.size(); ++d)
        {
            const std::int64_t reach = dilation[d] * (kernel[d] - 1);
            sizes.push_back(transposed ? (in[d] - 1) * stride[d] - 2 * padding[d] + reach
                                    + outputPadding[d] + 1
                                       : (in[d] + 2 * padding[d] - reach - 1) / stride[d] + 1);
        }
        return sizes;
    }
    Shape inputShape() const { return joined({batch, channelsIn}, in); }
    Shape outputShape() const { return joined({batch, channelsOut}, out()); }
    Shape weightShape() const
    {
        return transposed ? joined({channelsIn, channelsOut / groups}, kernel)
                          : joined({channelsOut, channelsIn / groups}, kernel);
    }
};

inline Numbers convolve(const Convolution& c, const Numbers& x, const Numbers& w, const Numbers& b)
{
    const Shape narrow = c.transposed ? c.in : c.out();
    const Shape wide = c.transposed ? c.out() : c.in;
    Numbers y(static_cast<std::size_t>(countOf(c.outputShape())), 0);
    const std::int64_t insEach = c.channelsIn / c.groups;
    const std::int64_t outsEach = c.channelsOut / c.groups;
    for (std::int64_t n = 0; n < c.batch; ++n)
        for (std::int64_t ci = 0; ci < c.channelsIn; ++ci)
            for (std::int64_t oc = 0; oc < outsEach; ++oc)
                forEachIndex(narrow, [&](const Shape& o) {
                    forEachIndex(c.kernel, [&](const Shape& k) {
                        const std::int64_t co = ci / insEach * outsEach + oc;
                        Shape at(o.size());
                        for (std::size_t d = 0; d < o.size(); ++d)
                        {
                            at[d] = o[d] * c.stride[d] - c.padding[d] + k[d] * c.dilation[d];
                            if (at[d] < 0 || at[d] >= wide[d])
                                return;
                        }
                        const Shape weight =
                            c.transposed ? joined({ci, oc}, k) : joined({co, ci % insEach}, k);
                        const Shape from = joined({n, ci}, c.transposed ? o : at);
                        const Shape to = joined({n, co}, c.transposed ? at : o);
                        y[placeOf(c.outputShape(), to)] +=
                            x[placeOf(c.inputShape(), from)] * w[placeOf(c.weightShape(), weight)];
                    });
                });
    forEachIndex(c.outputShape(), [&](const Shape& o) {
        if (!b.empty())
            y[placeOf(c.outputShape(), o)] += b[static_cast<std::size_t>(o[1])];
    });
    return y;
}

struct Pooling
{
    Shape shape; // planes first, then spatial sizes
    Shape kernel, stride, padding, dilation;
    bool ceils = false;
    bool countsPadding = true;
    std::int64_t divisor = 0;

    Shape out() const
    {
        Shape sizes;
        for (std::size_t d = 0; d < kernel.size(); ++d)
        {
            const std::int64_t size = shape[shape.size() - kernel.size() + d];
            const std::int64_t room = size + 2 * padding[d] - dilation[d] * (kernel[d] - 1) - 1
                + (ceils ? stride[d] - 1 : 0);
            std::int64_t windows = room / stride[d] + 1;
            if (ceils && (windows - 1) * stride[d] >= size + padding[d])
                --windows; // it would begin behind everything
            sizes.push_back(windows);
        }
        return sizes;
    }
};

// Mean or largest of each window; `largest` tells which.
inline Numbers pool(const Pooling& p, const Numbers& x, bool largest)
{
    const std::size_t rank = p.kernel.size();
    const Shape spatial(p.shape.end() - static_cast<std::ptrdiff_t>(rank), p.shape.end());
    const Shape out = p.out();
    const std::int64_t plane = countOf(spatial);
    Numbers y;
    for (std::int64_t n = 0; n < countOf(p.shape) / plane; ++n)
        forEachIndex(out, [&](const Shape& o) {
            double sum = 0;
            double most = -std::numeric_limits<double>::infinity();
            std::int64_t inside = 0;
            std::int64_t padded = 1;
            for (std::size_t d = 0; d < rank; ++d)
            {
                const std::int64_t from = o[d] * p.stride[d] - p.padding[d];
                padded *= std::min(from + p.kernel[d], spatial[d] + p.padding[d]) - from;
            }
            forEachIndex(p.kernel, [&](const Shape& k) {
                Shape at(rank);
                for (std::size_t d = 0; d < rank; ++d)
                {
                    at[d] = o[d] * p.stride[d] - p.padding[d] + k[d] * p.dilation[d];
                    if (at[d] < 0 || at[d] >= spatial[d])
                        return;
                }
                const double value = x[static_cast<std::size_t>(n * plane) + placeOf(spatial, at)];
                sum += value;
                most = std::max(most, value);
                ++inside;
            });
            const std::int64_t divisor = p.divisor != 0 ? p.divisor
                : p.countsPadding                       ? padded
                                                        : inside;
            y.push_back(largest ? most : sum / static_cast<double>(divisor));
        });
    return y;
}

inline Numbers adaptivePool(const Shape& planeSizes, std::int64_t planes, const Shape& out,
                            const Numbers& x)
{
    Numbers y;
    for (std::int64_t n = 0; n < planes; ++n)
        forEachIndex(out, [&](const Shape& o) {
            double sum = 0;
            double count = 0;
            forEachIndex(planeSizes, [&](const Shape& at) {
                for (std::size_t d = 0; d < out.size(); ++d)
                {
                    const std::int64_t from = o[d] * planeSizes[d] / out[d];
                    const std::int64_t to = ((o[d] + 1) * planeSizes[d] + out[d] - 1) / out[d];
                    if (at[d] < from || at[d] >= to)
                        return;
                }
                sum +=
                    x[static_cast<std::size_t>(n * countOf(planeSizes)) + placeOf(planeSizes, at)];
                ++count;
            });
            y.push_back(sum / count);
        });
    return y;
}

// x as (outer, groups of elements that share mean and variance); weight and bias by `parameter(i)`.
template<typename Group, typename Parameter>
Numbers normalize(const Numbers& x, Group&& group, Parameter&& parameter, const Numbers& w,
                  const Numbers& b, double eps, bool centers = true)
{
    Numbers y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
    {
        double sum = 0;
        double count = 0;
        for (std::size_t j = 0; j < x.size(); ++j)
            if (group(j) == group(i))
                sum += x[j], ++count;
        const double mean = centers ? sum / count : 0;
        double variance = 0;
        for (std::size_t j = 0; j < x.size(); ++j)
            if (group(j) == group(i))
                variance += (x[j] - mean) * (x[j] - mean) / count;
        y[i] = (x[i] - mean) / std::sqrt(variance + eps);
        y[i] = y[i] * (w.empty() ? 1 : w[parameter(i)]) + (b.empty() ? 0 : b[parameter(i)]);
    }
    return y;
}

struct Attending
{
    std::int64_t batch, heads, keyHeads, queries, keys, depth, valueDepth;
    double scale;
    bool causal = false;
    Numbers kept = {}; // factor of each weight: dropout; empty: none
};

inline Numbers attend(const Attending& a, const Numbers& q, const Numbers& k, const Numbers& v,
                      const Numbers& bias)
{
    const auto at = [](std::int64_t row, std::int64_t width, std::int64_t column) {
        return static_cast<std::size_t>(row * width + column);
    };
    Numbers y;
    for (std::int64_t bh = 0; bh < a.batch * a.heads; ++bh)
        for (std::int64_t i = 0; i < a.queries; ++i)
        {
            const std::int64_t shared =
                bh / a.heads * a.keyHeads + bh % a.heads / (a.heads / a.keyHeads);
            Numbers weights;
            double sum = 0;
            for (std::int64_t j = 0; j < a.keys; ++j)
            {
                double score = 0;
                for (std::int64_t d = 0; d < a.depth; ++d)
                    score += q[at(bh * a.queries + i, a.depth, d)]
                        * k[at(shared * a.keys + j, a.depth, d)];
                score =
                    score * a.scale + (bias.empty() ? 0 : bias[at(bh * a.queries + i, a.keys, j)]);
                weights.push_back(a.causal && j > i ? 0 : std::exp(score));
                sum += weights.back();
            }
            for (std::int64_t e = 0; e < a.valueDepth; ++e)
            {
                double out = 0;
                for (std::int64_t j = 0; j < a.keys; ++j)
                    out += weights[static_cast<std::size_t>(j)] / sum
                        * (a.kept.empty() ? 1 : a.kept[at(bh * a.queries + i, a.keys, j)])
                        * v[at(shared * a.keys + j, a.valueDepth, e)];
                y.push_back(out);
            }
        }
    return y;
}

// Cubic convolution with a = -0.75 of a picture, the border's elements beyond it; `corners` says whether the
// corners lie on each other.
inline Numbers cubic(const Shape& in, const Shape& out, bool corners, const Numbers& x)
{
    const auto weight = [](double d) {
        d = std::abs(d);
        return d <= 1 ? 1.25 * d * d * d - 2.25 * d * d + 1
            : d < 2   ? -0.75 * d * d * d + 3.75 * d * d - 6 * d + 3
                      : 0;
    };
    const auto place = [&](std::size_t d, std::int64_t o) {
        const auto from = static_cast<double>(in[d]);
        const auto to = static_cast<double>(out[d]);
        return corners ? static_cast<double>(o) * (from - 1) / (to - 1)
                       : (static_cast<double>(o) + 0.5) * from / to - 0.5;
    };
    Numbers y;
    forEachIndex(out, [&](const Shape& o) {
        const double row = place(0, o[0]);
        const double column = place(1, o[1]);
        double sum = 0;
        for (std::int64_t i = -3; i < in[0] + 3; ++i)
            for (std::int64_t j = -3; j < in[1] + 3; ++j)
                sum += weight(row - static_cast<double>(i))
                    * weight(column - static_cast<double>(j))
                    * x[placeOf(in,
                                {std::clamp<std::int64_t>(i, 0, in[0] - 1),
                                 std::clamp<std::int64_t>(j, 0, in[1] - 1)})];
        y.push_back(sum);
    });
    return y;
}

// The mean of the four neighbours of each place, by nearness; what is outside counts 0.
inline Numbers sampleLinear(const Shape& in, const Numbers& x, const Numbers& grid, bool corners)
{
    Numbers y;
    for (std::size_t p = 0; p < grid.size(); p += 2)
    {
        const auto place = [&](double number, std::int64_t size) {
            const auto wide = static_cast<double>(size);
            return corners ? (number + 1) / 2 * (wide - 1) : ((number + 1) * wide - 1) / 2;
        };
        const double column = place(grid[p], in[1]);
        const double row = place(grid[p + 1], in[0]);
        double sum = 0;
        forEachIndex(in, [&](const Shape& at) {
            const double down = 1 - std::abs(row - static_cast<double>(at[0]));
            const double across = 1 - std::abs(column - static_cast<double>(at[1]));
            if (down > 0 && across > 0)
                sum += down * across * x[placeOf(in, at)];
        });
        y.push_back(sum);
    }
    return y;
}

// How much sum(above * formula) changes with each number of `x`: by a little more and a little less of it.
template<typename Formula>
Numbers slopes(Numbers x, const Numbers& above, Formula&& formula)
{
    const double step = 1e-4;
    Numbers made;
    for (double& number : x)
    {
        const double kept = number;
        number = kept + step;
        const Numbers more = formula(x);
        number = kept - step;
        const Numbers less = formula(x);
        number = kept;
        double slope = 0;
        for (std::size_t i = 0; i < above.size(); ++i)
            slope += above[i] * (more[i] - less[i]) / (2 * step);
        made.push_back(slope);
    }
    return made;
}

} // namespace reinspect::naive
