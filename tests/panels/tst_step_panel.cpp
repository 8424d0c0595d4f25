// SPDX-License-Identifier: MIT
#include "tests/support/session_fixture.h"
#include "views/models/event_tree_model.h"
#include "views/panels/hint_stack.h"
#include "views/panels/step_panel.h"

#include <QTextBrowser>
#include <QToolBar>

using namespace reinspect;

class tst_StepPanel : public QObject
{
    Q_OBJECT

private slots:
    void saysWhatWouldFillIt();
    void showsTheSentenceOfTheCurrentEvent();
    void theTreeFollowsTheCursor();
    void aClickedRowMovesTheCursor();
    void aClickedNameChoosesItsNode();
    void aDecisionComesWithAdvice();
    void showsTheActionsItIsGiven();
};

static EventIndex treeEvent(const StepPanel& panel)
{
    return panel.tree()->currentIndex().data(EventTreeModel::EventRole).value<EventIndex>();
}

void tst_StepPanel::saysWhatWouldFillIt()
{
    Session session;
    StepPanel panel(&session);
    QVERIFY(panel.stack()->isEmpty());
    QVERIFY(panel.stack()->hint().contains(QStringLiteral("Open a graph")));

    QVERIFY(show(session, kKeptCode));
    QVERIFY(!panel.stack()->isEmpty());
}

void tst_StepPanel::showsTheSentenceOfTheCurrentEvent()
{
    Session session;
    StepPanel panel(&session);
    QVERIFY(show(session, kKeptCode));

    session.step(Move::ToStart);
    do
    {
        QCOMPARE(panel.sentence(), toQString(explain(*session.trace(), session.event())));
        QVERIFY(panel.positionText().startsWith(
            QStringLiteral("Step %1 of").arg(session.event().index() + 1)));
        session.step(Move::Into);
    } while (session.message().isEmpty());
}

void tst_StepPanel::theTreeFollowsTheCursor()
{
    Session session;
    StepPanel panel(&session);
    QVERIFY(show(session, kKeptCode));
    QCOMPARE(treeEvent(panel), session.event());

    session.goTo(firstEvent<UseExamined>(*session.trace()));
    QCOMPARE(treeEvent(panel), session.event());
    QVERIFY(panel.tree()->isExpanded(panel.tree()->currentIndex().parent()));
}

void tst_StepPanel::aClickedRowMovesTheCursor()
{
    Session session;
    StepPanel panel(&session);
    panel.resize(500, 700);
    panel.show();
    QVERIFY(show(session, kKeptCode));
    const QModelIndex first = panel.tree()->model()->index(0, 0);

    QTest::mouseClick(panel.tree()->viewport(), Qt::LeftButton, {},
                      panel.tree()->visualRect(first).center());
    QCOMPARE(session.event(), EventIndex(0));

    // By keyboard, too.
    QTest::keyClick(panel.tree(), Qt::Key_Down);
    QVERIFY(session.event() > EventIndex(0));
}

void tst_StepPanel::aClickedNameChoosesItsNode()
{
    Session session;
    StepPanel panel(&session);
    QVERIFY(show(session, kKeptCode));
    auto* sentence = panel.findChild<QTextBrowser*>();
    QVERIFY(sentence->toHtml().contains(
        QStringLiteral("node:%1").arg(nodeNamed(session, "y").index())));

    emit sentence->anchorClicked(
        QUrl(QStringLiteral("node:%1").arg(nodeNamed(session, "y").index())));

    QCOMPARE(chosenName(session), "y");
}

void tst_StepPanel::aDecisionComesWithAdvice()
{
    Session session;
    StepPanel panel(&session);
    QVERIFY(show(session, kKeptCode));
    const Decided* decided = session.trace()->event(session.event()).as<Decided>();

    QString hint = toQString(advice(*session.trace(), decided->decision)).remove(u'"');
    QVERIFY(!hint.isEmpty());
    QVERIFY(panel.findChild<QTextBrowser*>()->toPlainText().contains(hint));
}

void tst_StepPanel::showsTheActionsItIsGiven()
{
    Session session;
    StepPanel panel(&session);
    QAction over(QStringLiteral("Step Over"));
    connect(&over, &QAction::triggered, &session, [&session] { session.step(Move::Over); });

    panel.setStepActions({&over, nullptr, &over});
    QVERIFY(show(session, kKeptCode));
    const EventIndex before = session.event();
    auto* bar = panel.findChild<QToolBar*>();
    QTest::mouseClick(bar->widgetForAction(&over), Qt::LeftButton);

    QVERIFY(session.event() != before);
}

QTEST_MAIN(tst_StepPanel)
#include "tst_step_panel.moc"
