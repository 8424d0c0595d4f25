// SPDX-License-Identifier: MIT
// How long the picture of one trace takes on this machine, beside the budget of each: for
// `reinspect --bench`. Paints on an image of 1600 x 1000 pixels; starts the layout helper.
#pragma once

#include "core/passes/pass_trace.h"

#include <memory>

namespace reinspect
{

struct BenchRow
{
    std::string name;
    std::int64_t size = 0; // nodes
    double value = 0;
    std::string unit;
    double budget = 0;
    bool ok = true;
};

// Needs a QGuiApplication with an event dispatcher. An empty trace gives no rows.
std::vector<BenchRow> benchCanvas(std::shared_ptr<const PassTrace> trace);

} // namespace reinspect
