// SPDX-License-Identifier: MIT
#include "views/canvas/picture_file.h"

#include "views/canvas/graph_painter.h"

#include <QFileInfo>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>

namespace reinspect
{

static constexpr double kMostPixels = 64e6;
static constexpr double kLongestSide = 32'000; // what QPainter draws on without trouble

static void paintWhole(QPainter& painter, const GraphScene& scene, const Theme& theme, double scale,
                       bool asFile)
{
    const QRectF& bounds = scene.bounds();
    painter.fillRect(QRectF(QPointF(0, 0), bounds.size() * scale),
                     theme.color(Surface::Background));
    painter.scale(scale, scale);
    painter.translate(-bounds.topLeft());
    GraphPainter().paint(painter, scene, theme, {.area = bounds, .scale = scale, .asFile = asFile});
}

QImage pictureImage(const GraphScene& scene, const Theme& theme, double scale)
{
    if (scene.isEmpty())
        return {};
    const QSizeF whole = scene.bounds().size();
    const double byArea = std::sqrt(kMostPixels / (whole.width() * whole.height()));
    const double bySide = kLongestSide / std::max(whole.width(), whole.height());
    const double used = std::min({scale, byArea, bySide});
    QImage image((whole * used).toSize().expandedTo({1, 1}), QImage::Format_RGB32);
    QPainter painter(&image);
    paintWhole(painter, scene, theme, used, false);
    return image;
}

static Result<void> writeFailed(const QString& path)
{
    return Error{.message = "the picture could not be written",
                 .hint = "check that the folder exists and that there is room in it",
                 .file = path.toStdString(),
                 .kind = ErrorKind::CannotRunHere};
}

static Result<void> writeSvgFile(const GraphScene& scene, const Theme& theme, const QString& path)
{
    const QSizeF size = scene.bounds().size();
    QSvgGenerator generator;
    generator.setFileName(path);
    generator.setSize(size.toSize());
    generator.setViewBox(QRectF(QPointF(0, 0), size));
    generator.setTitle(QString::fromStdString(scene.trace()->initial->name));
    QPainter painter;
    if (!painter.begin(&generator))
        return writeFailed(path);
    paintWhole(painter, scene, theme, 1, true);
    return painter.end() ? Result<void>() : writeFailed(path);
}

static Result<void> writePdfFile(const GraphScene& scene, const Theme& theme, const QString& path)
{
    QPdfWriter writer(path);
    writer.setResolution(72);
    // One page as large as the picture; PDF allows 200 inches a side.
    const QSizeF size = scene.bounds().size();
    const double scale = std::min(1.0, 14'400 / std::max(size.width(), size.height()));
    writer.setPageSize(QPageSize(size * scale, QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    QPainter painter;
    if (!painter.begin(&writer))
        return writeFailed(path);
    paintWhole(painter, scene, theme, scale, true);
    return painter.end() ? Result<void>() : writeFailed(path);
}

Result<void> writePicture(const GraphScene& scene, const Theme& theme, const QString& path)
{
    if (scene.isEmpty())
        return Error{.message = "there is no picture yet", .kind = ErrorKind::CannotRunHere};
    const QString ending = QFileInfo(path).suffix().toLower();
    if (ending == QLatin1String("svg"))
        return writeSvgFile(scene, theme, path);
    if (ending == QLatin1String("pdf"))
        return writePdfFile(scene, theme, path);
    if (ending == QLatin1String("png"))
        return pictureImage(scene, theme, 1).save(path) ? Result<void>() : writeFailed(path);
    return Error{.message = "pictures are written as .svg, .pdf or .png",
                 .file = path.toStdString(),
                 .kind = ErrorKind::BadUsage};
}

} // namespace reinspect
