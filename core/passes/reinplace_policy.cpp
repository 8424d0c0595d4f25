// SPDX-License-Identifier: MIT
#include "core/passes/reinplace_policy.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace reinspect
{
namespace
{

using Policy = ReinplacePolicy;

constexpr std::array<PolicySwitch, 19> kSwitches = {{
    {"canonicalize-scatters",
     "View scatters become one generalized scatter, are fused, and are taken apart at the end.",
     &Policy::canonicalizeScatters},
    {"every-kind",
     "Scatters, collectives, custom operators, foreach and effects are candidates, too; else only "
     "index_put and Triton kernels.",
     &Policy::everyKind},
    {"random-operators", "The Philox random operators are candidates, too.",
     &Policy::randomOperators},
    {"later-operators",
     "What joined the tables by PyTorch 2.15 is a candidate, too: _scaled_addmm, _foreach_addcdiv "
     "and _foreach_addcmul with a number.",
     &Policy::laterOperators},
    {"paired-copy",
     "An input may be written only when the copy back copies this very call's result.",
     &Policy::pairedCopy},
    {"count-users",
     "An argument with users besides this call (and the copy back) is refused, whenever they read.",
     &Policy::countUsers},
    {"count-aliases",
     "An argument whose memory has other nodes (besides the copy back) is refused.",
     &Policy::countAliases},
    {"later-uses", "A read of the argument after the call refuses.", &Policy::laterUses},
    {"through-aliases",
     "Reads through other tensors of the same memory count, and views of inputs are refused.",
     &Policy::throughAliases},
    {"overlap-test", "Tensors of the memory that certainly lie elsewhere do not count.",
     &Policy::overlapTest},
    {"ignore-shape-only", "Reads of sizes and strides do not count.", &Policy::ignoreShapeOnlyUses},
    {"ignore-overwritten", "A later copy_ into the argument itself does not count.",
     &Policy::ignoreOverwritten},
    {"ignore-after-copy-back",
     "Reads after the copy back do not count; else only the copy back itself is excused.",
     &Policy::ignoreAfterCopyBack},
    {"ignore-ordering-only", "A place in control_deps that only fixes an order does not count.",
     &Policy::ignoreOrderingOnly},
    {"internal-overlap", "An argument that holds one element at several indices is refused.",
     &Policy::internalOverlap},
    {"copy-back-through-views",
     "A view of an input may be written when a copy back of the result, as the same view, follows.",
     &Policy::copyBackThroughViews},
    {"escaping-scatters",
     "A scatter into an input is refused when its result, or a view of it, leaves the graph.",
     &Policy::escapingScatters},
    {"operands-elsewhere",
     "An index_put or scatter is refused when another of its tensors lies in the memory it would "
     "write.",
     &Policy::operandsElsewhere},
    {"memory-regions",
     "In place of the checks above: refuse exactly what a reader of the same elements, an operand "
     "of the same call, or a later write could notice.",
     &Policy::memoryRegions},
}};

constexpr std::array<PolicyPreset, 7> kPresets = {{
    {"torch-2.11", "The pass of PyTorch 2.11."},
    {"pr-111627",
     "The first form for Triton kernels (pull request 111627): counts users and aliases, asks for "
     "no order."},
    {"later-uses",
     "The review's first suggestion: only reads after the call count, without aliases."},
    {"alias-aware",
     "The review's second suggestion: reads after the call through any alias count."},
    {"main-2026",
     "A 2026 revision: internal overlap, copies back through views, results that escape."},
    {"torch-2.15",
     "The pass of PyTorch 2.15: more operators, internal overlap, copies back through views, "
     "operands that share the memory."},
    {"precise",
     "Our own: refuses only what could change what the graph computes, and all of that."},
}};

Policy withoutLaterRules()
{
    Policy policy;
    policy.canonicalizeScatters = false;
    policy.everyKind = false;
    policy.pairedCopy = true;
    policy.throughAliases = false;
    policy.overlapTest = false;
    policy.ignoreShapeOnlyUses = false;
    policy.ignoreOverwritten = false;
    policy.ignoreAfterCopyBack = false;
    return policy;
}

Policy presetFor(std::string_view name)
{
    Policy policy;
    if (name == "pr-111627" || name == "later-uses" || name == "alias-aware")
        policy = withoutLaterRules();
    if (name == "pr-111627")
    {
        policy.laterUses = false;
        policy.countUsers = true;
        policy.countAliases = true;
    }
    policy.throughAliases = policy.throughAliases || name == "alias-aware";
    if (name == "main-2026" || name == "torch-2.15")
    {
        policy.randomOperators = true;
        policy.ignoreOrderingOnly = true;
        policy.internalOverlap = true;
        policy.copyBackThroughViews = true;
    }
    policy.escapingScatters = name == "main-2026";
    policy.laterOperators = policy.operandsElsewhere = name == "torch-2.15";
    policy.memoryRegions = name == "precise";
    policy.name = name;
    return policy;
}

template<typename Rows>
std::string namesOf(const Rows& rows)
{
    std::string text;
    for (const auto& row : rows)
        text += (text.empty() ? "" : ", ") + std::string(row.name);
    return text;
}

Error badUsage(std::string message, std::string hint)
{
    return {.message = std::move(message), .hint = std::move(hint), .kind = ErrorKind::BadUsage};
}

} // namespace

std::span<const PolicySwitch> policySwitches()
{
    return kSwitches;
}

std::span<const PolicyPreset> policyPresets()
{
    return kPresets;
}

std::string_view presetOfProducer(std::string_view producer)
{
    constexpr std::string_view kTorch = "torch ";
    const std::size_t at = producer.find(kTorch);
    if (at == std::string_view::npos)
        return {};
    const char* const end = producer.data() + producer.size();
    int major = 0;
    int minor = 0;
    const auto first = std::from_chars(producer.data() + at + kTorch.size(), end, major);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != '.'
        || std::from_chars(first.ptr + 1, end, minor).ec != std::errc())
        return {};
    return major > 2 || (major == 2 && minor >= 15) ? "torch-2.15" : "torch-2.11";
}

Result<ReinplacePolicy> policyNamed(std::string_view name)
{
    if (std::ranges::any_of(kPresets, [name](const auto& preset) { return preset.name == name; }))
        return presetFor(name);
    return badUsage("unknown policy '" + std::string(name) + "'",
                    "Known policies: " + namesOf(kPresets) + ".");
}

Result<void> setSwitch(ReinplacePolicy& policy, std::string_view assignment)
{
    const std::size_t equals = std::min(assignment.find('='), assignment.size());
    const std::string_view name = assignment.substr(0, equals);
    const std::string_view value =
        equals < assignment.size() ? assignment.substr(equals + 1) : std::string_view{};
    const auto row = std::ranges::find(kSwitches, name, &PolicySwitch::name);
    if (row == kSwitches.end())
        return badUsage("unknown switch '" + std::string(name) + "'",
                        "Known switches: " + namesOf(kSwitches) + ".");
    if (value != "on" && value != "off")
        return badUsage("'" + std::string(assignment) + "' does not say on or off",
                        "For example: " + std::string(name) + "=off.");
    policy.*(row->value) = value == "on";
    return {};
}

DecisionOverride overrideFrom(std::string_view text, bool force)
{
    const std::size_t colon = std::min(text.find(':'), text.size());
    return {std::string(text.substr(0, colon)),
            std::string(colon < text.size() ? text.substr(colon + 1) : std::string_view{}), force};
}

void setOverride(ReinplacePolicy& policy, DecisionOverride override)
{
    std::erase_if(policy.overrides, [&override](const DecisionOverride& other) {
        return other.node == override.node && other.argument == override.argument;
    });
    policy.overrides.push_back(std::move(override));
}

void clearOverride(ReinplacePolicy& policy, std::string_view node, std::string_view argument)
{
    std::erase_if(policy.overrides, [&](const DecisionOverride& other) {
        return other.node == node && (other.argument.empty() || other.argument == argument);
    });
}

const DecisionOverride* overrideFor(const ReinplacePolicy& policy, std::string_view node,
                                    std::string_view argument)
{
    const DecisionOverride* found = nullptr;
    for (const DecisionOverride& override : policy.overrides)
    {
        if (override.node != node)
            continue;
        if (override.argument == argument)
            return &override;
        if (override.argument.empty())
            found = &override;
    }
    return found;
}

std::string describe(const ReinplacePolicy& policy)
{
    const Policy preset = presetFor(policy.name);
    std::string text = policy.name;
    for (const PolicySwitch& row : kSwitches)
        if (policy.*(row.value) != preset.*(row.value))
            text += " " + std::string(row.name) + (policy.*(row.value) ? "=on" : "=off");
    for (const DecisionOverride& override : policy.overrides)
        text += (override.force ? " +" : " -") + override.node
            + (override.argument.empty() ? "" : ":" + override.argument);
    return text;
}

} // namespace reinspect
