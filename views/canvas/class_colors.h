// SPDX-License-Identifier: MIT
// Colours of node classes: one set that people with colour-blindness can tell apart (Okabe and Ito)
// for kinds, one that goes from dark to light for amounts. Fills are mixed with the background, so
// that text on them stays readable in both themes.
#pragma once

#include "views/canvas/theme.h"

namespace reinspect
{

struct ClassColor
{
    QColor strong; // of boxes too small for text, and of borders
    QColor fill;
};

// `count` classes in all; a scale runs over them.
ClassColor classColor(const Theme& theme, std::size_t index, std::size_t count, bool isScale);

} // namespace reinspect
