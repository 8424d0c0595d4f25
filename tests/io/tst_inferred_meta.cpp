// SPDX-License-Identifier: MIT
// Metadata that no dump gives: what each family of operators makes of its operands.
#include "core/io/readable_code.h"
#include "core/ir/meta_rules.h"

#include "tests/support/pass_text.h"

#include <QTest>

using namespace reinspect;

class tst_InferredMeta : public QObject
{
    Q_OBJECT

private slots:
    void resultsFollowFromTheirOperands_data();
    void resultsFollowFromTheirOperands();
    void whatTheDumpSaysStands();
    void verdictsOnItAreAssumed();
};

void tst_InferredMeta::resultsFollowFromTheirOperands_data()
{
    QTest::addColumn<std::string>("body");
    QTest::addColumn<std::string>("expected"); // of y; empty: nothing is known

    const auto row = [](const char* body, const char* expected) {
        QTest::newRow(body) << std::string(body) << std::string(expected);
    };
    row("y = torch.ops.aten.slice.Tensor(x, 0, 2, 5)", "f32[3, 4][4, 1]cuda:0");
    row("y = torch.ops.aten.reshape.default(x, [2, -1])", "f32[2, 16][16, 1]cuda:0");
    row("y = torch.ops.aten.expand.default(row, [8, 4])", "f16[8, 4][0, 1]cuda:0");
    row("y = torch.ops.aten.unsqueeze.default(x, 1)", "f32[8, 1, 4][4, 4, 1]cuda:0");
    row("y = torch.ops.aten.add.Tensor(x, row)", "f32[8, 4][4, 1]cuda:0");
    row("y = torch.ops.aten.mul.Tensor(i, 2)", "i64[8][1]cuda:0");
    row("y = torch.ops.aten.mul.Tensor(i, 0.5)", "f32[8][1]cuda:0");
    row("y = torch.ops.aten.lt.Scalar(x, 0)", "b8[8, 4][4, 1]cuda:0");
    row("y = torch.ops.aten.sum.dim_IntList(x, [1], True)", "f32[8, 1][1, 1]cuda:0");
    row("y = torch.ops.aten.argmax.default(x, 0)", "i64[4][1]cuda:0");
    row("y = torch.ops.aten.addmm.default(b, x, w)", "f32[8, 6][6, 1]cuda:0");
    row("y = torch.ops.aten.mm.default(s, w)", "f32[s0, 6][6, 1]cuda:0");
    row("y = torch.ops.aten.full.default([2, 3], 1, device = device(type='cpu'))",
        "i64[2, 3][3, 1]cpu");
    row("y = torch.ops.aten.new_zeros.default(x, [5])", "f32[5][1]cuda:0");
    row("y = torch.ops.aten.index_put.default(x, [i], x)", "f32[8, 4][4, 1]cuda:0");
    row("y = torch.ops.aten.cat.default([x, x])", "f32[16, 4][4, 1]cuda:0");
    row("y = torch.ops.aten.embedding.default(x, i)", "f32[8, 4][4, 1]cuda:0");
    row("p = torch.ops.aten.split.Tensor(x, 3, 1);  y = p[1]", "f32[8, 1][4, 1]cuda:0");
    row("y = torch.ops.demo.unknown.default(x)", "");
    row("p = torch.ops.demo.unknown.default(x);  y = torch.ops.aten.add.Tensor(p, x)", "");
}

static std::string codeOf(std::string body)
{
    constexpr std::string_view kIndent = "\n    ";
    if (const std::size_t at = body.find(";  "); at != std::string::npos)
        body.replace(at, 3, kIndent);
    return "def forward(self, x: \"f32[8, 4][4, 1]cuda:0\", row: \"f16[4][1]cuda:0\", "
           "i: \"i64[8][1]cuda:0\", b: \"f32[6][1]cuda:0\", w: \"f32[4, 6][6, 1]cuda:0\", "
           "s: \"f32[s0, 4][4, 1]cuda:0\"):\n    "
        + body + "\n    return (y,)\n";
}

void tst_InferredMeta::resultsFollowFromTheirOperands()
{
    QFETCH(std::string, body);
    QFETCH(std::string, expected);

    const Graph graph = *documentFrom(codeOf(body))->graphs.front().graph;
    const NodeMeta& meta = graph[graph.find("y")].meta;

    QCOMPARE(toText(meta.value), expected);
    QCOMPARE(isInferred(meta.value), !expected.empty());
    // It is not in the dump, and is not put there.
    QVERIFY(writeReadableCode(graph).find("y: ") == std::string::npos);
}

void tst_InferredMeta::whatTheDumpSaysStands()
{
    const Graph graph =
        graphFrom(codeOf("y: \"f32[1][1]cuda:0\" = torch.ops.aten.add.Tensor(x, x)"));

    QCOMPARE(toText(graph[graph.find("y")].meta.value), std::string("f32[1][1]cuda:0"));
    QVERIFY(!isInferred(graph[graph.find("y")].meta.value));
}

void tst_InferredMeta::verdictsOnItAreAssumed()
{
    const TracePtr trace = traceOf(codeOf("c = torch.ops.aten.cos.default(x);  "
                                          "y = torch.ops.aten.index_put.default(c, [i], x)"));

    const Decision& decision = trace->decisions.front();
    QCOMPARE(decision.verdict, Verdict::Reinplaced);
    QCOMPARE(decision.certainty, Certainty::Assumed);
    QVERIFY(decision.assumption.starts_with("'c'"));
    QCOMPARE(toText(decision.bytes), std::string("128"));
}

QTEST_APPLESS_MAIN(tst_InferredMeta)
#include "tst_inferred_meta.moc"
