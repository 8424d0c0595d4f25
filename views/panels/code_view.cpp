// SPDX-License-Identifier: MIT
#include "views/panels/code_view.h"

#include "views/canvas/mark_shapes.h"

#include <QFontDatabase>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>
#include <QTextBlock>

#include <algorithm>
#include <utility>

namespace reinspect
{

namespace
{

constexpr int kGap = 6;

class Margin : public QWidget
{
public:
    explicit Margin(CodeView* view)
        : QWidget(view)
        , m_view(view)
    {}
    QSize sizeHint() const override { return {m_view->marginWidth(), 0}; }

protected:
    void paintEvent(QPaintEvent* event) override { m_view->paintMargin(event); }

private:
    CodeView* m_view;
};

} // namespace

CodeView::CodeView(QWidget* parent)
    : QPlainTextEdit(parent)
    , m_margin(new Margin(this))
{
    setReadOnly(true);
    setCenterOnScroll(true);
    setLineWrapMode(NoWrap);
    setFrameShape(QFrame::NoFrame);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    connect(this, &QPlainTextEdit::blockCountChanged, this, &CodeView::placeMargin);
    connect(this, &QPlainTextEdit::updateRequest, m_margin, [this](const QRect& rect, int dy) {
        dy != 0 ? m_margin->scroll(0, dy)
                : m_margin->update(0, rect.y(), m_margin->width(), rect.height());
    });
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, [this] {
        if (!m_isMoving)
            emit lineChosen(textCursor().blockNumber() + 1);
    });
    placeMargin();
}

void CodeView::setMarks(std::vector<LineMark> marks)
{
    m_marks = std::move(marks);
    if (!m_marks.empty())
        revealLine(m_marks.front().line);
    showMarks();
    m_margin->update();
}

QString CodeView::lineText(int line) const
{
    return document()->findBlockByNumber(line - 1).text();
}

// The text keeps its place sideways: beginnings of lines are what a reader looks for, of what is indented and
// prefixed the beginning of the code.
void CodeView::revealLine(int line)
{
    const QTextBlock block = document()->findBlockByNumber(line - 1);
    if (!block.isValid() || textCursor().blockNumber() == line - 1)
        return;
    m_isMoving = true;
    const int sideways = horizontalScrollBar()->value();
    setTextCursor(QTextCursor(block));
    keepCursorInside();
    const int first = std::exchange(m_firstColumn, 0);
    horizontalScrollBar()->setValue(
        first > 0 ? (first - 1) * fontMetrics().horizontalAdvance(QLatin1Char('9')) : sideways);
    m_isMoving = false;
}

// Not at the very edge, so that the lines around it are seen too.
void CodeView::keepCursorInside()
{
    const int edge = fontMetrics().height();
    const QRect rect = cursorRect();
    if (rect.top() < edge || rect.bottom() > viewport()->height() - edge)
        centerCursor();
}

void CodeView::showMarks()
{
    const Theme& theme = Theme::matching(palette());
    QList<QTextEdit::ExtraSelection> selections;
    for (auto mark = m_marks.rbegin(); mark != m_marks.rend(); ++mark)
    {
        const QTextBlock block = document()->findBlockByNumber(mark->line - 1);
        if (!block.isValid())
            continue;
        QTextEdit::ExtraSelection selection;
        selection.cursor = QTextCursor(block);
        selection.format.setProperty(QTextFormat::FullWidthSelection, true);
        selection.format.setBackground(theme.style(mark->role).fill);
        selections.append(selection);
    }
    setExtraSelections(selections);
}

const LineMark* CodeView::markOf(int line) const
{
    const auto found = std::find_if(m_marks.rbegin(), m_marks.rend(),
                                    [line](const LineMark& mark) { return mark.line == line; });
    return found == m_marks.rend() ? nullptr : &*found;
}

int CodeView::marginWidth() const
{
    const int digits = static_cast<int>(QString::number(blockCount()).size());
    return fontMetrics().horizontalAdvance(QLatin1Char('9')) * std::max(2, digits)
        + fontMetrics().height() + 2 * kGap;
}

void CodeView::placeMargin()
{
    setViewportMargins(marginWidth(), 0, 0, 0);
    const QRect inside = contentsRect();
    m_margin->setGeometry(inside.left(), inside.top(), marginWidth(), inside.height());
}

void CodeView::resizeEvent(QResizeEvent* event)
{
    QPlainTextEdit::resizeEvent(event);
    placeMargin();
    if (!m_marks.empty() && event->size().height() != event->oldSize().height())
        keepCursorInside();
}

void CodeView::changeEvent(QEvent* event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showMarks();
    if (event->type() == QEvent::FontChange && m_margin)
        placeMargin();
}

void CodeView::paintMargin(QPaintEvent* event)
{
    QPainter painter(m_margin);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Theme::matching(palette());
    painter.fillRect(event->rect(), theme.color(Surface::Background));
    const int height = fontMetrics().height();
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next())
    {
        const QRectF rect = blockBoundingGeometry(block).translated(contentOffset());
        if (rect.top() > event->rect().bottom())
            break;
        const int line = block.blockNumber() + 1;
        painter.setPen(theme.color(Surface::FaintText));
        painter.setFont(font());
        painter.drawText(QRectF(height, rect.top(), m_margin->width() - height - kGap, height),
                         Qt::AlignRight | Qt::AlignVCenter, QString::number(line));
        if (const LineMark* mark = markOf(line))
        {
            const RoleStyle& style = theme.style(mark->role);
            const qreal side = height - 5;
            drawMark(painter, style.mark, QRectF(3, rect.top() + 2.5, side, side), style.border);
        }
    }
}

} // namespace reinspect
