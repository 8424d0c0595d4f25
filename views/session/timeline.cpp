// SPDX-License-Identifier: MIT
#include "views/session/timeline.h"

#include "core/layout/node_label.h"
#include "views/session/qt_text.h"

#include <algorithm>
#include <map>

namespace reinspect
{

namespace
{

// Numbers of operator kinds, those of the picture first.
class Kinds
{
public:
    explicit Kinds(const PassTrace& trace)
    {
        const NodeClasses classes = classify(trace, ClassBy::OperatorKind);
        m_names = QStringList(classes.labels.begin(), classes.labels.end());
        for (std::size_t slot = 0; slot < trace.result->slotCount(); ++slot)
            if (const std::uint8_t kind = classes.of(NodeId(slot)); kind != kNoClass)
                m_numberOf.try_emplace(operatorKind(trace.result->node(NodeId(slot))), kind);
        for (QString& name : m_names) // how many there are says nothing of other stages
            name = name.section(QStringLiteral(" ("), 0, -2).isEmpty()
                ? name
                : name.section(QStringLiteral(" ("), 0, -2);
    }

    std::uint8_t of(const Node& node)
    {
        const std::string name = operatorKind(node);
        const auto [at, isNew] =
            m_numberOf.try_emplace(name, static_cast<std::uint8_t>(m_names.size()));
        if (isNew)
            m_names.append(toQString(name));
        return at->second;
    }

    const QStringList& names() const { return m_names; }

private:
    QStringList m_names;
    std::map<std::string, std::uint8_t> m_numberOf;
};

bool isCopy(const Node& node)
{
    const std::string name = shortOperator(node.target);
    return name == "clone" || name == "copy_" || name == "copy";
}

TimelineStage stageOf(const proof::StageRun& run, Kinds& kinds)
{
    TimelineStage stage;
    stage.stage = run.stage;
    stage.device = run.run.device;
    stage.copiedBytes = run.run.memory.copiedBytes;
    for (const exec::NodeTime& time : run.run.nodeTimes)
    {
        if (!run.graph->contains(time.node))
            continue;
        const Node& node = run.graph->node(time.node);
        if (node.op != NodeOp::CallFunction)
            continue;
        stage.placeOf.emplace(node.name, stage.nodes.size());
        stage.nodes.push_back({node.name, node.target.str(), stage.seconds, time.seconds,
                               time.bytes, kinds.of(node), isCopy(node), time.isOnHost});
        stage.seconds += time.seconds;
        stage.copies += stage.nodes.back().isCopy ? 1 : 0;
    }
    return stage;
}

} // namespace

std::optional<std::size_t> TimelineStage::placeAt(double second) const
{
    if (nodes.empty() || second < 0 || second > seconds)
        return {};
    const auto after = std::ranges::upper_bound(nodes, second, {}, &TimelineNode::begin);
    return after == nodes.begin() ? 0 : static_cast<std::size_t>(after - nodes.begin()) - 1;
}

double Timeline::seconds() const
{
    double most = 0;
    for (const TimelineStage& stage : stages)
        most = std::max(most, stage.seconds);
    return most;
}

const TimelineStage* Timeline::stage(std::string_view name) const
{
    const auto at = std::ranges::find(stages, name, &TimelineStage::stage);
    return at == stages.end() ? nullptr : &*at;
}

Timeline makeTimeline(std::shared_ptr<const PassTrace> trace, const proof::Equivalence& proof)
{
    Timeline timeline;
    Kinds kinds(*trace);
    for (const proof::StageRun& run : proof.runs)
        if (run.ran() && !run.run.nodeTimes.empty())
            if (TimelineStage stage = stageOf(run, kinds); !stage.nodes.empty())
                timeline.stages.push_back(std::move(stage));
    timeline.kinds = kinds.names();
    timeline.trace = std::move(trace);
    return timeline;
}

std::optional<TimeSaved> timeSaved(const Timeline& timeline)
{
    TimeSaved saved{timeline.stage("baseline"), timeline.stage("final")};
    if (!saved.without || !saved.with)
        saved = {timeline.stage("before"), timeline.stage("after")};
    if (!saved.without || !saved.with)
        return {};
    for (const TimelineNode& node : saved.without->nodes)
        if (node.isCopy && !saved.with->placeOf.contains(node.name))
        {
            ++saved.copies;
            saved.copySeconds += node.seconds;
        }
    saved.copiedBytes = saved.without->copiedBytes - saved.with->copiedBytes;
    return saved;
}

} // namespace reinspect
