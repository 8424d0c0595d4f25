// SPDX-License-Identifier: MIT
#include "core/alias/strided_set.h"

#include "core/base/checked_math.h"

#include <algorithm>
#include <numeric>

namespace reinspect
{
namespace
{

constexpr std::int64_t kLargest = std::int64_t{1} << 60; // sums of a few of these still fit
constexpr int kSearchSteps = 20000;
constexpr std::int64_t kEnumerated = 4096; // members listed one by one

__extension__ using Wide = __int128;

// A multiplied by its inverse is 1, modulo `modulus`; the two have no common divisor.
std::int64_t inverse(std::int64_t a, std::int64_t modulus)
{
    std::int64_t rest = modulus;
    std::int64_t next = a % modulus;
    std::int64_t x = 0;
    std::int64_t nextX = 1;
    while (next != 0)
    {
        const std::int64_t quotient = rest / next;
        rest = std::exchange(next, rest - quotient * next);
        x = std::exchange(nextX, x - quotient * nextX);
    }
    return x < 0 ? x + modulus : x;
}

// Joins what steps without a gap. Leaves the members as they are.
std::vector<StridedDimension> joined(std::vector<StridedDimension> dimensions)
{
    std::ranges::sort(dimensions, {}, &StridedDimension::step);
    std::vector<StridedDimension> result;
    for (const StridedDimension& dimension : dimensions)
    {
        if (dimension.count == 1)
            continue;
        const bool fits = !result.empty() && dimension.step % result.back().step == 0
            && dimension.step / result.back().step <= result.back().count;
        if (fits)
            result.back().count += (dimension.count - 1) * (dimension.step / result.back().step);
        else
            result.push_back(dimension);
    }
    return result;
}

// Is there a choice of one multiple for each dimension that sums to a target?
class SumSearch
{
public:
    explicit SumSearch(std::vector<StridedDimension> dimensions)
        : m_dimensions(joined(std::move(dimensions)))
    {
        std::int64_t reach = 0;
        std::int64_t divisor = 0;
        for (const StridedDimension& dimension : m_dimensions)
        {
            m_reach.push_back(reach);
            m_divisor.push_back(divisor);
            reach += (dimension.count - 1) * dimension.step;
            divisor = std::gcd(divisor, dimension.step);
        }
        m_total = reach;
    }

    Known reaches(std::int64_t target)
    {
        if (target < 0 || target > m_total)
            return Known::No;
        m_steps = 0;
        const bool found = search(m_dimensions.size(), target);
        if (found)
            return Known::Yes;
        return m_steps > kSearchSteps ? Known::Unknown : Known::No;
    }

private:
    // With the first `count` dimensions only.
    bool search(std::size_t count, std::int64_t target)
    {
        if (count == 0)
            return target == 0;
        const StridedDimension& dimension = m_dimensions[count - 1];
        const std::int64_t reach = m_reach[count - 1];
        const std::int64_t below = target - reach;
        std::int64_t first = below <= 0 ? 0 : (below + dimension.step - 1) / dimension.step;
        const std::int64_t last = std::min(dimension.count - 1, target / dimension.step);
        const std::int64_t divisor = m_divisor[count - 1]; // of what the others can reach
        if (divisor == 0)
            return target % dimension.step == 0 && target / dimension.step <= last;
        const std::int64_t common = std::gcd(dimension.step, divisor);
        if (target % common != 0)
            return false;
        const std::int64_t period = divisor / common;
        const std::int64_t wanted =
            static_cast<std::int64_t>(static_cast<Wide>((target / common) % period)
                                      * inverse(dimension.step / common % period, period) % period);
        first += ((wanted - first) % period + period) % period;
        for (std::int64_t times = first; times <= last; times += period)
        {
            if (++m_steps > kSearchSteps)
                return false;
            if (search(count - 1, target - times * dimension.step))
                return true;
        }
        return false;
    }

    std::vector<StridedDimension> m_dimensions;
    std::vector<std::int64_t> m_reach;   // greatest sum of the dimensions before
    std::vector<std::int64_t> m_divisor; // common divisor of their steps; 0 when there are none
    std::int64_t m_total = 0;
    int m_steps = 0;
};

std::int64_t memberCount(const StridedSet& set)
{
    std::int64_t count = 1;
    for (const StridedDimension& dimension : set.dimensions)
    {
        if (dimension.count > kEnumerated)
            return kEnumerated + 1;
        count *= dimension.count;
        if (count > kEnumerated)
            return count;
    }
    return count;
}

// Coordinates of `distance` in a nest of dimensions, from the outermost; false when it is not on it.
bool coordinates(const StridedSet& nest, std::int64_t distance, std::int64_t times,
                 std::vector<std::int64_t>& sums)
{
    for (std::size_t i = nest.dimensions.size(); i-- > 0;)
    {
        const StridedDimension& dimension = nest.dimensions[i];
        const std::int64_t index = distance / dimension.step;
        if (index >= dimension.count)
            return false;
        sums[i] += index * times; // below count * times, both below 2^60 in extent
        if (sums[i] >= dimension.count)
            return false;
        distance -= index * dimension.step;
    }
    return distance == 0;
}

// The inner set's every step is a step along the outer one, and none runs out of it.
bool liesAlong(const StridedSet& outer, const StridedSet& inner)
{
    if (inner.start < outer.start)
        return false;
    std::vector<std::int64_t> sums(outer.dimensions.size(), 0);
    if (!coordinates(outer, inner.start - outer.start, 1, sums))
        return false;
    return std::ranges::all_of(inner.dimensions, [&](const StridedDimension& dimension) {
        return coordinates(outer, dimension.step, dimension.count - 1, sums);
    });
}

bool everyMemberIn(SumSearch& outer, const StridedSet& inner, std::size_t count, std::int64_t value,
                   Known& answer)
{
    if (count == 0)
    {
        answer = outer.reaches(value);
        return answer == Known::Yes;
    }
    const StridedDimension& dimension = inner.dimensions[count - 1];
    for (std::int64_t i = 0; i < dimension.count; ++i)
        if (!everyMemberIn(outer, inner, count - 1, value + i * dimension.step, answer))
            return false;
    return true;
}

} // namespace

std::optional<StridedSet> stridedSet(std::int64_t start, std::vector<StridedDimension> dimensions)
{
    StridedSet set;
    std::int64_t reach = 0;
    for (StridedDimension& dimension : dimensions)
    {
        if (dimension.count < 0)
            return {};
        set.empty = set.empty || dimension.count == 0;
    }
    if (set.empty)
        return set;
    for (StridedDimension& dimension : dimensions)
    {
        if (dimension.step == 0 || dimension.count == 1)
        {
            dimension = {1, 0};
            continue;
        }
        const auto length = checkedMultiply(dimension.count - 1, dimension.step);
        if (!length || *length > kLargest || *length < -kLargest)
            return {};
        if (*length < 0)
        {
            const auto moved = checkedAdd(start, *length);
            if (!moved)
                return {};
            start = *moved;
            dimension.step = -dimension.step;
        }
        reach += *length < 0 ? -*length : *length;
        if (reach > kLargest)
            return {};
    }
    if (start > kLargest || start < -kLargest)
        return {};
    set.start = start;
    set.last = start + reach;
    set.dimensions = joined(std::move(dimensions));
    return set;
}

Known contains(const StridedSet& set, std::int64_t value)
{
    if (set.empty || value < set.start || value > set.last)
        return Known::No;
    return SumSearch(set.dimensions).reaches(value - set.start);
}

// a.start + sum(a) = b.start + sum(b). With the steps of b taken from their other end this asks
// whether one number is a sum over the dimensions of both.
Known setsMeet(const StridedSet& a, const StridedSet& b)
{
    if (a.empty || b.empty || a.last < b.start || b.last < a.start)
        return Known::No;
    std::vector<StridedDimension> both = a.dimensions;
    both.insert(both.end(), b.dimensions.begin(), b.dimensions.end());
    return SumSearch(std::move(both)).reaches(b.last - a.start);
}

Known setCovers(const StridedSet& outer, const StridedSet& inner)
{
    if (inner.empty || outer == inner)
        return Known::Yes;
    if (outer.empty || inner.start < outer.start || inner.last > outer.last)
        return Known::No;
    if (liesAlong(outer, inner))
        return Known::Yes;
    if (outer.dimensions.size() <= 1)
        return Known::No; // one even run: what does not lie along it is not in it
    SumSearch search(outer.dimensions);
    if (search.reaches(inner.start - outer.start) == Known::No
        || search.reaches(inner.last - outer.start) == Known::No)
        return Known::No;
    if (memberCount(inner) > kEnumerated)
        return Known::Unknown;
    Known answer = Known::Yes;
    everyMemberIn(search, inner, inner.dimensions.size(), inner.start - outer.start, answer);
    return answer;
}

// The difference of two such tuples has a greatest dimension where they differ; there it is at least
// one step, and the dimensions below must make up for it.
Known reachesTwice(std::vector<StridedDimension> dimensions)
{
    if (!stridedSet(0, dimensions))
        return Known::Unknown;
    std::erase_if(dimensions, [](const StridedDimension& d) { return d.count == 1; });
    for (StridedDimension& dimension : dimensions)
    {
        if (dimension.count == 0)
            return Known::No;
        dimension.step = dimension.step < 0 ? -dimension.step : dimension.step;
    }
    if (std::ranges::any_of(dimensions, [](const StridedDimension& d) { return d.step == 0; }))
        return Known::Yes;
    std::ranges::sort(dimensions, {}, &StridedDimension::step);
    std::int64_t reach = 0;
    std::vector<StridedDimension> below;
    Known answer = Known::No;
    for (const StridedDimension& dimension : dimensions)
    {
        std::vector<StridedDimension> all = below;
        all.push_back({dimension.count - 1, dimension.step});
        if (dimension.step <= reach)
        {
            const Known here = SumSearch(std::move(all)).reaches(reach - dimension.step);
            if (here == Known::Yes)
                return Known::Yes;
            if (here == Known::Unknown)
                answer = Known::Unknown;
        }
        below.push_back({2 * dimension.count - 1, dimension.step});
        reach += (dimension.count - 1) * dimension.step;
    }
    return answer;
}

} // namespace reinspect
