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
struct PictureOptions
{
    QRectF area = {}; // of the scene; empty: all of it
    double scale = 1; // pixels a unit, of .png
};

// By the ending of the name: .svg, .pdf, .png or .dot.
Result<void> writePicture(const GraphScene& scene, const Theme& theme, const QString& path,
                          const PictureOptions& options = {});
QByteArray pictureSvg(const GraphScene& scene, const Theme& theme); // empty for an empty scene
// What is drawn, as a graph for other tools: boxes with their lines of text and their colours.
QByteArray pictureDot(const GraphScene& scene, const Theme& theme, const QRectF& area = {});

} // namespace reinspect
