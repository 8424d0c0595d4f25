// SPDX-License-Identifier: MIT
// Icons drawn in the colours of the current theme: the line drawings of resources/icons, and the
// marks that the picture uses for the same things.
#pragma once

#include <QIcon>

#include "views/canvas/theme.h"
#include "views/models/decision_badges.h"
#include "views/models/event_mark.h"

namespace reinspect
{

// resources/icons/NAME.svg in the palette's text colour, asked for anew at each painting.
QIcon themedIcon(const QString& name);

// The role whose mark an event shows.
Role roleOf(EventMark mark);
// The mark of a role, as large as a line of text; in the role's colour unless another is given.
QPixmap markPixmap(const Theme& theme, Role role, int extent, qreal devicePixelRatio,
                   const QColor& color = {});

// Marks side by side, each in the color of its meaning unless one color is given for all.
QPixmap badgePixmap(const Theme& theme, const QList<Badge>& badges, int extent,
                    qreal devicePixelRatio, const QColor& color = {});
QSize badgeSize(qsizetype count, int extent);

} // namespace reinspect
