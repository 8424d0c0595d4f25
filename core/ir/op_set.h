// SPDX-License-Identifier: MIT
// A fixed set of operators, asked for the target of every node of a graph.
#pragma once

#include "core/ir/op_target.h"

#include <initializer_list>
#include <span>
#include <vector>

namespace reinspect
{

class OpSet
{
public:
    OpSet(std::initializer_list<std::string_view> names)
        : OpSet(std::span<const std::string_view>(names.begin(), names.size()))
    {}
    explicit OpSet(std::span<const std::string_view> names);
    bool contains(const OpTarget& target) const;
    bool contains(const OpFacts& row) const { return m_rows[rowNumber(row)]; }

private:
    static std::size_t rowNumber(const OpFacts& row)
    {
        return static_cast<std::size_t>(&row - allOpFacts().data());
    }

    std::vector<bool> m_rows;               // by row of the operator table
    std::vector<std::string_view> m_others; // what the table does not know
};

} // namespace reinspect
