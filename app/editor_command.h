// SPDX-License-Identifier: MIT
// The reader's own editor on a line of a file: a command with %f for the file and %l for the line.
#pragma once

#include <QString>
#include <QStringList>

#include "core/base/result.h"
#include "core/ir/graph.h"

namespace reinspect
{

struct SourcePlace
{
    QString file;
    int line = 0; // 0: not known
};

// Where a node comes from: the file that its capture names ("model.py:12 in forward"), found from
// the current folder or beside the document; else its line in the document itself.
SourcePlace sourcePlaceOf(const Node& node, const QString& documentPath);
// "code -g %f:%l" as program and arguments; quotes hold blanks. The file is appended when the command
// does not say where it goes.
QStringList editorArguments(const QString& command, const SourcePlace& place);
// $VISUAL, $EDITOR are terminal programs as a rule, so only the command set by the reader is run.
Result<void> openInEditor(const QString& command, const SourcePlace& place);

} // namespace reinspect
