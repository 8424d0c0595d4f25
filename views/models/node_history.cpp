// SPDX-License-Identifier: MIT
#include "views/models/node_history.h"

#include "core/layout/node_label.h"
#include "views/session/qt_text.h"

#include <QCoreApplication>

namespace reinspect
{

static QString say(const char* text)
{
    return QCoreApplication::translate("NodeHistory", text);
}

namespace
{

// What a run of edits did to one node; the strongest word wins.
struct Doings
{
    bool isMade = false;
    bool isRemoved = false;
    bool isRewired = false;
    bool hasOtherMeta = false;
    std::string before;
    std::string after;

    void add(const GraphEdit& edit)
    {
        isMade = isMade || std::holds_alternative<InsertNode>(edit);
        isRemoved = isRemoved || std::holds_alternative<EraseNode>(edit);
        isRewired = isRewired || std::holds_alternative<SetArguments>(edit);
        hasOtherMeta = hasOtherMeta || std::holds_alternative<SetMeta>(edit);
        if (const SetTarget* set = std::get_if<SetTarget>(&edit))
        {
            if (before.empty())
                before = set->before->target;
            after = set->after->target;
        }
    }
};

} // namespace

static bool isWrittenInPlace(const PassTrace& trace, NodeId node)
{
    for (const Decision& decision : trace.decisions)
    {
        if (decision.node == node && decision.verdict == Verdict::Reinplaced)
            return true;
    }
    return false;
}

static NodeStage stageAfter(const PassTrace& trace, NodeId node, const Doings& doings,
                            NodeState former)
{
    const bool wasThere = former != NodeState::NotYet && former != NodeState::Removed;
    const QString operators =
        toQString(shortOperator(doings.before) + " \u2192 " + shortOperator(doings.after));
    if (doings.isRemoved || (former == NodeState::Removed && !doings.isMade))
        return {{}, NodeState::Removed, doings.isRemoved ? say("removed here") : say("gone")};
    if (doings.isMade)
        return {{}, NodeState::Made, say("made here")};
    if (!wasThere)
        return {{}, NodeState::NotYet, say("not there yet")};
    if (!doings.after.empty() && isWrittenInPlace(trace, node))
        return {{}, NodeState::UpdatedInPlace, say("updated in place: %1").arg(operators)};
    if (!doings.after.empty())
        return {{}, NodeState::OperatorReplaced, say("other operator: %1").arg(operators)};
    if (doings.isRewired)
        return {{}, NodeState::Rewired, say("reads other values")};
    if (doings.hasOtherMeta)
        return {{}, NodeState::MetadataChanged, say("other metadata")};
    return {{}, NodeState::Unchanged, say("unchanged")};
}

std::vector<NodeStage> nodeHistory(const PassTrace& trace, NodeId node)
{
    const bool isLoaded = trace.initial->contains(node);
    std::vector<NodeStage> stages{
        {say("As loaded"), isLoaded ? NodeState::Unchanged : NodeState::NotYet,
         isLoaded
             ? toQString(operationOf(trace.initial->node(node), trace.initial->node(node).target))
             : say("not there yet")}};
    const std::pair<QString, std::size_t> ends[] = {{say("Canonical form"), trace.canonicalEdits},
                                                    {say("After the decisions"), trace.coreEdits},
                                                    {say("After the pass"), trace.edits.size()}};
    std::size_t edit = 0;
    for (const auto& [name, end] : ends)
    {
        Doings doings;
        for (; edit < end; ++edit)
        {
            if (editedNode(trace.edits[edit]) == node)
                doings.add(trace.edits[edit]);
        }
        NodeStage stage = stageAfter(trace, node, doings, stages.back().state);
        stage.stage = name;
        stages.push_back(std::move(stage));
    }
    return stages;
}

} // namespace reinspect
