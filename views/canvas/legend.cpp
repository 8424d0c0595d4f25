// SPDX-License-Identifier: MIT
#include "views/canvas/legend.h"

#include "views/canvas/class_colors.h"
#include "views/canvas/mark_shapes.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace reinspect
{

static constexpr int kMargin = 8;
static constexpr int kSample = 22;

LegendItem::LegendItem(QWidget* parent)
    : QWidget(parent)
    , m_theme(Theme::light())
{
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::ArrowCursor);
    setAccessibleName(tr("Legend"));
    setToolTip(tr("What the marks mean. Click the title to fold or unfold."));
    rebuild();
}

void LegendItem::setTheme(const Theme& theme)
{
    m_theme = theme;
    update();
}

void LegendItem::setRoles(RoleSet roles)
{
    if (roles == m_roles)
        return;
    m_roles = roles;
    rebuild();
}

void LegendItem::setClasses(const NodeClasses& classes)
{
    if (classes.title == m_classTitle && classes.labels == m_classLabels)
        return;
    m_classTitle = classes.title;
    m_classLabels = classes.labels;
    m_isScale = classes.isScale;
    rebuild();
}

int LegendItem::rowCount() const
{
    const std::size_t classes = m_classLabels.empty() ? 0 : m_classLabels.size() + 1;
    return static_cast<int>(m_rows.size() + classes);
}

void LegendItem::setFolded(bool folded)
{
    if (folded == m_isFolded)
        return;
    m_isFolded = folded;
    rebuild();
}

// Plain boxes explain themselves.
static bool isExplained(Role role)
{
    return role != Role::Plain && role != Role::Output && role != Role::Retargeted;
}

void LegendItem::rebuild()
{
    m_rows.clear();
    QStringList lines;
    for (const QString& label : m_classLabels)
        lines.append(m_classTitle + QStringLiteral(": ") + label);
    for (Role role : allRoles())
    {
        if (!m_roles.has(role) || !isExplained(role))
            continue;
        m_rows.push_back(role);
        lines.append(roleWord(role) + QStringLiteral(": ") + roleMeaning(role));
    }
    setAccessibleDescription(lines.join(QStringLiteral("; ")));
    resize(sizeHint());
    update();
}

QSize LegendItem::sizeHint() const
{
    const QFontMetrics metrics(font());
    const int line = metrics.height() + 4;
    int width = metrics.horizontalAdvance(tr("Legend")) + 24;
    if (m_isFolded)
        return {width + 2 * kMargin, line + kMargin};
    for (Role role : m_rows)
        width = std::max(width, kSample + 8 + metrics.horizontalAdvance(roleMeaning(role)));
    width = std::max(width, metrics.horizontalAdvance(m_classTitle));
    for (const QString& label : m_classLabels)
        width = std::max(width, kSample + 8 + metrics.horizontalAdvance(label));
    return {width + 2 * kMargin, line * (1 + rowCount()) + 2 * kMargin};
}

void LegendItem::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(
        QPen(m_theme.color(hasFocus() ? Surface::Focus : Surface::Grid), hasFocus() ? 2 : 1));
    QColor panel = m_theme.color(Surface::Panel);
    panel.setAlphaF(0.95f);
    painter.setBrush(panel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5, 5);

    const int line = fontMetrics().height() + 4;
    QRect row(kMargin, kMargin / 2, width() - 2 * kMargin, line);
    painter.setPen(m_theme.color(Surface::Text));
    const QString arrow = m_isFolded ? QStringLiteral("\u25b8") : QStringLiteral("\u25be");
    painter.drawText(row, Qt::AlignVCenter, arrow + u' ' + tr("Legend"));
    if (m_isFolded)
        return;
    paintClasses(painter, row);
    for (Role role : m_rows)
    {
        row.translate(0, line);
        const RoleStyle& style = m_theme.style(role);
        const QRectF sample(row.left(), row.top() + 2, kSample, line - 5);
        QPen pen = style.pen();
        pen.setWidthF(std::min(pen.widthF(), 2.0)); // a thicker one would hide the mark
        painter.setPen(pen);
        painter.setBrush(style.fill);
        painter.drawRoundedRect(sample.adjusted(1.5, 1.5, -1.5, -1.5), 3, 3);
        QRectF square(0, 0, 9, 9);
        square.moveCenter(sample.center());
        drawMark(painter, style.mark, square, style.border);
        painter.setPen(m_theme.color(Surface::Text));
        painter.drawText(row.adjusted(kSample + 8, 0, 0, 0), Qt::AlignVCenter, roleMeaning(role));
    }
}

void LegendItem::paintClasses(QPainter& painter, QRect& row) const
{
    if (m_classLabels.empty())
        return;
    row.translate(0, row.height());
    painter.setPen(m_theme.color(Surface::FaintText));
    painter.drawText(row, Qt::AlignVCenter, m_classTitle);
    for (std::size_t i = 0; i < m_classLabels.size(); ++i)
    {
        row.translate(0, row.height());
        const ClassColor color = classColor(m_theme, i, m_classLabels.size(), m_isScale);
        painter.setPen(QPen(color.strong.darker(120), 1.5));
        painter.setBrush(color.fill);
        painter.drawRoundedRect(
            QRectF(row.left() + 1.5, row.top() + 3.5, kSample - 3, row.height() - 8), 3, 3);
        painter.setPen(m_theme.color(Surface::Text));
        painter.drawText(row.adjusted(kSample + 8, 0, 0, 0), Qt::AlignVCenter, m_classLabels[i]);
    }
}

void LegendItem::mousePressEvent(QMouseEvent* event)
{
    event->accept(); // the view below must not start to pan
    if (event->position().y() <= fontMetrics().height() + kMargin)
        setFolded(!m_isFolded);
}

void LegendItem::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Space || event->key() == Qt::Key_Return)
        setFolded(!m_isFolded);
    else
        QWidget::keyPressEvent(event);
}

} // namespace reinspect
