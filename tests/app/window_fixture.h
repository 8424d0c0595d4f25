// SPDX-License-Identifier: MIT
// A window on a file, for tests of the whole program.
#pragma once

#include "app/actions.h"
#include "app/main_window.h"
#include "app/sample_index.h"
#include "tests/support/session_fixture.h"
#include "views/canvas/graph_view.h"

namespace reinspect
{

#ifdef REINSPECT_LAYOUT_PROGRAM
// The tests do not lie beside the helper as the program does.
inline const bool kHelperIsNamed = qputenv("REINSPECT_LAYOUT", REINSPECT_LAYOUT_PROGRAM);
#endif

inline QString sampleFile(const char* name)
{
    return QStringLiteral(REINSPECT_SOURCE_DIR "/samples/") + QLatin1String(name);
}

// False when the file was not opened and traced within the time that is waited.
inline bool openAndWait(MainWindow& window, const QString& path)
{
    QSignalSpy opened(window.session(), &Session::opened);
    window.open(path);
    return QTest::qWaitFor([&] { return opened.count() > 0 && window.session()->trace(); }, 20'000);
}

inline bool showAndWait(MainWindow& window)
{
    window.show();
    return QTest::qWaitForWindowExposed(&window);
}

} // namespace reinspect
