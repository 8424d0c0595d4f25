// SPDX-License-Identifier: MIT
// The capture format (`reinspect-graph`, version 1): our interchange form, read and written.
// Unknown keys are ignored; a higher version is refused with a message that says what to update.
#pragma once

#include "core/io/document.h"

namespace reinspect
{

Result<Document> readJsonDocument(std::shared_ptr<const SourceText> text,
                                  const RunControl& control = {});

// One graph with what the document knows besides it, as UTF-8 JSON. Reading it back gives an equal
// graph.
std::string writeJsonDocument(const Document& document, const Graph& graph, Stage stage);

} // namespace reinspect
