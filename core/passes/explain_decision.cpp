// SPDX-License-Identifier: MIT
// A verdict in words: the reason, what it rests on, what could go wrong, and what would help.
#include "core/passes/explain_words.h"

namespace reinspect
{
namespace
{

std::string bytesText(const SymExpr& bytes)
{
    return toText(bytes) + " B";
}

// Why an argument is kept, as the second half of a sentence.
std::string refusal(const Names& name, const Decision& decision)
{
    const NodeId first = decision.witnesses.empty() ? NodeId{} : decision.witnesses.front();
    const NodeId second = decision.witnesses.size() > 1 ? decision.witnesses[1] : NodeId{};
    const std::string through = second ? " through its view " + name(second) : "";
    switch (*decision.reason)
    {
    case Reason::NoStorage: return "its memory is not known";
    case Reason::ListSharesStorage:
        return "two tensors of the list share memory (" + name(first) + ")";
    case Reason::ListMemberRefused: return "the list member " + name(first) + " may not be written";
    case Reason::InputNotCopiedBack:
        return "it is an input of the graph and nothing copies the result back into it";
    case Reason::UsedBeforeCopyBack:
        return name(first) + " still reads the old value" + through
            + " before the result is copied back";
    case Reason::ViewOfInput:
        return "it is a view of the input " + name(first) + ", which the graph must not change";
    case Reason::UsedLater:
        // Behind the copy back it is the new value; some policies count that read as well.
        return name(first) + (decision.copyBack ? " reads its memory" : " reads the old value")
            + through + " later";
    case Reason::StorageAlreadyTaken:
        return "another argument of this call already writes the same memory";
    case Reason::NotProfitable: return "writing in place would cost Inductor a fusion";
    case Reason::ForeachMemberNotCopiedBack:
        return "the list member " + name(first) + " is not copied back";
    case Reason::InternalOverlap:
        return "several of its indices are one element, so one write would land on another";
    case Reason::CopyBackLayoutDiffers:
        return "it is a view of the input " + name(second) + ", and " + name(first)
            + " copies the result back in another layout";
    case Reason::ResultEscapes:
        return "the result leaves the graph by " + name(first)
            + ", and the caller would get the input itself in place of a new tensor";
    case Reason::ForbiddenByUser: return "you forbade it";
    case Reason::TooManyUsers:
        return "it has more users than this call and the copy back, " + name(first) + " among them";
    case Reason::TooManyAliases:
        return "other tensors live in its memory, " + name(first) + " among them";
    case Reason::OperandAlias:
        return "the call also reads " + name(first)
            + ", which lies in the memory that it would write";
    case Reason::ResultOverwritten:
        return name(first) + " writes over the result before " + name(second) + " has read it";
    }
    return {};
}

} // namespace

std::string decidedSentence(const Names& name, const Decision& decision)
{
    std::string text = decision.verdict == Verdict::Reinplaced
        ? name(decision.node) + (decision.forced ? " is made to write " : " may write ")
            + name.list(decision.mutated) + " in place"
        : name(decision.node) + " must not write " + name.list(decision.mutated)
            + " in place: " + refusal(name, decision);
    if (decision.verdict == Verdict::Reinplaced && decision.copyBack)
        text += ", and the copy " + name(decision.copyBack) + " is dropped";
    text += decision.verdict == Verdict::Reinplaced ? " (saves " : " (costs ";
    text += bytesText(decision.bytes) + ").";
    if (!decision.assumption.empty())
        text += " Assumed: " + decision.assumption + ".";
    if (decision.overruled)
        text += " Without your word it would be kept ("
            + std::string(reasonName(*decision.overruled)) + ").";
    for (const Hazard& hazard : decision.hazards)
        text += " Hazard: " + hazardSentence(name.trace, hazard);
    if (decision.safe)
        text += " Missed opportunity: no reader, operand or later write could notice the write.";
    return text;
}

std::string hazardSentence(const PassTrace& trace, const Hazard& hazard)
{
    const Names name{trace};
    const auto witness = [&](std::size_t i) {
        return i < hazard.witnesses.size() ? name(hazard.witnesses[i]) : std::string("something");
    };
    const std::string through =
        hazard.witnesses.size() > 1 ? " through " + name(hazard.witnesses[1]) : "";
    const std::string assumed =
        hazard.assumption.empty() ? "." : " (assumed: " + hazard.assumption + ").";
    switch (hazard.kind)
    {
    case HazardKind::OperandAlias:
        return "the call also takes " + witness(0)
            + ", which shares elements with what it writes, so reads and writes may interleave"
            + assumed;
    case HazardKind::SameBufferWritten:
        return "the call writes the same elements as " + witness(0)
            + ", too, and which write wins may change" + assumed;
    case HazardKind::ResultOverwritten:
        return witness(0) + " writes over the result before its last reader"
            + (hazard.witnesses.size() > 1 ? ", " + witness(1) : "") + assumed;
    case HazardKind::NewAlias:
        return witness(0)
            + " returns the result, which now is an alias of an input or of another "
              "output"
            + assumed;
    case HazardKind::OldValueRead:
        return witness(0) + " reads the old value" + through + " after the write" + assumed;
    }
    return {};
}

std::string advice(const PassTrace& trace, DecisionIndex index)
{
    const Decision& decision = trace.decision(index);
    if (!decision.reason)
        return {};
    const Names name{trace};
    const NodeId use = decision.witnesses.empty() ? NodeId{} : decision.witnesses.front();
    switch (*decision.reason)
    {
    case Reason::UsedLater:
        if (use && trace.result->node(use).op == NodeOp::Output)
            return "The graph returns the old value as well, so both must exist.";
        if (use && isViewTarget(trace.result->node(use).target))
            return "Creating the view " + name(use)
                + " before the call would take this reader away.";
        return "If " + name(use) + " could run before the call, the clone could go.";
    case Reason::UsedBeforeCopyBack:
        return "If " + name(use) + " could run before the call, the clone could go.";
    case Reason::InputNotCopiedBack:
        return "The caller's tensor must stay as it is, so a copy is needed, unless the program "
               "may overwrite it.";
    case Reason::ViewOfInput:
        return "Writing the whole input, or passing the view as an input of its own, would avoid "
               "the clone.";
    case Reason::StorageAlreadyTaken:
        return "Passing two separate buffers would let both be written in place.";
    case Reason::OperandAlias:
        return "Passing a copy of " + name(use) + " would let the argument be written in place.";
    case Reason::InternalOverlap:
        return "Passing a tensor that is not expanded would let it be written in place.";
    case Reason::ResultEscapes: return "Returning a clone of the result would let the copy go.";
    case Reason::TooManyUsers:
    case Reason::TooManyAliases:
        return "This revision only counts; a later one asks what is read after the call.";
    case Reason::NoStorage:
    case Reason::ListSharesStorage:
    case Reason::ListMemberRefused:
    case Reason::NotProfitable:
    case Reason::ForeachMemberNotCopiedBack:
    case Reason::CopyBackLayoutDiffers:
    case Reason::ForbiddenByUser:
    case Reason::ResultOverwritten: break;
    }
    return {};
}

} // namespace reinspect
