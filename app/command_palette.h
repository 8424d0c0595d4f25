// SPDX-License-Identifier: MIT
// One line from which every command and every node is reached: type a few letters, Enter.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QDialog>

#include "app/palette_model.h"

class QLineEdit;
class QListView;

namespace reinspect
{

class CommandPalette : public QDialog
{
    Q_OBJECT

public:
    CommandPalette(PaletteModel* model, QWidget* parent);

    QLineEdit* line() const { return m_line; }
    QListView* list() const { return m_list; }

signals:
    void nodeChosen(reinspect::NodeId node);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& text);
    void run(int row);

    PaletteModel* m_model;
    QLineEdit* m_line;
    QListView* m_list;
};

} // namespace reinspect
