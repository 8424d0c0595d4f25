// SPDX-License-Identifier: MIT
#include "core/proof/device_report.h"

#include <algorithm>
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

} // namespace

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
