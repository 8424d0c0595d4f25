// SPDX-License-Identifier: MIT
// The decisions of a trace as rows of a table: which are shown, in which order, and their totals. No
// texts are made here, so that long traces are sorted and filtered at once.
#pragma once

#include "core/passes/breakpoints.h"

namespace reinspect
{

enum class VerdictColumn : std::uint8_t
{
    Node,
    Argument,
    Verdict,
    Reason,
    Bytes,
    Missed,
    Hazards,
    Opportunity,
    Kind,
    Operator,
    Written,
    Certainty,
};
inline constexpr int kVerdictColumns = static_cast<int>(VerdictColumn::Certainty) + 1;

// In program order; null shows all.
std::vector<DecisionIndex> verdictRows(const PassTrace& trace, const Breakpoint* filter);

// Stable. Names count their digits as numbers. What has no value in the column (no reason, symbolic
// bytes) comes last in either direction.
void sortVerdicts(const PassTrace& trace, std::vector<DecisionIndex>& rows, VerdictColumn column,
                  bool descending);

// "a2" before "a10".
bool naturallyLess(std::string_view one, std::string_view other);

struct VerdictTotals
{
    std::size_t candidates = 0;
    std::size_t reinplaced = 0;
    std::size_t kept = 0;
    std::size_t missed = 0;
    std::size_t opportunities = 0;
    std::size_t hazards = 0;          // decisions that have one
    std::int64_t keptBytes = 0;       // of the kept ones whose size is a number
    std::size_t symbolicallyKept = 0; // kept ones whose size is not
};

VerdictTotals totalsOf(const PassTrace& trace, std::span<const DecisionIndex> rows);

} // namespace reinspect
