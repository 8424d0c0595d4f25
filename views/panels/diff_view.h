// SPDX-License-Identifier: MIT
// Two texts as one: lines that were removed and added, marked by "-" and "+" and by colour, with a
// few equal lines around them.
#pragma once

#include <QPlainTextEdit>

namespace reinspect
{

class DiffView : public QPlainTextEdit
{
    Q_OBJECT

public:
    explicit DiffView(QWidget* parent = nullptr);

    void setTexts(const QString& before, const QString& after);
    void reveal(const QString& name); // the first line that defines this node

protected:
    void changeEvent(QEvent* event) override;

private:
    void colorLines();
};

} // namespace reinspect
