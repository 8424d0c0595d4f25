// SPDX-License-Identifier: MIT
#include "views/session/time_classes.h"

#include <unordered_map>

namespace reinspect
{

QString timeText(double seconds)
{
    if (seconds < 1e-3)
        return QStringLiteral("%1 \u00b5s").arg(seconds * 1e6, 0, 'g', 3);
    if (seconds < 1)
        return QStringLiteral("%1 ms").arg(seconds * 1e3, 0, 'g', 3);
    return QStringLiteral("%1 s").arg(seconds, 0, 'g', 3);
}

NodeClasses classifyTimes(const PassTrace& trace, const proof::Equivalence& proof)
{
    std::unordered_map<std::string, std::size_t> slotOf;
    for (std::size_t slot = 0; slot < trace.result->slotCount(); ++slot)
        slotOf.emplace(trace.nameOf(NodeId(slot)), slot);
    std::vector<double> seconds(trace.result->slotCount(), 0);
    for (const proof::StageRun& run : proof.runs)
        if (run.stage == "before" || run.stage == "after")
            for (const exec::NodeTime& time : run.run.nodeTimes)
                if (const auto at = slotOf.find(run.graph->node(time.node).name);
                    at != slotOf.end())
                    seconds[at->second] = time.seconds;
    NodeClasses classes = classifyAmounts(seconds, timeText);
    classes.title = classByName(ClassBy::Time);
    return classes;
}

} // namespace reinspect
