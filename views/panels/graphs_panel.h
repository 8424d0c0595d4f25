// SPDX-License-Identifier: MIT
// Which graphs does the file hold? A click or Enter looks at one.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

class QTableView;

namespace reinspect
{

class GraphListModel;
class HintStack;
class Session;

class GraphsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit GraphsPanel(Session* session, QWidget* parent = nullptr);

    QTableView* list() const { return m_list; }
    HintStack* stack() const { return m_stack; }

private:
    void showDocument();

    Session* m_session;
    GraphListModel* m_model;
    QTableView* m_list;
    HintStack* m_stack;
};

} // namespace reinspect
