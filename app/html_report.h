// SPDX-License-Identifier: MIT
// One self-contained HTML page on a graph: totals, picture, every verdict with its reason in words,
// memory, the times of a run when one was made, and the readable code. Nothing is loaded from elsewhere, nothing runs in it.
#pragma once

#include "core/io/document.h"
#include "core/passes/pass_trace.h"

#include <QByteArray>
#include <QString>

namespace reinspect
{

struct Timeline;

struct ReportInput
{
    const Document& document;
    const PassTrace& trace;
    QString title;
    QString shown;                      // which part of the graph the picture shows
    QByteArray svg;                     // empty: no picture
    const Timeline* timeline = nullptr; // of a run of this trace; null: none was made
};

QString htmlReport(const ReportInput& input);
Result<void> writeReport(const ReportInput& input, const QString& path);

// The verdict table alone, for pasting into an issue.
QString verdictsAsMarkdown(const PassTrace& trace);

} // namespace reinspect
