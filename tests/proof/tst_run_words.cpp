// SPDX-License-Identifier: MIT
// Values of a node before and after the pass, the sentences about a run, and what kernels say of themselves.
#include "core/io/document.h"
#include "core/proof/kernel_effects.h"
#include "core/proof/node_values.h"
#include "core/proof/verdict_sentence.h"

#include "tests/proof/proof_case.h"
#include "tests/support/small_programs.h"

#include <QTest>

using namespace reinspect;
using namespace reinspect::proof;

class tst_RunWords : public QObject
{
    Q_OBJECT

private slots:
    void valuesOfANodeInBothGraphs();
    void valuesOfATupleHavePlaces();
    void whyThereIsNoValue();
    void planesAreReadByRowAndColumn();
    void sentences_data();
    void sentences();
    void aFailureSaysHowFar();
    void symbolsAreGivenNumbers();
    void kernelsOfACaptureSayWhatTheyWrite();
    void aKernelWithoutTextSaysSo();
};

void tst_RunWords::valuesOfANodeInBothGraphs()
{
    const Case at(kBothHarm);
    const auto trace = at.trace({"p"});
    StageGraphs graphs{
        {{"before", trace->initial}, {"after", trace->result}}, at.input.facts, at.input.shapes};
    const auto values = nodeValues(graphs, "y", at.source);
    QCOMPARE(values->stages.size(), std::size_t(2));
    QVERIFY(values->stages[0].isThere && values->stages[1].isThere);
    QCOMPARE(values->stages[0].tensors.front().summary.count, std::int64_t(4));
    QCOMPARE(values->differences.size(), std::size_t(1));
    QCOMPARE(values->differences.front().differing, std::int64_t(1)); // where src was put
    const auto same = nodeValues(graphs, "c", at.source); // as it was right after it ran
    QVERIFY(same->differences.front().isBitwise);
}

void tst_RunWords::valuesOfATupleHavePlaces()
{
    const Case at(R"(
        def forward(self, x: "f32[2, 3]"):
            t = torch.ops.aten.sort.default(x)
            v: "f32[2, 3]" = t[0]
            return (v,)
    )");
    const auto values =
        nodeValues({{{"before", at.input.graph}}, {}, at.input.shapes}, "t", at.source);
    QCOMPARE(values->stages.front().tensors.size(), std::size_t(2));
    QCOMPARE(values->stages.front().tensors[1].place, "[1]");
    QCOMPARE(values->stages.front().tensors[1].tensor.dtype, DType::Int64);
    QVERIFY(values->differences.empty()); // nothing to compare it with
}

void tst_RunWords::whyThereIsNoValue()
{
    const Case at(kNoisy);
    const StageGraphs graphs{{{"before", at.input.graph}}, {}, at.input.shapes};
    const auto gone = nodeValues(graphs, "nowhere", at.source);
    QCOMPARE(gone->stages.front().problem, "the graph has no node 'nowhere'");
    const auto behind = nodeValues(graphs, "y", at.source);
    QVERIFY(!behind->stages.front().isThere);
    QVERIFY2(text(behind->stages.front().problem).contains("demo.noisy.default"),
             behind->stages.front().problem.c_str());
    QVERIFY(nodeValues(graphs, "c", at.source)->stages.front().isThere); // before it stops
}

void tst_RunWords::planesAreReadByRowAndColumn()
{
    const exec::Tensor tensor =
        tensorOf(DType::Float16, {2, 2, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    Plane plane = lastPlane(tensor);
    QCOMPARE(rowsOf(tensor, plane), std::int64_t(2));
    QCOMPARE(columnsOf(tensor, plane), std::int64_t(3));
    QCOMPARE(numberAt(tensor, plane, 1, 2), 5.0);
    plane.at[0] = 1;
    QCOMPARE(numberAt(tensor, plane, 1, 2), 11.0);
    plane = {0, 2, {0, 1, 0}};
    QCOMPARE(numberAt(tensor, plane, 1, 0), 9.0);
    const exec::Tensor line = tensorOf(DType::Int32, {3}, {7, 8, 9});
    QCOMPARE(rowsOf(line, lastPlane(line)), std::int64_t(1));
    QCOMPARE(numberAt(line, lastPlane(line), 0, 1), 8.0);
    const exec::Tensor number = tensorOf(DType::Float64, {}, {4.5});
    QCOMPARE(columnsOf(number, lastPlane(number)), std::int64_t(1));
    QCOMPARE(numberAt(number, lastPlane(number), 0, 0), 4.5);
    QCOMPARE(rowsOf(tensorOf(DType::Float32, {0}, {}), {0, 0, {0}}), std::int64_t(0));
}

void tst_RunWords::sentences_data()
{
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QString>("forced");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char* name, std::string_view code, const char* forced,
                        const char* sentence) {
        QTest::newRow(name) << QByteArray(code.data(), static_cast<qsizetype>(code.size()))
                            << QString(forced) << QString(sentence);
    };
    row("equal", kKeptCode, "",
        "The graph after the pass computes the same: 2 outputs bit for bit.");
    row("one input written", kCopiedBackCode, "",
        "The graph after the pass computes the same: 1 output and 1 mutated input bit for bit.");
    row("a new alias", kAlias, "",
        "The graph after the pass computes the same: 1 output and 1 mutated input bit for bit, but "
        "results share memory that did not before.");
    row("different", kBothHarm, "p",
        "The graph after the pass computes something else: 1 of 3 results differs (output.2), from "
        "node \"y\" on.");
    row("cannot run", kNoisy, "",
        "Not told: The graph before the pass stopped after 4 of 8 nodes: node 'n' "
        "(demo.noisy.default): cannot run: no implementation of this operator is known.");
    row("nothing at all", "def forward(self, x: \"f32[4]\"):\n    return ()\n", "",
        "The graph after the pass computes the same: nothing is returned and no input written bit "
        "for bit.");
}

void tst_RunWords::sentences()
{
    QFETCH(const QByteArray, code);
    QFETCH(const QString, forced);
    const Case at(code.toStdString());
    EquivalenceOptions options;
    options.inputs = at.source;
    const auto trace = forced.isEmpty() ? at.trace({}) : at.trace({forced.toStdString()});
    const auto proof =
        proveEquivalence(at.input.graph, at.input.facts, at.input.shapes, trace.get(), options);
    QVERIFY(proof.ok());
    QTEST(text(verdictSentence(*proof)), "sentence");
}

void tst_RunWords::aFailureSaysHowFar()
{
    StageRun run;
    run.stage = "final";
    run.failure = Error{.message = "no such operator"};
    QCOMPARE(text(failureSentence(run)), "The lowered graph could not be made: no such operator.");
    run.stage = "baseline";
    run.graph = std::make_shared<const Graph>(graphFrom(kKeptCode));
    run.run.nodesRun = 3;
    QCOMPARE(text(failureSentence(run)),
             "The graph without the pass stopped after 3 of 8 nodes: no such operator.");
    run.failure.reset();
    QVERIFY(failureSentence(run).empty());
}

void tst_RunWords::symbolsAreGivenNumbers()
{
    const auto numbers = symbolNumbers(" s0=8, s1=0 ");
    QVERIFY(numbers.ok());
    QCOMPARE(numbers->size(), std::size_t(2));
    QCOMPARE(numbers->at("s0"), std::int64_t(8));
    for (const char* wrong : {"s0", "=3", "s0=", "s0=-1", "s0=3x", "s0=99999999999999999999"})
        QVERIFY2(symbolNumbers(wrong).error().kind == ErrorKind::BadUsage, wrong);

    Case at(R"code(
        def forward(self, s0: "Sym(s0)", x: "f32[s0, 4]"):
            c: "f32[s0, 4]" = torch.ops.aten.cos.default(x)
            return (c,)
    )code");
    QCOMPARE(symbolsWithoutHint(*at.input.graph, at.input.shapes), std::vector<std::string>{"s0"});
    const auto refused = makeInputs(*at.input.graph, at.input.shapes, at.source);
    QCOMPARE(text(refused.error().message), "input 's0': no value is known for the symbol s0");
    at.source.symbols = {{"s0", 3}};
    const auto made = makeInputs(*at.input.graph, at.input.shapes, at.source);
    QVERIFY(made.ok());
    QCOMPARE(made->run.placeholders[1].tensor()->sizes, (exec::Sizes{3, 4}));
}

void tst_RunWords::kernelsOfACaptureSayWhatTheyWrite()
{
    const auto document =
        loadDocument(std::string(REINSPECT_SOURCE_DIR "/samples/triton_old_value_needed.json"));
    QVERIFY(document.ok());
    const Graph& graph = *(*document)->graphs.front().graph;
    const auto launches = allKernelEffects(graph, (*document)->facts);
    QCOMPARE(launches.size(), std::size_t(1));
    QVERIFY2(launches.front().problem.empty(), launches.front().problem.c_str());
    QVERIFY(launches.front().hasCloneList);
    for (const triton::EffectRow& row : launches.front().rows)
        QCOMPARE(row.verdict, triton::CloneVerdict::Agrees);
    const QString told = text(kernelEffectsText(graph, launches));
    QVERIFY2(told.contains("\n  x: read and written, line 19 (programs/cases.py:23)\n"),
             qPrintable(told));
}

void tst_RunWords::aKernelWithoutTextSaysSo()
{
    const auto document =
        loadDocument(std::string(REINSPECT_SOURCE_DIR "/samples/triton_old_value_needed.json"));
    CaptureFacts facts = (*document)->facts;
    const Graph& graph = *(*document)->graphs.front().graph;
    facts.folder = "/nowhere";
    QVERIFY(allKernelEffects(graph, facts).front().problem.find("there is no file")
            != std::string::npos);
    facts.kernels.front().variants.clear();
    QCOMPARE(allKernelEffects(graph, facts).front().problem,
             "the capture holds no TTIR of this kernel");
    facts.kernels.clear();
    QCOMPARE(allKernelEffects(graph, facts).front().problem,
             "this file does not say what the kernel is");
}

QTEST_APPLESS_MAIN(tst_RunWords)
#include "tst_run_words.moc"
