// SPDX-License-Identifier: MIT
// DOT: what FxGraphDrawer writes (each node's label is a record of its name, op, target and shape), what
// writeDot writes (which carries the whole capture), and any other DOT, shown as a plain graph. A drawing
// tells who uses whom and not at which position, so the producers of a node stand for its arguments.
// The parser is our own: Graphviz's keeps global state and is not always there.
#pragma once

#include "core/io/document.h"

namespace reinspect
{

// The text begins as DOT does, comments aside.
bool isDotText(std::string_view text);
Result<Document> readDotText(std::shared_ptr<const SourceText> text,
                             const RunControl& control = {});

} // namespace reinspect
