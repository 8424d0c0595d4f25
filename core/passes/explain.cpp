// SPDX-License-Identifier: MIT
#include "core/passes/explain_words.h"

#include "core/passes/view_scatter.h"

namespace reinspect
{
namespace
{

std::string checkSentence(const Names& name, const CheckDone& done)
{
    const std::string subject = name(done.subject);
    const std::string witness = name(done.witness);
    switch (done.check)
    {
    case Check::StorageFree:
        return done.passed
            ? "No earlier argument of this call took the memory of " + subject + "."
            : "An earlier argument of this call already took the memory of " + witness + ".";
    case Check::HasStorage:
        return subject
            + (done.passed ? " has memory that is known." : " has no memory that is known.");
    case Check::MembersDistinct:
        return done.passed ? "No two tensors of the list share memory."
                           : witness + " shares memory with another tensor of the list.";
    case Check::MembersCopiedBack:
        return done.passed ? "Every tensor of the list is copied back into its input."
                           : "The result for " + witness + " is not copied back into it.";
    case Check::CopiedBack:
        return done.passed
            ? "The input " + subject + " is written at the end anyway, by " + witness + "."
            : "Nothing copies a result back into the input " + subject
                + ", so it must keep its value.";
    case Check::NotViewOfInput:
        return done.passed ? subject + " lives in memory of its own, not in an input's."
                           : subject + " is a view of the input " + witness + ".";
    case Check::NoUseBeforeCopy:
        return done.passed
            ? "Nothing reads the old value of " + subject + " between the call and the copy back."
            : witness + " reads the old value of " + subject + " before the copy back.";
    case Check::NoLaterUse:
        return done.passed ? "Nothing reads the old value of " + subject + " after the call."
                           : witness + " reads the old value of " + subject + " after the call.";
    case Check::LayoutKept:
        return done.passed
            ? witness + " copies the result back into the input as the same view of it as "
                + subject + " is."
            : witness + " copies the result back in another layout than that of " + subject + ".";
    case Check::NoInternalOverlap:
        return done.passed ? "Each index of " + subject + " is an element of its own."
                           : "Several indices of " + subject + " are one and the same element.";
    case Check::FewUsers:
        return done.passed ? "Nothing but the call and the copy back uses " + subject + "."
                           : witness + " uses " + subject + ", too; when it does so is not asked.";
    case Check::FewAliases:
        return done.passed ? "No other tensor lives in the memory of " + subject + "."
                           : witness + " lives in the memory of " + subject + ", too.";
    case Check::ResultStays:
        return done.passed ? "The result " + subject + " does not leave the graph."
                           : "The result " + subject + " leaves the graph by " + witness + ".";
    case Check::NothingNotices:
        return done.passed
            ? "No reader, operand or later write could tell that " + subject + " was written."
            : "Writing " + subject + " could be noticed, by " + witness + ".";
    case Check::NotForbidden:
        return done.passed ? "You forced the write into " + subject + "."
                           : "You forbade the write into " + subject + ".";
    case Check::OperandsElsewhere:
        return done.passed
            ? "No other tensor that the call takes lies in the memory of " + subject + "."
            : "The call also takes " + witness + ", which lies in the memory of " + subject + ".";
    case Check::Profitable:
        return done.passed ? "Writing " + subject + " in place costs no fusion."
                           : "Neither " + witness + " nor " + subject
                + " needs memory of its own, so the functional form can be fused.";
    }
    return {};
}

std::string useSentence(const Names& name, const UseExamined& use)
{
    const std::string head = name(use.use) + " reads " + name(use.view);
    switch (use.verdict)
    {
    case UseVerdict::BeforeNode: return head + " before the call: no matter.";
    case UseVerdict::AfterCopyBack:
        return head + " at or after the copy back, where the new value is wanted: no matter.";
    case UseVerdict::ShapeOnly:
        return name(use.use) + " asks " + name(use.view) + " only for its shape: no matter.";
    case UseVerdict::OverwrittenByCopy:
        return name(use.use) + " overwrites " + name(use.view) + ": no matter.";
    case UseVerdict::OrderingOnly:
        return name(use.use) + " names " + name(use.view) + " only to fix an order: no matter.";
    case UseVerdict::Disjoint: return head + ", which lies elsewhere in the memory: no matter.";
    case UseVerdict::NotExamined: return head + ": not examined.";
    case UseVerdict::Blocks:
        return head + " after the call"
            + (use.decisive ? ": this decides." : ": this would refuse, too.");
    }
    return {};
}

std::string sumSentence(const UsesSummed& sum)
{
    const std::string count = std::to_string(sum.count) + (sum.count == 1 ? " use" : " uses");
    switch (sum.verdict)
    {
    case UseVerdict::BeforeNode: return count + " at or before the call: no matter.";
    case UseVerdict::AfterCopyBack: return count + " more at or after the copy back: no matter.";
    case UseVerdict::ShapeOnly: return count + " more that read only shapes: no matter.";
    case UseVerdict::OverwrittenByCopy: return count + " more that overwrite it: no matter.";
    case UseVerdict::OrderingOnly: return count + " more that only fix an order: no matter.";
    case UseVerdict::Disjoint:
        return count + " more of tensors that lie elsewhere in the memory: no matter.";
    case UseVerdict::NotExamined: return count + " more, not listed one by one.";
    case UseVerdict::Blocks: return count + " more that would refuse, too.";
    }
    return {};
}

std::string editSentence(const Names& name, const Edited& edited)
{
    const std::string node = name(edited.node);
    switch (edited.reason)
    {
    case EditReason::Canonicalized:
        return "The graph now holds " + node + " in place of the scatter.";
    case EditReason::Fused: return "The graph now holds " + node + " in place of both scatters.";
    case EditReason::MetaRefreshed:
        return node + " now shares the memory of the fused scatter's result.";
    case EditReason::Retargeted: return node + " now calls its in-place twin.";
    case EditReason::ClonesRefined:
        return node + " now lists only the arguments that stay to be cloned.";
    case EditReason::ReplacementApplied:
        return node + " is removed; its users read the buffer that was written in place.";
    case EditReason::Decomposed:
        return "The generalized scatter " + node + " is taken apart into plain operators.";
    }
    return {};
}

struct Sentence
{
    Names name;

    std::string operator()(const PhaseBegan& e) const
    {
        return std::string(phaseName(e.phase)) + ".";
    }
    std::string operator()(const ScatterCanonicalized& e) const
    {
        return "The view scatter " + name(e.original) + " becomes the generalized scatter "
            + name(e.created) + ".";
    }
    std::string operator()(const ScattersFused& e) const
    {
        return "The nested scatters " + name(e.inner) + " and " + name(e.outer) + " become one, "
            + name(e.created) + ".";
    }
    std::string operator()(const CopyBackFound& e) const
    {
        return name(e.copy) + " copies the result of " + name(e.source) + " back into the input "
            + name(e.destination) + ".";
    }
    std::string operator()(const CandidateFound& e) const
    {
        return name(e.node) + " makes a new tensor where it could write an old one: a candidate ("
            + std::string(candidateKindName(e.kind)) + ").";
    }
    std::string operator()(const ArgumentTried& e) const
    {
        const Decision& decision = name.trace.decision(e.decision);
        return "May " + name(decision.node) + " write its argument " + decision.argument + ", "
            + name.list(decision.mutated) + ", in place?";
    }
    std::string operator()(const CheckDone& e) const
    {
        return (e.passed ? "Yes: " : "No: ") + checkSentence(name, e);
    }
    std::string operator()(const OverlapTested& e) const
    {
        const bool disjoint = e.answer.kind == OverlapKind::Disjoint;
        return name(e.other) + (disjoint ? " lies elsewhere than " : " may overlap ")
            + name(e.subject) + ": " + std::string(e.answer.rule) + ".";
    }
    std::string operator()(const UseExamined& e) const { return useSentence(name, e); }
    std::string operator()(const UsesSummed& e) const { return sumSentence(e); }
    std::string operator()(const Decided& e) const
    {
        return decidedSentence(name, name.trace.decision(e.decision));
    }
    std::string operator()(const ReplacementPlanned& e) const
    {
        return name(e.from) + " is to be replaced by " + name(e.to) + " at the end.";
    }
    std::string operator()(const Edited& e) const { return editSentence(name, e); }
};

struct WitnessesOf
{
    const PassTrace& trace;
    std::vector<Witness> found = {};

    void add(NodeId node, WitnessRole role)
    {
        if (node)
            found.push_back({node, role});
    }
    void addDecision(const Decision& decision)
    {
        add(decision.node, WitnessRole::Candidate);
        for (const NodeId node : decision.mutated)
            add(node, WitnessRole::Mutated);
    }

    void operator()(const PhaseBegan&) {}
    void operator()(const ScatterCanonicalized& e)
    {
        add(e.created, WitnessRole::Created);
        add(e.original, WitnessRole::Removed);
    }
    void operator()(const ScattersFused& e)
    {
        add(e.created, WitnessRole::Created);
        add(e.inner, WitnessRole::Removed);
        add(e.outer, WitnessRole::Removed);
    }
    void operator()(const CopyBackFound& e)
    {
        add(e.copy, WitnessRole::CopyBack);
        add(e.destination, WitnessRole::Mutated);
        add(e.source, WitnessRole::Candidate);
    }
    void operator()(const CandidateFound& e) { add(e.node, WitnessRole::Candidate); }
    void operator()(const ArgumentTried& e) { addDecision(trace.decision(e.decision)); }
    void operator()(const CheckDone& e)
    {
        add(e.subject, WitnessRole::Mutated);
        const bool isCopy = e.check == Check::CopiedBack && e.passed;
        add(e.witness,
            isCopy         ? WitnessRole::CopyBack
                : e.passed ? WitnessRole::View
                           : WitnessRole::Blocking);
    }
    void operator()(const OverlapTested& e)
    {
        add(e.subject, WitnessRole::Mutated);
        add(e.other, WitnessRole::View);
    }
    void operator()(const UseExamined& e)
    {
        add(e.use, e.verdict == UseVerdict::Blocks ? WitnessRole::Blocking : WitnessRole::Harmless);
        add(e.view, WitnessRole::View);
    }
    void operator()(const UsesSummed&) {}
    void operator()(const Decided& e)
    {
        const Decision& decision = trace.decision(e.decision);
        addDecision(decision);
        const bool byUse =
            decision.reason == Reason::UsedLater || decision.reason == Reason::UsedBeforeCopyBack;
        for (std::size_t i = 0; i < decision.witnesses.size(); ++i)
            if (decision.witnesses[i] != decision.node)
                add(decision.witnesses[i],
                    byUse && i == 0 ? WitnessRole::Blocking : WitnessRole::View);
        add(decision.copyBack, WitnessRole::CopyBack);
    }
    void operator()(const ReplacementPlanned& e)
    {
        add(e.from, WitnessRole::Removed);
        add(e.to, WitnessRole::Mutated);
    }
    void operator()(const Edited& e)
    {
        const bool removed =
            e.reason == EditReason::ReplacementApplied || e.reason == EditReason::Decomposed;
        add(e.node, removed ? WitnessRole::Removed : WitnessRole::Created);
    }
};

} // namespace

std::string explain(const PassTrace& trace, EventIndex event)
{
    return std::visit(Sentence{Names{trace}}, trace.event(event).body);
}

std::vector<Witness> witnesses(const PassTrace& trace, EventIndex event)
{
    WitnessesOf collect{trace};
    std::visit(collect, trace.event(event).body);
    return collect.found;
}

std::string_view witnessRoleName(WitnessRole role)
{
    switch (role)
    {
    case WitnessRole::Candidate: return "candidate";
    case WitnessRole::Mutated: return "written argument";
    case WitnessRole::CopyBack: return "copy back";
    case WitnessRole::Blocking: return "blocking use";
    case WitnessRole::Harmless: return "harmless use";
    case WitnessRole::View: return "same memory";
    case WitnessRole::Created: return "created";
    case WitnessRole::Removed: return "removed";
    }
    return {};
}

std::string explainAll(const PassTrace& trace)
{
    std::string text;
    for (std::size_t i = 0; i < trace.events.size(); ++i)
        text += std::string(std::size_t{2} * trace.events[i].depth, ' ')
            + explain(trace, EventIndex(i)) + "\n";
    return text;
}

} // namespace reinspect
