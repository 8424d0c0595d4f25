// SPDX-License-Identifier: MIT
#include "views/canvas/picture_file.h"

#include "views/canvas/graph_painter.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace reinspect
{

static constexpr double kMostPixels = 64e6;
static constexpr double kLongestSide = 32'000; // what QPainter draws on without trouble

static void paintWhole(QPainter& painter, const GraphScene& scene, const Theme& theme,
                       const QRectF& bounds, double scale, bool asFile)
{
    painter.fillRect(QRectF(QPointF(0, 0), bounds.size() * scale),
                     theme.color(Surface::Background));
    painter.scale(scale, scale);
    painter.translate(-bounds.topLeft());
    GraphPainter().paint(painter, scene, theme, {.area = bounds, .scale = scale, .asFile = asFile});
}

static QImage imageOf(const GraphScene& scene, const Theme& theme, const QRectF& area, double scale)
{
    const QSizeF whole = area.size();
    const double byArea = std::sqrt(kMostPixels / (whole.width() * whole.height()));
    const double bySide = kLongestSide / std::max(whole.width(), whole.height());
    const double used = std::min({scale, byArea, bySide});
    QImage image((whole * used).toSize().expandedTo({1, 1}), QImage::Format_RGB32);
    QPainter painter(&image);
    paintWhole(painter, scene, theme, area, used, false);
    return image;
}

QImage pictureImage(const GraphScene& scene, const Theme& theme, double scale)
{
    return scene.isEmpty() ? QImage() : imageOf(scene, theme, scene.bounds(), scale);
}

static Result<void> writeFailed(const QString& path)
{
    return Error{.message = "the picture could not be written",
                 .hint = "check that the folder exists and that there is room in it",
                 .file = path.toStdString(),
                 .kind = ErrorKind::CannotRunHere};
}

static bool paintSvg(QSvgGenerator& generator, const GraphScene& scene, const Theme& theme,
                     const QRectF& area)
{
    const QSizeF size = area.size();
    generator.setSize(size.toSize());
    generator.setViewBox(QRectF(QPointF(0, 0), size));
    generator.setTitle(QString::fromStdString(scene.trace()->initial->name));
    QPainter painter;
    if (!painter.begin(&generator))
        return false;
    paintWhole(painter, scene, theme, area, 1, true);
    return painter.end();
}

QByteArray pictureSvg(const GraphScene& scene, const Theme& theme)
{
    if (scene.isEmpty())
        return {};
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    paintSvg(generator, scene, theme, scene.bounds());
    return buffer.data();
}

static Result<void> writeBytes(const QByteArray& bytes, const QString& path)
{
    QSaveFile file(path);
    const bool isWritten =
        file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
    return isWritten ? Result<void>() : writeFailed(path);
}

static Result<void> writePdfFile(const GraphScene& scene, const Theme& theme, const QRectF& area,
                                 const QString& path)
{
    QPdfWriter writer(path);
    writer.setResolution(72);
    // One page as large as the picture; PDF allows 200 inches a side.
    const QSizeF size = area.size();
    const double scale = std::min(1.0, 14'400 / std::max(size.width(), size.height()));
    writer.setPageSize(QPageSize(size * scale, QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    QPainter painter;
    if (!painter.begin(&writer))
        return writeFailed(path);
    paintWhole(painter, scene, theme, area, scale, true);
    return painter.end() ? Result<void>() : writeFailed(path);
}

static QByteArray dotQuoted(const std::string& text)
{
    QByteArray quoted = QByteArray::fromStdString(text);
    quoted.replace('\\', "\\\\").replace('"', "\\\"");
    return '"' + quoted + '"';
}

static QByteArray dotLabel(const GraphScene& scene, std::uint32_t box)
{
    const std::uint32_t group = scene.groupOfBox(box);
    if (group != kNoGroup)
        return dotQuoted(scene.groupName(group)).replace("\n", "\\n");
    const NodeId node = scene.boxNode(box);
    const NodeLabel label = labelOf(*scene.trace()->result, node);
    QByteArray text = dotQuoted(label.name);
    text.chop(1);
    for (const std::string& line : {scene.operation(node), label.shape})
    {
        if (!line.empty())
            text += "\\n" + dotQuoted(line).mid(1).chopped(1);
    }
    return text + '"';
}

QByteArray pictureDot(const GraphScene& scene, const Theme& theme, const QRectF& area)
{
    QByteArray dot = "digraph {\n    node [shape=box style=filled fontname=\"DejaVu Sans\"]\n";
    std::unordered_map<std::size_t, std::uint32_t> boxOf;
    const QRectF seen = area.isEmpty() ? scene.bounds() : area;
    for (const std::uint32_t box : scene.boxesIn(seen))
    {
        const NodeMarks marks = scene.boxMarks(box);
        if (marks.presence != Presence::Present)
            continue;
        boxOf.emplace(scene.boxNode(box).index(), box);
        const RoleStyle& style = theme.style(bodyRole(marks));
        dot += "    n" + QByteArray::number(box) + " [label=" + dotLabel(scene, box)
            + " fillcolor=\"" + style.fill.name().toLatin1() + "\" color=\""
            + style.border.name().toLatin1() + "\" fontcolor=\"" + style.text.name().toLatin1()
            + "\"]\n";
    }
    const auto edge = [&](NodeId from, NodeId to) {
        const auto source = boxOf.find(from.index());
        const auto target = boxOf.find(to.index());
        if (source != boxOf.end() && target != boxOf.end())
            dot += "    n" + QByteArray::number(source->second) + " -> n"
                + QByteArray::number(target->second) + '\n';
    };
    for (std::uint32_t i = 0; i < scene.edges().size(); ++i)
    {
        if (scene.edgeState(i) != EdgeState::Hidden)
            edge(scene.edges()[i].from, scene.edges()[i].to);
    }
    for (std::uint32_t i = 0; i < scene.stubs().size(); ++i)
    {
        if (!scene.isStubShown(i))
            continue;
        const SceneStub& stub = scene.stubs()[i];
        if (boxOf.contains(stub.value.index()))
            edge(stub.value, stub.user);
        else if (boxOf.contains(stub.user.index()))
            dot += "    s" + QByteArray::number(i) + " [shape=ellipse label="
                + dotQuoted(scene.stubName(stub)) + "]\n    s" + QByteArray::number(i) + " -> n"
                + QByteArray::number(boxOf[stub.user.index()]) + '\n';
    }
    return dot + "}\n";
}

Result<void> writePicture(const GraphScene& scene, const Theme& theme, const QString& path,
                          const PictureOptions& options)
{
    if (scene.isEmpty())
        return Error{.message = "there is no picture yet", .kind = ErrorKind::CannotRunHere};
    const QRectF area = options.area.isEmpty() ? scene.bounds() : options.area;
    const QString ending = QFileInfo(path).suffix().toLower();
    if (ending == QLatin1String("svg"))
    {
        QBuffer buffer;
        buffer.open(QIODevice::WriteOnly);
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        paintSvg(generator, scene, theme, area);
        return writeBytes(buffer.data(), path);
    }
    if (ending == QLatin1String("pdf"))
        return writePdfFile(scene, theme, area, path);
    if (ending == QLatin1String("png"))
        return imageOf(scene, theme, area, options.scale).save(path) ? Result<void>()
                                                                     : writeFailed(path);
    if (ending == QLatin1String("dot") || ending == QLatin1String("gv"))
        return writeBytes(pictureDot(scene, theme, options.area), path);
    return Error{.message = "pictures are written as .svg, .pdf, .png or .dot",
                 .file = path.toStdString(),
                 .kind = ErrorKind::BadUsage};
}

} // namespace reinspect
