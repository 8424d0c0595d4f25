// SPDX-License-Identifier: MIT
// Elements put at places, moved, sorted and padded, worked out by hand.
#include "tests/exec/small_programs.h"

#include <QTest>

using namespace reinspect;
using namespace reinspect::exec;

class tst_Places : public QObject
{
    Q_OBJECT

private slots:
    void operatorsGive_data();
    void operatorsGive();
    void whatCannotRunIsNamed_data();
    void whatCannotRunIsNamed();
};

void tst_Places::operatorsGive_data()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("result");
    const auto row = [](const char* name, const char* body, const char* result) {
        QTest::newRow(name) << QString::fromLatin1(body) << QString::fromLatin1(result);
    };
    row("flip", "r = torch.ops.aten.flip.default(x, [0, 1])", "float32[2, 3]: 5 4 3 2 1 0");
    row("roll a dimension", "r = torch.ops.aten.roll.default(x, [1], [1])",
        "float32[2, 3]: 2 0 1 5 3 4");
    row("roll all", "r = torch.ops.aten.roll.default(x, [-1])", "float32[2, 3]: 1 2 3 4 5 0");
    row("repeat", "r = torch.ops.aten.repeat.default(h, [2, 2])",
        "float16[2, 4]: 1.5 2.25 1.5 2.25 1.5 2.25 1.5 2.25");
    row("repeat_interleave", "r = torch.ops.aten.repeat_interleave.self_Tensor(h, i, 0)",
        "float16[2]: 1.5 1.5");
    row("tril", "r = torch.ops.aten.tril.default(x)", "float32[2, 3]: 0 0 0 3 4 0");
    row("triu", "r = torch.ops.aten.triu.default(x, 1)", "float32[2, 3]: 0 1 2 0 0 5");
    row("pad and cut", "r = torch.ops.aten.constant_pad_nd.default(x, [1, -1], 9.0)",
        "float32[2, 3]: 9 0 1 9 3 4");
    row("reflect", "r = torch.ops.aten.reflection_pad1d.default(x, [1, 2])",
        "float32[2, 6]: 1 0 1 2 1 0 4 3 4 5 4 3");
    row("nearest",
        "u = torch.ops.aten.unsqueeze.default(x, 0);"
        "r = torch.ops.aten.upsample_nearest1d.default(u, [6])",
        "float32[1, 2, 6]: 0 0 1 1 2 2 3 3 4 4 5 5");
    row("sort, descending, stable",
        "z = torch.ops.aten.full.default([2], 1.0);"
        "c = torch.ops.aten.cat.default([z, h]);r = torch.ops.aten.sort.stable(c, stable = True, "
        "descending = True)",
        "float32[4]: 2.25 1.5 1 1; int64[4]: 3 2 0 1");
    row("NaN is sorted last", "r = torch.ops.aten.sort.default(n, 1)",
        "float32[2, 3]: 1 3 nan -7 -2 0; int64[2, 3]: 0 2 1 2 0 1");
    row("topk", "r = torch.ops.aten.topk.default(x, 2, 0)",
        "float32[2, 3]: 3 4 5 0 1 2; int64[2, 3]: 1 1 1 0 0 0");
    row("bucketize", "r = torch.ops.aten.bucketize.Tensor(x, h)", "int64[2, 3]: 0 0 1 2 2 2");
    row("scatter_reduce, mean with self",
        "t = torch.ops.aten.unsqueeze.default(i, 0);"
        "r = torch.ops.aten.scatter_reduce.two(x, 1, t, n, 'mean')",
        "float32[2, 3]: nan 1 1.5 3 4 5");
    row("index_add",
        "s = torch.ops.aten.slice.Tensor(x, 1, 0, 2);"
        "r = torch.ops.aten.index_add.default(x, 1, i, s, alpha = 10)",
        "float32[2, 3]: 10 1 2 43 4 35");
    row("embedding",
        "w = torch.ops.aten.permute.default(x, [1, 0]);"
        "r = torch.ops.aten.embedding.default(w, i)",
        "float32[2, 2]: 2 5 0 3");
    row("gradient of an embedding",
        "z = torch.ops.aten.zeros_like.default(i);"
        "g = torch.ops.aten.slice.Tensor(x, 1, 1, 3);"
        "r = torch.ops.aten.embedding_dense_backward.default(g, z, 2, -1, False)",
        "float32[2, 2]: 5 7 0 0");
    row("digamma and friends",
        "z = torch.ops.aten.full.default([1], 1.0);"
        "r = torch.ops.aten.digamma.default(z)",
        "float32[1]: -0.577216");
    row("erfinv", "z = torch.ops.aten.full.default([1], 0.5);r = torch.ops.aten.erfinv.default(z)",
        "float32[1]: 0.476936");
    row("i0", "z = torch.ops.aten.full.default([1], 1.0);r = torch.ops.aten.i0.default(z)",
        "float32[1]: 1.26607");
}

void tst_Places::operatorsGive()
{
    QFETCH(const QString, body);
    QFETCH(const QString, result);
    QCOMPARE(QString::fromStdString(resultOf(body.toStdString())), result);
}

void tst_Places::whatCannotRunIsNamed_data()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const char* body, const char* message) {
        QTest::newRow(name) << QString::fromLatin1(body) << QString::fromLatin1(message);
    };
    row("an embedding out of range",
        "w = torch.ops.aten.slice.Tensor(x, 0, 0, 1);"
        "r = torch.ops.aten.embedding.default(w, i)",
        "index 2 is out of range for dimension 0 of size 1");
    row("topk of too many", "r = torch.ops.aten.topk.default(x, 4)",
        "node 'r' (aten.topk.default): k is 4");
    row("reflection beyond the edge", "r = torch.ops.aten.reflection_pad1d.default(x, [3, 0])",
        "node 'r' (aten.reflection_pad1d.default): padding [3, 0] does not fit");
}

void tst_Places::whatCannotRunIsNamed()
{
    QFETCH(const QString, body);
    QFETCH(const QString, message);
    const std::string text = resultOf(body.toStdString());
    QVERIFY2(text.find(message.toStdString()) != std::string::npos, text.c_str());
}

QTEST_APPLESS_MAIN(tst_Places)
#include "tst_places.moc"
