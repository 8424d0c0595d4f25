// SPDX-License-Identifier: MIT
// The file of tensors that a graph is run on, for callers that know no file formats.
#pragma once

#include "core/proof/graph_inputs.h"

namespace reinspect::proof
{

// "data.safetensors" in the folder; empty when there is none.
std::string inputFileIn(const std::string& folder);

Result<std::shared_ptr<const TensorFile>> readInputFile(const std::string& path);

} // namespace reinspect::proof
