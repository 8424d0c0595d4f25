// SPDX-License-Identifier: MIT
// Element types: torch's name ("float32"), print_readable's abbreviation ("f32"), bytes an element.
#pragma once

#include <cstdint>
#include <string_view>

namespace reinspect
{

enum class DType : std::uint8_t
{
    Unknown,
    BFloat16,
    Float64,
    Float32,
    Float16,
    Float8E4M3FN,
    Float8E5M2,
    Float8E4M3FNUZ,
    Float8E5M2FNUZ,
    Float8E8M0FNU,
    Float4E2M1FNx2,
    Complex32,
    Complex64,
    Complex128,
    Int8,
    Int16,
    Int32,
    Int64,
    Bool,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Bits16,
    Bits1x8,
};

std::string_view dtypeName(DType dtype);         // "float32"; "unknown"
std::string_view dtypeAbbreviation(DType dtype); // "f32"; "?"
std::int64_t dtypeBytes(DType dtype);            // 0 for Unknown
// Both answer DType::Unknown for a spelling that is not in the table.
DType dtypeFromName(std::string_view name);
DType dtypeFromAbbreviation(std::string_view abbreviation);

} // namespace reinspect
