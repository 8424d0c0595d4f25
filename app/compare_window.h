// SPDX-License-Identifier: MIT
// Two graphs side by side: stages of the pass, graphs of a document, or two documents. Both pictures
// move together and choose together; what differs is marked in them, listed, and shown as text.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QMainWindow>

#include "app/compare_sources.h"
#include "core/ir/graph_diff.h"
#include "views/canvas/theme.h"

#include <memory>
#include <unordered_map>

class QComboBox;
class QLabel;
class QTableView;

namespace reinspect
{

class ChangeListModel;
class DiffView;
class GraphView;
class Lane;
class Session;

class CompareWindow : public QMainWindow
{
    Q_OBJECT

public:
    // `left` and `right` are the sources that stand there first.
    CompareWindow(std::vector<CompareSource> sources, std::size_t left, std::size_t right,
                  QWidget* parent = nullptr);
    ~CompareWindow() override;

    void setTheme(const Theme& theme);
    QComboBox* choice(int side) const { return side == 0 ? m_left.choice : m_right.choice; }
    Session* session(int side) const { return side == 0 ? m_left.session : m_right.session; }
    GraphView* view(int side) const { return side == 0 ? m_left.view : m_right.view; }
    QTableView* changes() const { return m_list; }
    DiffView* text() const { return m_text; }
    QString summary() const;
    QLabel* notes() const { return m_notes; }  // what the lowerings assumed; hidden without any
    bool isReady() const { return m_isReady; } // both graphs are there and compared

signals:
    void compared();

private:
    struct Side
    {
        Session* session = nullptr;
        GraphView* view = nullptr;
        QComboBox* choice = nullptr;
        std::size_t source = 0;
        std::shared_ptr<const Document> document; // the source's, or what was lowered from it
        std::size_t graphIndex = 0;
        std::unique_ptr<Lane> lane;                     // lowering
        Graph graph;                                    // at its stage
        QStringList assumptions;                        // of its lowering
        std::unordered_map<std::string, NodeId> byName; // of the session's trace
        bool isThere = false;

        NodeId named(const std::string& name) const
        {
            const auto found = byName.find(name);
            return found == byName.end() ? NodeId{} : found->second;
        }
    };

    void buildSide(Side& side, const QString& name);
    void buildLists();
    void buildNotes();
    void load(Side& side, std::size_t source);
    void lower(Side& side);
    void put(Side& side, std::shared_ptr<const Document> document, std::size_t graph);
    void takeTrace(Side& side);
    void compare();
    void showNotes();
    void markChanges();
    void followSelection(Side& from, Side& to);
    void followView(Side& from, Side& to);
    void chooseChange(int row);

    std::vector<CompareSource> m_sources;
    Side m_left;
    Side m_right;
    ChangeListModel* m_model;
    QTableView* m_list = nullptr;
    DiffView* m_text = nullptr;
    QLabel* m_summary = nullptr;
    QLabel* m_notes = nullptr;
    bool m_isFollowing = false;
    bool m_isReady = false;
};

} // namespace reinspect
