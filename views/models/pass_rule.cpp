// SPDX-License-Identifier: MIT
#include "views/models/pass_rule.h"

namespace reinspect
{

namespace
{

const char* ruleOf(Phase phase)
{
    switch (phase)
    {
    case Phase::Canonicalize: return "canonicalize_view_scatter_ops";
    case Phase::RefreshMetadata: return "FakeTensorUpdater.incremental_update";
    case Phase::Core: return "reinplace_inplaceable_ops_core";
    case Phase::Decompose: return "decompose_generalized_scatter";
    }
    return "";
}

const char* ruleOf(CandidateKind kind)
{
    switch (kind)
    {
    case CandidateKind::Table: return "inplaceable_ops";
    case CandidateKind::Triton: return "triton_kernel_wrapper_functional";
    case CandidateKind::AutoFunctionalized: return "auto_functionalized";
    case CandidateKind::AutoFunctionalizedV2: return "auto_functionalized_v2";
    case CandidateKind::WithEffects: return "with_effects";
    case CandidateKind::Foreach: return "inplaceable_foreach_ops";
    }
    return "";
}

const char* ruleOf(Check check)
{
    switch (check)
    {
    case Check::StorageFree: return "tensor_with_same_storage_already_reinplaced";
    case Check::HasStorage: return "get_node_storage";
    case Check::NoUseBeforeCopy:
    case Check::NoLaterUse: return "any_use_of_views_after_node";
    case Check::OperandsElsewhere: return "should_reinplace_index_put";
    case Check::Profitable: return "should_reinplace_scatter";
    default: return "can_inplace";
    }
}

struct RuleOfBody
{
    const char* operator()(const PhaseBegan& event) const { return ruleOf(event.phase); }
    const char* operator()(const ScatterCanonicalized&) const
    {
        return "canonicalize_view_scatter_ops";
    }
    const char* operator()(const ScattersFused&) const { return "can_fuse"; }
    const char* operator()(const CopyBackFound&) const { return "copy_args_to_copy_nodes"; }
    const char* operator()(const CandidateFound& event) const { return ruleOf(event.kind); }
    const char* operator()(const ArgumentTried&) const { return "can_inplace"; }
    const char* operator()(const CheckDone& event) const { return ruleOf(event.check); }
    const char* operator()(const OverlapTested&) const { return "_overlap"; }
    const char* operator()(const UseExamined&) const { return "any_use_of_views_after_node"; }
    const char* operator()(const UsesSummed&) const { return "any_use_of_views_after_node"; }
    const char* operator()(const Decided&) const { return "reinplace_inplaceable_ops_core"; }
    const char* operator()(const ReplacementPlanned&) const { return "replace_dict"; }
    const char* operator()(const Edited&) const { return "reinplace_inplaceable_ops_core"; }
    template<typename Other>
    const char* operator()(const Other&) const
    {
        return ""; // a step of our own, which upstream does not have
    }
};

} // namespace

QString upstreamRule(const PassTrace& trace, EventIndex event)
{
    return event ? QLatin1String(std::visit(RuleOfBody(), trace.event(event).body)) : QString();
}

} // namespace reinspect
