// SPDX-License-Identifier: MIT
// Where is it? A line to type a query in (node_query.h), how many nodes match, and the list of them;
// the next and the previous one are chosen in the session. Hidden until it is asked for.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

#include "core/base/ids.h"

#include <memory>
#include <vector>

class QLabel;
class QLineEdit;
class QTableView;
class QToolButton;

namespace reinspect
{

class FoundModel;
class Lane;
class NodeSearch;
class Session;

class FindBar : public QWidget
{
    Q_OBJECT

public:
    explicit FindBar(Session* session, QWidget* parent = nullptr);
    ~FindBar() override;

    void open(); // shows the bar, the query chosen to be typed over
    void close();
    void next();
    void previous();
    QString query() const;
    void setQuery(const QString& query);
    const std::vector<NodeId>& found() const;
    // "3 of 17", "17 found", or what is wrong with the query.
    QString countText() const;
    QLineEdit* line() const { return m_line; }
    QTableView* list() const { return m_list; }

signals:
    void foundChanged(const std::vector<reinspect::NodeId>& nodes); // none when the bar is closed
    void closed();
    void showOnlyRequested(); // what was found, and nothing else

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildRow();
    void buildList();
    void connectSession();
    void search();
    bool makeSearch(); // false: it is being made
    void arrangeList();
    void showCount();
    void move(int by);
    void choose(NodeId node);

    Session* m_session;
    std::shared_ptr<const NodeSearch> m_search; // made when first needed for a trace
    std::unique_ptr<Lane> m_lane;               // makes it for a large graph
    FoundModel* m_model;
    QLineEdit* m_line = nullptr;
    QLabel* m_count = nullptr;
    QToolButton* m_previous = nullptr;
    QToolButton* m_next = nullptr;
    QToolButton* m_only = nullptr;
    QToolButton* m_close = nullptr;
    QTableView* m_list = nullptr;
    QString m_problem;
};

} // namespace reinspect
