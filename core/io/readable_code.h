// SPDX-License-Identifier: MIT
// print_readable code: class, forward, one statement a node, annotations, deletions, comments.
// The reader takes what current PyTorch prints, keeps each node's place in the text, and lists what
// it could not read as problems.
#pragma once

#include "core/io/document.h"

namespace reinspect
{

Result<Document> readReadableCode(std::shared_ptr<const SourceText> text,
                                  const RunControl& control = {});

// print_readable's spelling with strides and devices, deletions included. Reading it back gives an
// equal graph.
std::string writeReadableCode(const Graph& graph);

} // namespace reinspect
