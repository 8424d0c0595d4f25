// SPDX-License-Identifier: MIT
// HostApi: reading and writing at places that arrays name, element by element.
#include "tests/gpu/host_api.h"

#include "tests/gpu/host_elements.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace reinspect::gpu
{
namespace
{

template<typename C>
C combined(Combination how, C old, C next)
{
    switch (how)
    {
    case Combination::Last: return next;
    case Combination::Sum:
    case Combination::Mean: return old + next;
    case Combination::Product: return old * next;
    case Combination::Largest: return old != old || old > next ? old : next;
    case Combination::Least: return old != old || old < next ? old : next;
    }
    return next;
}

template<typename C>
void combineAs(const IndexCall& call, std::int64_t place, const std::vector<std::int64_t>& numbers)
{
    std::vector<C> list;
    if (call.includesOld)
        list.push_back(load<C>(call.dtype, call.tensor, place));
    for (const std::int64_t number : numbers)
        list.push_back(load<C>(call.dtype, call.values, number));
    C made = list.front();
    for (std::size_t i = 1; i < list.size(); ++i)
        made = combined(call.combination, made, list[i]);
    if (call.combination == Combination::Mean)
    {
        const auto count = static_cast<C>(list.size());
        made /= count;
        if constexpr (std::is_integral_v<C>)
            made =
                static_cast<C>(std::floor(static_cast<double>(std::reduce(list.begin(), list.end()))
                                          / static_cast<double>(count)));
    }
    store<C>(call.dtype, call.tensor, place, made);
}

void combine(const IndexCall& call, std::int64_t place, const std::vector<std::int64_t>& numbers)
{
    if (call.combination == Combination::Last)
        std::memcpy(static_cast<std::byte*>(call.tensor) + place * call.width,
                    static_cast<std::byte*>(call.values) + numbers.back() * call.width,
                    static_cast<std::size_t>(call.width));
    else if (exec::computeKind(call.dtype) == exec::ComputeKind::Integer)
        combineAs<std::int64_t>(call, place, numbers);
    else
        combineAs<double>(call, place, numbers);
}

} // namespace

const char* HostApi::index(const IndexCall& call)
{
    std::vector<std::int64_t> places;
    forEachIndex(call.shape, call.shapeRank, [&](const Sizes& index) {
        std::int64_t offset = offsetOf(index, call.shapeStrides);
        for (int k = 0; k < call.columns; ++k)
        {
            const IndexColumn& column = call.column[k];
            const auto given =
                load<std::int64_t>(column.dtype, column.data, offsetOf(index, column.strides));
            const std::int64_t found =
                given < 0 && call.countsFromEnd ? given + column.size : given;
            if (found < 0 || found >= column.size)
            {
                if (m_fault.node < 0)
                    m_fault = {m_node, column.dimension, given, column.size};
                places.push_back(-1);
                return;
            }
            offset += found * column.step;
        }
        places.push_back(offset);
    });
    std::int64_t number = 0;
    std::map<std::int64_t, std::vector<std::int64_t>> piles; // numbers of values by place
    const auto isFirst = [&](std::size_t place) {
        return std::find(places.begin(), places.end(), places[place])
            == places.begin() + static_cast<std::ptrdiff_t>(place);
    };
    forEachIndex(call.before, call.beforeRank, [&](const Sizes& before) {
        for (std::size_t place = 0; place < places.size(); ++place)
            forEachIndex(call.after, call.afterRank, [&](const Sizes& after) {
                const std::int64_t value = number++;
                if (places[place] < 0 || (call.use == IndexUse::Write && !isFirst(place)))
                    return;
                const std::int64_t at = offsetOf(before, call.beforeStrides) + places[place]
                    + offsetOf(after, call.afterStrides);
                std::byte* element = static_cast<std::byte*>(call.tensor) + at * call.width;
                std::byte* other = static_cast<std::byte*>(call.values) + value * call.width;
                const auto width = static_cast<std::size_t>(call.width);
                if (call.use == IndexUse::Combine)
                    piles[at].push_back(value);
                else if (call.use == IndexUse::Add)
                    store(call.dtype, call.tensor, at,
                          load<double>(call.dtype, call.tensor, at)
                              + load<double>(call.dtype, call.values, value));
                else if (call.use == IndexUse::Read)
                    std::memcpy(other, element, width);
                else
                    std::memcpy(element, other, width);
            });
    });
    for (const auto& [place, numbers] : piles)
        combine(call, place, numbers);
    return takeFailure();
}

const char* HostApi::select(const void* flags, std::int64_t count, std::int64_t* places,
                            std::int64_t& found)
{
    found = 0;
    for (std::int64_t i = 0; i < count; ++i)
        if (static_cast<const std::uint8_t*>(flags)[i] != 0)
            places[found++] = i;
    return takeFailure();
}

} // namespace reinspect::gpu
