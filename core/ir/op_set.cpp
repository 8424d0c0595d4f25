// SPDX-License-Identifier: MIT
#include "core/ir/op_set.h"

#include <algorithm>

namespace reinspect
{

OpSet::OpSet(std::span<const std::string_view> names)
    : m_rows(allOpFacts().size())
{
    for (const std::string_view name : names)
        if (const OpFacts* row = OpTarget(name).row())
            m_rows[rowNumber(*row)] = true;
        else
            m_others.push_back(name);
}

bool OpSet::contains(const OpTarget& target) const
{
    if (const OpFacts* row = target.row())
        return contains(*row);
    return std::ranges::find(m_others, target.view()) != m_others.end();
}

} // namespace reinspect
