// SPDX-License-Identifier: MIT
// Where is it in the text? The graph as readable code with the chosen node's line marked, and above it
// the user's own line of code. A click on a line chooses its node.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

#include "core/base/ids.h"

#include <vector>

class QLabel;
class QPlainTextEdit;

namespace reinspect
{

class HintStack;
class Session;

class SourcePanel : public QWidget
{
    Q_OBJECT

public:
    explicit SourcePanel(Session* session, QWidget* parent = nullptr);

    QPlainTextEdit* editor() const { return m_editor; }
    QLabel* userLine() const { return m_userLine; }
    HintStack* stack() const { return m_stack; }

private:
    void showDocument();
    void showSelection();
    void chooseAtCursor();
    std::size_t lineOf(NodeId node) const; // 0: the node has no line

    Session* m_session;
    QLabel* m_userLine;
    QPlainTextEdit* m_editor;
    HintStack* m_stack;
    std::vector<std::pair<NodeId, std::size_t>> m_lines;
    bool m_isMarking = false; // the cursor moves because of a selection, not a click
};

} // namespace reinspect
