// SPDX-License-Identifier: MIT
// What a run of a graph has around it: on a device the inputs over there and the results back here or left there; on
// either, further runs for their time.
#pragma once

#include "core/exec/device.h"
#include "core/exec/executor.h"
#include "core/exec/host_copies.h"

namespace reinspect::exec
{

class DeviceRun
{
public:
    DeviceRun(const RunOptions& options, RunContext& context);

    // Inputs go to the device, in place.
    Result<void> begin(RunInputs& inputs);
    // Waits for the device and takes what it counted.
    Result<void> finish(GraphRun& run);
    // What further runs may write: copies, for nobody has looked at the results yet. Where those find no room, a device's
    // results are to come home first, and the host repeats nothing: then `repeats` becomes 0.
    RunInputs inputsToRepeat(const RunInputs& there, int& repeats);
    // Inputs as the graph left them, and what it computed, come home, in place; unless they are to stay.
    Result<void> collect(std::vector<Value>& outputs);
    // The placeholders' values: `there` as the run had them.
    const std::vector<Value>& inputs(const RunInputs& given, const RunInputs& there) const;

    // Again and again, for the time it takes, and of each node the least: the first run also loads code. At most `most` seconds where that is not 0.
    Result<void> repeat(const Graph& graph, const RunInputs& inputs, const RunControl& control,
                        int repeats, double most, GraphRun& run);
    // The launches of a run as one graph of CUDA's. What keeps it from being one is a note: the run itself is fine.
    void record(const Graph& graph, const RunInputs& inputs, const RunControl& control, int times,
                GraphRun& run);

    // The value of a node as it is now.
    void observe(const NodeObserver& observer, NodeId node, const Value& value) const;

private:
    Result<void> takeCopies(RunInputs& inputs) const;
    void takeDeviceTimes(std::vector<NodeTime>& nodes) const; // none on the host

    std::shared_ptr<Device> m_device; // null: the host
    RunContext& m_context;
    bool m_times;
    bool m_observesThere;
    bool m_staysThere;
    std::optional<HostCopies> m_copies;
};

} // namespace reinspect::exec
