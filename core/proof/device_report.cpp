// SPDX-License-Identifier: MIT
#include "core/proof/device_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace reinspect::proof
{
namespace
{

constexpr std::size_t kShown = 5;

std::string formatted(const char* format, auto... values)
{
    char text[256];
    std::snprintf(text, sizeof text, format, values...);
    return text;
}

// Of its calls; nothing where they were not timed.
std::optional<double> secondsOfCalls(const StageRun& run)
{
    if (!run.ran() || run.run.nodeTimes.empty())
        return {};
    double seconds = 0;
    for (const exec::NodeTime& time : run.run.nodeTimes)
        if (run.graph->contains(time.node) && run.graph->node(time.node).op == NodeOp::CallFunction)
            seconds += time.seconds;
    return seconds;
}

} // namespace

std::string timeSavedText(const Equivalence& proof)
{
    const auto with = std::ranges::find(proof.runs, "final", &StageRun::stage);
    const auto without = std::ranges::find(proof.runs, "baseline", &StageRun::stage);
    if (with == proof.runs.end() || without == proof.runs.end())
        return {};
    const auto quick = secondsOfCalls(*with);
    const auto slow = secondsOfCalls(*without);
    if (!quick || !slow || *slow <= 0)
        return {};
    return formatted(
        "nodes take %.3f ms with the pass (final) and %.3f ms without it (baseline), "
        "%.1f %% %s; %lld bytes of copies are saved\n",
        *quick * 1e3, *slow * 1e3, std::abs(*slow - *quick) / *slow * 100,
        *quick <= *slow ? "less" : "more",
        static_cast<long long>(without->run.memory.copiedBytes - with->run.memory.copiedBytes));
}

std::vector<SlowNode> slowestNodes(const StageRun& run, std::size_t count)
{
    std::vector<SlowNode> nodes;
    for (const exec::NodeTime& time : run.run.nodeTimes)
        if (run.graph && run.graph->contains(time.node)
            && run.graph->node(time.node).op == NodeOp::CallFunction)
            nodes.push_back({run.graph->node(time.node).name, time.seconds, time.bytes});
    std::ranges::stable_sort(nodes, std::ranges::greater(), &SlowNode::seconds);
    nodes.resize(std::min(nodes.size(), count));
    return nodes;
}

std::string deviceText(const StageRun& run)
{
    if (run.run.device.empty() && run.run.nodeTimes.empty())
        return {};
    std::string text = "    " + (run.run.device.empty() ? std::string("host") : run.run.device)
        + formatted("%s: %.3f ms", run.run.usesTf32 ? ", TF32" : "", run.run.seconds * 1e3);
    if (const auto peak = run.run.memory.devicePeakBytes)
        text += formatted(", peak by its own count %lld bytes", static_cast<long long>(*peak));
    if (!run.run.repeatSeconds.empty())
        text +=
            formatted(", best of %d more %.3f ms", static_cast<int>(run.run.repeatSeconds.size()),
                      *std::ranges::min_element(run.run.repeatSeconds) * 1e3);
    if (!run.run.graphSeconds.empty())
        text += formatted(", as a CUDA graph %.3f ms",
                          *std::ranges::min_element(run.run.graphSeconds) * 1e3);
    text += "\n";
    for (const SlowNode& node : slowestNodes(run, kShown))
        text +=
            formatted("    %8.1f us  %7.1f GB/s  ", node.seconds * 1e6, node.bytesPerSecond() / 1e9)
            + node.name + "\n";
    return text;
}

} // namespace reinspect::proof
