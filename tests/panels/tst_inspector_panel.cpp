// SPDX-License-Identifier: MIT
#include "tests/support/session_fixture.h"
#include "views/models/node_facts_model.h"
#include "views/panels/hint_stack.h"
#include "views/panels/inspector_panel.h"
#include "views/session/run_service.h"

#include <QTreeView>

using namespace reinspect;

class tst_InspectorPanel : public QObject
{
    Q_OBJECT

private slots:
    void saysWhatWouldFillIt();
    void followsTheSelection();
    void aClickedNameChoosesItsNode();
    void noValueIsCut();
    void aDecisionIsProvedWhereItStands();
    void theDecisionAskedAboutComesIntoSight();
    void aKernelSaysWhatItWrites();
};

// The row with this name; invalid when there is none.
static QModelIndex row(const QTreeView& tree, const QString& name)
{
    for (int group = 0; group < tree.model()->rowCount(); ++group)
    {
        const QModelIndex parent = tree.model()->index(group, 0);
        for (int i = 0; i < tree.model()->rowCount(parent); ++i)
        {
            if (tree.model()->index(i, 0, parent).data().toString() == name)
                return tree.model()->index(i, 1, parent);
        }
    }
    return {};
}

void tst_InspectorPanel::saysWhatWouldFillIt()
{
    Session session;
    InspectorPanel panel(&session);
    QVERIFY(panel.stack()->isEmpty());
    QVERIFY(panel.stack()->hint().contains(QStringLiteral("choose a node")));

    QVERIFY(show(session, kKeptCode));
    QVERIFY(!panel.stack()->isEmpty());
    session.setSelection({});
    QVERIFY(panel.stack()->isEmpty());
    QVERIFY(panel.stack()->hint().contains(QStringLiteral("Choose a node")));
}

void tst_InspectorPanel::followsTheSelection()
{
    Session session;
    InspectorPanel panel(&session);
    QVERIFY(show(session, kKeptCode));

    session.setSelection({.nodes = {nodeNamed(session, "v")}, .storage = {}});

    QCOMPARE(row(*panel.tree(), QStringLiteral("Name")).data().toString(), QStringLiteral("v"));
}

void tst_InspectorPanel::aClickedNameChoosesItsNode()
{
    Session session;
    InspectorPanel panel(&session);
    panel.resize(400, 900);
    panel.show();
    QVERIFY(show(session, kKeptCode));
    const QModelIndex witness = row(*panel.tree(), QStringLiteral("Blocking use"));
    QVERIFY(witness.isValid());

    QTest::mouseClick(panel.tree()->viewport(), Qt::LeftButton, {},
                      panel.tree()->visualRect(witness).center());

    QCOMPARE(chosenName(session), "y");
}

void tst_InspectorPanel::noValueIsCut()
{
    Session session;
    InspectorPanel panel(&session);
    panel.resize(260, 900);
    panel.show();
    QVERIFY(show(session, kKeptCode));
    QCoreApplication::processEvents();

    // The reason is longer than the column is wide, so its row takes several lines.
    const QModelIndex reason = row(*panel.tree(), QStringLiteral("Why"));
    QVERIFY(panel.tree()->visualRect(reason).height() > 2 * panel.fontMetrics().height());
}

void tst_InspectorPanel::aDecisionIsProvedWhereItStands()
{
    Session session;
    RunService runs(&session);
    InspectorPanel panel(&session, &runs);
    panel.resize(400, 900);
    panel.show();
    QVERIFY(show(session, R"(
        def forward(self, x: "f32[4]", i: "i64[1]", src: "f32[1]"):
            c: "f32[4]" = torch.ops.aten.cos.default(x)
            p: "f32[4]" = torch.ops.aten.index_put.default(c, [i], src)
            y: "f32[4]" = torch.ops.aten.add.Tensor(c, 1)
            return (p, y)
    )"));
    const QString name = QStringLiteral("Proof");
    QVERIFY(row(*panel.tree(), name).data().toString().startsWith(QStringLiteral("Run it")));

    // By key as by click.
    panel.tree()->setCurrentIndex(row(*panel.tree(), name));
    QTest::keyClick(panel.tree(), Qt::Key_Return);
    QCOMPARE(row(*panel.tree(), name).data().toString(), QStringLiteral("Running..."));
    QVERIFY(QTest::qWaitFor([&] { return !runs.isBusy(); }, 20'000));

    const QModelIndex proof = row(*panel.tree(), name);
    QVERIFY2(proof.data().toString().startsWith(
                 QStringLiteral("Writing argument 0 of \"p\" in place would change results")),
             qPrintable(proof.data().toString()));
    QCOMPARE(proof.siblingAtColumn(0).data(NodeFactsModel::BadgesRole).value<QList<Badge>>(),
             QList<Badge>{Badge::Differs});
    runs.setSeed(3);
    QVERIFY(row(*panel.tree(), name).data().toString().startsWith(QStringLiteral("Run it")));
}

// A call that writes two arguments has two decisions; a small panel does not show both at once.
void tst_InspectorPanel::theDecisionAskedAboutComesIntoSight()
{
    Session session;
    RunService runs(&session);
    InspectorPanel panel(&session, &runs);
    panel.resize(400, 160);
    panel.show();
    const auto document =
        loadDocument(std::string(REINSPECT_SOURCE_DIR "/samples/triton_two_outputs.json"));
    QVERIFY(document.ok());
    QVERIFY(show(session, *document));
    const PassTrace& trace = *session.trace();
    QVERIFY(trace.decisions.size() > 1 && trace.decisions[0].node == trace.decisions[1].node);
    session.step(Move::ToEnd);
    const auto* model = qobject_cast<const NodeFactsModel*>(panel.tree()->model());
    const auto isInSight = [&](std::size_t decision) {
        return panel.tree()->viewport()->rect().contains(
            panel.tree()->visualRect(model->groupOf(DecisionIndex(decision))));
    };
    session.goToDecision(DecisionIndex(1));
    session.setSelection({.nodes = {trace.decisions[1].node}, .storage = {}});
    QVERIFY(isInSight(1));
    session.goToDecision(DecisionIndex(0));
    QVERIFY(isInSight(0) && !isInSight(1));
    runs.prove(DecisionIndex(1));
    QVERIFY(isInSight(1));
    // What comes of it does not take the reader's place.
    panel.tree()->scrollToTop();
    QVERIFY(QTest::qWaitFor([&] { return !runs.isBusy(); }, 20'000));
    QVERIFY(!isInSight(1));
}

void tst_InspectorPanel::aKernelSaysWhatItWrites()
{
    Session session;
    InspectorPanel panel(&session);
    const auto document =
        loadDocument(std::string(REINSPECT_SOURCE_DIR "/samples/triton_old_value_needed.json"));
    QVERIFY(document.ok());
    QVERIFY(show(session, *document));
    session.setSelection(
        {.nodes = {nodeNamed(session, "triton_kernel_wrapper_functional_proxy")}, .storage = {}});
    QCOMPARE(row(*panel.tree(), QStringLiteral("x")).data().toString(),
             QStringLiteral("read and written, line 19 (programs/cases.py:23)"));
}

QTEST_MAIN(tst_InspectorPanel)
#include "tst_inspector_panel.moc"
