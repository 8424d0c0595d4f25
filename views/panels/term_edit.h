// SPDX-License-Identifier: MIT
// A line of conditions (core/passes/breakpoints.h) with completion of its words, and what is wrong
// with it in a line below.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

#include "core/passes/breakpoints.h"

class QLabel;
class QLineEdit;

namespace reinspect
{

class TermEdit : public QWidget
{
    Q_OBJECT

public:
    explicit TermEdit(QWidget* parent = nullptr);

    QLineEdit* line() const { return m_line; }
    QString problem() const; // empty: none
    // The line as conditions; shows the problem when there is one. An empty line is nothing.
    std::optional<Breakpoint> terms();
    void setProblem(const QString& problem);

private:
    QLineEdit* m_line;
    QLabel* m_problem;
};

} // namespace reinspect
