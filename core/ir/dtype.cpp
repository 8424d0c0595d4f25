// SPDX-License-Identifier: MIT
#include "core/ir/dtype.h"

#include <array>

namespace reinspect
{
namespace
{

struct DTypeRow
{
    DType dtype;
    std::string_view name;
    std::string_view abbreviation;
    std::int64_t bytes;
};

// In the order of the enum, so that a lookup by value is an index.
constexpr std::array kRows{
    DTypeRow{DType::Unknown, "unknown", "?", 0},
    DTypeRow{DType::BFloat16, "bfloat16", "bf16", 2},
    DTypeRow{DType::Float64, "float64", "f64", 8},
    DTypeRow{DType::Float32, "float32", "f32", 4},
    DTypeRow{DType::Float16, "float16", "f16", 2},
    DTypeRow{DType::Float8E4M3FN, "float8_e4m3fn", "f8e4m3fn", 1},
    DTypeRow{DType::Float8E5M2, "float8_e5m2", "f8e5m2", 1},
    DTypeRow{DType::Float8E4M3FNUZ, "float8_e4m3fnuz", "f8e4m3fnuz", 1},
    DTypeRow{DType::Float8E5M2FNUZ, "float8_e5m2fnuz", "f8e5m2fnuz", 1},
    DTypeRow{DType::Float8E8M0FNU, "float8_e8m0fnu", "f8e8m0fnu", 1},
    DTypeRow{DType::Float4E2M1FNx2, "float4_e2m1fn_x2", "f4e2m1fnx2", 1},
    DTypeRow{DType::Complex32, "complex32", "c32", 4},
    DTypeRow{DType::Complex64, "complex64", "c64", 8},
    DTypeRow{DType::Complex128, "complex128", "c128", 16},
    DTypeRow{DType::Int8, "int8", "i8", 1},
    DTypeRow{DType::Int16, "int16", "i16", 2},
    DTypeRow{DType::Int32, "int32", "i32", 4},
    DTypeRow{DType::Int64, "int64", "i64", 8},
    DTypeRow{DType::Bool, "bool", "b8", 1},
    DTypeRow{DType::UInt8, "uint8", "u8", 1},
    DTypeRow{DType::UInt16, "uint16", "u16", 2},
    DTypeRow{DType::UInt32, "uint32", "u32", 4},
    DTypeRow{DType::UInt64, "uint64", "u64", 8},
    DTypeRow{DType::Bits16, "bits16", "b16", 2},
    DTypeRow{DType::Bits1x8, "bits1x8", "b1x8", 1},
};

constexpr bool rowsFollowTheEnum()
{
    for (std::size_t i = 0; i < kRows.size(); ++i)
    {
        if (kRows[i].dtype != static_cast<DType>(i))
            return false;
    }
    return true;
}
static_assert(rowsFollowTheEnum());
static_assert(kRows.back().dtype == DType::Bits1x8, "one row for each dtype");

const DTypeRow& rowOf(DType dtype)
{
    return kRows[static_cast<std::size_t>(dtype)];
}

DType findBy(std::string_view DTypeRow::*column, std::string_view spelling)
{
    for (const DTypeRow& row : kRows)
    {
        if (row.*column == spelling)
            return row.dtype;
    }
    return DType::Unknown;
}

} // namespace

std::string_view dtypeName(DType dtype)
{
    return rowOf(dtype).name;
}

std::string_view dtypeAbbreviation(DType dtype)
{
    return rowOf(dtype).abbreviation;
}

std::int64_t dtypeBytes(DType dtype)
{
    return rowOf(dtype).bytes;
}

DType dtypeFromName(std::string_view name)
{
    return findBy(&DTypeRow::name, name);
}

DType dtypeFromAbbreviation(std::string_view abbreviation)
{
    return findBy(&DTypeRow::abbreviation, abbreviation);
}

} // namespace reinspect
