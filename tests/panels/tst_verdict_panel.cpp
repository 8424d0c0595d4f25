// SPDX-License-Identifier: MIT
#include "tests/support/session_fixture.h"
#include "tests/support/small_programs.h"
#include "views/panels/hint_stack.h"
#include "views/panels/term_edit.h"
#include "views/panels/verdict_panel.h"

#include <QClipboard>
#include <QCompleter>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTreeView>

using namespace reinspect;

class tst_VerdictPanel : public QObject
{
    Q_OBJECT

private slots:
    void saysWhatWouldFillIt();
    void aClickedRowGoesToItsDecision();
    void theRowFollowsTheSteps();
    void theFilterSaysWhatIsWrong();
    void theFilterCompletesTheLastWord();
    void totalsAreOfWhatIsShownAndOfAll();
    void rowsAreCopied();
    void theMenuActsOnTheRow();
    void everyPartHasAName();
};

static QModelIndex rowOf(const VerdictPanel& panel, const char* node)
{
    for (int row = 0; row < panel.model()->rowCount(); ++row)
        if (panel.model()->index(row, 0).data().toString() == QLatin1String(node))
            return panel.model()->index(row, 0);
    return {};
}

static void choose(const VerdictPanel& panel, const char* node)
{
    panel.table()->selectionModel()->setCurrentIndex(
        rowOf(panel, node), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

static QAction* menuAction(const VerdictPanel& panel, const char* text)
{
    for (QAction* action : panel.menu()->actions())
        if (action->text().remove(u'&').section(u'\t', 0, 0) == QLatin1String(text))
            return action;
    return nullptr;
}

void tst_VerdictPanel::saysWhatWouldFillIt()
{
    Session session;
    VerdictPanel panel(&session);
    QVERIFY(panel.stack()->isEmpty());
    QVERIFY(panel.stack()->hint().contains(QStringLiteral("Open a graph")));

    QVERIFY(show(session, R"(
        def forward(self, x: "f32[4]"):
            c: "f32[4]" = torch.ops.aten.cos.default(x)
            return (c,)
    )"));
    QVERIFY(panel.stack()->isEmpty());
    QVERIFY2(panel.stack()->hint().contains(QStringLiteral("With torch-2.11, no call")),
             qPrintable(panel.stack()->hint()));

    session.setDocument(documentFrom(kTwoDecisionsCode));
    QTRY_VERIFY(!panel.stack()->isEmpty());
}

void tst_VerdictPanel::aClickedRowGoesToItsDecision()
{
    Session session;
    VerdictPanel panel(&session);
    panel.resize(900, 400);
    panel.show();
    QVERIFY(show(session, kTwoDecisionsCode));
    const PassTrace& trace = *session.trace();

    QTest::mouseClick(panel.table()->viewport(), Qt::LeftButton, {},
                      panel.table()->visualRect(rowOf(panel, "q")).center());
    QCOMPARE(session.event(), trace.decisionFor("q")->decided);
    QCOMPARE(chosenName(session), "q");

    // By keyboard: Up looks, Enter goes.
    QTest::keyClick(panel.table(), Qt::Key_Up);
    QCOMPARE(session.event(), trace.decisionFor("q")->decided);
    QTest::keyClick(panel.table(), Qt::Key_Return);
    QCOMPARE(session.event(), trace.decisionFor("p")->decided);
}

void tst_VerdictPanel::theRowFollowsTheSteps()
{
    Session session;
    VerdictPanel panel(&session);
    QVERIFY(show(session, kTwoDecisionsCode));
    QCOMPARE(panel.table()->currentIndex().row(), rowOf(panel, "p").row());

    session.goTo(session.trace()->decisionFor("q")->tried);

    QCOMPARE(panel.table()->currentIndex().row(), rowOf(panel, "q").row());
    QVERIFY(rowOf(panel, "q").data(VerdictTableModel::CurrentRole).toBool());
}

void tst_VerdictPanel::theFilterSaysWhatIsWrong()
{
    Session session;
    VerdictPanel panel(&session);
    QVERIFY(show(session, kTwoDecisionsCode));

    panel.filter()->line()->setText(QStringLiteral("verdict:kept"));
    QCOMPARE(panel.model()->rowCount(), 1);
    panel.filter()->line()->setText(QStringLiteral("verdict:kept size>3"));
    QVERIFY(panel.filter()->problem().contains(QStringLiteral("size>3")));
    QCOMPARE(panel.model()->rowCount(), 1); // as before

    panel.filter()->line()->setText(QStringLiteral("kind:triton"));
    QVERIFY(panel.filter()->problem().isEmpty());
    QVERIFY(panel.rows()->isEmpty());
    QVERIFY(panel.rows()->hint().contains(QStringLiteral("kind:triton")));
    QVERIFY(!panel.stack()->isEmpty()); // the filter can still be changed
    panel.filter()->line()->clear();
    QCOMPARE(panel.model()->rowCount(), 2);
}

void tst_VerdictPanel::theFilterCompletesTheLastWord()
{
    TermEdit edit;
    edit.line()->setText(QStringLiteral("kind:triton verd"));
    QCompleter* completer = edit.line()->completer();
    completer->setCompletionPrefix(edit.line()->text());
    QStringList offered;
    for (int i = 0; completer->setCurrentRow(i); ++i)
        offered.append(completer->currentCompletion());
    QCOMPARE(offered,
             (QStringList{QStringLiteral("kind:triton verdict:reinplaced"),
                          QStringLiteral("kind:triton verdict:kept")}));
}

void tst_VerdictPanel::totalsAreOfWhatIsShownAndOfAll()
{
    Session session;
    VerdictPanel panel(&session);
    QVERIFY(show(session, kTwoDecisionsCode));
    QVERIFY(panel.totals()->text().startsWith(
        QStringLiteral("All: 2 candidates  \u00b7  1 reinplaced  \u00b7  1 kept (16 B)")));
    QVERIFY(!panel.totals()->text().contains(QStringLiteral("Shown")));

    panel.filter()->line()->setText(QStringLiteral("node:q"));

    const QStringList lines = panel.totals()->text().split(u'\n');
    QCOMPARE(lines.size(), 2);
    QVERIFY(lines[0].startsWith(
        QStringLiteral("Shown: 1 candidate  \u00b7  1 reinplaced  \u00b7  0 kept (0 B)")));
    QVERIFY(lines[1].startsWith(QStringLiteral("All: 2 candidates")));
}

void tst_VerdictPanel::rowsAreCopied()
{
    Session session;
    VerdictPanel panel(&session);
    panel.show();
    QVERIFY(show(session, kTwoDecisionsCode));
    panel.table()->setFocus();

    choose(panel, "q");
    QTest::keyClick(panel.table(), Qt::Key_C, Qt::ControlModifier);
    QStringList lines = QGuiApplication::clipboard()->text().split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 2);
    QVERIFY(lines[1].startsWith(QStringLiteral("q\t0\treinplaced")));

    panel.table()->clearSelection(); // nothing chosen: all that is shown
    menuAction(panel, "Copy as Markdown")->trigger();
    lines = QGuiApplication::clipboard()->text().split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 4);
    QVERIFY(lines[2].startsWith(QStringLiteral("| p | 0 | kept | UsedLater |")));
}

void tst_VerdictPanel::theMenuActsOnTheRow()
{
    Session session;
    VerdictPanel panel(&session);
    QVERIFY(show(session, kTwoDecisionsCode));
    const auto verdictOf = [&session](const char* node) {
        return session.trace()->decisionFor(node)->verdict;
    };

    choose(panel, "p");
    menuAction(panel, "Force in Place")->trigger();
    QTRY_COMPARE(verdictOf("p"), Verdict::Reinplaced);

    panel.table()->selectAll();
    menuAction(panel, "Forbid")->trigger();
    QTRY_COMPARE(verdictOf("q"), Verdict::Kept);
    QTRY_COMPARE(verdictOf("p"), Verdict::Kept);
    QCOMPARE(session.policy().overrides.size(), std::size_t{2});

    panel.table()->selectAll();
    menuAction(panel, "No Override")->trigger();
    QTRY_COMPARE(verdictOf("q"), Verdict::Reinplaced);
    QVERIFY(session.policy().overrides.empty());

    choose(panel, "q");
    menuAction(panel, "Break Here")->trigger();
    QCOMPARE(session.breakpoints().front().text, std::string("node:q"));

    QSignalSpy requests(&panel, &VerdictPanel::graphRequested);
    menuAction(panel, "Show in Graph")->trigger();
    QCOMPARE(requests.count(), 1);
    QCOMPARE(chosenName(session), "q");
}

void tst_VerdictPanel::everyPartHasAName()
{
    Session session;
    VerdictPanel panel(&session);
    QVERIFY(!panel.table()->accessibleName().isEmpty());
    QVERIFY(!panel.table()->whatsThis().isEmpty());
    QVERIFY(!panel.filter()->line()->accessibleName().isEmpty());
    QVERIFY(!panel.filter()->line()->whatsThis().isEmpty());
    QVERIFY(!panel.totals()->accessibleName().isEmpty());
}

QTEST_MAIN(tst_VerdictPanel)
#include "tst_verdict_panel.moc"
