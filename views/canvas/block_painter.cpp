// SPDX-License-Identifier: MIT
// Boxes too small to be read, thousands at a time: one call for each colour, then the few that are
// marked on top, with a mark large enough to be seen.
#include "views/canvas/graph_painter.h"

#include "views/canvas/mark_shapes.h"

#include <QPainter>

#include <algorithm>
#include <array>

namespace reinspect
{

namespace
{
struct Batches
{
    std::array<QList<QRectF>, static_cast<std::size_t>(Role::Selected) + 1> byRole;
    std::vector<QList<QRectF>> byClass;
    std::vector<std::uint32_t> ringed;
    std::vector<std::uint32_t> folded;
};
} // namespace

// At least two device pixels, so that no box of a role is lost from sight.
static QRectF visibleRect(const QRectF& rect, double scale)
{
    const double least = 2 / scale;
    if (rect.width() >= least && rect.height() >= least)
        return rect;
    QRectF grown(0, 0, std::max(rect.width(), least), std::max(rect.height(), least));
    grown.moveCenter(rect.center());
    return grown;
}

static Batches sortBoxes(const PaintJob& job)
{
    Batches batches;
    batches.byClass.resize(job.scene.classes().labels.size());
    for (std::uint32_t box : job.scene.boxesIn(job.area))
    {
        const NodeMarks marks = job.scene.boxMarks(box);
        const std::uint8_t number = job.scene.classOfBox(box);
        QList<QRectF>& batch = number != kNoClass
            ? batches.byClass[number]
            : batches.byRole[static_cast<std::size_t>(bodyRole(marks))];
        batch.append(visibleRect(job.scene.boxRect(box), job.scale));
        if (job.scene.groupOfBox(box) != kNoGroup)
            batches.folded.push_back(box);
        if (eventRing(marks.roles) || choiceRing(marks.roles))
            batches.ringed.push_back(box);
    }
    return batches;
}

static void paintStubBlocks(const PaintJob& job)
{
    std::array<QList<QRectF>, 2> plain;
    for (std::uint32_t index : job.scene.stubsIn(job.area))
    {
        const SceneStub& stub = job.scene.stubs()[index];
        if (!job.scene.isStubShown(index))
            continue;
        const RoleSet roles = job.scene.marks().of(stub.value).roles;
        if (const std::optional<Role> choice = choiceRing(roles))
        {
            job.painter.setPen(QPen(job.theme.style(*choice).border, 0));
            job.painter.setBrush(job.theme.style(*choice).fill);
            job.painter.drawRect(visibleRect(stub.rect, job.scale));
            continue;
        }
        plain[stub.isFar ? 1 : 0].append(stub.rect);
    }
    for (Role role : {Role::Stub, Role::FarStub})
    {
        job.painter.setPen(QPen(job.theme.style(role).border, 0));
        job.painter.setBrush(job.theme.style(role).fill);
        job.painter.drawRects(plain[role == Role::FarStub ? 1 : 0]);
    }
}

static void paintRole(const PaintJob& job, Role role, const QList<QRectF>& rects)
{
    if (rects.isEmpty())
        return;
    const RoleStyle& style = job.theme.style(role);
    const bool isPlain = role == Role::Plain || role == Role::Input || role == Role::Output
        || role == Role::Removed || role == Role::NotYet;
    // From afar a border is all there is to see of a box, so roles show their strong colour.
    const bool isFilled = job.detail == Detail::Blocks && !isPlain;
    job.painter.setPen(QPen(style.border, 0, style.dash));
    job.painter.setBrush(isFilled ? style.border : style.fill);
    job.painter.drawRects(rects);
    if (job.detail != Detail::Marks || style.mark == Mark::None)
        return;
    for (const QRectF& rect : rects)
    {
        const double size = std::min(rect.height(), rect.width()) * 0.6;
        QRectF square(0, 0, size, size);
        square.moveCenter(rect.center());
        drawMark(job.painter, style.mark, square, style.border);
    }
}

static void paintRinged(const PaintJob& job, std::uint32_t box)
{
    paintRings(job, box);
    const std::optional<Role> role = eventRing(job.scene.boxMarks(box).roles);
    if (!role)
        return;
    const RoleStyle& style = job.theme.style(*role);
    const double size = 11 / job.scale;
    QRectF square(0, 0, size, size);
    const QRectF& rect = job.scene.boxRect(box);
    // Beside the name of a folded group, where there is room for both.
    const bool isBeside = job.scene.groupOfBox(box) != kNoGroup && rect.width() > 4 * size;
    square.moveCenter(isBeside ? QPointF(rect.left() + size, rect.center().y()) : rect.center());
    job.painter.setPen(Qt::NoPen);
    job.painter.setBrush(style.fill);
    job.painter.drawEllipse(square.adjusted(-size / 4, -size / 4, size / 4, size / 4));
    drawMark(job.painter, style.mark, square, style.border);
}

void paintBoxBlocks(const PaintJob& job)
{
    if (job.detail == Detail::Marks)
        paintStubBlocks(job);
    const Batches batches = sortBoxes(job);
    for (Role role : allRoles())
        paintRole(job, role, batches.byRole[static_cast<std::size_t>(role)]);
    for (std::size_t i = 0; i < batches.byClass.size(); ++i)
    {
        const ClassColor color = classColorOf(job, static_cast<std::uint8_t>(i));
        job.painter.setPen(QPen(color.strong.darker(120), 0));
        job.painter.setBrush(job.detail == Detail::Blocks ? color.strong : color.fill);
        job.painter.drawRects(batches.byClass[i]);
    }
    job.painter.save();
    job.painter.setRenderHint(QPainter::Antialiasing);
    for (std::uint32_t box : batches.ringed)
        paintRinged(job, box);
    for (std::uint32_t box : batches.folded)
        paintFoldedName(job, box);
    job.painter.restore();
}

} // namespace reinspect
