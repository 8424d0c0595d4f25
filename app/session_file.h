// SPDX-License-Identifier: MIT
// A saved session, "*.reinspect": the open documents with the place in each, the policy with what was
// forced and forbidden, breakpoints, and the panels. JSON.
#pragma once

#include "app/tab_state.h"
#include "core/passes/reinplace_policy.h"

#include <QByteArray>

namespace reinspect
{

struct SessionFile
{
    std::vector<TabState> tabs;
    int current = 0;
    QByteArray geometry;                        // of the window
    QByteArray state;                           // of its docks
    quint32 seed = 0;                           // of runs
    std::optional<ReinplacePolicy> policy = {}; // none in files of earlier versions
    bool followsCapture = false;                // Session::followCapture()
    QStringList breakpoints = {};               // as Preferences::breakpoints
};

// What is broken or not a session is an error that names the file; documents are not read.
Result<SessionFile> readSessionFile(const QString& path);
Result<void> writeSessionFile(const QString& path, const SessionFile& session);

} // namespace reinspect
