// SPDX-License-Identifier: MIT
#include "core/layout/node_groups.h"

#include <QTest>

using namespace reinspect;

class tst_NodeGroups : public QObject
{
    Q_OBJECT

private slots:
    void modulesAreGroups();
    void theDepthIsWhereGroupsAreSmallEnough();
    void withoutModulesGroupsAreRunsOfProgramOrder();
    void aModuleThatComesAgainIsNumbered();
    void aSmallGraphHasNone();
};

// One input, then calls that each use the one before.
static UnionGraph chain(std::uint32_t calls)
{
    UnionGraph graph;
    graph.nodes.push_back({NodeId(0), true});
    for (std::uint32_t i = 1; i <= calls; ++i)
    {
        graph.nodes.push_back({NodeId(i), false});
        graph.edges.push_back({i - 1, i});
    }
    return graph;
}

static QString textOf(const std::vector<NodeGroup>& groups)
{
    QStringList texts;
    for (const NodeGroup& group : groups)
        texts.append(QStringLiteral("%1 %2-%3")
                         .arg(QString::fromStdString(group.name))
                         .arg(group.begin)
                         .arg(group.end));
    return texts.join(QStringLiteral("; "));
}

void tst_NodeGroups::modulesAreGroups()
{
    const auto groups = nodeGroups(chain(40), [](std::uint32_t place) -> std::string {
        // A node without a module belongs to what stands before it.
        return place == 20 ? "" : place <= 20 ? "embed" : "head";
    });
    QCOMPARE(textOf(groups), QStringLiteral("embed 1-21; head 21-41"));
}

void tst_NodeGroups::theDepthIsWhereGroupsAreSmallEnough()
{
    const auto groups = nodeGroups(chain(200), [](std::uint32_t place) {
        return std::string(place <= 100 ? "layers.0.attn" : "layers.1.attn");
    });
    QCOMPARE(textOf(groups), QStringLiteral("layers.0 1-101; layers.1 101-201"));
}

void tst_NodeGroups::withoutModulesGroupsAreRunsOfProgramOrder()
{
    const UnionGraph graph = chain(500);
    const auto groups = nodeGroups(graph, [](std::uint32_t) { return std::string(); });
    QVERIFY(groups.size() >= 6);
    QCOMPARE(groups.front().name, std::string("Part 1"));
    QCOMPARE(groups.front().begin, 1u);
    QCOMPARE(groups.back().end, 501u);
    for (std::size_t i = 1; i < groups.size(); ++i)
        QCOMPARE(groups[i].begin, groups[i - 1].end);
}

void tst_NodeGroups::aModuleThatComesAgainIsNumbered()
{
    const auto groups = nodeGroups(chain(30), [](std::uint32_t place) {
        return std::string(place <= 10 ? "a" : place <= 20 ? "b" : "a");
    });
    QCOMPARE(textOf(groups), QStringLiteral("a 1-11; b 11-21; a (2) 21-31"));
}

void tst_NodeGroups::aSmallGraphHasNone()
{
    QVERIFY(nodeGroups(chain(10), [](std::uint32_t) { return std::string(); }).empty());
    QVERIFY(nodeGroups(chain(10), [](std::uint32_t) { return std::string("only"); }).empty());
    QVERIFY(nodeGroups({}, [](std::uint32_t) { return std::string(); }).empty());
}

QTEST_APPLESS_MAIN(tst_NodeGroups)
#include "tst_node_groups.moc"
