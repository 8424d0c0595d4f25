// SPDX-License-Identifier: MIT
#include "app/policy_commands.h"

#include "core/passes/pass_report.h"
#include "core/passes/trace_diff.h"

#include <algorithm>
#include <ostream>

namespace reinspect
{

Result<ReinplacePolicy> policyFrom(const CommandLine& line, std::string_view producer)
{
    ReinplacePolicy policy;
    const std::string_view name =
        line.policy.empty() ? presetOfProducer(producer) : std::string_view(line.policy);
    if (!name.empty())
    {
        REINSPECT_TRY(policy, policyNamed(name));
    }
    for (const std::string& assignment : line.set)
        REINSPECT_CHECK(setSwitch(policy, assignment));
    for (const std::string& text : line.force)
        setOverride(policy, overrideFrom(text, true));
    for (const std::string& text : line.forbid)
        setOverride(policy, overrideFrom(text, false));
    return policy;
}

namespace
{

using SharedTrace = std::shared_ptr<const PassTrace>;

bool concerns(const DecisionOverride& override, const PassTrace& trace)
{
    return std::ranges::any_of(trace.decisions, [&](const Decision& decision) {
        return trace.nameOf(decision.node) == override.node
            && (override.argument.empty() || override.argument == decision.argument);
    });
}

// "index_put:0, wrapper:out0, and 12 more"
std::string candidateNames(std::span<const SharedTrace> traces)
{
    constexpr std::size_t kNamed = 6;
    std::string text;
    std::size_t count = 0;
    for (const SharedTrace& trace : traces)
        for (const Decision& decision : trace->decisions)
            if (count++ < kNamed)
                text += (text.empty() ? "" : ", ") + trace->nameOf(decision.node) + ":"
                    + decision.argument;
    if (count > kNamed)
        text += ", and " + std::to_string(count - kNamed) + " more";
    return count == 0 ? "There are none." : "There are " + text + ".";
}

} // namespace

Result<void> checkOverrides(const ReinplacePolicy& policy, std::span<const SharedTrace> traces)
{
    for (const DecisionOverride& override : policy.overrides)
        if (std::ranges::none_of(traces, [&override](const SharedTrace& trace) {
                return concerns(override, *trace);
            }))
            return Error{.message = "no candidate '" + override.node
                             + (override.argument.empty() ? "" : ":" + override.argument) + "'",
                         .hint = candidateNames(traces),
                         .kind = ErrorKind::BadUsage};
    return {};
}

std::string differenceLines(const PassTrace& first, const PassTrace& second)
{
    const TraceDiff diff = diffTraces(first, second);
    std::string text;
    for (const DecisionDiff& row : diff.rows)
        if (row.kind != DiffKind::Same)
            text += row.node + " " + row.argument + ": " + explainDiff(first, second, row) + "\n";
    text += std::to_string(diff.same) + " the same, " + std::to_string(diff.differing) + " differ, "
        + std::to_string(diff.onlyFirst) + " only with " + describe(first.policy) + ", "
        + std::to_string(diff.onlySecond) + " only with " + describe(second.policy) + "\n";
    return text;
}

Result<void> runPolicies(const CommandLine& line, const Streams& streams)
{
    if (line.json)
    {
        streams.out << policiesJson();
        return {};
    }
    for (const PolicyPreset& preset : policyPresets())
    {
        streams.out << preset.name << "\n    " << preset.meaning << "\n    on:";
        REINSPECT_TRY(const ReinplacePolicy policy, policyNamed(preset.name));
        for (const PolicySwitch& row : policySwitches())
            if (policy.*(row.value))
                streams.out << ' ' << row.name;
        streams.out << '\n';
    }
    streams.out << "switches, for --set SWITCH=on or SWITCH=off\n";
    for (const PolicySwitch& row : policySwitches())
        streams.out << "    " << row.name << "\n        " << row.meaning << '\n';
    return {};
}

} // namespace reinspect
