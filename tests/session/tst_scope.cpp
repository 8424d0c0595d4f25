// SPDX-License-Identifier: MIT
#include "core/passes/reinplace_pass.h"
#include "tests/support/graph_text.h"
#include "tests/support/small_programs.h"
#include "views/session/scope_history.h"

#include <QSignalSpy>
#include <QTest>

using namespace reinspect;

class tst_Scope : public QObject
{
    Q_OBJECT

private slots:
    void theNeighborhoodOfADecisionHoldsItsMemoryAndItsWitnesses();
    void aNeighborhoodIsNoLargerThanAsked();
    void growingGoesOneStepAlongEdges();
    void hidingAndShowingOnly();
    void undoAndRedoMoveAlongScopes();
};

static std::shared_ptr<const PassTrace> traceOf(std::string_view code)
{
    return runReinplace({.graph = std::make_shared<const Graph>(graphFrom(code))}).value();
}

static QString names(const PassTrace& trace, const std::vector<NodeId>& nodes)
{
    QStringList list;
    for (const NodeId node : nodes)
        list.append(QString::fromStdString(trace.nameOf(node)));
    return list.join(u' ');
}

static NodeId named(const PassTrace& trace, std::string_view name)
{
    return trace.result->find(name);
}

// A long way before and after a kept candidate.
constexpr std::string_view kLongCode = R"(
    def forward(self, x: "f32[4]", i: "i64[1]", src: "f32[1]"):
        a1: "f32[4]" = torch.ops.aten.cos.default(x)
        a2: "f32[4]" = torch.ops.aten.cos.default(a1)
        a3: "f32[4]" = torch.ops.aten.cos.default(a2)
        a4: "f32[4]" = torch.ops.aten.cos.default(a3)
        a5: "f32[4]" = torch.ops.aten.cos.default(a4)
        a6: "f32[4]" = torch.ops.aten.cos.default(a5)
        a7: "f32[4]" = torch.ops.aten.cos.default(a6)
        c: "f32[4]" = torch.ops.aten.cos.default(a7)
        v: "f32[2]" = torch.ops.aten.slice.Tensor(c, 0, 0, 2)
        p: "f32[4]" = torch.ops.aten.index_put.default(c, [i], src)
        y: "f32[2]" = torch.ops.aten.add.Tensor(v, 1)
        return (p, y)
)";

void tst_Scope::theNeighborhoodOfADecisionHoldsItsMemoryAndItsWitnesses()
{
    const auto trace = traceOf(kLongCode);
    const Scope scope = scopeAround(*trace, trace->decisions.front().decided, 400);
    QCOMPARE(scope.name, std::string("Around p"));
    for (const char* name : {"p", "c", "v", "y", "src"})
        QVERIFY2(scope.shows(named(*trace, name)), name);
    QVERIFY(!scope.shows(named(*trace, "a1")));
}

void tst_Scope::aNeighborhoodIsNoLargerThanAsked()
{
    const auto trace = traceOf(kLongCode);
    QCOMPARE(scopeAround(*trace, named(*trace, "p"), 3).only.size(), std::size_t(3));
    QVERIFY(scopeAround(*trace, named(*trace, "p"), 3).shows(named(*trace, "p")));
}

void tst_Scope::growingGoesOneStepAlongEdges()
{
    const auto trace = traceOf(kLongCode);
    const Scope one = showingOnly({}, {named(*trace, "a4")}, "one");
    QCOMPARE(names(*trace, grown(*trace, one, Growth::Inputs).only), QStringLiteral("a3 a4"));
    QCOMPARE(names(*trace, grown(*trace, one, Growth::Users).only), QStringLiteral("a4 a5"));
    QCOMPARE(names(*trace, grown(*trace, one, Growth::Both).only), QStringLiteral("a3 a4 a5"));
    QCOMPARE(grown(*trace, Scope(), Growth::Both), Scope());
}

void tst_Scope::hidingAndShowingOnly()
{
    const auto trace = traceOf(kLongCode);
    Scope scope = hiding({}, {named(*trace, "a1")}, "Without a1");
    QVERIFY(!scope.shows(named(*trace, "a1")));
    QVERIFY(scope.shows(named(*trace, "a2")));
    QVERIFY(!scope.isWhole());
    scope = showingOnly(scope, {named(*trace, "a1")}, "a1");
    QVERIFY(scope.shows(named(*trace, "a1")));
    QVERIFY(!scope.shows(named(*trace, "a2")));
}

void tst_Scope::undoAndRedoMoveAlongScopes()
{
    ScopeHistory history;
    QSignalSpy changed(&history, &ScopeHistory::changed);
    const Scope first = hiding({}, {NodeId(1)}, "1");
    const Scope second = hiding(first, {NodeId(2)}, "2");
    history.push(first);
    history.push(first); // no change
    history.push(second);
    QCOMPARE(changed.count(), 2);
    history.undo();
    QCOMPARE(history.current(), first);
    history.redo();
    QCOMPARE(history.current(), second);
    QVERIFY(!history.canRedo());
    history.goTo(0);
    QVERIFY(history.current().isWhole());
    history.push(second);
    QCOMPARE(history.scopes().size(), std::size_t(2));
}

QTEST_GUILESS_MAIN(tst_Scope)
#include "tst_scope.moc"
