// SPDX-License-Identifier: MIT
// The element type of an arithmetic result. Mirrors torch.promote_types and torch.result_type.
#pragma once

#include "core/ir/dtype.h"

namespace reinspect
{

enum class DTypeKind : std::uint8_t
{
    None, // unknown, or a type without arithmetic
    Bool,
    Integer,
    Floating,
    Complex,
};
DTypeKind dtypeKind(DType dtype);
// Unknown where PyTorch would refuse or nothing is known.
DType promoteTypes(DType a, DType b);

// Operands are added one by one; those with dimensions outrank those without, which outrank numbers.
class ResultType
{
public:
    enum class Rank : std::uint8_t
    {
        Dimensioned,
        ZeroDimensional,
        Number,
    };
    void add(DType dtype, Rank rank);
    DType dtype() const;

private:
    DType m_types[3] = {};
    bool m_given[3] = {};
    bool m_unknown = false;
};

} // namespace reinspect
