// SPDX-License-Identifier: MIT
// loadDocument for everything the window can open: files, and resources of the program
// (":/samples/..."), which core cannot read.
#pragma once

#include "core/io/document.h"

class QString;

namespace reinspect
{

Result<std::shared_ptr<const Document>> readDocument(const QString& path,
                                                     const RunControl& control = {});

} // namespace reinspect
