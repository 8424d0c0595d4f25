// SPDX-License-Identifier: MIT
#include "core/exec/device_run.h"

#include "core/exec/graph_runner.h"

#include <algorithm>
#include <chrono>

namespace reinspect::exec
{

DeviceRun::DeviceRun(const RunOptions& options, RunContext& context)
    : m_device(options.device)
    , m_context(context)
    , m_times(options.timesNodes)
    , m_observesThere(options.staysOnDevice)
    , m_staysThere(options.staysOnDevice)
{
    if (m_device)
        m_copies.emplace(*m_device, context.tracker);
}

Result<void> DeviceRun::begin(RunInputs& inputs)
{
    if (!m_device)
        return {};
    for (Value& value : inputs.placeholders)
    {
        REINSPECT_TRY(value, m_copies->toDevice(value, StorageRole::Input));
    }
    for (auto& [name, value] : inputs.attributes)
    {
        REINSPECT_TRY(value, m_copies->toDevice(value, StorageRole::Input));
    }
    m_context.accelerator = m_device.get();
    m_device->beginRun(m_times);
    return {};
}

Result<void> DeviceRun::finish(GraphRun& run)
{
    if (!m_device)
        return {};
    REINSPECT_CHECK(m_device->finish());
    run.memory.devicePeakBytes = m_device->peakBytes();
    takeDeviceTimes(run.nodeTimes);
    return {};
}

RunInputs DeviceRun::inputsToRepeat(const RunInputs& there, int& repeats)
{
    RunInputs again = there;
    if (repeats < 1 || takeCopies(again).ok())
        return again;
    if (!m_device)
    {
        m_context.notes.insert("The run was not repeated: copies of its inputs find no room.");
        repeats = 0;
    }
    m_staysThere = false;
    return there;
}

Result<void> DeviceRun::collect(std::vector<Value>& outputs)
{
    m_context.accelerator = nullptr;
    if (!m_device || m_staysThere)
        return {};
    REINSPECT_CHECK(m_copies->readBack());
    for (Value& value : outputs)
    {
        REINSPECT_TRY(value, m_copies->toHost(value));
    }
    return {};
}

const std::vector<Value>& DeviceRun::inputs(const RunInputs& given, const RunInputs& there) const
{
    return m_staysThere ? there.placeholders : given.placeholders;
}

Result<void> DeviceRun::repeat(const Graph& graph, const RunInputs& inputs,
                               const RunControl& control, int repeats, double most, GraphRun& run)
{
    const RunControl quiet{control.stop, {}};
    double spent = 0;
    for (int i = 0; i < repeats; ++i)
    {
        if (most > 0 && spent >= most)
            break;
        // Marks between the nodes take a device's time, too: of a given number of runs the last has them.
        const bool isTimed = m_times && (!m_device || most > 0 || i + 1 == repeats);
        std::vector<NodeTime> nodes;
        const auto begin = std::chrono::steady_clock::now();
        m_context.accelerator = m_device.get();
        if (m_device)
            m_device->beginRun(isTimed);
        GraphRunner runner(graph, m_context, quiet);
        runner.isOutermost = true;
        runner.times = isTimed ? &nodes : nullptr;
        REINSPECT_TRY(const auto values, runner.run(inputs));
        if (m_device)
            REINSPECT_CHECK(m_device->finish());
        m_context.accelerator = nullptr;
        takeDeviceTimes(nodes);
        for (std::size_t k = 0; k < nodes.size() && k < run.nodeTimes.size(); ++k)
            run.nodeTimes[k].seconds = std::min(run.nodeTimes[k].seconds, nodes[k].seconds);
        run.repeatSeconds.push_back(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        spent += run.repeatSeconds.back();
    }
    return {};
}

void DeviceRun::record(const Graph& graph, const RunInputs& inputs, const RunControl& control,
                       int times, GraphRun& run)
{
    if (!m_device || times < 1)
        return;
    const auto outcome = [&]() -> Result<std::vector<double>> {
        m_device->beginRun(false);
        REINSPECT_CHECK(m_device->beginRecording());
        m_context.accelerator = m_device.get();
        GraphRunner runner(graph, m_context, control);
        const auto values = runner.run(inputs); // alive until it was replayed
        m_context.accelerator = nullptr;
        return m_device->replay(times);
    }();
    if (outcome.ok())
        run.graphSeconds = *outcome;
    else
        m_context.notes.insert("The run could not be recorded as a CUDA graph: "
                               + outcome.error().message);
}

void DeviceRun::observe(const NodeObserver& observer, NodeId node, const Value& value) const
{
    if (!m_device || m_observesThere)
        observer(node, value);
    else if (const auto here = broughtHome(value); here.ok())
        observer(node, *here);
}

Result<void> DeviceRun::takeCopies(RunInputs& inputs) const
{
    OwnCopies copies(m_context.tracker);
    for (Value& value : inputs.placeholders)
    {
        REINSPECT_TRY(value, copies.of(value));
    }
    for (auto& [name, value] : inputs.attributes)
    {
        REINSPECT_TRY(value, copies.of(value));
    }
    return {};
}

void DeviceRun::takeDeviceTimes(std::vector<NodeTime>& nodes) const
{
    const std::vector<double> seconds = m_device ? m_device->nodeSeconds() : std::vector<double>();
    for (std::size_t i = 0; i < seconds.size() && i < nodes.size(); ++i)
        nodes[i].seconds = seconds[i];
}

} // namespace reinspect::exec
