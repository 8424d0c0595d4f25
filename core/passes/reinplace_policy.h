// SPDX-License-Identifier: MIT
// Every switch that the pass consults. A preset is a named set of switches that mirrors one revision of
// torch/_inductor/fx_passes/reinplace.py or one step of its review; each switch can also be set by
// itself, and single decisions can be forced or forbidden.
#pragma once

#include "core/base/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reinspect
{

// What the user decided in the pass's place. Nodes are named as the core phase names them.
struct DecisionOverride
{
    std::string node;
    std::string argument; // as Decision::argument; empty: every argument of the node
    bool force = false;   // true: write in place whatever the checks say; false: never

    bool operator==(const DecisionOverride&) const = default;
};

// The defaults are those of torch 2.11. What each switch does is said once, in policySwitches().
struct ReinplacePolicy
{
    std::string name = "torch-2.11";
    bool canonicalizeScatters = true;
    bool everyKind = true;
    bool randomOperators = false;
    bool laterOperators = false;
    bool pairedCopy = false;
    bool countUsers = false;
    bool countAliases = false;
    bool laterUses = true;
    bool throughAliases = true;
    bool overlapTest = true;
    bool ignoreShapeOnlyUses = true;
    bool ignoreOverwritten = true;
    bool ignoreAfterCopyBack = true;
    bool ignoreOrderingOnly = false;
    bool internalOverlap = false;
    bool copyBackThroughViews = false;
    bool escapingScatters = false;
    bool operandsElsewhere = false;
    bool memoryRegions = false;
    std::vector<DecisionOverride> overrides;

    bool operator==(const ReinplacePolicy&) const = default;
};

// One switch by name, for command lines, dialogs and comparisons.
struct PolicySwitch
{
    std::string_view name;    // "overlap-test"
    std::string_view meaning; // one sentence of what it does when on
    bool ReinplacePolicy::*value;
};
std::span<const PolicySwitch> policySwitches();

struct PolicyPreset
{
    std::string_view name;
    std::string_view meaning; // one sentence
};
// The default first, then by age, `precise` last.
std::span<const PolicyPreset> policyPresets();

// The preset of the PyTorch that made a capture: the newest that is not newer. `producer` as Document::producer, "torch
// 2.15.0+cu132, python 3.11"; empty where it names no PyTorch.
std::string_view presetOfProducer(std::string_view producer);

// Unknown names are BadUsage and list the known ones.
Result<ReinplacePolicy> policyNamed(std::string_view name);

// "overlap-test=off". The policy's name keeps saying which preset it came from: describe() adds the rest.
Result<void> setSwitch(ReinplacePolicy& policy, std::string_view assignment);

// "node" or "node:argument".
DecisionOverride overrideFrom(std::string_view text, bool force);

// Sets the override, in place of an earlier one for the same node and argument.
void setOverride(ReinplacePolicy& policy, DecisionOverride override);

// Takes back what was said about a decision; a word about the whole node goes, too, since it would
// still cover the argument.
void clearOverride(ReinplacePolicy& policy, std::string_view node, std::string_view argument);

// The override for a decision, the one that names the argument first; null when there is none.
const DecisionOverride* overrideFor(const ReinplacePolicy& policy, std::string_view node,
                                    std::string_view argument);

// "torch-2.11", or "torch-2.11 overlap-test=off +index_put -wrapper:out": the preset and all that differs
// from it.
std::string describe(const ReinplacePolicy& policy);

} // namespace reinspect
