// SPDX-License-Identifier: MIT
#include "tests/support/session_fixture.h"
#include "views/models/policy_diff_model.h"
#include "views/panels/compare_panel.h"
#include "views/panels/hint_stack.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTreeView>

using namespace reinspect;

// torch 2.11: p is kept because y reads v later, q and s may write. pr-111627 does not try s.
static constexpr std::string_view kProgram = R"(
    def forward(self, x: "f32[4]", i: "i64[1]", src: "f32[1]"):
        c: "f32[4]" = torch.ops.aten.cos.default(x)
        v: "f32[2]" = torch.ops.aten.slice.Tensor(c, 0, 0, 2)
        p: "f32[4]" = torch.ops.aten.index_put.default(c, [i], src)
        q: "f32[4]" = torch.ops.aten.index_put.default(p, [i], src)
        s: "f32[4]" = torch.ops.aten._unsafe_index_put.default(q, [i], src)
        y: "f32[2]" = torch.ops.aten.add.Tensor(v, 1)
        return (s, y)
)";

class tst_ComparePanel : public QObject
{
    Q_OBJECT

private slots:
    void saysWhatWouldFillIt();
    void comparesOnlyWhileItIsSeen();
    void aRowGoesToItsDecision();
    void aRowOfTheOtherSideAloneIsSaid();
    void differencesOnlyHidesTheRest();
    void agreementIsSaid();
    void sidesAreSwapped();
};

static void choose(ComparePanel& panel, const char* preset)
{
    const int index = panel.second()->findText(QLatin1String(preset));
    panel.second()->setCurrentIndex(index);
    emit panel.second()->activated(index);
}

static bool waitForResult(const Session& session, const ComparePanel& panel)
{
    const Comparison& comparison = *panel.comparison();
    return QTest::qWaitFor(
        [&] {
            return !session.isBusy() && !comparison.isBusy() && comparison.result()
                && comparison.result()->first == session.trace()
                && comparison.result()->second->policy == comparison.policy();
        },
        10'000);
}

static QModelIndex rowOf(const ComparePanel& panel, const char* node)
{
    const QAbstractItemModel* model = panel.table()->model();
    for (int row = 0; row < model->rowCount(); ++row)
        if (model->index(row, 0).data().toString() == QLatin1String(node))
            return model->index(row, 0);
    return {};
}

void tst_ComparePanel::saysWhatWouldFillIt()
{
    Session session;
    ComparePanel panel(&session);
    panel.setSeen(true);
    QVERIFY(panel.stack()->isEmpty());
    QVERIFY(panel.stack()->hint().contains(QStringLiteral("Open a graph")));

    QVERIFY(show(session, kProgram));
    QVERIFY(waitForResult(session, panel));
    QVERIFY(!panel.stack()->isEmpty());
    QVERIFY(!panel.totals()->text().isEmpty());
}

void tst_ComparePanel::comparesOnlyWhileItIsSeen()
{
    Session session;
    ComparePanel panel(&session);
    QVERIFY(show(session, kProgram));
    QVERIFY(!panel.comparison()->isBusy());
    QVERIFY(!panel.comparison()->result());
    panel.setSeen(true);
    QVERIFY(waitForResult(session, panel));
    panel.setSeen(false);
    QVERIFY(!panel.comparison()->isActive());
}

void tst_ComparePanel::aRowGoesToItsDecision()
{
    Session session;
    ComparePanel panel(&session);
    panel.resize(900, 400);
    panel.show();
    panel.setSeen(true);
    choose(panel, "pr-111627");
    QVERIFY(show(session, kProgram));
    QVERIFY(waitForResult(session, panel));

    QTest::mouseClick(panel.table()->viewport(), Qt::LeftButton, {},
                      panel.table()->visualRect(rowOf(panel, "s")).center());

    QCOMPARE(session.event(), session.trace()->decisionFor("s")->decided);
    QCOMPARE(chosenName(session), "s");
    QVERIFY2(panel.sentence()->text().contains(QStringLiteral("pr-111627 does not try it")),
             qPrintable(panel.sentence()->text()));

    session.goTo(session.trace()->decisionFor("q")->decided);
    QCOMPARE(panel.table()->currentIndex().row(), rowOf(panel, "q").row());
}

void tst_ComparePanel::aRowOfTheOtherSideAloneIsSaid()
{
    Session session;
    ComparePanel panel(&session);
    panel.setSeen(true);
    session.setPolicy(policyNamed("pr-111627").value());
    choose(panel, "torch-2.11");
    QVERIFY(show(session, kProgram));
    QVERIFY(waitForResult(session, panel));

    emit panel.table()->activated(rowOf(panel, "s"));

    QCOMPARE(chosenName(session), "s");
    QVERIFY2(session.message().contains(QStringLiteral("does not try")),
             qPrintable(session.message()));
}

void tst_ComparePanel::differencesOnlyHidesTheRest()
{
    Session session;
    ComparePanel panel(&session);
    panel.setSeen(true);
    choose(panel, "pr-111627");
    QVERIFY(show(session, kProgram));
    QVERIFY(waitForResult(session, panel));
    const int all = panel.table()->model()->rowCount();
    QCOMPARE(all, 3);

    panel.differencesOnly()->setChecked(true);

    QVERIFY(panel.table()->model()->rowCount() < all);
    for (int row = 0; row < panel.table()->model()->rowCount(); ++row)
        QVERIFY(panel.table()->model()->index(row, PolicyDiffModel::Difference).data().toString()
                != QStringLiteral("same"));
}

void tst_ComparePanel::agreementIsSaid()
{
    Session session;
    ComparePanel panel(&session);
    panel.setSeen(true);
    choose(panel, "torch-2.11");
    QVERIFY(!panel.swapButton()->isEnabled()); // the same on both sides
    QVERIFY(show(session, kProgram));
    QVERIFY(waitForResult(session, panel));
    panel.differencesOnly()->setChecked(true);
    QCOMPARE(panel.table()->model()->rowCount(), 0);
    QVERIFY(panel.totals()->text().startsWith(QStringLiteral("3 the same")));
}

void tst_ComparePanel::sidesAreSwapped()
{
    Session session;
    ComparePanel panel(&session);
    panel.setSeen(true);
    choose(panel, "later-uses");
    QVERIFY(show(session, kProgram));
    QVERIFY(waitForResult(session, panel));

    panel.swapButton()->click();

    QCOMPARE(session.policy().name, std::string("later-uses"));
    QCOMPARE(panel.second()->currentText(), QStringLiteral("torch-2.11"));
    QVERIFY(waitForResult(session, panel));
}

QTEST_MAIN(tst_ComparePanel)
#include "tst_compare_panel.moc"
