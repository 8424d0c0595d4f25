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
    void levelsOfModulesStandInsideOfEachOther();
    void groupsAroundAPlace();
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
    QVERIFY(groups[0].isFramed && groups[0].parent == kNoGroup);
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

// An embedding, two layers of attention and MLP, and a head.
static std::vector<NodeGroup> groupsOfModel()
{
    return nodeGroups(chain(260), [](std::uint32_t place) -> std::string {
        if (place <= 20)
            return "embed";
        if (place > 240)
            return "head";
        const std::string layer = place <= 130 ? "layers.0" : "layers.1";
        const std::uint32_t inside = (place - 21) % 110;
        // What stands between the parts belongs to the layer itself.
        return inside < 50 ? layer + ".attn" : inside < 60 ? layer : layer + ".mlp";
    });
}

void tst_NodeGroups::levelsOfModulesStandInsideOfEachOther()
{
    const std::vector<NodeGroup> groups = groupsOfModel();
    QCOMPARE(textOf(groups),
             QStringLiteral("embed 1-21; layers 21-241; "
                            "layers.0 21-131; layers.0.attn 21-71; layers.0 (own) 71-81; "
                            "layers.0.mlp 81-131; "
                            "layers.1 131-241; layers.1.attn 131-181; layers.1 (own) 181-191; "
                            "layers.1.mlp 191-241; head 241-261"));
    QStringList framed;
    for (const NodeGroup& group : groups)
    {
        if (group.isFramed)
            framed.append(QString::fromStdString(group.name));
        if (group.parent != kNoGroup)
            QVERIFY(groups[group.parent].contains(group));
    }
    QCOMPARE(framed.join(u' '), QStringLiteral("embed layers.0 layers.1 head"));
    QCOMPARE(groups[3].parent, 2u);
    QCOMPARE(groups[2].parent, 1u);
    QCOMPARE(groups[1].parent, kNoGroup);
}

void tst_NodeGroups::groupsAroundAPlace()
{
    const std::vector<NodeGroup> groups = groupsOfModel();
    const auto nameAt = [&groups](std::uint32_t group) {
        return group == kNoGroup ? std::string("none") : groups[group].name;
    };
    QCOMPARE(nameAt(innermostGroup(groups, 0)), std::string("none"));
    QCOMPARE(nameAt(innermostGroup(groups, 21)), std::string("layers.0.attn"));
    QCOMPARE(nameAt(innermostGroup(groups, 230)), std::string("layers.1.mlp"));
    QCOMPARE(nameAt(innermostGroup(groups, 241)), std::string("head"));
    QCOMPARE(nameAt(framedGroup(groups, 230)), std::string("layers.1"));
    QCOMPARE(nameAt(framedGroup(groups, 1)), std::string("embed"));
    QCOMPARE(nameAt(framedGroup(groups, 261)), std::string("none"));
}

QTEST_APPLESS_MAIN(tst_NodeGroups)
#include "tst_node_groups.moc"
