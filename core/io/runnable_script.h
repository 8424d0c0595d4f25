// SPDX-License-Identifier: MIT
// fx_graph_runnable.py, repro.py and minifier scripts: the code of Repro.forward, and around it what no
// other dump has: the inputs with their strides and the buffers they share, parameters and constants,
// sizes of symbols, the Triton kernels and their constants.
#pragma once

#include "core/io/document.h"

namespace reinspect
{

bool isRunnableScript(std::string_view text);
Result<Document> readRunnableScript(std::shared_ptr<const SourceText> text,
                                    const RunControl& control = {});

} // namespace reinspect
