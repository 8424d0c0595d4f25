// SPDX-License-Identifier: MIT
#include "core/ir/dtype_promotion.h"

#include <utility>

namespace reinspect
{

DTypeKind dtypeKind(DType dtype)
{
    switch (dtype)
    {
    case DType::Bool: return DTypeKind::Bool;
    case DType::Int8:
    case DType::Int16:
    case DType::Int32:
    case DType::Int64:
    case DType::UInt8:
    case DType::UInt16:
    case DType::UInt32:
    case DType::UInt64: return DTypeKind::Integer;
    case DType::BFloat16:
    case DType::Float16:
    case DType::Float32:
    case DType::Float64: return DTypeKind::Floating;
    case DType::Complex32:
    case DType::Complex64:
    case DType::Complex128: return DTypeKind::Complex;
    case DType::Unknown:
    case DType::Float8E4M3FN:
    case DType::Float8E5M2:
    case DType::Float8E4M3FNUZ:
    case DType::Float8E5M2FNUZ:
    case DType::Float8E8M0FNU:
    case DType::Float4E2M1FNx2:
    case DType::Bits16:
    case DType::Bits1x8: break;
    }
    return DTypeKind::None;
}

namespace
{

DType promoteIntegers(DType a, DType b)
{
    if (a == DType::UInt8 || b == DType::UInt8)
    {
        const DType other = a == DType::UInt8 ? b : a;
        return other == DType::Int8 ? DType::Int16 : other;
    }
    const auto isUnsigned = [](DType type) {
        return type == DType::UInt16 || type == DType::UInt32 || type == DType::UInt64;
    };
    if (isUnsigned(a) || isUnsigned(b))
        return DType::Unknown;
    return dtypeBytes(a) > dtypeBytes(b) ? a : b;
}

DType complexOf(DType floating)
{
    switch (dtypeBytes(floating))
    {
    case 2: return floating == DType::Float16 ? DType::Complex32 : DType::Complex64;
    case 4: return DType::Complex64;
    default: return DType::Complex128;
    }
}

} // namespace

DType promoteTypes(DType a, DType b)
{
    if (a == b)
        return a;
    DTypeKind kindA = dtypeKind(a);
    DTypeKind kindB = dtypeKind(b);
    if (kindA == DTypeKind::None || kindB == DTypeKind::None)
        return DType::Unknown;
    if (kindA > kindB)
    {
        std::swap(a, b);
        std::swap(kindA, kindB);
    }
    if (kindB == DTypeKind::Complex && kindA == DTypeKind::Floating)
        return promoteTypes(complexOf(a), b); // both complex: once
    if (kindA != kindB)
        return b;
    if (kindA == DTypeKind::Integer)
        return promoteIntegers(a, b);
    if (dtypeBytes(a) == dtypeBytes(b))
        return DType::Float32; // float16 and bfloat16
    return dtypeBytes(a) > dtypeBytes(b) ? a : b;
}

void ResultType::add(DType dtype, Rank rank)
{
    const auto i = static_cast<std::size_t>(rank);
    m_unknown = m_unknown || dtype == DType::Unknown;
    m_types[i] = m_given[i] ? promoteTypes(m_types[i], dtype) : dtype;
    m_given[i] = true;
}

DType ResultType::dtype() const
{
    DType result = DType::Unknown;
    bool any = false;
    for (std::size_t i = 3; !m_unknown && i-- > 0;)
    {
        if (!m_given[i])
            continue;
        const bool outranked = any && dtypeKind(result) > dtypeKind(m_types[i]);
        result = outranked ? promoteTypes(m_types[i], result) : m_types[i];
        any = true;
    }
    return result;
}

} // namespace reinspect
