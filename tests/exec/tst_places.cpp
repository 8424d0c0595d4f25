// SPDX-License-Identifier: MIT
// Elements put at places, moved, sorted and padded, worked out by hand.
#include "tests/exec/small_programs.h"

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
    operatorColumns();
    operatorRow("flip", "r = torch.ops.aten.flip.default(x, [0, 1])", "float32[2, 3]: 5 4 3 2 1 0");
    operatorRow("roll a dimension", "r = torch.ops.aten.roll.default(x, [1], [1])",
                "float32[2, 3]: 2 0 1 5 3 4");
    operatorRow("roll all", "r = torch.ops.aten.roll.default(x, [-1])",
                "float32[2, 3]: 1 2 3 4 5 0");
    operatorRow("repeat", "r = torch.ops.aten.repeat.default(h, [2, 2])",
                "float16[2, 4]: 1.5 2.25 1.5 2.25 1.5 2.25 1.5 2.25");
    operatorRow("repeat_interleave", "r = torch.ops.aten.repeat_interleave.self_Tensor(h, i, 0)",
                "float16[2]: 1.5 1.5");
    operatorRow("tril", "r = torch.ops.aten.tril.default(x)", "float32[2, 3]: 0 0 0 3 4 0");
    operatorRow("triu", "r = torch.ops.aten.triu.default(x, 1)", "float32[2, 3]: 0 1 2 0 0 5");
    operatorRow("pad and cut", "r = torch.ops.aten.constant_pad_nd.default(x, [1, -1], 9.0)",
                "float32[2, 3]: 9 0 1 9 3 4");
    operatorRow("reflect", "r = torch.ops.aten.reflection_pad1d.default(x, [1, 2])",
                "float32[2, 6]: 1 0 1 2 1 0 4 3 4 5 4 3");
    operatorRow("nearest",
                "u = torch.ops.aten.unsqueeze.default(x, 0);"
                "r = torch.ops.aten.upsample_nearest1d.default(u, [6])",
                "float32[1, 2, 6]: 0 0 1 1 2 2 3 3 4 4 5 5");
    operatorRow(
        "sort, descending, stable",
        "z = torch.ops.aten.full.default([2], 1.0);"
        "c = torch.ops.aten.cat.default([z, h]);r = torch.ops.aten.sort.stable(c, stable = True, "
        "descending = True)",
        "float32[4]: 2.25 1.5 1 1; int64[4]: 3 2 0 1");
    operatorRow("NaN is sorted last", "r = torch.ops.aten.sort.default(n, 1)",
                "float32[2, 3]: 1 3 nan -7 -2 0; int64[2, 3]: 0 2 1 2 0 1");
    operatorRow("topk", "r = torch.ops.aten.topk.default(x, 2, 0)",
                "float32[2, 3]: 3 4 5 0 1 2; int64[2, 3]: 1 1 1 0 0 0");
    operatorRow("bucketize", "r = torch.ops.aten.bucketize.Tensor(x, h)",
                "int64[2, 3]: 0 0 1 2 2 2");
    operatorRow("scatter_reduce, mean with self",
                "t = torch.ops.aten.unsqueeze.default(i, 0);"
                "r = torch.ops.aten.scatter_reduce.two(x, 1, t, n, 'mean')",
                "float32[2, 3]: nan 1 1.5 3 4 5");
    operatorRow("index_add",
                "s = torch.ops.aten.slice.Tensor(x, 1, 0, 2);"
                "r = torch.ops.aten.index_add.default(x, 1, i, s, alpha = 10)",
                "float32[2, 3]: 10 1 2 43 4 35");
    operatorRow("embedding",
                "w = torch.ops.aten.permute.default(x, [1, 0]);"
                "r = torch.ops.aten.embedding.default(w, i)",
                "float32[2, 2]: 2 5 0 3");
    operatorRow("gradient of an embedding",
                "z = torch.ops.aten.zeros_like.default(i);"
                "g = torch.ops.aten.slice.Tensor(x, 1, 1, 3);"
                "r = torch.ops.aten.embedding_dense_backward.default(g, z, 2, -1, False)",
                "float32[2, 2]: 5 7 0 0");
    operatorRow("digamma and friends",
                "z = torch.ops.aten.full.default([1], 1.0);"
                "r = torch.ops.aten.digamma.default(z)",
                "float32[1]: -0.577216");
    operatorRow("erfinv",
                "z = torch.ops.aten.full.default([1], 0.5);r = torch.ops.aten.erfinv.default(z)",
                "float32[1]: 0.476936");
    operatorRow("i0", "z = torch.ops.aten.full.default([1], 1.0);r = torch.ops.aten.i0.default(z)",
                "float32[1]: 1.26607");
}

void tst_Places::operatorsGive()
{
    operatorGives();
}

void tst_Places::whatCannotRunIsNamed_data()
{
    operatorColumns();
    operatorRow("an embedding out of range",
                "w = torch.ops.aten.slice.Tensor(x, 0, 0, 1);"
                "r = torch.ops.aten.embedding.default(w, i)",
                "index 2 is out of range for dimension 0 of size 1");
    operatorRow("topk of too many", "r = torch.ops.aten.topk.default(x, 4)",
                "node 'r' (aten.topk.default): k is 4");
    operatorRow("reflection beyond the edge",
                "r = torch.ops.aten.reflection_pad1d.default(x, [3, 0])",
                "node 'r' (aten.reflection_pad1d.default): padding [3, 0] does not fit");
}

void tst_Places::whatCannotRunIsNamed()
{
    operatorSays();
}

QTEST_APPLESS_MAIN(tst_Places)
#include "tst_places.moc"
