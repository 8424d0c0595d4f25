// SPDX-License-Identifier: MIT
// The capture tool that the program carries, and what to write to use it from where it was saved.
#pragma once

#include <QString>

#include "core/base/result.h"

namespace reinspect
{

enum class ToolState
{
    Missing, // not saved, or gone
    Other,   // there, but not this program's version
    Saved,
};

QString toolFileName(); // "reinspect_capture.py"
ToolState toolState(const QString& path);
Result<void> saveTool(const QString& path);

struct CaptureLines
{
    QString program; // lines of Python, to be put around the first call
    QString command; // for a shell, without changing the program
};
// Empty path: the tool lies beside the program. `live`: captures are sent to the window, too.
CaptureLines captureLines(const QString& toolPath, bool live);

} // namespace reinspect
