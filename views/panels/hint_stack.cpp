// SPDX-License-Identifier: MIT
#include "views/panels/hint_stack.h"

#include <QLabel>

namespace reinspect
{

HintStack::HintStack(QWidget* content, const QString& hint, QWidget* parent)
    : QStackedWidget(parent)
    , m_hint(new QLabel(hint, this))
{
    m_hint->setAlignment(Qt::AlignCenter);
    m_hint->setWordWrap(true);
    m_hint->setMargin(16);
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    addWidget(m_hint);
    addWidget(content);
    setEmpty(true);
}

void HintStack::setEmpty(bool empty)
{
    setCurrentIndex(empty ? 0 : 1);
}

bool HintStack::isEmpty() const
{
    return currentIndex() == 0;
}

void HintStack::setHint(const QString& hint)
{
    m_hint->setText(hint);
}

QString HintStack::hint() const
{
    return m_hint->text();
}

} // namespace reinspect
