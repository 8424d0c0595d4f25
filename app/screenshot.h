// SPDX-License-Identifier: MIT
// `reinspect --screenshot`: a picture of the real window, taken when the pass and the layout are
// done.
#pragma once

#include "app/window_options.h"

namespace reinspect
{

class MainWindow;

Result<void> takeScreenshot(MainWindow& window, const WindowOptions& options);

} // namespace reinspect
