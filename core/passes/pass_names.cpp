// SPDX-License-Identifier: MIT
// The words of the vocabulary, in one place.
#include "core/passes/pass_trace.h"

namespace reinspect
{

std::string_view phaseName(Phase phase)
{
    switch (phase)
    {
    case Phase::Canonicalize: return "Canonicalize view scatters";
    case Phase::RefreshMetadata: return "Refresh metadata";
    case Phase::Core: return "Decide and edit";
    case Phase::Decompose: return "Take generalized scatters apart";
    }
    return {};
}

std::string_view candidateKindName(CandidateKind kind)
{
    switch (kind)
    {
    case CandidateKind::Table: return "table";
    case CandidateKind::Triton: return "triton";
    case CandidateKind::AutoFunctionalized: return "auto_functionalized";
    case CandidateKind::AutoFunctionalizedV2: return "auto_functionalized_v2";
    case CandidateKind::WithEffects: return "with_effects";
    case CandidateKind::Foreach: return "foreach";
    }
    return {};
}

std::string_view checkName(Check check)
{
    switch (check)
    {
    case Check::StorageFree: return "Storage not yet taken by this call";
    case Check::HasStorage: return "Has a storage";
    case Check::MembersDistinct: return "List members on distinct storages";
    case Check::MembersCopiedBack: return "Every list member copied back";
    case Check::CopiedBack: return "Copied back into the input";
    case Check::NotViewOfInput: return "Not a view of an input";
    case Check::NoUseBeforeCopy: return "No use before the copy back";
    case Check::NoLaterUse: return "No later use";
    case Check::LayoutKept: return "Copied back in the same layout";
    case Check::NoInternalOverlap: return "No internal overlap";
    case Check::FewUsers: return "No other users";
    case Check::FewAliases: return "No other tensors in its memory";
    case Check::ResultStays: return "Result stays in the graph";
    case Check::OperandsElsewhere: return "Operands lie elsewhere";
    case Check::Profitable: return "Profitable";
    case Check::NothingNotices: return "Nothing could notice";
    case Check::NotForbidden: return "Not forbidden by you";
    }
    return {};
}

std::string_view useVerdictName(UseVerdict verdict)
{
    switch (verdict)
    {
    case UseVerdict::BeforeNode: return "BeforeNode";
    case UseVerdict::AfterCopyBack: return "AfterCopyBack";
    case UseVerdict::ShapeOnly: return "ShapeOnly";
    case UseVerdict::OverwrittenByCopy: return "OverwrittenByCopy";
    case UseVerdict::OrderingOnly: return "OrderingOnly";
    case UseVerdict::Disjoint: return "Disjoint";
    case UseVerdict::NotExamined: return "NotExamined";
    case UseVerdict::Blocks: return "Blocks";
    }
    return {};
}

std::string_view verdictName(Verdict verdict)
{
    return verdict == Verdict::Reinplaced ? "reinplaced" : "kept";
}

std::string_view certaintyName(Certainty certainty)
{
    return certainty == Certainty::Certain ? "certain" : "assumed";
}

std::string_view reasonName(Reason reason)
{
    switch (reason)
    {
    case Reason::NoStorage: return "NoStorage";
    case Reason::ListSharesStorage: return "ListSharesStorage";
    case Reason::ListMemberRefused: return "ListMemberRefused";
    case Reason::InputNotCopiedBack: return "InputNotCopiedBack";
    case Reason::UsedBeforeCopyBack: return "UsedBeforeCopyBack";
    case Reason::ViewOfInput: return "ViewOfInput";
    case Reason::UsedLater: return "UsedLater";
    case Reason::StorageAlreadyTaken: return "StorageAlreadyTaken";
    case Reason::NotProfitable: return "NotProfitable";
    case Reason::ForeachMemberNotCopiedBack: return "ForeachMemberNotCopiedBack";
    case Reason::InternalOverlap: return "InternalOverlap";
    case Reason::CopyBackLayoutDiffers: return "CopyBackLayoutDiffers";
    case Reason::ResultEscapes: return "ResultEscapes";
    case Reason::ForbiddenByUser: return "ForbiddenByUser";
    case Reason::TooManyUsers: return "TooManyUsers";
    case Reason::TooManyAliases: return "TooManyAliases";
    case Reason::OperandAlias: return "OperandAlias";
    case Reason::ResultOverwritten: return "ResultOverwritten";
    }
    return {};
}

std::string_view hazardName(HazardKind kind)
{
    switch (kind)
    {
    case HazardKind::OperandAlias: return "OperandAlias";
    case HazardKind::SameBufferWritten: return "SameBufferWritten";
    case HazardKind::ResultOverwritten: return "ResultOverwritten";
    case HazardKind::NewAlias: return "NewAlias";
    case HazardKind::OldValueRead: return "OldValueRead";
    }
    return {};
}

const Decision* PassTrace::decisionFor(std::string_view nodeName) const
{
    for (const Decision& decision : decisions)
        if (nameOf(decision.node) == nodeName)
            return &decision;
    return nullptr;
}

DecisionIndex PassTrace::decisionAt(EventIndex index) const
{
    for (std::size_t i = index.index() + 1; i-- > 0;)
    {
        if (const ArgumentTried* tried = events[i].as<ArgumentTried>())
            return tried->decision;
        if (const Decided* decided = events[i].as<Decided>(); decided && i == index.index())
            return decided->decision;
        if (events[i].depth < 2)
        {
            const bool isCandidate = events[i].as<CandidateFound>() && i + 1 < events.size();
            const ArgumentTried* first = isCandidate ? events[i + 1].as<ArgumentTried>() : nullptr;
            return first && i == index.index() ? first->decision : DecisionIndex{};
        }
    }
    return {};
}

} // namespace reinspect
