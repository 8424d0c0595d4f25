// SPDX-License-Identifier: MIT
#include "core/alias/overlap.h"

#include <algorithm>

namespace reinspect
{
namespace
{

constexpr OverlapAnswer kSameTensor{OverlapKind::Overlaps, "they are the same tensor"};
constexpr OverlapAnswer kEmpty{OverlapKind::Disjoint, "one of them has no elements"};
constexpr OverlapAnswer kNoGeometry{
    OverlapKind::Assumed, "strides or offsets are not known, so they are taken to overlap"};
constexpr OverlapAnswer kDataDecides{
    OverlapKind::Assumed,
    "a size that only the data decides matters, so they are taken to overlap"};
constexpr OverlapAnswer kContiguousApart{
    OverlapKind::Disjoint, "both are contiguous, and one ends before the other starts"};
constexpr OverlapAnswer kContiguousMeet{
    OverlapKind::Overlaps, "both are contiguous, and one starts before the other ends"};
constexpr OverlapAnswer kEndsBefore{
    OverlapKind::Disjoint, "the last element of one lies before the first element of the other"};
constexpr OverlapAnswer kFirstRowMeets{
    OverlapKind::Overlaps,
    "they are blocks of one matrix, and one starts in the other's first row"};
constexpr OverlapAnswer kColumnsApart{OverlapKind::Disjoint,
                                      "they are blocks of one matrix, in different columns"};
constexpr OverlapAnswer kColumnsMeet{OverlapKind::Overlaps,
                                     "they are blocks of one matrix, and their columns may meet"};
constexpr OverlapAnswer kNoRule{OverlapKind::Overlaps,
                                "their extents cross, and no rule shows them apart"};
constexpr OverlapAnswer kUndecided{OverlapKind::Overlaps,
                                   "what is known of the symbolic sizes does not show them apart"};

bool hasUnbackedSymbol(const SymExpr& expr)
{
    return !expr.isConstant() && std::ranges::any_of(expr.symbols(), isUnbackedSymbol);
}

bool hasGeometry(const TensorMeta& meta)
{
    return meta.strides && meta.strides->size() == meta.sizes.size() && meta.offset;
}

// A tensor whose geometry is known.
struct Region
{
    const TensorMeta& meta;

    std::size_t dimensions() const { return meta.sizes.size(); }
    const SymExpr& size(std::size_t dimension) const { return meta.sizes[dimension]; }
    const SymExpr& stride(std::size_t dimension) const { return (*meta.strides)[dimension]; }
    const SymExpr& start() const { return *meta.offset; }
    SymExpr last() const
    {
        SymExpr position = start();
        for (std::size_t i = 0; i < dimensions(); ++i)
            position = position + (size(i) - 1) * stride(i);
        return position;
    }
};

// Asks upstream's questions in upstream's order. A question that only the data can answer ends the
// test there, as the error that it raises does upstream; one that only the traced run could answer
// is left open, and a later rule may still show the two apart.
class OverlapTest
{
public:
    explicit OverlapTest(const ShapeEnv& shapes)
        : m_shapes(shapes)
    {}
    OverlapAnswer run(const TensorMeta& a, const TensorMeta& b);

private:
    Known lessEqual(const SymExpr& a, const SymExpr& b);
    Known equal(const SymExpr& a, const SymExpr& b);
    Known noted(Known answer, const SymExpr& a, const SymExpr& b);
    bool isEmpty(const TensorMeta& meta);
    bool endsBefore(const Region& first, const Region& second);
    OverlapAnswer inOrder(const Region& first, const Region& second);
    OverlapAnswer contiguous(const Region& first, const Region& second);
    bool areMatrixBlocks(const Region& first, const Region& second);
    OverlapAnswer matrixBlocks(const Region& first, const Region& second);
    // `answer`, unless it had to be given because a question stayed open.
    OverlapAnswer closed(OverlapAnswer answer) const;

    const ShapeEnv& m_shapes;
    bool m_open = false;
    bool m_dataDecides = false;
};

Known OverlapTest::noted(Known answer, const SymExpr& a, const SymExpr& b)
{
    if (answer == Known::Unknown)
    {
        m_open = true;
        m_dataDecides = m_dataDecides || hasUnbackedSymbol(a) || hasUnbackedSymbol(b);
    }
    return answer;
}

Known OverlapTest::lessEqual(const SymExpr& a, const SymExpr& b)
{
    return noted(m_shapes.knownLessEqual(a, b), a, b);
}

Known OverlapTest::equal(const SymExpr& a, const SymExpr& b)
{
    return noted(m_shapes.knownEqual(a, b), a, b);
}

OverlapAnswer OverlapTest::closed(OverlapAnswer answer) const
{
    if (answer.kind != OverlapKind::Overlaps || !m_open)
        return answer;
    return m_dataDecides ? kDataDecides : kUndecided;
}

bool OverlapTest::isEmpty(const TensorMeta& meta)
{
    return std::ranges::any_of(meta.sizes,
                               [&](const SymExpr& size) { return equal(size, 0) == Known::Yes; });
}

bool OverlapTest::endsBefore(const Region& first, const Region& second)
{
    return lessEqual(first.last() + 1, second.start()) == Known::Yes;
}

OverlapAnswer OverlapTest::run(const TensorMeta& a, const TensorMeta& b)
{
    if (&a == &b)
        return kSameTensor;
    if (isEmpty(a) || isEmpty(b))
        return kEmpty;
    if (m_dataDecides)
        return kDataDecides;
    if (!hasGeometry(a) || !hasGeometry(b))
        return kNoGeometry;

    const Region x{a};
    const Region y{b};
    const Known ordered = lessEqual(x.start(), y.start());
    if (m_dataDecides)
        return kDataDecides;
    if (ordered == Known::Unknown)
        return endsBefore(x, y) || endsBefore(y, x) ? kEndsBefore : closed(kNoRule);
    return ordered == Known::Yes ? inOrder(x, y) : inOrder(y, x);
}

// The first starts at or before the second.
OverlapAnswer OverlapTest::inOrder(const Region& first, const Region& second)
{
    if (isContiguous(first.meta) && isContiguous(second.meta))
        return contiguous(first, second);
    if (endsBefore(first, second))
        return kEndsBefore;
    if (!m_dataDecides && areMatrixBlocks(first, second))
        return matrixBlocks(first, second);
    return closed(kNoRule);
}

OverlapAnswer OverlapTest::contiguous(const Region& first, const Region& second)
{
    const SymExpr end = first.start() + elementCount(first.meta);
    const bool apart = lessEqual(end, second.start()) == Known::Yes;
    return apart ? kContiguousApart : closed(kContiguousMeet);
}

bool OverlapTest::areMatrixBlocks(const Region& first, const Region& second)
{
    return first.dimensions() == 2 && second.dimensions() == 2
        && equal(first.stride(1), 1) == Known::Yes && equal(second.stride(1), 1) == Known::Yes
        && equal(first.stride(0), second.stride(0)) == Known::Yes;
}

// Rows of one pitch, where the first does not end before the second starts. The last question is
// upstream's, as weak as it is: it asks whether a row of the second ends before the next row of the
// first begins, and not whether it starts behind the first one's columns. Columns 0 to 3 of every
// row and columns 2 to 5 from the third row on pass as disjoint, and the real pass acts on that.
OverlapAnswer OverlapTest::matrixBlocks(const Region& first, const Region& second)
{
    const SymExpr distance = second.start() - first.start();
    const SymExpr& pitch = first.stride(0);
    switch (lessEqual(first.size(1), distance))
    {
    case Known::No: return kFirstRowMeets;
    case Known::Unknown: return closed(kNoRule);
    case Known::Yes: break;
    }
    if (lessEqual(1, pitch) != Known::Yes)
        return closed(kNoRule); // expanded rows: there is no pitch to count in
    // The second, moved back by whole rows until it starts in the first row of the first.
    const SymExpr column = SymExpr::mod(distance, pitch);
    const bool apart = lessEqual(column + second.size(1), pitch) == Known::Yes;
    return apart ? kColumnsApart : closed(kColumnsMeet);
}

// Whether the dimensions longer than 1, put in the right order, step through memory without a gap:
// one has stride 1, the next the size of that one, and so on. Mirrors is_non_overlapping_and_dense.
bool isDense(const TensorMeta& meta, const ShapeEnv& shapes)
{
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < meta.sizes.size(); ++i)
    {
        if (shapes.knownLess(meta.sizes[i], 2) != Known::Yes)
            left.push_back(i);
    }
    SymExpr pitch = 1;
    while (!left.empty())
    {
        const auto next = std::ranges::find_if(left, [&](std::size_t i) {
            return shapes.knownEqual((*meta.strides)[i], pitch) == Known::Yes;
        });
        if (next == left.end())
            return false;
        pitch = pitch * meta.sizes[*next];
        left.erase(next);
    }
    return true;
}

} // namespace

OverlapAnswer mayOverlap(const TensorMeta& a, const TensorMeta& b, const ShapeEnv& shapes)
{
    return OverlapTest(shapes).run(a, b);
}

Known hasInternalOverlap(const TensorMeta& meta, const ShapeEnv& shapes)
{
    if (!meta.strides || meta.strides->size() != meta.sizes.size())
        return Known::Unknown;
    if (isContiguous(meta) || isDense(meta, shapes))
        return Known::No;
    for (std::size_t i = 0; i < meta.sizes.size(); ++i)
    {
        const bool stays = shapes.knownEqual((*meta.strides)[i], 0) == Known::Yes;
        if (stays && shapes.knownLess(1, meta.sizes[i]) == Known::Yes)
            return Known::Yes;
    }
    return Known::Unknown;
}

} // namespace reinspect
