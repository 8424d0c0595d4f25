// SPDX-License-Identifier: MIT
// decisionFacts: the inspector's rows about the pass.
#include "core/passes/explain.h"
#include "views/models/node_facts.h"
#include "views/models/tensor_words.h"
#include "views/session/qt_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace reinspect
{

static QString say(const char* text)
{
    return QCoreApplication::translate("NodeFacts", text);
}

static QString capitalized(QString text)
{
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

static void appendWitnesses(const PassTrace& trace, const Decision& decision, NodeId about,
                            std::vector<NodeFact>& facts)
{
    for (const Witness& witness : witnesses(trace, decision.decided))
    {
        if (witness.node && witness.node != about)
            facts.push_back({capitalized(toQString(witnessRoleName(witness.role))),
                             toQString(trace.nameOf(witness.node)), witness.node});
    }
}

static QString verdictText(const Decision& decision)
{
    QString text = decision.verdict == Verdict::Reinplaced ? say("In place") : say("Kept: clone");
    if (decision.reason)
        text += QStringLiteral(" (%1)").arg(toQString(reasonName(*decision.reason)));
    return decision.missed ? say("%1, counted as missed").arg(text) : text;
}

// What the precise analysis says beside the verdict, and what the user's word changed.
static void appendFindings(const PassTrace& trace, const Decision& decision,
                           std::vector<NodeFact>& facts)
{
    for (const Hazard& hazard : decision.hazards)
        facts.push_back(
            {say("Hazard"),
             QStringLiteral("%1: %2").arg(toQString(hazardName(hazard.kind)),
                                          capitalized(toQString(hazardSentence(trace, hazard)))),
             {},
             Badge::Hazard});
    if (decision.missed)
        facts.push_back({say("Missed"),
                         say("PyTorch counts this clone as a missed opportunity."),
                         {},
                         Badge::Missed});
    if (decision.safe)
        facts.push_back({say("Opportunity"),
                         say("No reader, operand or later write could notice the write, so the "
                             "clone could go."),
                         {},
                         Badge::Opportunity});
    if (decision.overruled)
        facts.push_back(
            {say("Your word"),
             say("Without it: kept (%1).").arg(toQString(reasonName(*decision.overruled))),
             {},
             Badge::Overruled});
    else if (decision.forced)
        facts.push_back({say("Your word"), say("Forced; the checks agree."), {}, Badge::Overruled});
}

// Beside the hazards, which say what may go wrong: whether it does.
static void appendProof(const NodeQuestion& q, DecisionIndex decision, std::vector<NodeFact>& facts)
{
    if (!q.proof)
        return;
    const ProofState state = q.proof(decision);
    facts.push_back(
        {say("Proof"), state.text, {}, state.badge, state.canRun ? decision : DecisionIndex()});
}

// Before its event a decision is not known yet, as it is not in the picture.
static NodeFactGroup groupOf(const NodeQuestion& q, std::size_t index)
{
    const Decision& decision = q.trace.decisions[index];
    NodeFactGroup group{say("Decision"), {}, DecisionIndex(index)};
    if (!decision.argument.empty())
        group.title = say("Decision on argument %1").arg(toQString(decision.argument));
    if (!q.event || q.event < decision.decided)
    {
        group.facts.push_back({say("Verdict"), say("Not decided at this step"), {}});
        return group;
    }
    group.facts.push_back({say("Verdict"), verdictText(decision), {}});
    group.facts.push_back({say("Why"), toQString(explain(q.trace, decision.decided)), {}});
    if (const std::string hint = advice(q.trace, DecisionIndex(index)); !hint.empty())
        group.facts.push_back({say("Advice"), toQString(hint), {}});
    group.facts.push_back(
        {decision.verdict == Verdict::Kept ? say("Clone costs") : say("Clone saved"),
         bytesText(decision.bytes),
         {}});
    if (decision.certainty == Certainty::Assumed)
        group.facts.push_back({say("Assumed"), toQString(decision.assumption), {}});
    appendFindings(q.trace, decision, group.facts);
    appendProof(q, DecisionIndex(index), group.facts);
    appendWitnesses(q.trace, decision, q.node, group.facts);
    return group;
}

static bool contains(const std::vector<NodeId>& nodes, NodeId node)
{
    return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

// What the node is to decisions on other nodes.
static void appendParts(const NodeQuestion& q, NodeFactGroup& group)
{
    for (const Decision& decision : q.trace.decisions)
    {
        if (decision.node == q.node || !q.event || q.event < decision.decided)
            continue;
        const QString candidate = toQString(q.trace.nameOf(decision.node));
        if (contains(decision.mutated, q.node))
            group.facts.push_back({decision.verdict == Verdict::Reinplaced
                                       ? say("Written in place by")
                                       : say("Cloned for"),
                                   candidate, decision.node});
        if (decision.copyBack == q.node)
            group.facts.push_back({say("Copies back for"), candidate, decision.node});
        if (contains(decision.witnesses, q.node) && decision.verdict == Verdict::Kept)
            group.facts.push_back({say("Keeps the clone of"), candidate, decision.node});
    }
}

static bool isUndecidedCandidate(const NodeQuestion& q)
{
    const auto isCandidate = [&q](const Event& event) {
        const CandidateFound* found = event.as<CandidateFound>();
        return found && found->node == q.node;
    };
    return std::any_of(q.trace.events.begin(), q.trace.events.end(), isCandidate);
}

std::vector<NodeFactGroup> decisionFacts(const NodeQuestion& question)
{
    std::vector<NodeFactGroup> groups;
    for (std::size_t i = 0; i < question.trace.decisions.size(); ++i)
    {
        if (question.trace.decisions[i].node == question.node)
            groups.push_back(groupOf(question, i));
    }
    if (groups.empty() && isUndecidedCandidate(question))
        groups.push_back(
            {say("Decision"),
             {{say("Verdict"), say("This build does not decide this kind of call yet"), {}}}});
    NodeFactGroup parts{say("Part in the pass"), {}};
    appendParts(question, parts);
    if (!parts.facts.empty())
        groups.push_back(std::move(parts));
    return groups;
}

} // namespace reinspect
