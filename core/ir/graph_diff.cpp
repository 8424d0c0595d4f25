// SPDX-License-Identifier: MIT
#include "core/ir/graph_diff.h"

namespace reinspect
{

static std::string metaText(const NodeMeta& meta)
{
    std::string text = toText(asPrinted(meta.value)); // what was worked out follows from the rest
    if (const TensorMeta* tensor = meta.value.tensor(); tensor && tensor->storage)
        text += " storage " + std::to_string(tensor->storage.index());
    if (meta.onlyCloneTheseTensors)
        text += " clones " + std::to_string(meta.onlyCloneTheseTensors->size());
    return text;
}

// The strongest difference of a node that is in both.
static std::optional<NodeChange> changeOf(const Graph& before, NodeId old, const Graph& after,
                                          NodeId now)
{
    NodeChange change{ChangeKind::Rewired, after[now].name,   old, now,
                      toText(before, old), toText(after, now)};
    if (before[old].op != after[now].op || before[old].target != after[now].target)
        change.kind = ChangeKind::Retargeted;
    // Ids differ between graphs, so arguments are compared by what they say.
    else if (change.beforeText == change.afterText)
    {
        change.kind = ChangeKind::MetadataOnly;
        change.beforeText = metaText(before[old].meta);
        change.afterText = metaText(after[now].meta);
        if (change.beforeText == change.afterText)
            return std::nullopt;
    }
    return change;
}

std::vector<NodeChange> diffGraphs(const Graph& before, const Graph& after)
{
    std::vector<NodeChange> changes;
    NodeId old = before.first();
    // Nodes of `before` up to the one that comes next in `after` as well: those between are gone.
    const auto takeRemoved = [&](NodeId end) {
        for (; old.isValid() && old != end; old = before.next(old))
        {
            if (!after.find(before[old].name))
                changes.push_back(
                    {ChangeKind::Removed, before[old].name, old, {}, toText(before, old), {}});
        }
    };
    const std::vector<std::uint32_t> positions = before.positions();
    for (const NodeId now : after.order())
    {
        const NodeId same = before.find(after[now].name);
        if (!same)
        {
            changes.push_back(
                {ChangeKind::Added, after[now].name, {}, now, {}, toText(after, now)});
            continue;
        }
        // A node that moved up is passed later, when what stands before it in `before` was.
        if (old && positions[same.index()] >= positions[old.index()])
            takeRemoved(same);
        if (std::optional<NodeChange> change = changeOf(before, same, after, now))
            changes.push_back(std::move(*change));
    }
    takeRemoved({});
    return changes;
}

std::string_view changeKindName(ChangeKind kind)
{
    switch (kind)
    {
    case ChangeKind::Added: return "added";
    case ChangeKind::Removed: return "removed";
    case ChangeKind::Retargeted: return "retargeted";
    case ChangeKind::Rewired: return "rewired";
    case ChangeKind::MetadataOnly: return "metadata only";
    }
    return {};
}

std::string_view changeKindMark(ChangeKind kind)
{
    switch (kind)
    {
    case ChangeKind::Added: return "+";
    case ChangeKind::Removed: return "-";
    case ChangeKind::Retargeted: return "!";
    case ChangeKind::Rewired: return "~";
    case ChangeKind::MetadataOnly: return "m";
    }
    return {};
}

} // namespace reinspect
