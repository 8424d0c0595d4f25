// SPDX-License-Identifier: MIT
#include "core/passes/trace_diff.h"

#include "core/passes/explain.h"

#include <map>

namespace reinspect
{
namespace
{

using Key = std::pair<std::string_view, std::string_view>; // node, argument

Key keyOf(const PassTrace& trace, const Decision& decision)
{
    return {trace.nameOf(decision.node), decision.argument};
}

std::vector<EventIndex> checksOf(const PassTrace& trace, const Decision& decision)
{
    std::vector<EventIndex> checks;
    for (std::size_t i = decision.tried.index() + 1; i < decision.decided.index(); ++i)
        if (trace.events[i].as<CheckDone>())
            checks.push_back(EventIndex(i));
    return checks;
}

// The failing check of each run; where one run passes, how it answered what the other failed.
void findCauses(const PassTrace& first, const PassTrace& second, DecisionDiff& row)
{
    const auto mine = checksOf(first, first.decision(row.first));
    const auto theirs = checksOf(second, second.decision(row.second));
    const auto failing = [](const PassTrace& trace, const std::vector<EventIndex>& checks) {
        for (const EventIndex check : checks)
            if (!trace.event(check).as<CheckDone>()->passed)
                return check;
        return EventIndex{};
    };
    row.firstCause = failing(first, mine);
    row.secondCause = failing(second, theirs);
    if (row.firstCause && row.secondCause)
        return;
    const auto answerTo = [](const PassTrace& trace, const std::vector<EventIndex>& checks,
                             const CheckDone& asked) {
        for (const EventIndex check : checks)
            if (trace.event(check).as<CheckDone>()->check == asked.check)
                return check;
        return EventIndex{};
    };
    if (row.firstCause)
        row.secondCause = answerTo(second, theirs, *first.event(row.firstCause).as<CheckDone>());
    else if (row.secondCause)
        row.firstCause = answerTo(first, mine, *second.event(row.secondCause).as<CheckDone>());
}

DecisionDiff compare(const PassTrace& first, DecisionIndex a, const PassTrace& second,
                     DecisionIndex b)
{
    DecisionDiff row;
    const Decision& one = first.decision(a);
    const Decision& other = second.decision(b);
    row.node = first.nameOf(one.node);
    row.argument = one.argument;
    row.first = a;
    row.second = b;
    row.verdictDiffers = one.verdict != other.verdict;
    if (row.verdictDiffers || one.reason != other.reason)
    {
        row.kind = DiffKind::Differs;
        findCauses(first, second, row);
    }
    return row;
}

void count(TraceDiff& diff, const PassTrace& first, const PassTrace& second,
           const DecisionDiff& row)
{
    const auto cost = [](const PassTrace& trace, DecisionIndex index) {
        const bool kept = index && trace.decision(index).verdict == Verdict::Kept;
        return kept ? trace.decision(index).bytes.constant().value_or(0) : 0;
    };
    switch (row.kind)
    {
    case DiffKind::Same: ++diff.same; return;
    case DiffKind::Differs: ++diff.differing; break;
    case DiffKind::OnlyFirst: ++diff.onlyFirst; break;
    case DiffKind::OnlySecond: ++diff.onlySecond; break;
    }
    if (row.kind == DiffKind::Differs && !row.verdictDiffers)
        return;
    diff.firstBytes += cost(first, row.first);
    diff.secondBytes += cost(second, row.second);
}

} // namespace

TraceDiff diffTraces(const PassTrace& first, const PassTrace& second)
{
    std::map<Key, DecisionIndex> others;
    for (std::size_t i = 0; i < second.decisions.size(); ++i)
        others.try_emplace(keyOf(second, second.decisions[i]), DecisionIndex(i));
    TraceDiff diff;
    std::size_t told = 0; // decisions of the second that are in the rows
    const auto tellUntil = [&](std::size_t end, const std::map<Key, DecisionIndex>& mine) {
        for (; told < end; ++told)
            if (const Decision& decision = second.decisions[told];
                !mine.contains(keyOf(second, decision)))
                diff.rows.push_back({DiffKind::OnlySecond,
                                     second.nameOf(decision.node),
                                     decision.argument,
                                     {},
                                     DecisionIndex(told),
                                     {},
                                     {},
                                     false});
    };
    std::map<Key, DecisionIndex> mine;
    for (std::size_t i = 0; i < first.decisions.size(); ++i)
        mine.try_emplace(keyOf(first, first.decisions[i]), DecisionIndex(i));
    for (std::size_t i = 0; i < first.decisions.size(); ++i)
    {
        const Decision& decision = first.decisions[i];
        const auto other = others.find(keyOf(first, decision));
        if (other == others.end())
        {
            diff.rows.push_back({DiffKind::OnlyFirst,
                                 first.nameOf(decision.node),
                                 decision.argument,
                                 DecisionIndex(i),
                                 {},
                                 {},
                                 {},
                                 false});
            continue;
        }
        tellUntil(other->second.index(), mine);
        diff.rows.push_back(compare(first, DecisionIndex(i), second, other->second));
    }
    tellUntil(second.decisions.size(), mine);
    for (const DecisionDiff& row : diff.rows)
        count(diff, first, second, row);
    return diff;
}

std::string_view diffKindName(DiffKind kind)
{
    switch (kind)
    {
    case DiffKind::Same: return "same";
    case DiffKind::Differs: return "differs";
    case DiffKind::OnlyFirst: return "only first";
    case DiffKind::OnlySecond: return "only second";
    }
    return {};
}

namespace
{

std::string side(const PassTrace& trace, DecisionIndex index, EventIndex cause)
{
    const std::string who = describe(trace.policy);
    if (!index)
        return who + " does not try it.";
    const Decision& decision = trace.decision(index);
    std::string text = who
        + (decision.verdict == Verdict::Reinplaced
               ? " writes it in place"
               : " keeps it (" + std::string(reasonName(*decision.reason)) + ")");
    return cause ? text + ". " + explain(trace, cause) : text + ".";
}

} // namespace

std::string explainDiff(const PassTrace& first, const PassTrace& second, const DecisionDiff& row)
{
    if (row.kind == DiffKind::Same)
        return {};
    return side(first, row.first, row.firstCause) + " " + side(second, row.second, row.secondCause);
}

} // namespace reinspect
