// SPDX-License-Identifier: MIT
// Padding with a number: fills, and a copy into the middle. As core/exec/kernels_pad.cpp; the other paddings go by
// core/exec/axis_maps.cpp.
#include "core/exec/windows.h"
#include "core/gpu/gpu_calls.h"
#include "core/gpu/gpu_rows.h"

#include <algorithm>

namespace reinspect::gpu
{
namespace
{

using exec::KernelCall;
using exec::Sizes;
using exec::Tensor;
using exec::Value;

struct Padding
{
    Tensor kept;  // of the tensor: negative amounts cut off
    Sizes sizes;  // of the result
    Sizes starts; // of the kept part in it
};

// Nothing where the host is to say what is odd.
std::optional<Padding> paddingOf(const KernelCall& call, const Tensor& self)
{
    const auto amounts = call.integers("pad");
    if (!amounts.ok() || amounts->size() % 2 != 0 || amounts->size() / 2 > self.rank())
        return {};
    Padding made{self, self.sizes, Sizes(self.rank(), 0)};
    for (std::size_t pair = 0; pair < amounts->size() / 2; ++pair)
    {
        const std::size_t d = self.rank() - 1 - pair;
        const std::int64_t front = (*amounts)[2 * pair];
        const std::int64_t behind = (*amounts)[2 * pair + 1];
        const std::int64_t size = self.sizes[d];
        const std::int64_t limit = call.context->tracker->limit();
        if (front < -size || behind < -size || front > limit || behind > limit
            || size + front + behind < 0)
            return {};
        made.sizes[d] = size + front + behind;
        made.starts[d] = std::max<std::int64_t>(front, 0);
        const std::int64_t cut = std::max<std::int64_t>(-front, 0);
        made.kept.offset += cut * self.strides[d];
        made.kept.sizes[d] =
            std::max<std::int64_t>(size - cut - std::max<std::int64_t>(-behind, 0), 0);
    }
    return made;
}

Value fillOf(const KernelCall& call, DType dtype)
{
    const Value* given = call.given("value");
    const Value fill = given ? *given : Value(std::int64_t{0});
    const double number = fill.number().value_or(0);
    if (exec::isIntegral(dtype))
        return Value(fill.integer().value_or(static_cast<std::int64_t>(number)));
    return Value(number);
}

Result<Value> constantPad(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    const auto padding = paddingOf(call, self);
    if (!padding || !isReadable(self.dtype) || self.rank() > kMostDimensions)
        return exec::runOnHost(call);
    REINSPECT_TRY(
        const Tensor result,
        call.result(self.dtype, padding->sizes, 0, exec::stridesLike(self, padding->sizes)));
    REINSPECT_CHECK(mapped(call, exec::Pointwise::Identity, result,
                           {exec::Operand{{}, fillOf(call, self.dtype), self.dtype}}, self.dtype));
    Tensor middle = result;
    middle.sizes = padding->kept.sizes;
    for (std::size_t d = 0; d < middle.rank(); ++d)
        middle.offset += padding->starts[d] * middle.strides[d];
    if (middle.count() > 0)
        REINSPECT_CHECK(exec::copyElements(middle, padding->kept));
    return Value(result);
}

const exec::KernelRow table[] = {
    {"aten.constant_pad_nd.default", constantPad},
};

} // namespace

std::span<const exec::KernelRow> padRows()
{
    return table;
}

} // namespace reinspect::gpu
