// SPDX-License-Identifier: MIT
#include "views/models/timeline_words.h"

#include "core/layout/node_label.h"
#include "views/models/tensor_words.h"
#include "views/session/qt_text.h"
#include "views/session/time_classes.h"

#include <QCoreApplication>

#include <cmath>

namespace reinspect
{

namespace
{

QString tr(const char* text)
{
    return QCoreApplication::translate("TimelineWords", text);
}

// "1.2 ms (12.0 %)"; more time is not called less.
QString gainText(const TimeSaved& saved)
{
    return QStringLiteral("%1 (%2)").arg(
        timeText(std::abs(saved.seconds())),
        shareText(std::abs(saved.seconds()) / saved.without->seconds));
}

QString goneText(const TimeSaved& saved)
{
    if (saved.copies == 0)
        return {};
    return tr(" Gone: %L1 of %L2 copies, which took %3.")
        .arg(saved.copies)
        .arg(saved.without->copies)
        .arg(timeText(saved.copySeconds));
}

} // namespace

QString shareText(double share)
{
    const double percent = share * 100;
    return percent > 0 && percent < 0.1 ? QStringLiteral("%1 %").arg(percent, 0, 'g', 1)
                                        : QStringLiteral("%1 %").arg(percent, 0, 'f', 1);
}

QString rateNumber(const TimelineNode& node)
{
    return QString::number(node.bytesPerSecond() / 1e9, 'g', 3);
}

QString rateText(const TimelineNode& node)
{
    return node.bytesPerSecond() > 0 ? QStringLiteral("%1 GB/s").arg(rateNumber(node)) : QString();
}

QString placeText(const TimelineStage& stage, const TimelineNode& node)
{
    return stage.device.empty() || node.isOnHost ? tr("CPU") : tr("GPU");
}

QString nodeTimeText(const TimelineStage& stage, const TimelineNode& node)
{
    QStringList parts{timeText(node.seconds), tr("%1 of it").arg(shareText(stage.shareOf(node)))};
    if (node.bytes > 0)
        parts << tr("%1 read and written").arg(bytesText(node.bytes)) << rateText(node);
    if (node.isOnHost)
        parts << tr("on the CPU, because the GPU has no code for it");
    parts.removeAll(QString());
    return tr("%1 (%2) in \"%3\": %4.")
        .arg(toQString(node.name), toQString(shortOperator(node.target)), toQString(stage.stage),
             parts.join(QStringLiteral(", ")));
}

QString savedText(const Timeline& timeline)
{
    const auto saved = timeSaved(timeline);
    if (!saved || saved->without->seconds <= 0)
        return {};
    const QString times =
        tr("nodes take %1 without it (%2) and %3 with it (%4).")
            .arg(timeText(saved->without->seconds), toQString(saved->without->stage),
                 timeText(saved->with->seconds), toQString(saved->with->stage));
    const QString bytes = bytesText(std::max<std::int64_t>(saved->copiedBytes, 0));
    if (saved->copiedBytes <= 0 && saved->copies == 0)
        return tr("The pass removes no copies: %1").arg(times);
    if (saved->seconds() > 0)
        return tr("The pass saves %1 and %2 of copies: %3").arg(gainText(*saved), bytes, times)
            + goneText(*saved);
    return tr("The pass saves %1 of copies, but no time in this run: %2").arg(bytes, times)
        + goneText(*saved);
}

} // namespace reinspect
