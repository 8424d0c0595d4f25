// SPDX-License-Identifier: MIT
#include "views/models/verdict_rows.h"

#include <algorithm>
#include <functional>

namespace reinspect
{

std::vector<DecisionIndex> verdictRows(const PassTrace& trace, const Breakpoint* filter)
{
    std::vector<DecisionIndex> rows;
    rows.reserve(trace.decisions.size());
    for (std::size_t i = 0; i < trace.decisions.size(); ++i)
        if (!filter || matches(trace, DecisionIndex(i), *filter))
            rows.push_back(DecisionIndex(i));
    return rows;
}

static bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

// The digits at the front, without leading zeros.
static std::string_view takeNumber(std::string_view& text)
{
    std::size_t end = 0;
    while (end < text.size() && isDigit(text[end]))
        ++end;
    std::string_view number = text.substr(0, end);
    text.remove_prefix(end);
    while (number.size() > 1 && number.front() == '0')
        number.remove_prefix(1);
    return number;
}

bool naturallyLess(std::string_view one, std::string_view other)
{
    while (!one.empty() && !other.empty())
    {
        if (isDigit(one.front()) && isDigit(other.front()))
        {
            const std::string_view mine = takeNumber(one);
            const std::string_view theirs = takeNumber(other);
            if (mine.size() != theirs.size())
                return mine.size() < theirs.size();
            if (mine != theirs)
                return mine < theirs;
            continue;
        }
        if (one.front() != other.front())
            return one.front() < other.front();
        one.remove_prefix(1);
        other.remove_prefix(1);
    }
    return one.empty() && !other.empty();
}

namespace
{

using Less = std::function<bool(const Decision&, const Decision&)>;

std::string_view writtenName(const PassTrace& trace, const Decision& decision)
{
    return decision.mutated.empty() ? std::string_view{}
                                    : std::string_view(trace.nameOf(decision.mutated.front()));
}

template<typename Value>
Less by(Value value)
{
    return [value](const Decision& a, const Decision& b) { return value(a) < value(b); };
}

template<typename Text>
Less byName(Text text)
{
    return [text](const Decision& a, const Decision& b) { return naturallyLess(text(a), text(b)); };
}

Less lessIn(const PassTrace& trace, VerdictColumn column)
{
    switch (column)
    {
    case VerdictColumn::Node:
        return byName(
            [&trace](const Decision& d) { return std::string_view(trace.nameOf(d.node)); });
    case VerdictColumn::Argument:
        return byName([](const Decision& d) { return std::string_view(d.argument); });
    case VerdictColumn::Verdict: return by([](const Decision& d) { return d.verdict; });
    case VerdictColumn::Reason:
        return byName([](const Decision& d) { return reasonName(*d.reason); });
    case VerdictColumn::Bytes: return by([](const Decision& d) { return *d.bytes.constant(); });
    case VerdictColumn::Missed: return by([](const Decision& d) { return d.missed; });
    case VerdictColumn::Hazards: return by([](const Decision& d) { return d.hazards.size(); });
    case VerdictColumn::Opportunity: return by([](const Decision& d) { return d.safe; });
    case VerdictColumn::Kind:
        return byName([](const Decision& d) { return candidateKindName(d.kind); });
    case VerdictColumn::Operator:
        return byName([](const Decision& d) { return std::string_view(d.operatorName); });
    case VerdictColumn::Written:
        return byName([&trace](const Decision& d) { return writtenName(trace, d); });
    case VerdictColumn::Certainty: return by([](const Decision& d) { return d.certainty; });
    }
    return {};
}

bool hasValue(const Decision& decision, VerdictColumn column)
{
    if (column == VerdictColumn::Reason)
        return decision.reason.has_value();
    return column != VerdictColumn::Bytes || decision.bytes.constant().has_value();
}

} // namespace

void sortVerdicts(const PassTrace& trace, std::vector<DecisionIndex>& rows, VerdictColumn column,
                  bool descending)
{
    const auto end = std::stable_partition(rows.begin(), rows.end(), [&](DecisionIndex row) {
        return hasValue(trace.decision(row), column);
    });
    const Less less = lessIn(trace, column);
    std::stable_sort(rows.begin(), end, [&](DecisionIndex a, DecisionIndex b) {
        return descending ? less(trace.decision(b), trace.decision(a))
                          : less(trace.decision(a), trace.decision(b));
    });
}

VerdictTotals totalsOf(const PassTrace& trace, std::span<const DecisionIndex> rows)
{
    VerdictTotals totals;
    totals.candidates = rows.size();
    for (const DecisionIndex row : rows)
    {
        const Decision& decision = trace.decision(row);
        const bool isKept = decision.verdict == Verdict::Kept;
        const std::optional<std::int64_t> bytes = decision.bytes.constant();
        totals.kept += isKept;
        totals.reinplaced += !isKept;
        totals.missed += decision.missed;
        totals.opportunities += decision.safe;
        totals.hazards += !decision.hazards.empty();
        totals.keptBytes += isKept ? bytes.value_or(0) : 0;
        totals.symbolicallyKept += isKept && !bytes;
    }
    return totals;
}

} // namespace reinspect
