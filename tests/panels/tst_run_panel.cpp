// SPDX-License-Identifier: MIT
#include "tests/support/session_fixture.h"
#include "views/panels/hint_stack.h"
#include "views/panels/run_head.h"
#include "views/panels/run_panel.h"
#include "views/panels/where_box.h"
#include "views/session/place.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTextBrowser>
#include <QTextDocumentFragment>
#include <QTreeView>

using namespace reinspect;

// p is kept, since y reads c later. Forced in place, y sees what p wrote.
static constexpr std::string_view kProgram = R"(
    def forward(self, x: "f32[4]", i: "i64[1]", src: "f32[1]"):
        c: "f32[4]" = torch.ops.aten.cos.default(x)
        p: "f32[4]" = torch.ops.aten.index_put.default(c, [i], src)
        y: "f32[4]" = torch.ops.aten.add.Tensor(c, 1)
        return (p, y)
)";

static constexpr std::string_view kUnknown = R"(
    def forward(self, x: "f32[4]"):
        c: "f32[4]" = torch.ops.aten.cos.default(x)
        f: "f32[4]" = torch.ops.demo.frobnicate.default(c)
        return (f,)
)";

class tst_RunPanel : public QObject
{
    Q_OBJECT

private slots:
    void saysWhatWouldFillIt();
    void equalResultsAreSaid();
    void differencesLeadToTheNodeAndTheDecision();
    void whatCannotRunIsNamed();
    void aRowChoosesItsNode();
    void anotherPolicyOrSeedMakesItOld();
    void anotherGraphClearsIt();
    void cancelLeavesWhatWasThere();
    void aMissingFileIsSaid();
    void copiesAsMarkdown();
    void cudaIsListedWithTheReason();
    void aRemoteHostIsChosenOrSetUp();
    void oneDecisionIsProvedWithoutARun();
    void aSymbolWithoutANumberIsAskedFor();
    void oneSentenceSaysWhyItCannotRun_data();
    void oneSentenceSaysWhyItCannotRun();
};

namespace
{

struct Fixture
{
    Session session;
    RunService runs{&session};
    RunPanel panel{&runs};

    bool run()
    {
        panel.head()->runButton()->click();
        return wait();
    }
    bool wait()
    {
        return QTest::qWaitFor([this] { return !runs.isBusy(); }, 20'000);
    }
    void force(std::string_view node)
    {
        ReinplacePolicy policy;
        setOverride(policy, overrideFrom(node, true));
        session.setPolicy(policy);
    }
    QString verdict() const
    {
        return QTextDocumentFragment::fromHtml(panel.verdict()->text()).toPlainText();
    }
    QString cell(int row, int column) const
    {
        return panel.model()->index(row, column).data().toString();
    }
};

// The first link in the verdict.
QString firstLink(const RunPanel& panel)
{
    const QString text = panel.verdict()->text();
    const qsizetype at = text.indexOf(QStringLiteral("href=\"")) + 6;
    return text.mid(at, text.indexOf(u'"', at) - at);
}

} // namespace

void tst_RunPanel::saysWhatWouldFillIt()
{
    Fixture f;
    QVERIFY(f.panel.stack()->isEmpty());
    QVERIFY(f.panel.stack()->hint().contains(QStringLiteral("Open a graph")));
    QVERIFY(!f.panel.head()->runButton()->isEnabled());

    QVERIFY(show(f.session, kProgram));
    QVERIFY(f.panel.head()->runButton()->isEnabled());
    QVERIFY(f.panel.stack()->hint().contains(QStringLiteral("bit for bit")));
}

void tst_RunPanel::equalResultsAreSaid()
{
    Fixture f;
    QVERIFY(show(f.session, kProgram));
    QVERIFY(f.run());

    QCOMPARE(f.verdict(),
             QStringLiteral("The graph after the pass computes the same: 2 outputs bit for bit."));
    QCOMPARE(f.panel.model()->rowCount(), 2);
    QCOMPARE(f.cell(0, RunResultModel::Result), QStringLiteral("output.0"));
    QCOMPARE(f.cell(0, RunResultModel::Node), QStringLiteral("p"));
    QCOMPARE(f.cell(0, RunResultModel::Against), QStringLiteral("after, final, baseline"));
    QCOMPARE(f.cell(0, RunResultModel::Finding), QStringLiteral("equal"));
    QCOMPARE(f.cell(0, RunResultModel::MaxAbsolute), QStringLiteral("0"));
    QVERIFY(!f.panel.head()->findButton()->isEnabled());
    QVERIFY(f.panel.notes()->toPlainText().contains(QStringLiteral("Peak over the inputs")));
}

void tst_RunPanel::differencesLeadToTheNodeAndTheDecision()
{
    Fixture f;
    f.force("p");
    QVERIFY(show(f.session, kProgram));
    QVERIFY(f.run());

    QVERIFY2(f.verdict().contains(QStringLiteral("something else: 1 of 2 results differs")),
             qPrintable(f.verdict()));
    emit f.panel.verdict()->linkActivated(firstLink(f.panel));
    QCOMPARE(chosenName(f.session), f.runs.result()->proof.comparisons[0].firstDifferingNode);

    QVERIFY(f.panel.head()->findButton()->isEnabled());
    f.session.goTo(EventIndex(0));
    f.panel.head()->findButton()->click();
    QVERIFY(f.wait());
    QVERIFY(f.runs.bisect() && f.runs.bisect()->found);
    QVERIFY2(f.verdict().contains(QStringLiteral("in place changes them")),
             qPrintable(f.verdict()));
    emit f.panel.verdict()->linkActivated(QStringLiteral("decision"));
    QCOMPARE(f.session.event(), f.session.trace()->decisionFor("p")->decided);
}

void tst_RunPanel::whatCannotRunIsNamed()
{
    Fixture f;
    QVERIFY(show(f.session, kUnknown));
    QVERIFY(f.run());

    QVERIFY2(f.verdict().startsWith(QStringLiteral("Not told: The graph before the pass stopped")),
             qPrintable(f.verdict()));
    QVERIFY(f.verdict().contains(QStringLiteral("demo.frobnicate.default")));
    QVERIFY(f.panel.model()->rowCount() > 0);
    QCOMPARE(f.panel.model()->rows()[0].finding, RunFinding::CannotRun);
    emit f.panel.table()->activated(f.panel.model()->index(0, 0));
    QCOMPARE(chosenName(f.session), "f");
}

void tst_RunPanel::aRowChoosesItsNode()
{
    Fixture f;
    QVERIFY(show(f.session, kProgram));
    QVERIFY(f.run());
    emit f.panel.table()->activated(f.panel.model()->index(1, 0));
    QCOMPARE(chosenName(f.session), "y");

    f.session.setSelection({.nodes = {nodeNamed(f.session, "p")}, .storage = {}});
    QCOMPARE(f.panel.table()->currentIndex().row(), 0);
}

void tst_RunPanel::anotherPolicyOrSeedMakesItOld()
{
    Fixture f;
    QVERIFY(show(f.session, kProgram));
    QVERIFY(f.run());
    QVERIFY(f.panel.stale()->isHidden());

    f.panel.head()->seed()->setValue(7);
    QVERIFY(!f.panel.stale()->isHidden());
    QVERIFY(f.panel.stale()->text().contains(QStringLiteral("seed 0")));
    f.panel.head()->seed()->setValue(0);
    QVERIFY(f.panel.stale()->isHidden());

    f.session.setPolicy(policyNamed("precise").value());
    QVERIFY(f.panel.stale()->text().contains(QStringLiteral("torch-2.11")));
    QVERIFY(QTest::qWaitFor([&] { return f.session.trace() && !f.session.isBusy(); }, 10'000));
    QVERIFY(f.run());
    QVERIFY(f.panel.stale()->isHidden());
}

void tst_RunPanel::anotherGraphClearsIt()
{
    Fixture f;
    QVERIFY(show(f.session, kProgram));
    QVERIFY(f.run());
    QVERIFY(f.runs.result());
    f.session.setDocument(documentFrom(kUnknown));
    QVERIFY(!f.runs.result());
    QCOMPARE(f.panel.model()->rowCount(), 0);
    QVERIFY(f.panel.stack()->isEmpty());
}

void tst_RunPanel::cancelLeavesWhatWasThere()
{
    Fixture f;
    QVERIFY(show(f.session, kProgram));
    QVERIFY(f.run());
    const auto before = f.runs.result();
    f.panel.head()->runButton()->click();
    QVERIFY(f.runs.isBusy());
    QVERIFY(!f.panel.head()->cancelButton()->isHidden());
    f.panel.head()->cancelButton()->click();
    QVERIFY(!f.runs.isBusy());
    QVERIFY(f.panel.head()->cancelButton()->isHidden());
    QCOMPARE(f.runs.result(), before);
}

void tst_RunPanel::aMissingFileIsSaid()
{
    Fixture f;
    QVERIFY(show(f.session, kProgram));
    f.runs.setInputsPath(QStringLiteral("/nowhere/data.safetensors"));
    QCOMPARE(f.panel.head()->inputs()->currentText(), QStringLiteral("data.safetensors"));
    QVERIFY(f.run());
    QVERIFY2(f.verdict().startsWith(QStringLiteral("Nothing was run: ")), qPrintable(f.verdict()));
    QVERIFY(f.verdict().contains(QStringLiteral("data.safetensors")));
    QCOMPARE(f.panel.model()->rowCount(), 0);
}

void tst_RunPanel::copiesAsMarkdown()
{
    Fixture f;
    QVERIFY(show(f.session, kProgram));
    QVERIFY(f.run());
    f.panel.table()->clearSelection();
    QTest::keyClick(f.panel.table(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    const QStringList lines = QGuiApplication::clipboard()->text().split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 4);
    QVERIFY(lines[0].startsWith(QStringLiteral("| Result | Node |")));
    QVERIFY(lines[3].startsWith(QStringLiteral("| output.1 | y | after, final, baseline | equal")));
}

void tst_RunPanel::cudaIsListedWithTheReason()
{
    Fixture f;
    if (gpu::openGpu().ok())
        QSKIP("this machine has a GPU");
    const WhereBox* where = f.panel.head()->where();
    f.runs.askGpu();
    QTRY_VERIFY(f.runs.gpu());
    QVERIFY(where->itemText(1).contains(QStringLiteral("not available")));
    QVERIFY(!(where->model()->flags(where->model()->index(1, 0)) & Qt::ItemIsEnabled));
    QVERIFY(!where->itemData(1, Qt::ToolTipRole).toString().isEmpty());
    // Asked for all the same, as by a setting, it runs nowhere else.
    QVERIFY(show(f.session, kProgram));
    f.runs.setPlace(RunPlace::Cuda);
    QVERIFY(f.run());
    QVERIFY(f.runs.result()->failure);
    QCOMPARE(f.runs.result()->failure->message, f.runs.gpu()->error().message);
}

void tst_RunPanel::aRemoteHostIsChosenOrSetUp()
{
    Fixture f;
    WhereBox* where = f.panel.head()->where();
    QSignalSpy setups(where, &WhereBox::setupAsked);
    QCOMPARE(where->itemText(2), QStringLiteral("Remote host..."));
    where->setCurrentIndex(2);
    emit where->activated(2);
    QCOMPARE(setups.count(), 1);
    QCOMPARE(where->currentText(), QStringLiteral("CPU")); // nothing was chosen by that
    QVERIFY(f.panel.head()->tf32()->isHidden());

    f.runs.setRemoteHost({.host = QStringLiteral("gpu1")});
    QCOMPARE(where->itemText(2), QStringLiteral("gpu1 (CUDA)"));
    where->setCurrentIndex(2);
    emit where->activated(2);
    QCOMPARE(f.runs.place(), RunPlace::Remote);
    QVERIFY(!f.panel.head()->tf32()->isHidden());
    f.panel.head()->tf32()->click();
    QVERIFY(f.runs.allowsTf32());
    f.runs.setRemoteHost({});
    QCOMPARE(f.runs.place(), RunPlace::Cpu);
    QCOMPARE(where->currentText(), QStringLiteral("CPU"));
}

void tst_RunPanel::oneDecisionIsProvedWithoutARun()
{
    Fixture f;
    QVERIFY(show(f.session, kProgram));
    const DecisionIndex decision =
        findDecision(*f.session.trace(), "p", f.session.trace()->decisionFor("p")->argument);
    f.runs.prove(decision);
    QCOMPARE(f.runs.provingNow(), decision);
    QVERIFY(f.wait());
    QVERIFY(!f.runs.result());
    QVERIFY(!f.panel.stack()->isEmpty());
    QVERIFY2(f.verdict().startsWith(
                 QStringLiteral("Writing argument 0 of p in place would change results")),
             qPrintable(f.verdict()));
    f.session.goTo(EventIndex(0));
    emit f.panel.verdict()->linkActivated(QStringLiteral("proof"));
    QCOMPARE(f.session.decision(), decision);
    f.runs.setSeed(5); // other inputs: not proved for them
    QVERIFY(!f.runs.proofOf(decision));
    QVERIFY(f.panel.stack()->isEmpty());
}

void tst_RunPanel::aSymbolWithoutANumberIsAskedFor()
{
    Fixture f;
    QVERIFY(show(f.session, kProgram));
    QVERIFY(f.panel.head()->symbols()->isHidden());
    QVERIFY(show(f.session, R"code(
        def forward(self, s0: "Sym(s0)", x: "f32[s0, 4]"):
            c: "f32[s0, 4]" = torch.ops.aten.cos.default(x)
            return (c,)
    )code"));
    QLineEdit* symbols = f.panel.head()->symbols();
    QVERIFY(!symbols->isHidden());
    QCOMPARE(symbols->placeholderText(), QStringLiteral("s0=8"));
    QVERIFY(f.run());
    QVERIFY2(f.verdict().contains(QStringLiteral("no value is known for the symbol s0")),
             qPrintable(f.verdict()));
    symbols->setText(QStringLiteral("s0=three"));
    QTest::keyClick(symbols, Qt::Key_Return);
    QVERIFY(f.wait());
    QVERIFY2(f.verdict().contains(QStringLiteral("'s0=three' gives no symbol a number")),
             qPrintable(f.verdict()));
    symbols->setText(QStringLiteral("s0=3"));
    QTest::keyClick(symbols, Qt::Key_Return);
    QVERIFY(f.wait());
    QVERIFY2(f.verdict().contains(QStringLiteral("computes the same")), qPrintable(f.verdict()));
    QCOMPARE(f.runs.result()->inputs, QStringLiteral("seed 0, s0=3"));
}

void tst_RunPanel::oneSentenceSaysWhyItCannotRun_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const char* line, const char* said) {
        QTest::newRow(name) << QString::fromLatin1(line) << QString::fromLatin1(said);
    };
    row("an operator nobody knows", "n: \"f32[4]\" = torch.ops.demo.frobnicate.default(x)",
        "node n (demo.frobnicate.default): cannot run: no implementation of this operator is "
        "known");
    row("100 GB", "n: \"f32[160000, 160000]\" = torch.ops.aten.full.default([160000, 160000], 1.0)",
        "node n (aten.full.default): 102400000000 bytes are asked for, and the limit is");
    row("sizes that no number holds",
        "n: \"f32[4]\" = torch.ops.aten.full.default([4611686018427387904, 8], 1.0)",
        "node n (aten.full.default): a result of sizes [4611686018427387904, 8] does not fit");
    row("an index out of range", "n: \"f32[]\" = torch.ops.aten.select.int(x, 0, 9)",
        "node n (aten.select.int): index 9 is out of range");
    row("a view outside of its storage",
        "n: \"f32[4, 4]\" = torch.ops.aten.as_strided.default(x, [4, 4], [4, 1], 8)",
        "node n (aten.as_strided.default): a view of sizes [4, 4], strides [4, 1] and offset 8 "
        "reaches outside");
    row("matrices that do not fit", "n: \"f32[4]\" = torch.ops.aten.mm.default(x, x)",
        "node n (aten.mm.default): matrices float32[4] and float32[4] do not fit");
}

// What ran before it is there all the same.
void tst_RunPanel::oneSentenceSaysWhyItCannotRun()
{
    QFETCH(const QString, line);
    QFETCH(const QString, said);
    Fixture f;
    const QString code = QStringLiteral("def forward(self, x: \"f32[4]\"):\n"
                                        "    c: \"f32[4]\" = torch.ops.aten.cos.default(x)\n"
                                        "    %1\n    return (c, n)\n")
                             .arg(line);
    QVERIFY(show(f.session, code.toStdString()));
    QVERIFY(f.run());
    const QString verdict = f.verdict().replace(QStringLiteral("\""), QStringLiteral("'"));
    QVERIFY2(verdict.startsWith(
                 QStringLiteral("Not told: The graph before the pass stopped after 2 of 4 nodes")),
             qPrintable(verdict));
    QVERIFY2(verdict.contains(said), qPrintable(verdict));
    QCOMPARE(f.runs.result()->proof.runs.front().run.nodesRun, std::size_t(2));
}

QTEST_MAIN(tst_RunPanel)
#include "tst_run_panel.moc"
