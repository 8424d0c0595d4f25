// SPDX-License-Identifier: MIT
// The small shapes that tell roles apart without colour.
#pragma once

#include "views/canvas/theme.h"

class QPainter;

namespace reinspect
{

// Fills `rect` (a square) with the shape, in one colour.
void drawMark(QPainter& painter, Mark mark, const QRectF& rect, const QColor& color);

} // namespace reinspect
