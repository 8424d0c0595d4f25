// SPDX-License-Identifier: MIT
// What a timeline shows, as sentences and numbers: one node, and what the pass saves.
#pragma once

#include <QString>

#include "views/session/timeline.h"

namespace reinspect
{

QString shareText(double share);              // "12.5 %"
QString rateNumber(const TimelineNode& node); // of GB/s: "333"
QString rateText(const TimelineNode& node);   // "333 GB/s"; empty where nothing was moved
QString placeText(const TimelineStage& stage, const TimelineNode& node); // "GPU", "CPU"

// "mul (mul) after: 12 µs, 3.1 % of it, 4.0 MiB read and written, 333 GB/s."
QString nodeTimeText(const TimelineStage& stage, const TimelineNode& node);

// "The pass saves 1.2 ms (12.0 %) and 3.0 MiB of copies: ..."; empty where no two stages were timed.
QString savedText(const Timeline& timeline);

} // namespace reinspect
