// SPDX-License-Identifier: MIT
// One graph in every form and wrapping that can be opened, for measuring how quickly each is read.
#pragma once

#include "core/io/document.h"

namespace reinspect
{

struct BenchForm
{
    std::string name; // "log", "quoted paste"
    SourceText text;
};

std::vector<BenchForm> benchForms(const Graph& graph);

} // namespace reinspect
