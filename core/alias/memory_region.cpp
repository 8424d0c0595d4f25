// SPDX-License-Identifier: MIT
#include "core/alias/memory_region.h"

#include "core/base/checked_math.h"

#include <algorithm>
#include <cstdlib>

namespace reinspect
{
namespace
{

constexpr RegionAnswer kNoGeometry{RegionKind::Unknown, "strides or offsets are not known"};
constexpr RegionAnswer kNoWidth{RegionKind::Unknown, "their element widths are not known"};
constexpr RegionAnswer kTooLarge{RegionKind::Unknown,
                                 "their numbers are too large to compute with"};
constexpr RegionAnswer kTooMuch{RegionKind::Unknown, "comparing them would take too long"};
constexpr RegionAnswer kSymbols{RegionKind::Unknown,
                                "what is known of the symbolic sizes does not decide it"};
constexpr RegionAnswer kEmpty{RegionKind::Disjoint, "one of them has no elements"};
constexpr RegionAnswer kApart{RegionKind::Disjoint, "no element is in both"};
constexpr RegionAnswer kShared{RegionKind::Meet, "they share an element"};
constexpr RegionAnswer kSame{RegionKind::Meet, "they are the same elements"};
constexpr RegionAnswer kEndsBefore{
    RegionKind::Disjoint, "the last element of one lies before the first element of the other"};
constexpr RegionAnswer kOtherColumns{RegionKind::Disjoint,
                                     "they lie in different columns of rows of one pitch"};

// No storage reaches further than this. A superset of the elements is enough to show two tensors
// apart, so a size without an upper bound goes as far.
constexpr std::int64_t kFurthest = std::int64_t{1} << 56;

bool hasGeometry(const TensorMeta& meta)
{
    return meta.strides && meta.strides->size() == meta.sizes.size() && meta.offset;
}

// How far to believe a symbolic size.
enum class Bound
{
    Exact, // numbers only
    Most,  // no fewer elements than there can be
    Least, // no more elements than there must be
};

// The size as a number; `step` says how many there can be when nothing else does.
std::optional<std::int64_t> sizeAs(const SymExpr& size, std::int64_t step, Bound bound,
                                   const ShapeEnv& shapes)
{
    if (const auto number = size.constant())
        return number;
    switch (bound)
    {
    case Bound::Exact: return {};
    case Bound::Most: return step == 0 ? 1 : kFurthest / std::abs(step) + 1;
    case Bound::Least:
        for (const std::int64_t least : {std::int64_t{2}, std::int64_t{1}})
            if (shapes.knownLessEqual(least, size) == Known::Yes)
                return least;
        return {};
    }
    return {};
}

// The elements, each counted as `width` units; nothing when a stride or the offset is no number.
std::optional<StridedSet> touched(const TensorMeta& meta, std::int64_t width, Bound bound,
                                  const ShapeEnv& shapes)
{
    const auto offset = meta.offset->constant();
    const auto start = offset ? checkedMultiply(*offset, width) : std::nullopt;
    if (!start)
        return {};
    std::vector<StridedDimension> dimensions;
    dimensions.reserve(meta.sizes.size() + 1);
    for (std::size_t i = 0; i < meta.sizes.size(); ++i)
    {
        const auto stride = (*meta.strides)[i].constant();
        const auto step = stride ? checkedMultiply(*stride, width) : std::nullopt;
        if (!step || *step < -kFurthest)
            return {};
        const auto count = sizeAs(meta.sizes[i], *step, bound, shapes);
        if (!count)
            return {};
        dimensions.push_back({*count, *step});
    }
    if (width > 1)
        dimensions.push_back({width, 1});
    return stridedSet(*start, std::move(dimensions));
}

// Bytes to count an element as: 1 where both tensors have elements of one width, 0 when unknown.
struct Widths
{
    std::int64_t first = 0;
    std::int64_t second = 0;
};
Widths widthsOf(const TensorMeta& a, const TensorMeta& b)
{
    const std::int64_t first = dtypeBytes(a.dtype);
    const std::int64_t second = dtypeBytes(b.dtype);
    return a.dtype == b.dtype || first == second ? Widths{1, 1} : Widths{first, second};
}

bool allNumbers(const TensorMeta& meta)
{
    const auto isNumber = [](const SymExpr& expr) { return expr.isConstant(); };
    return meta.offset->isConstant() && std::ranges::all_of(meta.sizes, isNumber)
        && std::ranges::all_of(*meta.strides, isNumber);
}

bool isEmpty(const TensorMeta& meta, const ShapeEnv& shapes)
{
    return std::ranges::any_of(
        meta.sizes, [&](const SymExpr& size) { return shapes.knownEqual(size, 0) == Known::Yes; });
}

bool isNeverEmpty(const TensorMeta& meta, const ShapeEnv& shapes)
{
    return std::ranges::all_of(meta.sizes, [&](const SymExpr& size) {
        return shapes.knownLessEqual(1, size) == Known::Yes;
    });
}

// Distance from the first element to the last, all dimensions but `without`; nothing when a stride
// may be negative.
std::optional<SymExpr> reach(const TensorMeta& meta, std::size_t without, const ShapeEnv& shapes)
{
    SymExpr sum = 0;
    for (std::size_t i = 0; i < meta.sizes.size(); ++i)
    {
        if (i == without)
            continue;
        if (shapes.knownLessEqual(0, (*meta.strides)[i]) != Known::Yes)
            return {};
        sum = sum + (meta.sizes[i] - 1) * (*meta.strides)[i];
    }
    return sum;
}

bool endsBefore(const TensorMeta& a, const TensorMeta& b, const ShapeEnv& shapes)
{
    const auto length = reach(a, a.sizes.size(), shapes);
    const auto other = reach(b, b.sizes.size(), shapes);
    return length && other && shapes.knownLess(*a.offset + *length, *b.offset) == Known::Yes;
}

// Both consist of rows of the same pitch, and within a row `first` ends before `second` begins, which
// ends before the next row begins.
bool inOtherColumns(const TensorMeta& first, const TensorMeta& second, const ShapeEnv& shapes)
{
    const SymExpr distance = *second.offset - *first.offset;
    for (std::size_t i = 0; i < first.sizes.size(); ++i)
    {
        for (std::size_t j = 0; j < second.sizes.size(); ++j)
        {
            const SymExpr& pitch = (*first.strides)[i];
            if (shapes.knownEqual(pitch, (*second.strides)[j]) != Known::Yes)
                continue;
            const auto firstReach = reach(first, i, shapes);
            const auto secondReach = reach(second, j, shapes);
            if (firstReach && secondReach && shapes.knownLess(*firstReach, distance) == Known::Yes
                && shapes.knownLess(distance + *secondReach, pitch) == Known::Yes)
                return true;
        }
    }
    return false;
}

RegionAnswer meetOfNumbers(const TensorMeta& a, const TensorMeta& b, Widths widths,
                           const ShapeEnv& shapes)
{
    const auto first = touched(a, widths.first, Bound::Exact, shapes);
    const auto second = touched(b, widths.second, Bound::Exact, shapes);
    if (!first || !second)
        return kTooLarge;
    switch (setsMeet(*first, *second))
    {
    case Known::Yes: return kShared;
    case Known::No: return kApart;
    case Known::Unknown: break;
    }
    return kTooMuch;
}

RegionAnswer meetOfSymbols(const TensorMeta& a, const TensorMeta& b, Widths widths,
                           const ShapeEnv& shapes)
{
    const auto mostA = touched(a, widths.first, Bound::Most, shapes);
    const auto mostB = touched(b, widths.second, Bound::Most, shapes);
    if (mostA && mostB && setsMeet(*mostA, *mostB) == Known::No)
        return kApart;
    const auto leastA = touched(a, widths.first, Bound::Least, shapes);
    const auto leastB = touched(b, widths.second, Bound::Least, shapes);
    if (leastA && leastB && setsMeet(*leastA, *leastB) == Known::Yes)
        return kShared;
    if (widths.first != widths.second)
        return kSymbols;
    if (endsBefore(a, b, shapes) || endsBefore(b, a, shapes))
        return kEndsBefore;
    if (inOtherColumns(a, b, shapes) || inOtherColumns(b, a, shapes))
        return kOtherColumns;
    const bool certain = sameRegion(a, b, shapes) == Known::Yes && isNeverEmpty(a, shapes);
    return certain ? kSame : kSymbols;
}

} // namespace

RegionAnswer regionsMeet(const TensorMeta& a, const TensorMeta& b, const ShapeEnv& shapes)
{
    if (isEmpty(a, shapes) || isEmpty(b, shapes))
        return kEmpty;
    if (!hasGeometry(a) || !hasGeometry(b))
        return kNoGeometry;
    const Widths widths = widthsOf(a, b);
    if (widths.first == 0 || widths.second == 0)
        return kNoWidth;
    return allNumbers(a) && allNumbers(b) ? meetOfNumbers(a, b, widths, shapes)
                                          : meetOfSymbols(a, b, widths, shapes);
}

Known regionCovers(const TensorMeta& outer, const TensorMeta& inner, const ShapeEnv& shapes)
{
    if (isEmpty(inner, shapes))
        return Known::Yes;
    if (!hasGeometry(outer) || !hasGeometry(inner))
        return Known::Unknown;
    const Widths widths = widthsOf(outer, inner);
    if (widths.first == 0 || widths.second == 0)
        return Known::Unknown;
    if (allNumbers(outer) && allNumbers(inner))
    {
        const auto first = touched(outer, widths.first, Bound::Exact, shapes);
        const auto second = touched(inner, widths.second, Bound::Exact, shapes);
        return first && second ? setCovers(*first, *second) : Known::Unknown;
    }
    return sameRegion(outer, inner, shapes) == Known::Yes ? Known::Yes : Known::Unknown;
}

Known sameRegion(const TensorMeta& a, const TensorMeta& b, const ShapeEnv& shapes)
{
    if (!hasGeometry(a) || !hasGeometry(b))
        return Known::Unknown;
    const Widths widths = widthsOf(a, b);
    if (widths.first != widths.second || a.sizes.size() != b.sizes.size())
        return Known::No;
    Known answer = shapes.knownEqual(*a.offset, *b.offset);
    for (std::size_t i = 0; i < a.sizes.size() && answer == Known::Yes; ++i)
    {
        answer = shapes.knownEqual(a.sizes[i], b.sizes[i]);
        if (answer == Known::Yes && shapes.knownLess(1, a.sizes[i]) != Known::No)
            answer = shapes.knownEqual((*a.strides)[i], (*b.strides)[i]);
    }
    return answer;
}

namespace
{

// In some order of the dimensions each step is longer than all before it reach together.
bool isNested(const TensorMeta& meta, const ShapeEnv& shapes)
{
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < meta.sizes.size(); ++i)
        if (shapes.knownLess(meta.sizes[i], 2) != Known::Yes)
            left.push_back(i);
    const auto step = [&meta](std::size_t i) -> const SymExpr& { return (*meta.strides)[i]; };
    SymExpr length = 0;
    while (!left.empty())
    {
        const auto shortest = std::ranges::find_if(left, [&](std::size_t i) {
            return std::ranges::all_of(left, [&](std::size_t j) {
                return i == j || shapes.knownLessEqual(step(i), step(j)) == Known::Yes;
            });
        });
        if (shortest == left.end() || shapes.knownLess(length, step(*shortest)) != Known::Yes)
            return false;
        length = length + (meta.sizes[*shortest] - 1) * step(*shortest);
        left.erase(shortest);
    }
    return true;
}

} // namespace

Known regionMeetsItself(const TensorMeta& meta, const ShapeEnv& shapes)
{
    if (!meta.strides || meta.strides->size() != meta.sizes.size())
        return Known::Unknown;
    if (isEmpty(meta, shapes) || isContiguous(meta))
        return Known::No;
    std::vector<StridedDimension> dimensions;
    for (std::size_t i = 0; i < meta.sizes.size(); ++i)
    {
        const auto count = meta.sizes[i].constant();
        const auto step = (*meta.strides)[i].constant();
        if (count && step)
            dimensions.push_back({*count, *step});
        else if (step && *step == 0 && shapes.knownLess(1, meta.sizes[i]) == Known::Yes)
            dimensions.push_back({2, 0});
    }
    // Without the symbolic dimensions: what repeats there repeats with them, unless one is empty.
    const Known answer = reachesTwice(dimensions);
    if (dimensions.size() == meta.sizes.size())
        return answer;
    if (answer == Known::Yes && isNeverEmpty(meta, shapes))
        return Known::Yes;
    return isNested(meta, shapes) ? Known::No : Known::Unknown;
}

std::optional<StridedSet> bytesTouched(const TensorMeta& meta)
{
    if (!hasGeometry(meta) || !allNumbers(meta) || dtypeBytes(meta.dtype) == 0)
        return {};
    return touched(meta, dtypeBytes(meta.dtype), Bound::Exact, ShapeEnv{});
}

} // namespace reinspect
