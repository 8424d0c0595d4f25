// SPDX-License-Identifier: MIT
// The stages of whole captures, against what PyTorch left of them.
#include "core/io/graph_writers.h"
#include "core/ir/graph_verifier.h"

#include "tests/support/lowering_text.h"
#include "tests/support/test_data.h"

#include <QTest>

using namespace reinspect;

class tst_Stages : public QObject
{
    Q_OBJECT

private slots:
    void copiesHaveMemoryOfTheirOwn();
    void theBaselineOfAScatterKeepsItsCopy();
    void capturesBecomeWhatPyTorchLeft_data();
    void capturesBecomeWhatPyTorchLeft();
    void everyStageOfEveryFileVerifies_data();
    void everyStageOfEveryFileVerifies();
};

// A view of the result is a view of the copy, and shares nothing with what was copied.
void tst_Stages::copiesHaveMemoryOfTheirOwn()
{
    const auto document = documentFrom(testData("custom_clone_kept_v1.json"));
    const auto trace = runReinplace({document->graphs[0].graph, document->facts}).value();

    const Graph graph = graphAtStage(*trace, PassStage::Final, document->facts).value();

    const auto storageOf = [&graph](const char* name) {
        return graph[graph.find(name)].meta.value.tensor()->storage;
    };
    QVERIFY(storageOf("clone_default"));
    QCOMPARE(storageOf("as_strided_default"), storageOf("sin"));
    QCOMPARE(storageOf("as_strided_default_1"), storageOf("clone_default"));
    QVERIFY(storageOf("clone_default") != storageOf("sin"));
    QVERIFY(storageOf("clone_default") != storageOf("add"));
}

void tst_Stages::theBaselineOfAScatterKeepsItsCopy()
{
    const Graph graph =
        program("f32[8][1]cuda:0",
                "    v: \"f32[4][1]cuda:0\" = torch.ops.aten.slice.Tensor(y, 0, 0, 4)\n"
                "    s: \"f32[8][1]cuda:0\" = torch.ops.aten.slice_scatter.default(x, v, 0, 0, 4)\n"
                "    c: \"f32[8][1]cuda:0\" = torch.ops.aten.copy_.default(x, s)\n"
                "    return (s,)");
    const auto trace = traceOf(graph, {});

    QCOMPARE(body(graphAtStage(*trace, PassStage::Baseline).value()),
             std::string("v = aten.slice.Tensor(y, 0, 0, 4)\n"
                         "slice_scatter_default = aten.slice_scatter.default(x, v, 0, 0, 4)\n"
                         "c = aten.copy_.default(x, slice_scatter_default)\n"
                         "return (slice_scatter_default,)\n"));
    QCOMPARE(body(graphAtStage(*trace, PassStage::Final).value()),
             std::string("v = aten.slice.Tensor(y, 0, 0, 4)\n"
                         "slice_tensor = aten.slice.Tensor(x, 0, 0, 4)\n"
                         "copy__default = aten.copy_.default(slice_tensor, v)\n"
                         "return (x,)\n"));
}

void tst_Stages::capturesBecomeWhatPyTorchLeft_data()
{
    QTest::addColumn<QString>("name");

    for (const char* name : {"custom_clone_kept_v1", "custom_two_outs_v2", "triton_dynamic"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void tst_Stages::capturesBecomeWhatPyTorchLeft()
{
    QFETCH(QString, name);
    const auto document = documentFrom(testData(name.toStdString() + ".json"));
    const auto trace = runReinplace({document->graphs[0].graph, document->facts}).value();

    const Graph graph = graphAtStage(*trace, PassStage::Final, document->facts).value();

    const std::string expected = testData(name.toStdString() + ".final.ir.txt") + "\n";
    const std::string difference = firstDifference(writeIrText(graph), expected);
    QVERIFY2(difference.empty(), difference.c_str());
}

void tst_Stages::everyStageOfEveryFileVerifies_data()
{
    QTest::addColumn<QString>("name");

    for (const char* name :
         {"complex_and_bool.json", "custom_clone_kept_v1.json", "custom_two_outs_v2.ir.txt",
          "custom_two_outs_v2.json", "custom_two_outs_v2.readable.txt",
          "diagonal_fill_input.canonical.json", "foreach_adam.ir.txt", "foreach_adam.json",
          "triton_dynamic.final.readable.txt", "triton_dynamic.ir.txt", "triton_dynamic.json",
          "triton_dynamic.readable.txt"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void tst_Stages::everyStageOfEveryFileVerifies()
{
    QFETCH(QString, name);
    const auto document = documentFrom(testData(name.toStdString()));
    const auto trace = runReinplace({document->graphs[0].graph, document->facts}).value();

    for (const char* stage : {"canonical", "core", "after", "final", "baseline"})
    {
        const Result<StageGraph> at = stageOf(*trace, *passStageNamed(stage), document->facts);
        QVERIFY2(at, stage);
        QVERIFY2(verifyGraph(at->graph), stage);
    }
}

QTEST_APPLESS_MAIN(tst_Stages)
#include "tst_stages.moc"
