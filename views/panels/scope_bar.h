// SPDX-License-Identifier: MIT
// Which part of the graph is drawn, as breadcrumbs that lead back, with how many nodes that is.
// Hidden while all of it is drawn.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

class QAction;
class QHBoxLayout;
class QLabel;

namespace reinspect
{

class GraphView;
class Session;

class ScopeBar : public QWidget
{
    Q_OBJECT

public:
    ScopeBar(Session* session, GraphView* view, QWidget* parent = nullptr);

    // As buttons at the right.
    void setActions(const QList<QAction*>& actions);
    QString text() const;      // without links
    QString countText() const; // "212 of 3,093"

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showScope();
    void showPath();
    void follow(const QString& link);

    Session* m_session;
    GraphView* m_view;
    QHBoxLayout* m_row;
    QLabel* m_path;
    QLabel* m_count;
};

} // namespace reinspect
