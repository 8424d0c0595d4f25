// SPDX-License-Identifier: MIT
// Where is it in the text? The text as it was loaded (a capture: its graph as code) with the lines
// of the chosen node and of the current step's nodes marked; above it the user's own line of code,
// below it what was odd about the text. A click on a line chooses its node.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

#include "core/base/ids.h"

#include <unordered_map>
#include <vector>

class QLabel;
class QListWidget;

namespace reinspect
{

class CodeView;
class HintStack;
class Session;

class SourcePanel : public QWidget
{
    Q_OBJECT

public:
    explicit SourcePanel(Session* session, QWidget* parent = nullptr);

    CodeView* code() const { return m_code; }
    QLabel* userLine() const { return m_userLine; }
    QLabel* rule() const { return m_rule; }
    QListWidget* problems() const { return m_problems; }
    HintStack* stack() const { return m_stack; }
    int lineOf(NodeId node) const; // 0: the node has no line

private:
    void buildWidgets();
    void buildLayout();
    void connectSession();
    void showDocument();
    void showCapture();
    void showText();
    void showProblems();
    void showMarks();
    void showUserLine();
    void showRule();
    void addLine(NodeId node, int line);
    void chooseLine(int line);

    Session* m_session;
    QLabel* m_userLine = nullptr;
    QLabel* m_rule = nullptr; // of the pass, for the current step
    CodeView* m_code = nullptr;
    QListWidget* m_problems = nullptr;
    HintStack* m_stack = nullptr;
    std::vector<int> m_lineOf; // by slot
    std::unordered_map<int, NodeId> m_nodeAt;
};

} // namespace reinspect
