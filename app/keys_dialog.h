// SPDX-License-Identifier: MIT
// Every command with its keys, to look up and to change. A key that another command has is refused
// with that command's name; what was changed can be set back.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QDialog>
#include <QKeySequence>

class QAction;
class QKeySequenceEdit;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;

namespace reinspect
{

class Actions;

class KeysDialog : public QDialog
{
    Q_OBJECT

public:
    KeysDialog(Actions* actions, QWidget* parent);

    QTreeWidget* list() const { return m_list; }
    QLineEdit* filter() const { return m_filter; }
    QString problem() const;
    // For the command that is current in the list; false when another command has the key.
    bool setKey(const QKeySequence& key);
    void resetKey();

signals:
    void keysChanged();

private:
    void buildList();
    void buildEditRow();
    void fill();
    void showCurrent();
    void applyFilter(const QString& text);
    QAction* current() const;

    Actions* m_actions;
    QLineEdit* m_filter = nullptr;
    QTreeWidget* m_list = nullptr;
    QKeySequenceEdit* m_edit = nullptr;
    QPushButton* m_set = nullptr;
    QPushButton* m_reset = nullptr;
    QLabel* m_problem = nullptr;
};

} // namespace reinspect
