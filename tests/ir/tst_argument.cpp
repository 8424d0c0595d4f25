// SPDX-License-Identifier: MIT
#include "core/ir/argument.h"

#include <QTest>

using namespace reinspect;

class tst_Argument : public QObject
{
    Q_OBJECT

private slots:
    void aNodeIsFoundOnlyWhereItIsTheWholeArgument();
    void listsAndTuplesAreSequences();
    void onlyAnIntegerIsAnInteger();
    void nodesAreVisitedInOrderAtAnyDepth();
    void aNodeIsReplacedAtAnyDepth();
    void renumberingVisitsAsReadingDoes();
    void keysAreLookedUpInADict();
    void valuesOfDifferentKindsDiffer();
};

static const NodeId x{0};
static const NodeId y{1};
static const NodeId z{2};

// {"out": x, "more": (y, [x, None])}, and a view whose arguments hold z and x, in one list.
static Argument nested()
{
    const Argument inner{TupleArgument{{{y}, {ListArgument{{{x}, {None{}}}}}}}};
    const DictArgument dict{{{{std::string("out")}, {x}}, {{std::string("more")}, inner}}};
    const ViewArgument view{
        "aten.slice.Tensor", {{std::int64_t{0}}, {z}}, {{"step", {SliceArgument{{{x}, {}, {}}}}}}};
    return {ListArgument{{{dict}, {view}}}};
}

static std::vector<NodeId> nodesIn(const Argument& argument)
{
    std::vector<NodeId> nodes;
    forEachNode(argument, [&](NodeId node) { nodes.push_back(node); });
    return nodes;
}

void tst_Argument::aNodeIsFoundOnlyWhereItIsTheWholeArgument()
{
    QCOMPARE(Argument{x}.node(), x);
    QVERIFY(!Argument{ListArgument{{{x}}}}.node());
    QVERIFY(!Argument{std::int64_t{0}}.node());
    QVERIFY(Argument{}.isNone());
}

void tst_Argument::listsAndTuplesAreSequences()
{
    const Argument list{ListArgument{{{x}, {y}}}};
    const Argument tuple{TupleArgument{{{x}}}};
    QCOMPARE(list.sequence()->size(), std::size_t{2});
    QCOMPARE(tuple.sequence()->size(), std::size_t{1});
    QVERIFY(!(Argument{SliceArgument{{{}, {}, {}}}}.sequence()));
    QVERIFY(!Argument{x}.sequence());
}

void tst_Argument::onlyAnIntegerIsAnInteger()
{
    QCOMPARE(Argument{std::int64_t{-1}}.integer(), std::optional<std::int64_t>(-1));
    QVERIFY(!Argument{true}.integer());
    QVERIFY(!Argument{1.0}.integer());
    QVERIFY(!(Argument{SymArgument{SymExpr(4), {}}}.integer()));
}

void tst_Argument::nodesAreVisitedInOrderAtAnyDepth()
{
    const std::vector<NodeId> expected{x, y, x, z, x};
    QCOMPARE(nodesIn(nested()), expected);
    QVERIFY(nodesIn(Argument{std::string("x")}).empty());
}

void tst_Argument::aNodeIsReplacedAtAnyDepth()
{
    Argument argument = nested();
    QVERIFY(replaceNode(argument, x, z));
    const std::vector<NodeId> expected{z, y, z, z, z};
    QCOMPARE(nodesIn(argument), expected);
    QVERIFY(!replaceNode(argument, x, y));
    QCOMPARE(nodesIn(argument), expected);
}

void tst_Argument::renumberingVisitsAsReadingDoes()
{
    Argument argument = nested();
    std::vector<NodeId> visited;
    renumberNodes(argument, [&](NodeId node) {
        visited.push_back(node);
        return NodeId{visited.size() + 10};
    });
    QCOMPARE(visited, nodesIn(nested()));
    const std::vector<NodeId> expected{NodeId{11}, NodeId{12}, NodeId{13}, NodeId{14}, NodeId{15}};
    QCOMPARE(nodesIn(argument), expected);
}

void tst_Argument::keysAreLookedUpInADict()
{
    const Argument dict{DictArgument{{{{std::int64_t{1}}, {x}}, {{std::string("out")}, {y}}}}};
    QVERIFY(findKey(dict, "out"));
    QCOMPARE(findKey(dict, "out")->node(), y);
    QVERIFY(!findKey(dict, "1"));
    QVERIFY(!findKey(Argument{x}, "out"));
}

void tst_Argument::valuesOfDifferentKindsDiffer()
{
    QVERIFY(nested() == nested());
    QVERIFY(!(Argument{true} == Argument{std::int64_t{1}}));
    QVERIFY(!(Argument{std::int64_t{1}} == Argument{1.0}));
    QVERIFY(!(Argument{ListArgument{{{x}}}} == Argument{TupleArgument{{{x}}}}));
    const SymExpr twice = SymExpr::parse("s0 + s0").value();
    QVERIFY(
        (Argument{SymArgument{twice, 4}} == Argument{SymArgument{2 * SymExpr::symbol("s0"), 4}}));
    QVERIFY(!(Argument{SymArgument{twice, 4}} == Argument{SymArgument{twice, {}}}));
}

QTEST_APPLESS_MAIN(tst_Argument)
#include "tst_argument.moc"
