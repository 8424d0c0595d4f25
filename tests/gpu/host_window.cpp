// SPDX-License-Identifier: MIT
// HostApi: windows, one after the other. Gradients go from each window to what it sees.
#include "tests/gpu/host_api.h"

#include "tests/gpu/host_elements.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reinspect::gpu
{
namespace
{

using Five = std::array<std::int64_t, 5>;

struct Seen
{
    Five at;             // on the large side
    std::int64_t inside; // the place in the kernel
};

std::int64_t offsetIn(const Array& array, const Five& index)
{
    return offsetOf(Sizes(index.begin(), index.end()), array.strides);
}

// What window `w` sees, in the order of the kernel; `isOutside` lets the places of the padding in, too.
std::vector<Seen> seenBy(const WindowCall& call, const Array& large, const Array& small,
                         const Five& w, bool withOutside = false)
{
    std::vector<Seen> seen{{{w[0], w[1], 0, 0, 0}, 0}};
    for (std::size_t d = 0; d < 3; ++d)
    {
        const std::int64_t size = large.sizes[d + 2];
        const std::int64_t windows = small.sizes[d + 2];
        const std::int64_t begin = call.isAdaptive ? w[d + 2] * size / windows
                                                   : w[d + 2] * call.stride[d] - call.padding[d];
        const std::int64_t count = call.isAdaptive
            ? ((w[d + 2] + 1) * size + windows - 1) / windows - begin
            : call.kernel[d];
        std::vector<Seen> next;
        for (Seen one : seen)
            for (std::int64_t k = 0; k < count; ++k)
            {
                const std::int64_t at = begin + k * (call.isAdaptive ? 1 : call.dilation[d]);
                if (!withOutside && (at < 0 || at >= size))
                    continue;
                next.push_back(one);
                next.back().at[d + 2] = at;
                next.back().inside = one.inside * count + k;
            }
        seen = std::move(next);
    }
    return seen;
}

double divisorOf(const WindowCall& call, const Array& large, const Five& w, std::size_t seen)
{
    if (call.divisor != 0)
        return static_cast<double>(call.divisor);
    if (!call.countsPadding || call.isAdaptive)
        return static_cast<double>(seen);
    double made = 1;
    for (std::size_t d = 0; d < 3; ++d)
    {
        const std::int64_t begin = w[d + 2] * call.stride[d] - call.padding[d];
        made *= static_cast<double>(
            std::min(begin + call.kernel[d], large.sizes[d + 2] + call.padding[d]) - begin);
    }
    return made;
}

std::int64_t placeOf(const Array& large, const Five& at)
{
    for (std::size_t d = 2; d < 5; ++d)
        if (at[d] < 0 || at[d] >= large.sizes[d])
            return -1;
    return (at[2] * large.sizes[3] + at[3]) * large.sizes[4] + at[4];
}

template<typename Visit>
void forEachWindow(const Array& small, Visit&& visit)
{
    forEachIndex(small.sizes, 5, [&](const Sizes& index) {
        Five w;
        std::ranges::copy(index, w.begin());
        visit(w);
    });
}

void largest(const WindowCall& call, const Five& w)
{
    double best = -std::numeric_limits<double>::infinity();
    std::int64_t place = 0;
    bool isFirst = true;
    for (const Seen& seen : seenBy(call, call.input, call.result, w))
    {
        const auto value =
            load<double>(call.input.dtype, call.input.data, offsetIn(call.input, seen.at));
        if (!isFirst && !(value > best) && value == value)
            continue;
        isFirst = false;
        best = value;
        place = call.placesInKernel ? seen.inside : placeOf(call.input, seen.at);
    }
    store(call.result.dtype, call.result.data, offsetIn(call.result, w), best);
    store(call.places.dtype, call.places.data, offsetIn(call.places, w), place);
}

void mean(const WindowCall& call, const Five& w)
{
    const std::vector<Seen> all = seenBy(call, call.input, call.result, w);
    double sum = 0;
    for (const Seen& seen : all)
        sum += load<double>(call.input.dtype, call.input.data, offsetIn(call.input, seen.at));
    store(call.result.dtype, call.result.data, offsetIn(call.result, w),
          sum / divisorOf(call, call.input, w, all.size()));
}

// The large side row by row, added up and stored at its end.
class Sums
{
public:
    explicit Sums(const Array& large)
        : m_large(large)
        , m_values(static_cast<std::size_t>(large.sizes[0] * large.sizes[1] * plane()), 0)
    {}
    std::int64_t plane() const { return m_large.sizes[2] * m_large.sizes[3] * m_large.sizes[4]; }
    void add(std::int64_t batch, std::int64_t channel, std::int64_t place, double value)
    {
        m_values[static_cast<std::size_t>((batch * m_large.sizes[1] + channel) * plane()
                                          + place)] += value;
    }
    void write() const
    {
        std::size_t next = 0;
        forEachIndex(m_large.sizes, 5, [&](const Sizes& index) {
            store(m_large.dtype, m_large.data, offsetOf(index, m_large.strides), m_values[next++]);
        });
    }

private:
    const Array& m_large;
    std::vector<double> m_values;
};

void meanGradient(const WindowCall& call)
{
    Sums sums(call.result);
    forEachWindow(call.input, [&](const Five& w) {
        const std::vector<Seen> all = seenBy(call, call.result, call.input, w);
        const double grad = load<double>(call.input.dtype, call.input.data, offsetIn(call.input, w))
            / divisorOf(call, call.result, w, all.size());
        for (const Seen& seen : all)
            sums.add(w[0], w[1], placeOf(call.result, seen.at), grad);
    });
    sums.write();
}

void fold(const WindowCall& call)
{
    Sums sums(call.result);
    const Array& columns = call.input;
    forEachIndex(columns.sizes, 8, [&](const Sizes& index) {
        Five at{index[4], index[0], 0, 0, 0};
        for (std::size_t d = 0; d < 3; ++d)
            at[d + 2] =
                index[d + 5] * call.stride[d] - call.padding[d] + index[d + 1] * call.dilation[d];
        if (const std::int64_t place = placeOf(call.result, at); place >= 0)
            sums.add(at[0], at[1], place,
                     load<double>(columns.dtype, columns.data, offsetOf(index, columns.strides)));
    });
    sums.write();
}

void unfold(const WindowCall& call)
{
    const Array& columns = call.result;
    forEachIndex(columns.sizes, 8, [&](const Sizes& index) {
        Five at{index[4], index[0], 0, 0, 0};
        for (std::size_t d = 0; d < 3; ++d)
            at[d + 2] =
                index[d + 5] * call.stride[d] - call.padding[d] + index[d + 1] * call.dilation[d];
        const double value = placeOf(call.input, at) < 0
            ? 0
            : load<double>(call.input.dtype, call.input.data, offsetIn(call.input, at));
        store(columns.dtype, columns.data, offsetOf(index, columns.strides), value);
    });
}

} // namespace

// The first place out of range is said as an index is.
bool HostApi::isPlace(std::int64_t place, std::int64_t size)
{
    if (place >= 0 && place < size)
        return true;
    if (m_fault.node < 0)
        m_fault = {m_node, 0, place, size};
    return false;
}

const char* HostApi::window(const WindowCall& call)
{
    switch (call.use)
    {
    case WindowUse::Mean: forEachWindow(call.result, [&](const Five& w) { mean(call, w); }); break;
    case WindowUse::Largest:
        forEachWindow(call.result, [&](const Five& w) { largest(call, w); });
        break;
    case WindowUse::MeanGradient: meanGradient(call); break;
    case WindowUse::LargestGradient:
    {
        Sums sums(call.result);
        forEachWindow(call.input, [&](const Five& w) {
            const auto place =
                load<std::int64_t>(call.places.dtype, call.places.data, offsetIn(call.places, w));
            if (isPlace(place, sums.plane()))
                sums.add(w[0], w[1], place,
                         load<double>(call.input.dtype, call.input.data, offsetIn(call.input, w)));
        });
        sums.write();
        break;
    }
    case WindowUse::PlaceOfOffset:
        forEachWindow(call.input, [&](const Five& w) {
            const auto inside =
                load<std::int64_t>(call.input.dtype, call.input.data, offsetIn(call.input, w));
            const std::vector<Seen> all = seenBy(call, call.places, call.input, w, true);
            const std::int64_t place = isPlace(inside, std::ssize(all))
                ? placeOf(call.places, all[static_cast<std::size_t>(inside)].at)
                : -1;
            store(call.result.dtype, call.result.data, offsetIn(call.result, w), place);
        });
        break;
    case WindowUse::Unfold: unfold(call); break;
    case WindowUse::Fold: fold(call); break;
    }
    return takeFailure();
}

} // namespace reinspect::gpu
