// SPDX-License-Identifier: MIT
#include "core/passes/reinplace_pass.h"
#include "tests/support/graph_text.h"
#include "tests/support/small_programs.h"
#include "views/models/node_history.h"

#include <QTest>

using namespace reinspect;

class tst_NodeHistory : public QObject
{
    Q_OBJECT

private slots:
    void nodesThroughTheStages_data();
    void nodesThroughTheStages();
};

void tst_NodeHistory::nodesThroughTheStages_data()
{
    QTest::addColumn<QString>("node");
    QTest::addColumn<NodeState>("decided");
    QTest::addColumn<QString>("text");
    QTest::newRow("written in place")
        << "p" << NodeState::UpdatedInPlace
        << QString::fromUtf8("updated in place: index_put \u2192 index_put_");
    QTest::newRow("removed") << "b" << NodeState::Removed << "removed here";
    QTest::newRow("untouched") << "x" << NodeState::Unchanged << "unchanged";
}

void tst_NodeHistory::nodesThroughTheStages()
{
    QFETCH(const QString, node);
    QFETCH(const NodeState, decided);
    QFETCH(const QString, text);
    const auto trace =
        runReinplace({.graph = std::make_shared<const Graph>(graphFrom(kCopiedBackCode))}).value();
    const NodeId id = trace->initial->find(node.toStdString());
    const std::vector<NodeStage> stages = nodeHistory(*trace, id);
    QCOMPARE(stages.size(), std::size_t(4));
    QCOMPARE(stages[0].stage, QStringLiteral("As loaded"));
    QCOMPARE(stages[1].state, NodeState::Unchanged);
    QCOMPARE(stages[2].state, decided);
    QCOMPARE(stages[2].text, text);
    const bool isGone = decided == NodeState::Removed;
    QCOMPARE(stages[3].state, isGone ? NodeState::Removed : NodeState::Unchanged);
    QCOMPARE(stages[3].text, isGone ? QStringLiteral("gone") : QStringLiteral("unchanged"));
}

QTEST_APPLESS_MAIN(tst_NodeHistory)
#include "tst_node_history.moc"
