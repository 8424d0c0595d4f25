// SPDX-License-Identifier: MIT
// tt.dot and tt.histogram.
#include "core/triton/float_formats.h"
#include "core/triton/prepare.h"

#include <algorithm>
#include <array>

namespace reinspect::triton
{
namespace
{

using I = std::int64_t;

// TF32 keeps ten bits of the fraction; the tensor cores drop the others.
float cutToTf32(float value)
{
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0xFFFFE000u);
}

template<bool Cuts, typename T>
T operandOf(T value)
{
    if constexpr (Cuts)
        return cutToTf32(value);
    else
        return value;
}

// numbers: batches, rows, columns, depth. in: a, b, and what is added to.
template<typename T, typename Sum, bool Cuts>
bool dot(Machine&, Frame& frame, const Step& step)
{
    const I rows = step.numbers[1];
    const I columns = step.numbers[2];
    const I depth = step.numbers[3];
    const T* a = frame.data<T>(step.in[0]);
    const T* b = frame.data<T>(step.in[1]);
    const Sum* c = frame.data<Sum>(step.in[2]);
    Sum* r = frame.data<Sum>(step.out[0]);
    std::copy_n(c, step.count, r);
    for (I batch = 0; batch < step.numbers[0]; ++batch, a += rows * depth, b += depth * columns)
        for (I i = 0; i < rows; ++i, r += columns)
            for (I k = 0; k < depth; ++k)
            {
                const auto left = static_cast<Sum>(operandOf<Cuts>(a[i * depth + k]));
                const T* row = b + k * columns;
                for (I j = 0; j < columns; ++j)
                    r[j] += left * static_cast<Sum>(operandOf<Cuts>(row[j]));
            }
    if (step.scalar != Scalar::Float32)
        if constexpr (std::is_same_v<Sum, float>)
            for (I i = 0; i < step.count; ++i)
                frame.floats(step.out[0])[i] = roundedTo(step.scalar, frame.floats(step.out[0])[i]);
    return true;
}

// Sums of int32 wrap.
bool dotIntegers(Machine&, Frame& frame, const Step& step)
{
    const I rows = step.numbers[1];
    const I columns = step.numbers[2];
    const I depth = step.numbers[3];
    const I* a = frame.ints(step.in[0]);
    const I* b = frame.ints(step.in[1]);
    const I* c = frame.ints(step.in[2]);
    I* r = frame.ints(step.out[0]);
    for (I i = 0; i < step.count; ++i)
    {
        const I batch = i / (rows * columns);
        const I row = i / columns % rows;
        auto sum = static_cast<std::uint64_t>(c[i]);
        for (I k = 0; k < depth; ++k)
            sum += static_cast<std::uint64_t>(a[(batch * rows + row) * depth + k])
                * static_cast<std::uint64_t>(b[(batch * depth + k) * columns + i % columns]);
        r[i] = static_cast<I>(sum << step.shift) >> step.shift;
    }
    return true;
}

bool hasShapesOfProduct(const Preparation& p, std::vector<I>& sizes)
{
    const std::vector<I>& a = p.in(0).shape;
    const std::vector<I>& b = p.in(1).shape;
    const std::vector<I>& r = p.out().shape;
    const std::size_t rank = a.size();
    if ((rank != 2 && rank != 3) || b.size() != rank || r.size() != rank)
        return false;
    const I batches = rank == 3 ? a[0] : 1;
    const bool batchFits = rank == 2 || (b[0] == batches && r[0] == batches);
    sizes = {batches, a[rank - 2], b[rank - 1], a[rank - 1]};
    return batchFits && b[rank - 2] == sizes[3] && r[rank - 2] == sizes[1]
        && r[rank - 1] == sizes[2];
}

Result<void> prepareDot(Preparation& p)
{
    if (!p.has(3, 1) || !(p.in(2) == p.out()) || !hasShapesOfProduct(p, p.step.numbers)
        || laneOf(p.in(0)) != laneOf(p.in(1)))
        return p.misfit();
    const bool cuts = p.in(0).scalar == Scalar::Float32
        && (p.operation.text("inputPrecision") == "tf32"
            || (p.operation.attribute("inputPrecision")
                && p.operation.integer("inputPrecision", 1) == 0)
            || p.operation.integer("allowTF32", 0) != 0);
    const Lane lane = laneOf(p.in(0));
    p.step.scalar = p.out().scalar;
    p.step.shift = 64 - p.out().bits;
    if (lane == Lane::Int64 && laneOf(p.out()) == Lane::Int64)
        p.step.run = dotIntegers;
    else if (lane == Lane::Float && laneOf(p.out()) == Lane::Float)
        p.step.run = cuts ? dot<float, float, true> : dot<float, float, false>;
    else if (lane == Lane::Double && laneOf(p.out()) == Lane::Double)
        p.step.run = dot<double, double, false>;
    return {};
}

// in: values, and a mask from Triton 3.4 on. A value that has no bin is not counted.
bool histogram(Machine&, Frame& frame, const Step& step)
{
    const I* values = frame.ints(step.in[0]);
    const I* mask = step.in.size() > 1 ? frame.ints(step.in[1]) : nullptr;
    I* bins = frame.ints(step.out[0]);
    std::fill_n(bins, step.count, 0);
    for (I i = 0; i < step.number; ++i)
        if (values[i] >= 0 && values[i] < step.count && (!mask || mask[i] != 0))
            ++bins[values[i]];
    return true;
}

Result<void> prepareHistogram(Preparation& p)
{
    if (p.ins() < 1 || p.ins() > 2 || p.outs() != 1 || !p.in(0).isInteger() || !p.out().isInteger()
        || (p.ins() == 2 && (!p.in(1).isOneBit() || p.in(1).shape != p.in(0).shape)))
        return p.misfit();
    p.step.number = p.in(0).count();
    p.step.run = histogram;
    return {};
}

constexpr auto kRows = std::to_array<PrepareRow>({
    {Opcode::Dot, prepareDot},
    {Opcode::Histogram, prepareHistogram},
});

} // namespace

std::span<const PrepareRow> productRows()
{
    return kRows;
}

} // namespace reinspect::triton
