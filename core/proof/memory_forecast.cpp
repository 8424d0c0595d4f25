// SPDX-License-Identifier: MIT
#include "core/proof/memory_forecast.h"

#include "core/proof/forecaster.h"

namespace reinspect::proof
{
namespace
{

std::string deviceOf(const Graph& graph)
{
    for (const NodeId id : graph.order())
        if (const TensorMeta* meta = graph[id].meta.value.tensor())
            if (!meta->device.empty() && meta->device != "cpu")
                return meta->device;
    return "cpu";
}

} // namespace

MemoryForecast forecastMemory(const Graph& graph, const CaptureFacts& facts,
                              const SymbolValues& symbols)
{
    Ledger ledger;
    {
        Forecaster forecaster(ledger, facts, symbols, deviceOf(graph), 0);
        const auto kept = forecaster.run(graph, {});
    }
    ledger.listHolders();
    return std::move(ledger.forecast);
}

} // namespace reinspect::proof
