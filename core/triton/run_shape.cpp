// SPDX-License-Identifier: MIT
// Operators that only move elements. Each is a table made once: for every element of the result, the
// place of the operand's element (Step::map); several operands are counted one behind the other.
#include "core/triton/prepare.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace reinspect::triton
{
namespace
{

using Shape = std::vector<std::int64_t>;

template<typename T>
bool fill(Machine&, Frame& frame, const Step& step)
{
    std::fill_n(frame.data<T>(step.out[0]), step.count, *frame.data<T>(step.in[0]));
    return true;
}

template<typename T>
bool moveElements(Machine&, Frame& frame, const Step& step)
{
    const T* a = frame.data<T>(step.in[0]);
    T* r = frame.data<T>(step.out[0]);
    for (std::size_t i = 0; i < step.map.size(); ++i)
        r[i] = a[step.map[i]];
    return true;
}

// step.number: elements of the first operand; places from there on are the second's.
template<typename T>
bool moveFromTwo(Machine&, Frame& frame, const Step& step)
{
    const T* a = frame.data<T>(step.in[0]);
    const T* b = frame.data<T>(step.in[1]);
    const auto first = static_cast<std::uint32_t>(step.number);
    T* r = frame.data<T>(step.out[0]);
    for (std::size_t i = 0; i < step.map.size(); ++i)
        r[i] = step.map[i] < first ? a[step.map[i]] : b[step.map[i] - first];
    return true;
}

template<typename T>
bool splitPairs(Machine&, Frame& frame, const Step& step)
{
    const T* a = frame.data<T>(step.in[0]);
    T* left = frame.data<T>(step.out[0]);
    T* right = frame.data<T>(step.out[1]);
    for (std::int64_t i = 0; i < step.count; ++i)
    {
        left[i] = a[2 * i];
        right[i] = a[2 * i + 1];
    }
    return true;
}

Handler byWidth(const Type& type, Handler four, Handler eight)
{
    return laneOf(type) == Lane::Float ? four : eight;
}

// Calls visit(index into the result, coordinates) for every element, in row-major order.
template<typename Visit>
void forEachElement(const Shape& shape, Visit visit)
{
    Shape at(shape.size());
    const std::int64_t count =
        std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
    for (std::int64_t i = 0; i < count; ++i)
    {
        visit(at);
        for (std::size_t d = shape.size(); d-- > 0 && ++at[d] == shape[d];)
            at[d] = 0;
    }
}

Shape rowMajorStrides(const Shape& shape)
{
    Shape strides(shape.size());
    std::int64_t stride = 1;
    for (std::size_t d = shape.size(); d-- > 0; stride *= shape[d])
        strides[d] = stride;
    return strides;
}

// The result's element at `at` is the operand's at the place that `strides` give.
void mapByStrides(Step& step, const Shape& shape, const Shape& strides)
{
    step.map.reserve(static_cast<std::size_t>(step.count));
    forEachElement(shape, [&](const Shape& at) {
        step.map.push_back(static_cast<std::uint32_t>(
            std::inner_product(at.begin(), at.end(), strides.begin(), std::int64_t{0})));
    });
}

bool sameElements(const Type& a, const Type& b)
{
    return a.scalar == b.scalar && a.bits == b.bits && !a.isBlock() && !b.isBlock()
        && a.scalar != Scalar::Opaque && a.scalar != Scalar::None;
}

Result<void> prepareSplat(Preparation& p)
{
    if (!p.has(1, 1) || p.in(0).count() != 1 || !sameElements(p.in(0), p.out()))
        return p.misfit();
    p.step.run = byWidth(p.out(), fill<float>, fill<std::int64_t>);
    return {};
}

Result<void> prepareUnsplat(Preparation& p)
{
    if (!p.has(1, 1) || p.in(0).count() != 1 || p.out().count() != 1
        || !sameElements(p.in(0), p.out()))
        return p.misfit();
    p.step.run = byWidth(p.out(), fill<float>, fill<std::int64_t>);
    return {};
}

Result<void> prepareBroadcast(Preparation& p)
{
    if (!p.has(1, 1) || !sameElements(p.in(0), p.out())
        || p.in(0).shape.size() != p.out().shape.size())
        return p.misfit();
    Shape strides = rowMajorStrides(p.in(0).shape);
    for (std::size_t d = 0; d < strides.size(); ++d)
    {
        if (p.in(0).shape[d] != p.out().shape[d] && p.in(0).shape[d] != 1)
            return p.misfit();
        if (p.in(0).shape[d] != p.out().shape[d])
            strides[d] = 0;
    }
    mapByStrides(p.step, p.out().shape, strides);
    p.step.run = byWidth(p.out(), moveElements<float>, moveElements<std::int64_t>);
    return {};
}

// order[i]: the operand's dimension that becomes the i-th. Triton 2 has two dimensions and no order.
Result<void> prepareTranspose(Preparation& p)
{
    if (!p.has(1, 1) || !sameElements(p.in(0), p.out())
        || p.in(0).shape.size() != p.out().shape.size())
        return p.misfit();
    const std::size_t rank = p.in(0).shape.size();
    Shape order(rank);
    for (std::size_t d = 0; d < rank; ++d)
        order[d] = static_cast<std::int64_t>(rank - 1 - d);
    if (const Attribute* given = p.operation.attribute("order"))
        order = given->integers;
    if (order.size() != rank)
        return p.misfit();
    const Shape from = rowMajorStrides(p.in(0).shape);
    Shape strides(rank);
    for (std::size_t d = 0; d < rank; ++d)
    {
        const auto source = static_cast<std::size_t>(order[d]);
        if (source >= rank || p.in(0).shape[source] != p.out().shape[d])
            return p.misfit();
        strides[d] = from[source];
    }
    if (p.in(0).count() != p.out().count())
        return p.misfit();
    mapByStrides(p.step, p.out().shape, strides);
    p.step.run = byWidth(p.out(), moveElements<float>, moveElements<std::int64_t>);
    return {};
}

// The two operands' elements side by side, in a new last dimension.
Result<void> prepareJoin(Preparation& p)
{
    if (!p.has(2, 1) || !(p.in(0) == p.in(1)) || !sameElements(p.in(0), p.out())
        || p.out().count() != 2 * p.in(0).count())
        return p.misfit();
    const std::int64_t count = p.in(0).count();
    p.step.number = count;
    for (std::int64_t i = 0; i < count; ++i)
    {
        p.step.map.push_back(static_cast<std::uint32_t>(i));
        p.step.map.push_back(static_cast<std::uint32_t>(count + i));
    }
    p.step.run = byWidth(p.out(), moveFromTwo<float>, moveFromTwo<std::int64_t>);
    return {};
}

Result<void> prepareSplit(Preparation& p)
{
    if (!p.has(1, 2) || !sameElements(p.in(0), p.out(0)) || !(p.out(0) == p.out(1))
        || p.in(0).count() != 2 * p.out(0).count() || p.in(0).shape.empty()
        || p.in(0).shape.back() != 2)
        return p.misfit();
    p.step.run = byWidth(p.out(), splitPairs<float>, splitPairs<std::int64_t>);
    return {};
}

Result<void> prepareConcatenate(Preparation& p)
{
    if (!p.has(2, 1) || !sameElements(p.in(0), p.out()) || !sameElements(p.in(1), p.out())
        || p.in(0).count() + p.in(1).count() != p.out().count())
        return p.misfit();
    p.step.number = p.in(0).count();
    p.step.map.resize(static_cast<std::size_t>(p.step.count));
    std::iota(p.step.map.begin(), p.step.map.end(), 0u);
    p.step.run = byWidth(p.out(), moveFromTwo<float>, moveFromTwo<std::int64_t>);
    return {};
}

// step.map: the place with a 0 along the axis; step.number: stride of the axis; step.other: its size.
template<typename T>
bool gatherElements(Machine& machine, Frame& frame, const Step& step)
{
    const T* a = frame.data<T>(step.in[0]);
    const std::int64_t* index = frame.ints(step.in[1]);
    T* r = frame.data<T>(step.out[0]);
    for (std::size_t i = 0; i < step.map.size(); ++i)
    {
        if (index[i] < 0 || index[i] >= step.other)
            return machine.fail(step,
                                "the index " + std::to_string(index[i])
                                    + " is outside of a dimension of "
                                    + std::to_string(step.other));
        r[i] = a[step.map[i] + static_cast<std::uint32_t>(index[i] * step.number)];
    }
    return true;
}

Result<void> prepareGather(Preparation& p)
{
    if (!p.has(2, 1) || !sameElements(p.in(0), p.out()) || !p.in(1).isInteger()
        || p.in(1).shape != p.out().shape || p.in(0).shape.size() != p.out().shape.size())
        return p.misfit();
    const auto axis = static_cast<std::size_t>(p.operation.integer("axis", -1));
    if (axis >= p.in(0).shape.size())
        return p.misfit();
    Shape strides = rowMajorStrides(p.in(0).shape);
    for (std::size_t d = 0; d < strides.size(); ++d)
        if (d != axis && p.out().shape[d] > p.in(0).shape[d])
            return p.misfit();
    p.step.number = strides[axis];
    p.step.other = p.in(0).shape[axis];
    strides[axis] = 0;
    mapByStrides(p.step, p.out().shape, strides);
    p.step.run = byWidth(p.out(), gatherElements<float>, gatherElements<std::int64_t>);
    return {};
}

constexpr auto kRows = std::to_array<PrepareRow>({
    {Opcode::Splat, prepareSplat},
    {Opcode::Unsplat, prepareUnsplat},
    {Opcode::Broadcast, prepareBroadcast},
    {Opcode::Trans, prepareTranspose},
    {Opcode::Join, prepareJoin},
    {Opcode::Split, prepareSplit},
    {Opcode::Cat, prepareConcatenate},
    {Opcode::Gather, prepareGather},
});

} // namespace

std::span<const PrepareRow> shapeRows()
{
    return kRows;
}

} // namespace reinspect::triton
