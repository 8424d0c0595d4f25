// SPDX-License-Identifier: MIT
// Other names of operators.
#include "core/exec/kernel_registry.h"

#include <algorithm>

namespace reinspect::exec
{
namespace
{

// An operator under another name: the same arguments in the same places.
template<std::size_t N>
struct Name
{
    char text[N];
    constexpr Name(const char (&given)[N]) { std::copy_n(given, N, text); }
};
template<Name Other>
Result<Value> as(const KernelCall& call)
{
    static const KernelRow* row = findKernel(Other.text);
    return row ? runRow(*row, call) : call.unsupported(std::string(Other.text) + " is not known");
}

const KernelRow table[] = {
    {"aten.clip.default", as<"aten.clamp.default">},
    {"aten.clip.Tensor", as<"aten.clamp.Tensor">},
    {"aten.max.other", as<"aten.maximum.default">},
    {"aten.min.other", as<"aten.minimum.default">},
    {"aten.__lshift__.Scalar", as<"aten.bitwise_left_shift.Tensor">},
    {"aten.__lshift__.Tensor", as<"aten.bitwise_left_shift.Tensor">},
    {"aten.__rshift__.Scalar", as<"aten.bitwise_right_shift.Tensor">},
    {"aten.__rshift__.Tensor", as<"aten.bitwise_right_shift.Tensor">},
    {"aten.__xor__.Scalar", as<"aten.bitwise_xor.Tensor">},
    {"aten.__xor__.Tensor", as<"aten.bitwise_xor.Tensor">},
    {"aten.bitwise_and.Scalar_Tensor", as<"aten.bitwise_and.Tensor">},
    {"aten.bitwise_or.Scalar_Tensor", as<"aten.bitwise_or.Tensor">},
    {"aten.bitwise_xor.Scalar_Tensor", as<"aten.bitwise_xor.Tensor">},
    {"aten.bitwise_left_shift.Scalar_Tensor", as<"aten.bitwise_left_shift.Tensor">},
    {"aten.bitwise_right_shift.Scalar_Tensor", as<"aten.bitwise_right_shift.Tensor">},
    {"prims.abs.default", as<"aten.abs.default">},
    {"prims.bitwise_not.default", as<"aten.bitwise_not.default">},
    {"prims.conj_physical.default", as<"aten.conj_physical.default">},
    {"prims.exp2.default", as<"aten.exp2.default">},
    {"prims.log2.default", as<"aten.log2.default">},
    {"prims.reciprocal.default", as<"aten.reciprocal.default">},
    {"prims.rsqrt.default", as<"aten.rsqrt.default">},
    {"prims.sign.default", as<"aten.sign.default">},
    {"prims.signbit.default", as<"aten.signbit.default">},
    {"prims.trunc.default", as<"aten.trunc.default">},
    {"prims.fmax.default", as<"aten.fmax.default">},
    {"prims.fmin.default", as<"aten.fmin.default">},
    {"prims.hypot.default", as<"aten.hypot.default">},
    {"prims.maximum.default", as<"aten.maximum.default">},
    {"prims.minimum.default", as<"aten.minimum.default">},
    {"prims.nextafter.default", as<"aten.nextafter.default">},
};

} // namespace

std::span<const KernelRow> nameKernels()
{
    return table;
}

} // namespace reinspect::exec
