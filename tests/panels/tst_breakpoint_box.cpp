// SPDX-License-Identifier: MIT
#include "tests/support/session_fixture.h"
#include "views/panels/breakpoint_box.h"
#include "views/panels/hint_stack.h"
#include "views/panels/term_edit.h"

#include <QLineEdit>
#include <QListView>
#include <QToolButton>

using namespace reinspect;

class tst_BreakpointBox : public QObject
{
    Q_OBJECT

private slots:
    void foldsToItsHeading();
    void enterAddsABreakpoint();
    void mistakesAreShownBelowTheLine();
    void boxesAndDeleteActOnTheRow();
};

void tst_BreakpointBox::foldsToItsHeading()
{
    Session session;
    BreakpointBox box(&session);
    box.show();
    QVERIFY(box.isFolded());
    QVERIFY(!box.edit()->isVisible());
    box.heading()->click();
    QVERIFY(!box.isFolded());
    QVERIFY(box.edit()->isVisible());
    QVERIFY(box.stack()->isEmpty());
    QVERIFY(!box.stack()->hint().isEmpty());
}

void tst_BreakpointBox::enterAddsABreakpoint()
{
    Session session;
    BreakpointBox box(&session);
    box.setFolded(false);
    box.show();
    QTest::keyClicks(box.edit()->line(), QStringLiteral("verdict:kept bytes>1K"));
    QTest::keyClick(box.edit()->line(), Qt::Key_Return);

    QCOMPARE(session.breakpoints().size(), std::size_t{1});
    QCOMPARE(session.breakpoints().front().text, std::string("verdict:kept bytes>1K"));
    QVERIFY(box.edit()->line()->text().isEmpty());
    QVERIFY(box.heading()->text().contains(u'1'));
    QVERIFY(!box.stack()->isEmpty());

    // The same once more is still one.
    box.edit()->line()->setText(QStringLiteral("verdict:kept bytes>1K"));
    box.addButton()->click();
    QCOMPARE(session.breakpoints().size(), std::size_t{1});
}

void tst_BreakpointBox::mistakesAreShownBelowTheLine()
{
    Session session;
    BreakpointBox box(&session);
    box.addButton()->click();
    QVERIFY(box.edit()->problem().contains(QStringLiteral("Write conditions first")));
    box.edit()->line()->setText(QStringLiteral("colour:red"));
    QVERIFY(box.edit()->problem().isEmpty()); // it may still become one
    box.addButton()->click();
    QVERIFY(box.edit()->problem().contains(QStringLiteral("colour:red")));
    QVERIFY(session.breakpoints().empty());
    QCOMPARE(box.edit()->line()->text(), QStringLiteral("colour:red"));
}

void tst_BreakpointBox::boxesAndDeleteActOnTheRow()
{
    Session session;
    BreakpointBox box(&session);
    box.setFolded(false);
    box.show();
    session.setBreakpoints({parseBreakpoint("node:a").value(), parseBreakpoint("node:b").value()});
    QApplication::setActiveWindow(&box);
    QListView* list = box.list();
    list->setFocus();
    list->setCurrentIndex(list->model()->index(1, 0));

    QTest::keyClick(list, Qt::Key_Space);
    QVERIFY(!session.breakpoints()[1].enabled);
    QCOMPARE(list->currentIndex().row(), 1);
    QTest::keyClick(list, Qt::Key_Delete);
    QCOMPARE(session.breakpoints().size(), std::size_t{1});
    QCOMPARE(session.breakpoints().front().text, std::string("node:a"));
}

QTEST_MAIN(tst_BreakpointBox)
#include "tst_breakpoint_box.moc"
