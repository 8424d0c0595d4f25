// SPDX-License-Identifier: MIT
// Block pointers (tt.make_tensor_ptr, tt.advance) and tensor descriptors. In a slot: the base address, then
// the tensor's sizes, its strides and the block's offsets, each once a dimension.
#include "core/triton/memory_access.h"

#include <algorithm>
#include <array>
#include <limits>

namespace reinspect::triton
{
namespace
{

using I = std::int64_t;

// in: base, sizes, strides, and offsets (none for a descriptor); step.number: the rank.
bool makeBlockPointer(Machine&, Frame& frame, const Step& step)
{
    I* r = frame.ints(step.out[0]);
    std::fill_n(r, step.count, 0);
    for (std::size_t i = 0; i < step.in.size(); ++i)
        r[i] = frame.ints(step.in[i])[0];
    return true;
}

Result<void> prepareMake(Preparation& p)
{
    if (p.ins() == 0 || p.outs() != 1 || !p.out().isBlock() || !p.in(0).isPointer()
        || p.in(0).isTensor || p.in(0).pointee->scalar != p.out().pointee->scalar)
        return p.misfit();
    const std::size_t rank = p.out().pointee->shape.size();
    const std::size_t groups = p.operation.code == Opcode::MakeTensorPtr ? 3 : 2;
    if (p.ins() != 1 + groups * rank)
        return p.misfit();
    for (std::size_t i = 1; i < p.ins(); ++i)
        if (!p.in(i).isInteger() || p.in(i).isTensor)
            return p.misfit();
    p.step.run = makeBlockPointer;
    return {};
}

bool advance(Machine&, Frame& frame, const Step& step)
{
    const std::size_t rank = step.in.size() - 1;
    const I* a = frame.ints(step.in[0]);
    I* r = frame.ints(step.out[0]);
    std::copy_n(a, step.count, r);
    for (std::size_t d = 0; d < rank; ++d)
        r[1 + 2 * rank + d] =
            static_cast<I>(static_cast<std::uint64_t>(r[1 + 2 * rank + d])
                           + static_cast<std::uint64_t>(frame.ints(step.in[1 + d])[0]));
    return true;
}

Result<void> prepareAdvance(Preparation& p)
{
    if (p.ins() == 0 || p.outs() != 1 || !p.in(0).isBlock() || !(p.in(0) == p.out())
        || p.ins() != 1 + p.out().pointee->shape.size())
        return p.misfit();
    for (std::size_t i = 1; i < p.ins(); ++i)
        if (!p.in(i).isInteger() || p.in(i).isTensor)
            return p.misfit();
    p.step.run = advance;
    return {};
}

// numbers: the block's shape, then 1 for each dimension whose bounds are checked. number: bytes of an
// element. Offsets of the block: those of the pointer, and what a descriptor's access adds.
void addressElements(Machine& machine, Frame& frame, const Step& step, std::size_t firstOffset)
{
    const std::size_t rank = step.numbers.size() / 2;
    const I* block = frame.ints(step.in[0]);
    std::array<I, 16> origin = {};
    std::array<I, 16> at = {};
    for (std::size_t d = 0; d < rank; ++d)
    {
        origin[d] = block[1 + 2 * rank + d];
        if (firstOffset + d < step.in.size())
            origin[d] += frame.ints(step.in[firstOffset + d])[0];
    }
    machine.addresses.resize(static_cast<std::size_t>(step.count));
    machine.masks.resize(static_cast<std::size_t>(step.count));
    for (std::size_t i = 0; i < machine.addresses.size(); ++i)
    {
        auto address = static_cast<std::uint64_t>(block[0]);
        bool isInside = true;
        for (std::size_t d = 0; d < rank; ++d)
        {
            const auto place =
                static_cast<std::uint64_t>(origin[d]) + static_cast<std::uint64_t>(at[d]);
            address += place * static_cast<std::uint64_t>(block[1 + rank + d])
                * static_cast<std::uint64_t>(step.number);
            isInside = isInside
                && (step.numbers[rank + d] == 0
                    || (static_cast<I>(place) >= 0 && static_cast<I>(place) < block[1 + d]));
        }
        machine.addresses[i] = static_cast<I>(address);
        machine.masks[i] = isInside ? -1 : 0;
        for (std::size_t d = rank; d-- > 0 && ++at[d] == step.numbers[d];)
            at[d] = 0;
    }
}

// step.other: 1 when what lies outside is NaN.
bool loadBlock(Machine& machine, Frame& frame, const Step& step)
{
    addressElements(machine, frame, step, 1);
    const float single = std::numeric_limits<float>::quiet_NaN();
    const double twice = std::numeric_limits<double>::quiet_NaN();
    const bool isDouble = step.scalar == Scalar::Float64;
    const Access access{.addresses = machine.addresses.data(),
                        .mask = machine.masks.data(),
                        .other = step.other == 0 ? nullptr
                            : isDouble           ? static_cast<const void*>(&twice)
                                                 : static_cast<const void*>(&single),
                        .isOneOther = true,
                        .count = step.count};
    return reinterpret_cast<LoadLanes>(step.function)(machine, step, access,
                                                      frame.bytes(step.out[0]));
}

// The value is the operand behind the block pointer, or behind a descriptor.
bool storeBlock(Machine& machine, Frame& frame, const Step& step)
{
    addressElements(machine, frame, step, 2);
    const Access access{
        .addresses = machine.addresses.data(), .mask = machine.masks.data(), .count = step.count};
    return reinterpret_cast<StoreLanes>(step.function)(machine, step, access,
                                                       frame.bytes(step.in[1]));
}

bool isBlockOf(const Type& value, const Type& pointer)
{
    return pointer.isBlock() && value.isTensor && value.count() == pointer.pointee->count()
        && value.scalar == pointer.pointee->scalar && value.bits == pointer.pointee->bits;
}

// allChecked: every dimension, as descriptors do.
Result<void> describeBlock(Preparation& p, bool allChecked)
{
    const Type& block = *p.in(0).pointee;
    Type element = block;
    element.isTensor = false;
    element.shape.clear();
    p.step.number = memoryBytes(element);
    p.step.scalar = block.scalar;
    p.step.count = block.count();
    p.step.numbers = block.shape;
    p.step.numbers.resize(2 * block.shape.size(), allChecked ? 1 : 0);
    if (const Attribute* checked = p.operation.attribute("boundaryCheck"))
        for (const I dimension : checked->integers)
        {
            if (dimension < 0 || dimension >= static_cast<I>(block.shape.size()))
                return p.misfit();
            p.step.numbers[block.shape.size() + static_cast<std::size_t>(dimension)] = 1;
        }
    const bool isLoad = p.outs() == 1;
    p.step.function = isLoad ? reinterpret_cast<void (*)()>(loaderOf(element))
                             : reinterpret_cast<void (*)()>(storerOf(element));
    if (!p.step.function)
        return p.fail("elements of this type cannot lie in memory here");
    p.step.run = isLoad ? loadBlock : storeBlock;
    p.step.other = isLoad && p.operation.integer("padding", 1) == 2 && block.isFloat() ? 1 : 0;
    return {};
}

Result<void> prepareDescriptorAccess(Preparation& p)
{
    const bool isLoad = p.operation.code == Opcode::DescriptorLoad;
    if (p.ins() < (isLoad ? 1u : 2u) || p.outs() != (isLoad ? 1u : 0u) || !p.in(0).isBlock()
        || !isBlockOf(isLoad ? p.out() : p.in(1), p.in(0)))
        return p.misfit();
    const std::size_t first = isLoad ? 1 : 2;
    if (p.ins() != first + p.in(0).pointee->shape.size())
        return p.misfit();
    for (std::size_t i = first; i < p.ins(); ++i)
        if (!p.in(i).isInteger() || p.in(i).isTensor)
            return p.misfit();
    return describeBlock(p, true);
}

// "tt.descriptor_store %d[%i, %j], %value" names the value last: it moves to the second place.
Result<void> prepareDescriptorStore(Preparation& p)
{
    if (p.ins() < 2)
        return p.misfit();
    Operation reordered = p.operation;
    std::rotate(reordered.operands.begin() + 1, reordered.operands.end() - 1,
                reordered.operands.end());
    std::rotate(p.step.in.begin() + 1, p.step.in.end() - 1, p.step.in.end());
    Preparation inner{.operation = reordered, .function = p.function, .step = p.step};
    return prepareDescriptorAccess(inner);
}

Result<void> prepareStoreOrder(Preparation& p)
{
    // The generic form has the value second already.
    if (p.ins() > 1 && p.in(1).isTensor)
        return prepareDescriptorAccess(p);
    return prepareDescriptorStore(p);
}

constexpr auto kRows = std::to_array<PrepareRow>({
    {Opcode::MakeTensorPtr, prepareMake},
    {Opcode::MakeDescriptor, prepareMake},
    {Opcode::Advance, prepareAdvance},
    {Opcode::DescriptorLoad, prepareDescriptorAccess},
    {Opcode::DescriptorStore, prepareStoreOrder},
});

} // namespace

Result<void> prepareBlockLoad(Preparation& p)
{
    if (p.ins() != 1 || p.outs() != 1 || !isBlockOf(p.out(), p.in(0)))
        return p.misfit();
    return describeBlock(p, false);
}

Result<void> prepareBlockStore(Preparation& p)
{
    if (p.ins() != 2 || p.outs() != 0 || !isBlockOf(p.in(1), p.in(0)))
        return p.misfit();
    return describeBlock(p, false);
}

std::span<const PrepareRow> blockRows()
{
    return kRows;
}

} // namespace reinspect::triton
