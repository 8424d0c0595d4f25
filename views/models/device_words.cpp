// SPDX-License-Identifier: MIT
#include "views/models/device_words.h"

#include "core/proof/device_report.h"
#include "views/models/tensor_words.h"
#include "views/session/qt_text.h"
#include "views/session/time_classes.h"

#include <QCoreApplication>

#include <algorithm>

namespace reinspect
{

namespace
{

constexpr std::size_t kSlowest = 5;

QString tr(const char* text)
{
    return QCoreApplication::translate("DeviceWords", text);
}

// "12 ms before, 9 ms after": of each stage that ran on a device.
template<typename Text>
QString byStage(const proof::Equivalence& proof, const Text& text)
{
    QStringList parts;
    for (const proof::StageRun& run : proof.runs)
        if (run.ran() && !run.run.device.empty())
            if (const QString part = text(run); !part.isEmpty())
                parts.append(QStringLiteral("%1 %2").arg(part, toQString(run.stage)));
    return parts.join(QStringLiteral(", "));
}

// The first run on a GPU loads its code.
double leastSeconds(const exec::GraphRun& run)
{
    double least = run.seconds;
    for (const double seconds : run.repeatSeconds)
        least = std::min(least, seconds);
    return least;
}

QString slowestText(const proof::StageRun& run)
{
    QStringList parts;
    for (const proof::SlowNode& node : proof::slowestNodes(run, kSlowest))
        parts.append(tr("\"%1\" %2 (%3 GB/s)")
                         .arg(toQString(node.name), timeText(node.seconds))
                         .arg(node.bytesPerSecond() / 1e9, 0, 'g', 3));
    return parts.join(QStringLiteral(", "));
}

void addHostRuns(QStringList& notes, const exec::GraphRun& run)
{
    for (const auto& [target, runs] : run.hostRuns)
        notes.append(tr("%1 ran on the CPU, because the GPU has no code for it: %2, %3 copied.")
                         .arg(toQString(target),
                              counted(static_cast<qsizetype>(runs.calls), tr("call"), tr("calls")),
                              bytesText(static_cast<std::int64_t>(runs.copiedBytes))));
}

} // namespace

QStringList deviceNotes(const proof::Equivalence& proof)
{
    QStringList notes;
    const QString times =
        byStage(proof, [](const proof::StageRun& run) { return timeText(leastSeconds(run.run)); });
    if (times.isEmpty())
        return notes;
    const QString peaks = byStage(proof, [](const proof::StageRun& run) {
        return run.run.memory.devicePeakBytes ? bytesText(*run.run.memory.devicePeakBytes)
                                              : QString();
    });
    if (!peaks.isEmpty())
        notes.append(tr("Peak by the GPU's own count: %1.").arg(peaks));
    notes.append(tr("Time: %1.").arg(times));
    const QString slowest = slowestText(proof.runs.front());
    if (!slowest.isEmpty())
        notes.append(tr("Slowest before the pass: %1.").arg(slowest));
    addHostRuns(notes, proof.runs.front().run);
    return notes;
}

} // namespace reinspect
