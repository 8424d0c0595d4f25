// SPDX-License-Identifier: MIT
// What is this node? The decision about it with its evidence, then metadata, operator facts, memory
// and users, at the current step. A click on a row that names a node chooses that node; one on "Run it" has the
// decision proved.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

#include "core/proof/kernel_effects.h"
#include "views/models/node_facts.h"

#include <map>

class QModelIndex;
class QTreeView;

namespace reinspect
{

class HintStack;
class NodeFactsModel;
class RunService;
class Session;

class InspectorPanel : public QWidget
{
    Q_OBJECT

public:
    // `runs`: says whether a decision was proved; null: nothing is said of proofs.
    explicit InspectorPanel(Session* session, RunService* runs = nullptr,
                            QWidget* parent = nullptr);

    QTreeView* tree() const { return m_tree; }
    HintStack* stack() const { return m_stack; }

private:
    void buildTree();
    void buildLayout();
    void connectSession();
    void showNode();
    void choose(const QModelIndex& index);
    bool showAsked(bool isNewNode);
    const proof::KernelEffects* kernelOf(NodeId node);
    ProofState proofState(DecisionIndex decision) const;
    QString emptyText() const;

    Session* m_session;
    RunService* m_runs;
    std::map<NodeId, std::optional<proof::KernelEffects>> m_kernels; // of the session's trace
    NodeFactsModel* m_model;
    QTreeView* m_tree = nullptr;
    HintStack* m_stack = nullptr;
    NodeId m_shown;
    DecisionIndex m_asked; // the one that was brought into sight last
    DecisionIndex m_proving;
};

} // namespace reinspect
