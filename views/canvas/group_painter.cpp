// SPDX-License-Identifier: MIT
// Groups: frames with their names around what is unfolded, and boxes for what is folded.
#include "views/canvas/graph_painter.h"

#include "views/canvas/mark_shapes.h"

#include <QPainter>

#include <algorithm>

namespace reinspect
{

QRectF groupFrame(const QRectF& group)
{
    return group.adjusted(-8, -8, 8, 8);
}

// The name keeps its size on the screen, so that it is read from afar, where there is room for it.
static void paintFrameName(const PaintJob& job, const QRectF& frame, const std::string& name)
{
    const double size = std::max(1.0, 0.9 / job.scale);
    const ShapedText& text = job.glyphs.shaped(job.metrics.stub(), name, 1000);
    if (text.width * size > frame.width() || text.height * size > frame.height() / 2)
        return;
    job.painter.save();
    job.painter.translate(frame.left() + 4 * size, frame.top() - text.height * size);
    job.painter.scale(size, size);
    job.painter.setRenderHint(QPainter::Antialiasing);
    job.painter.setPen(job.theme.color(Surface::FaintText));
    drawShaped(job.painter, text, job.metrics.stub(), QRectF(0, 0, text.width, text.height),
               job.asFile);
    job.painter.restore();
}

void paintGroups(const PaintJob& job)
{
    if (job.scene.groups().size() < 2)
        return;
    for (std::size_t i = 0; i < job.scene.groups().size(); ++i)
    {
        const QRectF frame = groupFrame(job.scene.groups()[i]);
        if (!frame.adjusted(0, -40 / job.scale, 0, 0).intersects(job.area))
            continue;
        job.painter.setPen(QPen(job.theme.color(Surface::Grid), 0));
        job.painter.setBrush(Qt::NoBrush);
        job.painter.drawRect(frame);
        if (job.scene.frameGroup(i) != kNoGroup)
            paintFrameName(job, frame, job.scene.groupName(job.scene.frameGroup(i)));
    }
}

// The marks of what was decided inside, in the corner of a box too small for counts.
static void paintSmallBadges(const PaintJob& job, const GroupFacts& facts, const QRectF& box)
{
    const double size = std::min(box.height() * 0.42, 10 / job.scale);
    QRectF square(box.right() - 1.2 * size, box.bottom() - 1.15 * size, size, size);
    for (const auto& [role, count] : {std::pair(Role::Candidate, facts.undecided),
                                      {Role::Reinplaced, facts.inPlace},
                                      {Role::Kept, facts.kept}})
    {
        if (count == 0)
            continue;
        const RoleStyle& style = job.theme.style(role);
        job.painter.setPen(Qt::NoPen);
        job.painter.setBrush(style.border);
        job.painter.drawRect(square);
        drawMark(job.painter, style.mark, square.adjusted(size / 6, size / 6, -size / 6, -size / 6),
                 style.fill);
        square.translate(-1.2 * size, 0);
    }
}

// As large as the box allows, for a box too small for all that it says.
void paintFoldedName(const PaintJob& job, std::uint32_t box)
{
    constexpr double kLeast = 7; // pixels; less could not be read
    const QRectF& rect = job.scene.boxRect(box);
    const std::uint32_t group = job.scene.groupOfBox(box);
    const TextMeasure& measure = job.metrics.name();
    const ShapedText& text = job.glyphs.shaped(measure, job.scene.groupName(group), 1000);
    const double size =
        std::min({rect.width() * 0.9 / text.width, rect.height() * 0.9 / text.height,
                  std::max(1.0, 0.9 / job.scale)});
    if (text.height * size * job.scale < kLeast)
        return;
    paintSmallBadges(job, job.scene.groupFacts(group), rect);
    job.painter.save();
    job.painter.translate(rect.center());
    job.painter.scale(size, size);
    job.painter.setPen(job.theme.color(Surface::Text));
    drawShaped(job.painter, text, measure,
               QRectF(-text.width / 2, -text.height / 2, text.width, text.height), job.asFile);
    job.painter.restore();
}

// "3 in place" with the mark of the role; returns the width.
static double paintCount(const PaintJob& job, Role role, std::size_t count, const QString& more,
                         QPointF corner)
{
    const RoleStyle& style = job.theme.style(role);
    const QString words = QStringLiteral("%L1%2").arg(count).arg(more);
    const double height = BoxMetrics::kTagHeight;
    const double width = job.metrics.tagWidth(words);
    const QRectF rect(corner, QSizeF(width, height));
    job.painter.setPen(Qt::NoPen);
    job.painter.setBrush(style.border);
    job.painter.drawRoundedRect(rect, 3, 3);
    drawMark(job.painter, style.mark, QRectF(rect.left() + 4, rect.top() + 3, 9, 9), style.fill);
    const TextMeasure& measure = job.metrics.tag();
    const ShapedText& text = job.glyphs.shaped(measure, words.toStdString(), 1000);
    job.painter.setPen(style.fill);
    drawShaped(
        job.painter, text, measure,
        QRectF(rect.left() + height, rect.top() + (height - text.height) / 2, text.width, height),
        job.asFile);
    return width;
}

static QString sizeText(std::int64_t bytes)
{
    constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; value >= 1024 && unit < 4; ++unit)
        value /= 1024;
    return QStringLiteral(" \u00b7 %1 %2")
        .arg(value, 0, 'f', unit == 0 || value >= 100 ? 0 : 1)
        .arg(QLatin1String(kUnits[unit]));
}

static void paintBadges(const PaintJob& job, const GroupFacts& facts, const QRectF& box)
{
    QPointF corner(box.left() + 6, box.bottom() - BoxMetrics::kTagRow);
    const auto paint = [&](Role role, std::size_t count, const QString& more) {
        if (count > 0)
            corner.rx() += paintCount(job, role, count, more, corner) + 4;
    };
    paint(Role::Kept, facts.kept, facts.cloneBytes > 0 ? sizeText(facts.cloneBytes) : QString());
    paint(Role::Reinplaced, facts.inPlace, {});
    paint(Role::Candidate, facts.undecided, {});
}

// Two sheets, because more lies below.
void paintFoldedGroup(const PaintJob& job, std::uint32_t box)
{
    const std::uint32_t group = job.scene.groupOfBox(box);
    const GroupFacts& facts = job.scene.groupFacts(group);
    const QRectF& rect = job.scene.boxRect(box);
    const RoleStyle& style = job.theme.style(Role::Input);
    paintRings(job, box);
    job.painter.setPen(style.pen());
    job.painter.setBrush(style.fill);
    job.painter.drawRoundedRect(rect.translated(4, 4), 4, 4);
    job.painter.drawRoundedRect(rect, 4, 4);
    QRectF line(rect.left(), rect.top() + BoxMetrics::kPadding, rect.width(), BoxMetrics::kLine);
    const double widest = rect.width() - 2 * BoxMetrics::kPadding;
    const TextMeasure& name = job.metrics.name();
    job.painter.setPen(style.text);
    drawShaped(job.painter, job.glyphs.shaped(name, "\u25b8 " + job.scene.groupName(group), widest),
               name, line, job.asFile);
    line.translate(0, BoxMetrics::kLine);
    const TextMeasure& detail = job.metrics.detail();
    std::string count = std::to_string(facts.nodes) + (facts.nodes == 1 ? " node" : " nodes");
    if (facts.inputs > 0)
        count +=
            " \u00b7 " + std::to_string(facts.inputs) + (facts.inputs == 1 ? " input" : " inputs");
    drawShaped(job.painter, job.glyphs.shaped(detail, count, widest), detail, line, job.asFile);
    paintBadges(job, facts, rect);
}

} // namespace reinspect
