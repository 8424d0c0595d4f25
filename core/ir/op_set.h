// SPDX-License-Identifier: MIT
// A fixed set of operators, asked for the target of every node of a graph.
#pragma once

#include "core/ir/op_target.h"

#include <initializer_list>
#include <vector>

namespace reinspect
{

class OpSet
{
public:
    OpSet(std::initializer_list<std::string_view> names);
    bool contains(const OpTarget& target) const;

private:
    std::vector<bool> m_rows;              // by row of the operator table
    std::vector<std::string_view> m_others; // what the table does not know
};

} // namespace reinspect
