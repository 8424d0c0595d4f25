// SPDX-License-Identifier: MIT
// A folder as one document: TORCH_COMPILE_DEBUG's runs, tlparse's output, TORCH_TRACE's folder, or any
// folder with dumps in it. Each graph keeps the text of its own file; the document's text is a table of
// contents.
#pragma once

#include "core/io/document.h"

namespace reinspect
{

Result<std::shared_ptr<const Document>>
loadFolder(const std::string& path, const RunControl& control, const GraphFound& found);

// What a file's place says: "aot_forward_graph_3.txt" in "-_0_0_0" is the artifact aot_forward_graph of
// compile id 0/0; "fx_graph_readable.py" in "model__0_inference_0.0" is titled by that folder.
GraphOrigin originOfFile(const std::string& relativePath);

} // namespace reinspect
