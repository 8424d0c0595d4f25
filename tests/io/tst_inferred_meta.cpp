// SPDX-License-Identifier: MIT
// Metadata that no dump gives: what each family of operators makes of its operands.
#include "core/io/readable_code.h"
#include "core/ir/meta_rules.h"

#include "tests/support/pass_text.h"
#include "tests/support/test_data.h"

#include <QTest>

#include <filesystem>
#include <sstream>

using namespace reinspect;

class tst_InferredMeta : public QObject
{
    Q_OBJECT

private slots:
    void resultsFollowFromTheirOperands_data();
    void resultsFollowFromTheirOperands();
    void whatTheDumpSaysStands();
    void missingPartsAreFilledIn_data();
    void missingPartsAreFilledIn();
    void verdictsOnItAreAssumed();
    void verdictsOnMissingStridesAreAssumed();
    void aCaptureWithoutAnnotationsDecidesTheSame_data();
    void aCaptureWithoutAnnotationsDecidesTheSame();
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
    row("y = torch.ops.aten.view.dtype(x, torch.float64)", "f64[8, 2][2, 1]cuda:0");
    row("y = torch.ops.aten.view.dtype(x, torch.bfloat16)", "bf16[8, 8][8, 1]cuda:0");
    row("y = torch.ops.aten.view.dtype(x, torch.int32)", "i32[8, 4][4, 1]cuda:0");
    row("t = torch.ops.aten.t.default(x);  y = torch.ops.aten.view.dtype(t, torch.float64)", "");
    row("y = torch.ops.aten.convolution.default(img, k, None, [2, 2], [1, 1], [1, 1], False, [0, "
        "0], 1)",
        "f32[2, 6, 4, 4][96, 16, 4, 1]cuda:0");
    row("y = torch.ops.aten.convolution.default(img, kt, None, [2, 2], [1, 1], [1, 1], True, [1, "
        "1], 1)",
        "f32[2, 6, 16, 16][1536, 256, 16, 1]cuda:0");
    row("y = torch.ops.aten.convolution.default(last, k, None, [1, 1], [1, 1], [1, 1], False, [0, "
        "0], 1)",
        "f32[2, 6, 8, 8][384, 1, 48, 6]cuda:0");
    row("p = torch.ops.aten.convolution_backward.default(g, img, k, [6], [1, 1], [1, 1], [1, 1], "
        "False, "
        "[0, 0], 1, [True, True, True]);  y = p[0]",
        "f32[2, 3, 8, 8][192, 64, 8, 1]cuda:0");
    row("p = torch.ops.aten.convolution_backward.default(g, img, k, [6], [1, 1], [1, 1], [1, 1], "
        "False, "
        "[0, 0], 1, [True, True, True]);  y = p[2]",
        "f32[6][1]cuda:0");
    row("p = torch.ops.aten.max_pool2d_with_indices.default(img, [3, 3], [2, 2], [1, 1]);  y = "
        "p[1]",
        "i64[2, 3, 4, 4][48, 16, 4, 1]cuda:0");
    row("p = torch.ops.aten.max_pool2d_with_indices.default(img, [3, 3], [2, 2], [0, 0], [1, 1], "
        "True);  y = p[0]",
        "f32[2, 3, 4, 4][48, 16, 4, 1]cuda:0");
    row("y = torch.ops.aten.avg_pool2d.default(img, [2, 2])",
        "f32[2, 3, 4, 4][48, 16, 4, 1]cuda:0");
    row("y = torch.ops.aten._adaptive_avg_pool2d.default(img, [1, 1])",
        "f32[2, 3, 1, 1][3, 1, 1, 1]cuda:0");
    row("y = torch.ops.aten.max_pool2d_with_indices_backward.default(g, img, [2, 2], [2, 2], [0, "
        "0], "
        "[1, 1], False, g)",
        "f32[2, 3, 8, 8][192, 64, 8, 1]cuda:0");
    row("p = torch.ops.aten._scaled_dot_product_efficient_attention.default(q, q, q, None, True);  "
        "y = "
        "p[0]",
        "bf16[2, 4, 40, 16][2560, 16, 64, 1]cuda:0");
    row("p = torch.ops.aten._scaled_dot_product_efficient_attention.default(q, q, q, None, True);  "
        "y = "
        "p[1]",
        "f32[2, 4, 64][256, 64, 1]cuda:0");
    row("p = torch.ops.aten._scaled_dot_product_flash_attention.default(q, q, q);  y = p[1]",
        "f32[2, 4, 40][160, 40, 1]cuda:0");
    row("p = torch.ops.aten.native_layer_norm.default(x, [4], None, None, 1e-05);  y = p[1]",
        "f32[8, 1][1, 1]cuda:0");
    row("p = torch.ops.aten.native_layer_norm.default(q, [16], None, None, 1e-05);  y = p[2]",
        "f32[2, 4, 40, 1][160, 40, 1, 1]cuda:0");
    row("p = torch.ops.aten._native_batch_norm_legit_functional.default(img, None, None, a, a, "
        "True, "
        "0.1, 1e-05);  y = p[1]",
        "f32[3][1]cuda:0");
    row("p = torch.ops.aten.native_dropout.default(x, 0.5, True);  y = p[1]",
        "b8[8, 4][4, 1]cuda:0");
    row("y = torch.ops.aten.embedding_dense_backward.default(x, i, 50, -1, False)",
        "f32[50, 4][4, 1]cuda:0");
    row("y = torch.ops._c10d_functional.all_gather_into_tensor.default(x, 2, '0')",
        "f32[16, 4][4, 1]cuda:0");
    row("y = torch.ops._c10d_functional.reduce_scatter_tensor.default(x, 'sum', 2, '0')",
        "f32[4, 4][4, 1]cuda:0");
    row("p = torch.ops.prims.prepare_softmax_online.default(x, 1);  y = p[1]",
        "f32[8, 1][1, 1]cuda:0");
    // Of a part of rows that are longer, the dimensions of size 1 keep their strides.
    row("p = torch.ops.aten.slice.Tensor(w, 0, 0, 1);  y = torch.ops.aten.reshape.default(p, [1, "
        "2, 3])",
        "f32[1, 2, 3][6, 3, 1]cuda:0");
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
           "s: \"f32[s0, 4][4, 1]cuda:0\", img: \"f32[2, 3, 8, 8][192, 64, 8, 1]cuda:0\", "
           "last: \"f32[2, 3, 8, 8][192, 1, 24, 3]cuda:0\", k: \"f32[6, 3, 3, 3][27, 9, 3, "
           "1]cuda:0\", "
           "kt: \"f32[3, 6, 3, 3][54, 9, 3, 1]cuda:0\", g: \"f32[2, 6, 8, 8][384, 64, 8, "
           "1]cuda:0\", "
           "q: \"bf16[2, 4, 40, 16][2560, 640, 16, 1]cuda:0\", a: \"f32[3][1]cuda:0\"):\n    "
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

void tst_InferredMeta::missingPartsAreFilledIn_data()
{
    QTest::addColumn<std::string>("printed");
    QTest::addColumn<std::string>("expected");
    QTest::addColumn<std::string>("inferred");
    const auto row = [](const char* printed, const char* expected, const char* inferred) {
        QTest::newRow(printed) << std::string(printed) << std::string(expected)
                               << std::string(inferred);
    };
    row("f32[4, 8]", "f32[4, 8][1, 4]cuda:0", "strides and device inferred");
    row("f32[4, 8]cuda:0", "f32[4, 8][1, 4]cuda:0", "strides inferred");
    row("f32[4, 8][1, 4]", "f32[4, 8][1, 4]cuda:0", "device inferred");
    row("f32[4, 8][1, 4]cuda:1", "f32[4, 8][1, 4]cuda:1", "");
    // What contradicts the dump fills nothing in.
    row("f32[8, 4]", "f32[8, 4]", "");
    row("f16[4, 8]", "f16[4, 8]", "");
}

void tst_InferredMeta::missingPartsAreFilledIn()
{
    QFETCH(std::string, printed);
    QFETCH(std::string, expected);
    QFETCH(std::string, inferred);

    const Graph graph = graphFrom(codeOf("y: \"" + printed + "\" = torch.ops.aten.t.default(x)"));
    const MetaValue& value = graph[graph.find("y")].meta.value;

    COMPARE_TEXT(toText(value), expected);
    COMPARE_TEXT(inferredText(value), inferred);
    COMPARE_TEXT(toText(asPrinted(value)), printed);
    // It is not put into files.
    QVERIFY(writeReadableCode(graph).find("y: \"" + printed + "\" = ") != std::string::npos);
    QVERIFY(sameGraph(graph, graphFrom(writeReadableCode(graph))));
}

void tst_InferredMeta::verdictsOnMissingStridesAreAssumed()
{
    const TracePtr trace =
        traceOf("def forward(self, x: \"f32[8, 4][4, 1]cuda:0\", i: \"i64[8][1]cuda:0\"):\n"
                "    c: \"f32[8, 4]\" = torch.ops.aten.cos.default(x)\n"
                "    v: \"f32[2, 4]\" = torch.ops.aten.slice.Tensor(c, 0, 0, 2)\n"
                "    w: \"f32[2, 4]\" = torch.ops.aten.slice.Tensor(c, 0, 4, 6)\n"
                "    y: \"f32[2, 4]\" = torch.ops.aten.index_put.default(v, [i], v)\n"
                "    z: \"f32[2, 4]\" = torch.ops.aten.add.Tensor(w, y)\n    return (z,)\n");

    QCOMPARE(trace->decisions.front().certainty, Certainty::Assumed);
}

void tst_InferredMeta::aCaptureWithoutAnnotationsDecidesTheSame_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<bool>("stridesOnly");
    for (const char* folder : {"samples", "tests/data"})
    {
        const QString root = QStringLiteral(REINSPECT_SOURCE_DIR "/") + QLatin1String(folder);
        for (const auto& entry : std::filesystem::directory_iterator(root.toStdString()))
        {
            const std::string name = entry.path().filename().string();
            if (entry.path().extension() != ".json" || name == "index.json"
                || name.find("canonical") != std::string::npos)
                continue;
            for (const bool stridesOnly : {false, true})
                QTest::newRow((name + (stridesOnly ? ", no strides" : "")).c_str())
                    << QString::fromStdString(entry.path().string()) << stridesOnly;
        }
    }
}

// Annotations of statements go, or what stands behind their sizes does; those of the inputs stay.
static std::string withoutAnnotations(const std::string& code, bool stridesOnly)
{
    std::istringstream lines(code);
    std::string text;
    for (std::string line; std::getline(lines, line);)
    {
        const std::size_t open = line.find(": \"");
        const std::size_t close = line.find("\" = ", open);
        const std::size_t sizes = line.find(']', open);
        if (line.find("def forward") != std::string::npos || close == std::string::npos)
            text += line;
        else if (!stridesOnly)
            text += line.substr(0, open) + line.substr(close + 1);
        else
            text += line.substr(0, std::min(sizes + 1, close)) + line.substr(close);
        text += "\n";
    }
    return text;
}

static std::string decisionsOf(const Graph& graph, const Document& capture)
{
    const auto trace =
        runReinplace({std::make_shared<const Graph>(graph), capture.facts, capture.shapes}, {});
    std::string text;
    for (const Decision& decision : (*trace)->decisions)
        text += (*trace)->nameOf(decision.node) + " " + decision.argument + " "
            + std::string(verdictName(decision.verdict)) + " "
            + (decision.reason ? std::string(reasonName(*decision.reason)) : "") + "\n";
    return text;
}

void tst_InferredMeta::aCaptureWithoutAnnotationsDecidesTheSame()
{
    QFETCH(const QString, path);
    QFETCH(const bool, stridesOnly);
    const auto capture = loadDocument(path.toStdString());
    const Graph& whole = *(*capture)->graphs.front().graph;

    const Graph stripped = *documentFrom(withoutAnnotations(writeReadableCode(whole), stridesOnly))
                                ->graphs.front()
                                .graph;

    COMPARE_TEXT(decisionsOf(stripped, **capture), decisionsOf(whole, **capture));
    for (const NodeId id : whole.order())
    {
        const TensorMeta* meta = whole[id].meta.value.tensor();
        const NodeId other = stripped.find(whole[id].name);
        const TensorMeta* again = other ? stripped[other].meta.value.tensor() : nullptr;
        if (!meta || !again || !again->strides)
            continue;
        TensorMeta expected = *meta;
        expected.device = again->device; // "cuda" where the operator does not say which
        COMPARE_TEXT(toText(*again), toText(expected));
    }
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
