// SPDX-License-Identifier: MIT
// A panel's content, or one sentence that says what would fill it.
#pragma once

#include <QStackedWidget>

class QLabel;

namespace reinspect
{

class HintStack : public QStackedWidget
{
    Q_OBJECT

public:
    HintStack(QWidget* content, const QString& hint, QWidget* parent = nullptr);

    void setEmpty(bool empty);
    bool isEmpty() const;
    void setHint(const QString& hint);
    QString hint() const;

private:
    QLabel* m_hint;
};

} // namespace reinspect
