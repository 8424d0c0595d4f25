// SPDX-License-Identifier: MIT
// The whole picture as an image, or as a file.
#pragma once

#include "core/base/result.h"
#include "views/canvas/graph_scene.h"

#include <QImage>

namespace reinspect
{

// Made smaller when it would take more than about 64 million pixels. Null for an empty scene.
QImage pictureImage(const GraphScene& scene, const Theme& theme, double scale);
// By the ending of the name: .svg, .pdf or .png.
Result<void> writePicture(const GraphScene& scene, const Theme& theme, const QString& path);

} // namespace reinspect
