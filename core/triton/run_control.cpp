// SPDX-License-Identifier: MIT
// Running loops, branches, calls and reductions.
#include "core/triton/prepare.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace reinspect::triton
{
namespace
{

// Arguments into the callee's frame, which runs as many lanes as this one.
Frame& enter(Frame& frame, const Step& step, std::int64_t lanes)
{
    Frame& inner = frame.child(step.child);
    inner.lanes = lanes;
    return inner;
}

std::int64_t laneBytes(const Body& body, Slot slot)
{
    return body.slots[slot].lane == Lane::Float ? 4 : 8;
}

template<typename T>
void repeat(T* into, const T* value, std::int64_t lanes)
{
    std::fill_n(into, lanes, *value);
}

// What the region uses from around it, once for each lane.
void passCaptured(Frame& frame, Frame& inner, const Step& step, std::int64_t lanes)
{
    const std::size_t own = 2 * step.out.size();
    for (std::size_t i = step.out.size(); i < step.in.size(); ++i)
    {
        const Slot into = inner.body().parameters[own + i - step.out.size()];
        if (laneBytes(inner.body(), into) == 4)
            repeat(inner.floats(into), frame.floats(step.in[i]), lanes);
        else
            repeat(inner.ints(into), frame.ints(step.in[i]), lanes);
    }
}

using Arrays = std::vector<std::vector<std::byte>>;

// Combines `lanes` pairs: `left` and `right` hold n arrays each; the results go into `left`.
bool combine(Machine& machine, Frame& frame, const Step& step, Arrays& left, const Arrays& right,
             std::int64_t lanes)
{
    const std::size_t n = step.out.size();
    const std::int64_t chunk = step.callee->isElementwise ? lanes : 1;
    Frame& inner = enter(frame, step, chunk);
    const std::vector<Slot>& parameters = step.callee->parameters;
    for (std::int64_t done = 0; done < lanes; done += chunk)
    {
        for (std::size_t i = 0; i < n; ++i)
        {
            const std::int64_t bytes = laneBytes(*step.callee, parameters[i]);
            const auto size = static_cast<std::size_t>(chunk * bytes);
            std::memcpy(inner.bytes(parameters[i]), left[i].data() + done * bytes, size);
            std::memcpy(inner.bytes(parameters[n + i]), right[i].data() + done * bytes, size);
        }
        const std::vector<Slot>* results = runBody(machine, inner);
        if (!results)
            return false;
        for (std::size_t i = 0; i < n; ++i)
        {
            const std::int64_t bytes = laneBytes(*step.callee, parameters[i]);
            std::memcpy(left[i].data() + done * bytes, inner.bytes((*results)[i]),
                        static_cast<std::size_t>(chunk * bytes));
        }
    }
    return true;
}

// Planes along the axis: plane j of `outer` blocks of `inner` lanes, packed or taken from a tensor.
struct Planes
{
    std::int64_t outer = 1;
    std::int64_t axis = 1;
    std::int64_t inner = 1;
};

// Planes begin, begin + stride, ... of `from`, `count` of them, into a packed array.
void gather(const std::byte* from, std::byte* into, const Planes& planes, std::int64_t begin,
            std::int64_t stride, std::int64_t count, std::int64_t bytes)
{
    const auto row = static_cast<std::size_t>(planes.inner * bytes);
    for (std::int64_t o = 0; o < planes.outer; ++o)
        for (std::int64_t j = 0; j < count; ++j)
        {
            const std::int64_t at = (o * planes.axis + begin + j * stride) * planes.inner;
            std::memcpy(into, from + at * bytes, row);
            into += row;
        }
}

// Packed planes to places first, first + 1, ... of `into`.
void scatter(const std::byte* from, std::byte* into, const Planes& planes, std::int64_t first,
             std::int64_t count, std::int64_t bytes)
{
    const auto row = static_cast<std::size_t>(planes.inner * bytes);
    for (std::int64_t o = 0; o < planes.outer; ++o)
        for (std::int64_t j = 0; j < count; ++j)
        {
            const std::int64_t at = (o * planes.axis + first + j) * planes.inner;
            std::memcpy(into + at * bytes, from, row);
            from += row;
        }
}

void resizeAll(Arrays& arrays, const Body& body, std::size_t n, std::int64_t lanes)
{
    arrays.resize(n);
    for (std::size_t i = 0; i < n; ++i)
        arrays[i].resize(static_cast<std::size_t>(lanes * laneBytes(body, body.parameters[i])));
}

} // namespace

bool runCall(Machine& machine, Frame& frame, const Step& step)
{
    Frame& inner = enter(frame, step, frame.lanes);
    for (std::size_t i = 0; i < step.in.size(); ++i)
        std::memcpy(inner.bytes(step.callee->parameters[i]), frame.bytes(step.in[i]),
                    static_cast<std::size_t>(frame.size(step.in[i])));
    const std::vector<Slot>* results = runBody(machine, inner);
    if (!results)
        return false;
    for (std::size_t i = 0; i < step.out.size(); ++i)
        std::memcpy(frame.bytes(step.out[i]), inner.bytes((*results)[i]),
                    static_cast<std::size_t>(frame.size(step.out[i])));
    return true;
}

// step.number: 1 when the bounds have no sign.
bool runFor(Machine& machine, Frame& frame, const Step& step)
{
    const std::int64_t lower = frame.ints(step.in[0])[0];
    const std::int64_t upper = frame.ints(step.in[1])[0];
    const std::int64_t stride = frame.ints(step.in[2])[0];
    if (stride <= 0)
        return machine.fail(step,
                            "a loop's step of " + std::to_string(stride) + " is not positive");
    const StepList& body = step.lists[0];
    frame.move(step.enter);
    const auto isBelow = [&](std::int64_t i) {
        return step.number == 0 ? i < upper
                                : static_cast<std::uint64_t>(i) < static_cast<std::uint64_t>(upper);
    };
    for (std::int64_t i = lower; isBelow(i);)
    {
        frame.ints(body.arguments[0])[0] = i;
        if (!runList(machine, frame, body))
            return false;
        frame.move(step.again);
        if (i > std::numeric_limits<std::int64_t>::max() - stride)
            break;
        i += stride;
    }
    return true;
}

bool runIf(Machine& machine, Frame& frame, const Step& step)
{
    const StepList& list = step.lists[frame.ints(step.in[0])[0] != 0 ? 0 : 1];
    if (!runList(machine, frame, list))
        return false;
    frame.move(list.jumps[0]);
    return true;
}

bool runWhile(Machine& machine, Frame& frame, const Step& step)
{
    const StepList& before = step.lists[0];
    frame.move(step.enter);
    while (true)
    {
        if (!runList(machine, frame, before))
            return false;
        const bool goesOn = frame.ints(before.condition)[0] != 0;
        frame.move(before.jumps[goesOn ? 0 : 1]);
        if (!goesOn)
            return true;
        if (!runList(machine, frame, step.lists[1]))
            return false;
        frame.move(step.again);
    }
}

// Rounds of neighbours: 0 with 1, 2 with 3, and so on, until one is left. An odd one waits.
bool runReduce(Machine& machine, Frame& frame, const Step& step)
{
    const std::size_t n = step.out.size();
    Planes planes{step.numbers[0], step.numbers[1], step.numbers[2]};
    const std::int64_t plane = planes.outer * planes.inner;
    auto& [current, left, right, odd] = frame.child(step.child).work;
    resizeAll(current, *step.callee, n, plane * planes.axis);
    for (std::size_t i = 0; i < n; ++i)
        std::memcpy(current[i].data(), frame.bytes(step.in[i]), current[i].size());
    const std::int64_t capacity = step.callee->isElementwise ? plane * ((planes.axis + 1) / 2) : 1;
    passCaptured(frame, enter(frame, step, capacity), step, capacity);
    while (planes.axis > 1)
    {
        const std::int64_t half = planes.axis / 2;
        const bool hasOdd = planes.axis % 2 != 0;
        resizeAll(left, *step.callee, n, plane * half);
        resizeAll(right, *step.callee, n, plane * half);
        resizeAll(odd, *step.callee, n, plane);
        const auto bytesOf = [&](std::size_t i) {
            return laneBytes(*step.callee, step.callee->parameters[i]);
        };
        for (std::size_t i = 0; i < n; ++i)
        {
            gather(current[i].data(), left[i].data(), planes, 0, 2, half, bytesOf(i));
            gather(current[i].data(), right[i].data(), planes, 1, 2, half, bytesOf(i));
            if (hasOdd)
                gather(current[i].data(), odd[i].data(), planes, planes.axis - 1, 1, 1, bytesOf(i));
        }
        if (!combine(machine, frame, step, left, right, plane * half))
            return false;
        planes.axis = half + (hasOdd ? 1 : 0);
        for (std::size_t i = 0; i < n; ++i)
        {
            scatter(left[i].data(), current[i].data(), planes, 0, half, bytesOf(i));
            if (hasOdd)
                scatter(odd[i].data(), current[i].data(), planes, half, 1, bytesOf(i));
        }
    }
    for (std::size_t i = 0; i < n; ++i)
        std::memcpy(frame.bytes(step.out[i]), current[i].data(),
                    static_cast<std::size_t>(frame.size(step.out[i])));
    return true;
}

// One plane after the other, each combined with what came before.
bool runScan(Machine& machine, Frame& frame, const Step& step)
{
    const std::size_t n = step.out.size();
    const Planes planes{step.numbers[0], step.numbers[1], step.numbers[2]};
    const std::int64_t plane = planes.outer * planes.inner;
    Arrays& sum = frame.child(step.child).work[0];
    Arrays& next = frame.child(step.child).work[1];
    resizeAll(sum, *step.callee, n, plane);
    resizeAll(next, *step.callee, n, plane);
    const std::int64_t capacity = step.callee->isElementwise ? plane : 1;
    passCaptured(frame, enter(frame, step, capacity), step, capacity);
    for (std::int64_t j = 0; j < planes.axis; ++j)
    {
        const std::int64_t at = step.number != 0 ? planes.axis - 1 - j : j;
        Arrays& into = j == 0 ? sum : next;
        for (std::size_t i = 0; i < n; ++i)
        {
            const std::int64_t bytes = laneBytes(*step.callee, step.callee->parameters[i]);
            gather(frame.bytes(step.in[i]), into[i].data(), planes, at, 1, 1, bytes);
        }
        if (j > 0 && !combine(machine, frame, step, sum, next, plane))
            return false;
        for (std::size_t i = 0; i < n; ++i)
        {
            const std::int64_t bytes = laneBytes(*step.callee, step.callee->parameters[i]);
            scatter(sum[i].data(), frame.bytes(step.out[i]), planes, at, 1, bytes);
        }
    }
    return true;
}

void fillConstant(Frame& frame, const Step& step)
{
    const Constant& constant = *step.operation->constant;
    const std::int64_t n = step.count * frame.lanes;
    const auto fill = [&](auto* into, const auto& from) {
        for (std::int64_t i = 0; i < n; ++i)
        {
            const auto at = static_cast<std::size_t>(from.size() == 1 ? 0 : i % step.count);
            into[i] = static_cast<std::remove_reference_t<decltype(*into)>>(from[at]);
        }
    };
    const Lane lane = frame.body().slots[step.out[0]].lane;
    if (lane == Lane::Int64)
        fill(frame.ints(step.out[0]), constant.integers);
    else if (lane == Lane::Float)
        fill(frame.floats(step.out[0]), constant.reals);
    else
        fill(frame.doubles(step.out[0]), constant.reals);
}

void fillRange(Frame& frame, const Step& step)
{
    for (std::int64_t i = 0; i < step.count; ++i)
        frame.ints(step.out[0])[i] = step.number + i;
}

bool runNothing(Machine&, Frame&, const Step&)
{
    return true;
}

} // namespace reinspect::triton
