// SPDX-License-Identifier: MIT
// A saved session, "*.reinspect": the open documents with the place in each, and the panels. JSON.
#pragma once

#include "app/tab_state.h"

#include <QByteArray>

namespace reinspect
{

struct SessionFile
{
    std::vector<TabState> tabs;
    int current = 0;
    QByteArray geometry; // of the window
    QByteArray state;    // of its docks
    quint32 seed = 0;    // of runs
};

// What is broken or not a session is an error that names the file; documents are not read.
Result<SessionFile> readSessionFile(const QString& path);
Result<void> writeSessionFile(const QString& path, const SessionFile& session);

} // namespace reinspect
