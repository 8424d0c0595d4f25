// SPDX-License-Identifier: MIT
#include "tests/support/session_fixture.h"
#include "views/panels/code_view.h"
#include "views/panels/hint_stack.h"
#include "views/panels/source_panel.h"

#include <QLabel>
#include <QListWidget>
#include <QTextBlock>

using namespace reinspect;

class tst_SourcePanel : public QObject
{
    Q_OBJECT

private slots:
    void saysWhatWouldFillIt();
    void showsTheTextAsItWasLoaded();
    void showsACaptureAsCode();
    void marksTheChosenNodeAndTheStepsNodes();
    void aClickedLineChoosesItsNode();
    void followingTheSelectionIsNoChoice();
    void tellsTheUsersLine();
    void listsProblems();
    void aGraphOfAFolderShowsItsOwnFile();
};

static Role roleAt(const CodeView& code, int line)
{
    Role role = Role::Plain;
    for (const LineMark& mark : code.marks())
    {
        if (mark.line == line)
            role = mark.role;
    }
    return role;
}

void tst_SourcePanel::saysWhatWouldFillIt()
{
    Session session;
    SourcePanel panel(&session);
    QVERIFY(panel.stack()->isEmpty());
    QVERIFY(panel.stack()->hint().contains(QStringLiteral("Open a graph")));
}

void tst_SourcePanel::showsTheTextAsItWasLoaded()
{
    Session session;
    SourcePanel panel(&session);
    QVERIFY(show(session, kKeptCode));

    QCOMPARE(panel.code()->toPlainText(), toQString(session.document()->source->text()));
    QCOMPARE(panel.lineOf(nodeNamed(session, "c")), 2);
    QVERIFY(panel.code()
                ->lineText(panel.lineOf(nodeNamed(session, "p")))
                .contains(QStringLiteral("index_put")));
    QVERIFY(panel.problems()->isHidden());
}

void tst_SourcePanel::showsACaptureAsCode()
{
    Session session;
    SourcePanel panel(&session);
    session.open(QStringLiteral(":/samples/triton_two_outputs.json"));
    QTRY_VERIFY(session.trace());

    const int line = panel.lineOf(nodeNamed(session, "triton_kernel_wrapper_functional_proxy"));
    QVERIFY(panel.code()->lineText(line).contains(QStringLiteral("torch.ops.higher_order")));
    QVERIFY(panel.lineOf(nodeNamed(session, "arg0_1")) > 0);
}

void tst_SourcePanel::marksTheChosenNodeAndTheStepsNodes()
{
    Session session;
    SourcePanel panel(&session);
    QVERIFY(show(session, kKeptCode));

    QCOMPARE(roleAt(*panel.code(), panel.lineOf(nodeNamed(session, "p"))), Role::Current);
    QCOMPARE(roleAt(*panel.code(), panel.lineOf(nodeNamed(session, "c"))), Role::Mutated);
    QCOMPARE(roleAt(*panel.code(), panel.lineOf(nodeNamed(session, "y"))), Role::Blocking);

    session.setSelection({.nodes = {nodeNamed(session, "x")}, .storage = {}});
    QCOMPARE(panel.code()->marks().front().line, panel.lineOf(nodeNamed(session, "x")));
    QCOMPARE(panel.code()->marks().front().role, Role::Selected);
}

void tst_SourcePanel::aClickedLineChoosesItsNode()
{
    Session session;
    SourcePanel panel(&session);
    panel.resize(600, 400);
    panel.show();
    QVERIFY(show(session, kKeptCode));
    QTextCursor cursor(
        panel.code()->document()->findBlockByNumber(panel.lineOf(nodeNamed(session, "v")) - 1));
    cursor.movePosition(QTextCursor::Right, QTextCursor::MoveAnchor, 10);

    QTest::mouseClick(panel.code()->viewport(), Qt::LeftButton, {},
                      panel.code()->cursorRect(cursor).center());

    QCOMPARE(chosenName(session), "v");
}

void tst_SourcePanel::followingTheSelectionIsNoChoice()
{
    Session session;
    SourcePanel panel(&session);
    QVERIFY(show(session, kKeptCode));
    // x and i stand on one line: choosing i must not come back as x.
    session.setSelection({.nodes = {nodeNamed(session, "i")}, .storage = {}});

    QCOMPARE(chosenName(session), "i");
}

void tst_SourcePanel::tellsTheUsersLine()
{
    Session session;
    SourcePanel panel(&session);
    session.open(QStringLiteral(":/samples/triton_old_value_needed.json"));
    QTRY_VERIFY(session.trace());

    session.setSelection({.nodes = {nodeNamed(session, "sin")}, .storage = {}});
    QCOMPARE(
        panel.userLine()->text(),
        QStringLiteral("sin comes from: y = x.sin(); z = y.clone(); call_mul2(z); return z, y"));

    QVERIFY(show(session, kKeptCode));
    QVERIFY(panel.userLine()->text().contains(QStringLiteral("does not name a line")));
}

void tst_SourcePanel::listsProblems()
{
    auto document = std::make_shared<Document>(*documentFrom(kKeptCode));
    document->problems.push_back(
        {.span = {.line = 3}, .text = "Something odd.", .hint = "Look here."});
    Session session;
    SourcePanel panel(&session);
    QVERIFY(show(session, document));

    QVERIFY(!panel.problems()->isHidden());
    QCOMPARE(panel.problems()->item(0)->text(),
             QStringLiteral("Line 3: Something odd. Look here."));
    panel.problems()->setCurrentRow(0);
    QCOMPARE(panel.code()->marks().front().line, 3);
}

void tst_SourcePanel::aGraphOfAFolderShowsItsOwnFile()
{
    Session session;
    SourcePanel panel(&session);
    auto folder = std::make_shared<Document>(*documentFrom(kKeptCode));
    folder->graphs[0].source = folder->source;
    folder->graphs[0].origin.file = "a.txt";
    folder->source = std::make_shared<const SourceText>("folder", "a.txt: one graph\n");
    folder->problems = {{TextSpan{2, 1}, "odd", "", "a.txt"}, {TextSpan{3, 1}, "odd", "", "b.txt"}};
    QVERIFY(show(session, folder));
    QCOMPARE(panel.code()->toPlainText(), toQString(folder->graphs[0].source->text()));
    QVERIFY(panel.code()
                ->lineText(panel.lineOf(nodeNamed(session, "p")))
                .contains(QStringLiteral("index_put")));
    QVERIFY(panel.problems()->item(1)->text().startsWith(QStringLiteral("b.txt, Line 3")));
    // A line of another file is none of what is shown.
    QCOMPARE(panel.problems()->item(0)->data(Qt::UserRole).toInt(), 2);
    QCOMPARE(panel.problems()->item(1)->data(Qt::UserRole).toInt(), 0);
}

QTEST_MAIN(tst_SourcePanel)
#include "tst_source_panel.moc"
