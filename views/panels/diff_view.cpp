// SPDX-License-Identifier: MIT
#include "views/panels/diff_view.h"

#include "core/base/line_diff.h"
#include "views/canvas/theme.h"
#include "views/session/qt_text.h"

#include <QApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QTextBlock>

#include <algorithm>

namespace reinspect
{

static constexpr std::size_t kContext = 3; // equal lines before and after a difference

DiffView::DiffView(QWidget* parent)
    : QPlainTextEdit(parent)
{
    setReadOnly(true);
    setLineWrapMode(NoWrap);
    setFrameShape(NoFrame);
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setAccessibleName(tr("Difference of the readable code"));
    setWhatsThis(tr("The readable code of both graphs: \"-\" stands before lines of the left one "
                    "only, \"+\" before lines of the right one only."));
}

static std::vector<bool> shownLines(const std::vector<DiffLine>& lines)
{
    std::vector<bool> isShown(lines.size(), false);
    for (std::size_t i = 0; i < lines.size(); ++i)
    {
        if (lines[i].side == LineSide::Both)
            continue;
        const std::size_t first = i > kContext ? i - kContext : 0;
        const std::size_t last = std::min(i + kContext, lines.size() - 1);
        for (std::size_t near = first; near <= last; ++near)
            isShown[near] = true;
    }
    return isShown;
}

void DiffView::setTexts(const QString& before, const QString& after)
{
    const std::vector<DiffLine> lines = diffLines(toStdString(before), toStdString(after));
    const std::vector<bool> isShown = shownLines(lines);
    QStringList shown;
    std::size_t hidden = 0;
    const auto flush = [&] {
        if (hidden > 0)
            shown.append(tr("@ %L1 equal lines").arg(hidden));
        hidden = 0;
    };
    for (std::size_t i = 0; i < lines.size(); ++i)
    {
        if (!isShown[i])
        {
            ++hidden;
            continue;
        }
        flush();
        const QChar sign = lines[i].side == LineSide::Both ? u' '
            : lines[i].side == LineSide::Before            ? u'-'
                                                           : u'+';
        shown.append(sign + QStringLiteral(" ") + toQString(lines[i].text));
    }
    flush();
    const bool isEqual = std::ranges::find(isShown, true) == isShown.end();
    setPlainText(isEqual ? tr("The readable code is the same.") : shown.join(u'\n'));
    colorLines();
}

void DiffView::colorLines()
{
    const Theme& theme = Theme::matching(QApplication::palette());
    QList<QTextEdit::ExtraSelection> marks;
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
    {
        const QString text = block.text();
        const QChar sign = text.isEmpty() ? QChar() : text[0];
        if (sign != u'-' && sign != u'+' && sign != u'@')
            continue;
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(block);
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        if (sign == u'@')
        {
            mark.cursor.select(QTextCursor::LineUnderCursor);
            mark.format.setForeground(theme.color(Surface::FaintText));
        }
        else
        {
            const RoleStyle& style =
                theme.style(sign == u'-' ? Role::DiffRemoved : Role::DiffAdded);
            mark.format.setBackground(style.fill);
        }
        marks.append(mark);
    }
    setExtraSelections(marks);
}

void DiffView::reveal(const QString& name)
{
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
    {
        const QString line = block.text().mid(1).trimmed();
        if (!line.startsWith(name + u':') && !line.startsWith(name + QStringLiteral(" =")))
            continue;
        setTextCursor(QTextCursor(block));
        centerCursor();
        return;
    }
}

void DiffView::changeEvent(QEvent* event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::ApplicationPaletteChange || event->type() == QEvent::PaletteChange)
        colorLines();
}

} // namespace reinspect
