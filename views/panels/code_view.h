// SPDX-License-Identifier: MIT
// Read-only text with line numbers, in which lines can be marked and clicked. Knows nothing of
// graphs.
#pragma once

#include <QPlainTextEdit>

#include "views/canvas/theme.h"

namespace reinspect
{

struct LineMark
{
    int line = 0; // from 1
    Role role = Role::Selected;
};

class CodeView : public QPlainTextEdit
{
    Q_OBJECT

public:
    explicit CodeView(QWidget* parent = nullptr);

    // The first is the line to look at: it is scrolled into view.
    void setMarks(std::vector<LineMark> marks);
    // Where the lines that matter begin, from 1: what stands before, such as the prefix of a log, is scrolled
    // out when a line is looked at for the first time.
    void setFirstColumn(int column) { m_firstColumn = column; }
    const std::vector<LineMark>& marks() const { return m_marks; }
    QString lineText(int line) const;
    int marginWidth() const;
    void paintMargin(QPaintEvent* event);

signals:
    void lineChosen(int line); // by a click, or by moving the text cursor

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void showMarks();
    void revealLine(int line);
    void keepCursorInside();
    void placeMargin();
    const LineMark* markOf(int line) const;

    QWidget* m_margin;
    std::vector<LineMark> m_marks;
    int m_firstColumn = 1;   // 0: shown already
    bool m_isMoving = false; // the text cursor moves because of setMarks
};

} // namespace reinspect
