// SPDX-License-Identifier: MIT
// Boxes and stubs near enough to be read: text, tags, rings.
#include "views/canvas/graph_painter.h"

#include "views/canvas/mark_shapes.h"

#include <QPainter>

#include <algorithm>

namespace reinspect
{

static constexpr double kRadius = 4;
static constexpr double kTagGap = 4;

double paintTag(const PaintJob& job, Role role, QPointF corner, bool withWord)
{
    const RoleStyle& style = job.theme.style(role);
    const QString word = roleWord(role);
    const double height = BoxMetrics::kTagHeight;
    const double width = withWord ? job.metrics.tagWidth(word) : height + 2;
    const QRectF rect(corner, QSizeF(width, height));
    // The colours of the role the other way round: a tag stands out from a box of the same role.
    job.painter.setPen(Qt::NoPen);
    job.painter.setBrush(style.border);
    job.painter.drawRoundedRect(rect, 3, 3);
    drawMark(job.painter, style.mark, QRectF(rect.left() + 4, rect.top() + 3, 9, 9), style.fill);
    if (!withWord)
        return width;
    const TextMeasure& measure = job.metrics.tag();
    const ShapedText& text = job.glyphs.shaped(measure, word.toStdString(), 1000);
    job.painter.setPen(style.fill);
    const QRectF place(rect.left() + height, rect.top() + (height - text.height) / 2, text.width,
                       height);
    drawShaped(job.painter, text, measure, place, job.asFile);
    return width;
}

// Words as long as there is room; marks alone for the rest.
static void paintTagRow(const PaintJob& job, const std::vector<Role>& tags, const QRectF& box)
{
    const double y = box.bottom() - BoxMetrics::kTagRow + 1;
    const double right = box.right() - 5;
    double x = box.left() + 5;
    for (std::size_t i = 0; i < tags.size(); ++i)
    {
        const double others =
            static_cast<double>(tags.size() - i - 1) * (BoxMetrics::kTagHeight + 2 + kTagGap);
        const bool withWord = x + job.metrics.tagWidth(roleWord(tags[i])) + others <= right;
        x += paintTag(job, tags[i], {x, y}, withWord) + kTagGap;
    }
}

// What the reader's choice says of a box hangs below its right half, clear of the edge that leaves
// in the middle. The word is left out where it would reach the next box.
static void paintChoiceTags(const PaintJob& job, RoleSet roles, const QRectF& box)
{
    constexpr double kOverhang = 20; // boxes stand 24 apart
    double x = box.center().x() + 8;
    for (Role role : {Role::View, Role::SameMemory})
    {
        if (!roles.has(role))
            continue;
        const bool isLast = role == Role::SameMemory || !roles.has(Role::SameMemory);
        const bool fits = x + job.metrics.tagWidth(roleWord(role)) <= box.right() + kOverhang;
        x += paintTag(job, role, {x, box.bottom() - 3}, isLast && fits) + kTagGap;
    }
}

// What differs stands above the left edge, where neither edges nor other tags are.
static void paintDiffTag(const PaintJob& job, RoleSet roles, const QRectF& box)
{
    if (const std::optional<Role> role = diffRole(roles))
        paintTag(job, *role, {box.left(), box.top() - BoxMetrics::kTagHeight + 3}, true);
}

static void paintRing(const PaintJob& job, const QRectF& rect, Role role, double distance)
{
    const RoleStyle& style = job.theme.style(role);
    const double width = std::max(style.width, 1.6 / job.scale);
    const double out = distance + width / 2;
    const QRectF ring = rect.adjusted(-out, -out, out, out);
    job.painter.setBrush(Qt::NoBrush);
    if (role == Role::Current)
    {
        // The candidate asked about is what the eye should find first.
        QColor glow = style.border;
        glow.setAlphaF(0.28f);
        job.painter.setPen(QPen(glow, 3 * width));
        job.painter.drawRoundedRect(ring, kRadius + out, kRadius + out);
    }
    QPen pen = style.pen();
    pen.setWidthF(width);
    job.painter.setPen(pen);
    job.painter.drawRoundedRect(ring, kRadius + out, kRadius + out);
}

static void paintRingsAround(const PaintJob& job, RoleSet roles, const QRectF& rect)
{
    double distance = 2;
    if (const std::optional<Role> role = eventRing(roles))
    {
        paintRing(job, rect, *role, distance);
        distance += job.theme.style(*role).width + 1.5;
    }
    if (const std::optional<Role> role = choiceRing(roles))
        paintRing(job, rect, *role, distance);
}

void paintRings(const PaintJob& job, std::uint32_t box)
{
    paintRingsAround(job, job.scene.boxMarks(box).roles, job.scene.boxRect(box));
}

// `text` is the part of the box that no tag takes.
static void paintLines(const PaintJob& job, NodeId node, const QRectF& text, const QColor& color,
                       const QColor& faint)
{
    const BoxMetrics& metrics = job.metrics;
    const Graph& graph = *job.scene.trace()->result;
    const double widest = text.width() - 2 * BoxMetrics::kPadding + 2;
    const NodeLabel label = labelOf(graph, node);
    const double height = (label.shape.empty() ? 2 : 3) * BoxMetrics::kLine;
    QRectF line(text.left(), text.center().y() - height / 2, text.width(), BoxMetrics::kLine);
    const auto draw = [&](const TextMeasure& measure, const std::string& words) {
        if (!words.empty())
            drawShaped(job.painter, job.glyphs.shaped(measure, words, widest), measure, line,
                       job.asFile);
        line.translate(0, BoxMetrics::kLine);
    };
    job.painter.setPen(color);
    draw(metrics.name(), label.name);
    draw(metrics.detail(), job.scene.operation(node));
    job.painter.setPen(faint);
    draw(metrics.detail(), label.shape);
}

ClassColor classColorOf(const PaintJob& job, std::uint8_t number)
{
    const NodeClasses& classes = job.scene.classes();
    return classColor(job.theme, number, classes.labels.size(), classes.isScale);
}

static void paintBox(const PaintJob& job, std::uint32_t index)
{
    if (job.scene.groupOfBox(index) != kNoGroup)
        return paintFoldedGroup(job, index);
    const NodeId node = job.scene.boxNode(index);
    const NodeMarks& marks = job.scene.marks().of(node);
    const RoleStyle& style = job.theme.style(bodyRole(marks));
    const QRectF& box = job.scene.boxRect(index);
    paintRings(job, index);
    const std::uint8_t number = job.scene.classOfBox(index);
    const bool hasClass = number != kNoClass;
    const ClassColor own = hasClass ? classColorOf(job, number) : ClassColor();
    job.painter.setPen(hasClass ? QPen(own.strong.darker(120), 1.5) : style.pen());
    job.painter.setBrush(
        marks.presence == Presence::NotYet ? QBrush() : QBrush(hasClass ? own.fill : style.fill));
    job.painter.drawRoundedRect(box, kRadius, kRadius);
    // Ghosts are told by their dashes and their tag; their text stays readable.
    const bool isGhost = marks.presence != Presence::Present;
    const std::vector<Role> tags =
        job.scene.hasTagRow(node) ? tagRoles(marks) : std::vector<Role>();
    const QRectF text = box.adjusted(0, 0, 0, tags.empty() ? 0 : 2 - BoxMetrics::kTagRow);
    const QColor color = hasClass ? job.theme.color(Surface::Text) : style.text;
    paintLines(job, node, text, color,
               isGhost || hasClass ? color : job.theme.color(Surface::FaintText));
    paintTagRow(job, tags, box);
}

// What reaches out of its box stands over all of them: no neighbour cuts it off.
void paintBoxes(const PaintJob& job)
{
    const std::vector<std::uint32_t> boxes = job.scene.boxesIn(job.area);
    for (const std::uint32_t box : boxes)
        paintBox(job, box);
    for (const std::uint32_t box : boxes)
    {
        if (job.scene.groupOfBox(box) != kNoGroup)
            continue;
        const RoleSet roles = job.scene.marks().of(job.scene.boxNode(box)).roles;
        paintChoiceTags(job, roles, job.scene.boxRect(box));
        paintDiffTag(job, roles, job.scene.boxRect(box));
    }
}

static Role stubRole(const SceneStub& stub, RoleSet roles)
{
    for (Role role : {Role::Blocking, Role::Mutated, Role::Reinplaced, Role::Kept, Role::Candidate})
    {
        if (roles.has(role))
            return role;
    }
    return stub.isFar ? Role::FarStub : Role::Stub;
}

static void paintStub(const PaintJob& job, const SceneStub& stub)
{
    const RoleSet roles = job.scene.marks().of(stub.value).roles;
    const Role role = stubRole(stub, roles);
    const RoleStyle& style = job.theme.style(role);
    QPen pen(style.border, 1, stub.isFar ? Qt::DashLine : Qt::SolidLine);
    if (const std::optional<Role> choice = choiceRing(roles))
        pen = QPen(job.theme.style(*choice).border, 2.5);
    job.painter.setPen(pen);
    job.painter.setBrush(style.fill);
    const double radius = stub.rect.height() / 2;
    job.painter.drawRoundedRect(stub.rect, radius, radius);
    QRectF text = stub.rect.adjusted(0, 2, 0, 0);
    if (style.mark != Mark::None)
    {
        drawMark(job.painter, style.mark, QRectF(text.left() + 5, text.top() + 3, 8, 8),
                 style.border);
        text.adjust(8, 0, 0, 0);
    }
    const TextMeasure& measure = job.metrics.stub();
    job.painter.setPen(style.text);
    drawShaped(job.painter,
               job.glyphs.shaped(measure, job.scene.stubName(stub), stub.rect.width() - 12),
               measure, text, job.asFile);
}

void paintStubs(const PaintJob& job)
{
    for (std::uint32_t index : job.scene.stubsIn(job.area))
    {
        if (job.scene.isStubShown(index))
            paintStub(job, job.scene.stubs()[index]);
    }
}

} // namespace reinspect
