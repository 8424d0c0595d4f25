// SPDX-License-Identifier: MIT
#include "app/keys_dialog.h"

#include "app/actions.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace reinspect
{

KeysDialog::KeysDialog(Actions* actions, QWidget* parent)
    : QDialog(parent)
    , m_actions(actions)
{
    setWindowTitle(tr("Keys"));
    buildList();
    buildEditRow();
    fill();
    resize(620, 640);
}

void KeysDialog::buildList()
{
    m_filter = new QLineEdit(this);
    m_filter->setPlaceholderText(tr("Command or key"));
    m_filter->setAccessibleName(tr("Command or key"));
    m_filter->setClearButtonEnabled(true);
    m_list = new QTreeWidget(this);
    m_list->setAccessibleName(tr("Commands and their keys"));
    m_list->setColumnCount(2);
    m_list->setHeaderLabels({tr("Command"), tr("Keys")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAlternatingRowColors(true);
    connect(m_filter, &QLineEdit::textChanged, this, &KeysDialog::applyFilter);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &KeysDialog::showCurrent);
}

void KeysDialog::buildEditRow()
{
    m_edit = new QKeySequenceEdit(this);
    m_edit->setAccessibleName(tr("New key"));
    m_set = new QPushButton(tr("&Set Key"), this);
    m_reset = new QPushButton(tr("&Reset"), this);
    m_set->setAutoDefault(false);
    m_reset->setAutoDefault(false);
    m_problem = new QLabel(this);
    m_problem->setWordWrap(true);
    connect(m_set, &QPushButton::clicked, this, [this] { setKey(m_edit->keySequence()); });
    connect(m_reset, &QPushButton::clicked, this, &KeysDialog::resetKey);
    auto* row = new QHBoxLayout;
    row->addWidget(new QLabel(tr("Key of the chosen command"), this));
    row->addWidget(m_edit, 1);
    row->addWidget(m_set);
    row->addWidget(m_reset);
    auto* more = new QLabel(
        tr("In the picture: drag moves, Shift and drag zooms to a rectangle, the wheel scrolls, "
           "with Ctrl it zooms, a click on an edge goes to its end, Escape chooses nothing. "
           "Alt with a digit shows and hides panels; Tab moves between them."),
        this);
    more->setWordWrap(true);
    more->setForegroundRole(QPalette::PlaceholderText);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_filter);
    column->addWidget(m_list, 1);
    column->addLayout(row);
    column->addWidget(m_problem);
    column->addWidget(more);
    column->addWidget(buttons);
}

void KeysDialog::fill()
{
    for (QAction* action : m_actions->all())
    {
        auto* item =
            new QTreeWidgetItem(m_list, {Actions::plainText(*action), Actions::keysText(*action)});
        item->setData(0, Qt::UserRole, action->objectName());
    }
    m_list->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_list->setCurrentItem(m_list->topLevelItem(0));
}

QAction* KeysDialog::current() const
{
    const QTreeWidgetItem* item = m_list->currentItem();
    return item ? m_actions->action(qPrintable(item->data(0, Qt::UserRole).toString())) : nullptr;
}

void KeysDialog::showCurrent()
{
    m_problem->clear();
    const QAction* action = current();
    m_edit->setKeySequence(action ? action->shortcut() : QKeySequence());
    m_set->setEnabled(action);
    m_reset->setEnabled(action);
}

QString KeysDialog::problem() const
{
    return m_problem->text();
}

bool KeysDialog::setKey(const QKeySequence& key)
{
    QAction* action = current();
    if (!action)
        return false;
    const QAction* owner = m_actions->ownerOf(key);
    if (owner && owner != action)
    {
        m_problem->setText(
            tr("\"%1\" already belongs to \"%2\".")
                .arg(key.toString(QKeySequence::NativeText), Actions::plainText(*owner)));
        return false;
    }
    m_actions->setKeys(action, key.isEmpty() ? QList<QKeySequence>() : QList{key});
    m_list->currentItem()->setText(1, Actions::keysText(*action));
    m_problem->clear();
    emit keysChanged();
    return true;
}

void KeysDialog::resetKey()
{
    QAction* action = current();
    if (!action)
        return;
    m_actions->resetKeys(action);
    m_list->currentItem()->setText(1, Actions::keysText(*action));
    showCurrent();
    emit keysChanged();
}

void KeysDialog::applyFilter(const QString& text)
{
    for (int i = 0; i < m_list->topLevelItemCount(); ++i)
    {
        QTreeWidgetItem* item = m_list->topLevelItem(i);
        const bool isWanted = item->text(0).contains(text, Qt::CaseInsensitive)
            || item->text(1).contains(text, Qt::CaseInsensitive);
        item->setHidden(!isWanted);
    }
}

} // namespace reinspect
