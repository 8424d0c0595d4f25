// SPDX-License-Identifier: MIT
#include "views/panels/copy_keys.h"

#include <QKeyEvent>
#include <QMenu>

namespace reinspect
{

CopyKeys::CopyKeys(QWidget* table, QMenu* menu, std::function<void(TableText)> copy)
    : QObject(table)
    , m_copy(std::move(copy))
{
    menu->addAction(tr("C&opy\tCtrl+C"), this, [this] { m_copy(TableText::Tabs); });
    menu->addAction(tr("Copy as &Markdown\tCtrl+Shift+C"), this,
                    [this] { m_copy(TableText::Markdown); });
    table->installEventFilter(this);
}

bool CopyKeys::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride)
        return QObject::eventFilter(watched, event);
    const QKeySequence keys(static_cast<QKeyEvent*>(event)->keyCombination());
    const bool isMarkdown = keys == QKeySequence(QStringLiteral("Ctrl+Shift+C"));
    if (!isMarkdown && keys != QKeySequence(QKeySequence::Copy))
        return QObject::eventFilter(watched, event);
    event->accept();
    if (event->type() == QEvent::KeyPress)
        m_copy(isMarkdown ? TableText::Markdown : TableText::Tabs);
    return true;
}

} // namespace reinspect
