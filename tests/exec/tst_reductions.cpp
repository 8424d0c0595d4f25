// SPDX-License-Identifier: MIT
// Sums, means, extremes, running sums and softmax over dimensions, worked out by hand.
#include "tests/exec/small_programs.h"

using namespace reinspect;
using namespace reinspect::exec;

class tst_Reductions : public QObject
{
    Q_OBJECT

private slots:
    void operatorsGive_data();
    void operatorsGive();
    void whatCannotRunIsNamed_data();
    void whatCannotRunIsNamed();
};

void tst_Reductions::operatorsGive_data()
{
    operatorColumns();
    operatorRow("sum of columns", "r = torch.ops.aten.sum.dim_IntList(x, [0])",
                "float32[3]: 3 5 7");
    operatorRow("sum of bools is int64", "r = torch.ops.aten.sum.default(b)", "int64[]: 2");
    operatorRow("sum with a dtype",
                "r = torch.ops.aten.sum.dim_IntList(h, [0], True, dtype = torch.float32)",
                "float32[1]: 3.75");
    operatorRow("sum of nothing", "r = torch.ops.aten.sum.dim_IntList(e, [0])",
                "float32[3]: 0 0 0");
    operatorRow("mean of nothing", "r = torch.ops.aten.mean.dim(e, [0], True)",
                "float32[1, 3]: nan nan nan");
    operatorRow("mean of rows", "r = torch.ops.aten.mean.dim(x, [-1])", "float32[2]: 1 4");
    operatorRow(
        "a flipped, transposed tensor",
        "f = torch.ops.aten.flip.default(x, [1]);p = torch.ops.aten.permute.default(f, [1, 0]);"
        "r = torch.ops.aten.sum.dim_IntList(p, [1])",
        "float32[3]: 7 5 3");
    operatorRow("prod", "r = torch.ops.aten.prod.dim_int(x, 1)", "float32[2]: 0 60");
    operatorRow("var", "r = torch.ops.aten.var.correction(x, [1], correction = 1)",
                "float32[2]: 1 1");
    operatorRow("var and mean", "r = torch.ops.aten.var_mean.correction(x, [0], correction = 0)",
                "float32[3]: 2.25 2.25 2.25; float32[3]: 1.5 2.5 3.5");
    operatorRow("amax takes NaN", "r = torch.ops.aten.amax.default(n, [1])", "float32[2]: nan 0");
    operatorRow("min and its place", "r = torch.ops.aten.min.dim(n, 1, True)",
                "float32[2, 1]: nan -7; int64[2, 1]: 1 2");
    operatorRow("argmax of all", "r = torch.ops.aten.argmax.default(x)", "int64[]: 5");
    operatorRow("argmax of equals is the first",
                "z = torch.ops.aten.full.default([3], 2.0);"
                "r = torch.ops.aten.argmax.default(z, 0)",
                "int64[]: 0");
    operatorRow("any", "r = torch.ops.aten.any.dim(x, 0)", "bool[3]: 1 1 1");
    operatorRow("all of nothing", "r = torch.ops.aten.all.dim(e, 0)", "bool[3]: 1 1 1");
    operatorRow("logsumexp",
                "z = torch.ops.aten.full.default([2, 4], 1000.0);"
                "r = torch.ops.aten.logsumexp.default(z, [1])",
                "float32[2]: 1001.39 1001.39");
    operatorRow("norm",
                "s = torch.ops.aten.slice.Tensor(x, 0, 1, 2);"
                "r = torch.ops.aten.linalg_vector_norm.default(s, 2, [1])",
                "float32[1]: 7.07107");
    operatorRow("the largest as a norm", "r = torch.ops.aten.linalg_vector_norm.default(x, inf)",
                "float32[]: 5");
    operatorRow("cumsum along columns", "r = torch.ops.aten.cumsum.default(x, 0)",
                "float32[2, 3]: 0 1 2 3 5 7");
    operatorRow("cumsum without dimensions",
                "z = torch.ops.aten.full.default([], 2.0);"
                "r = torch.ops.aten.cumsum.default(z, 0)",
                "float32[]: 2");
    operatorRow("cumprod of integers", "r = torch.ops.aten.cumprod.default(i, 0)", "int64[2]: 2 0");
    operatorRow("cummax", "r = torch.ops.aten.cummax.default(n, 1)",
                "float32[2, 3]: 1 nan nan -2 0 0; int64[2, 3]: 0 1 1 0 1 1");
    operatorRow("softmax of equals",
                "z = torch.ops.aten.full.default([1, 4], 500.0);"
                "r = torch.ops.aten._softmax.default(z, 1, False)",
                "float32[1, 4]: 0.25 0.25 0.25 0.25");
    operatorRow("log_softmax",
                "z = torch.ops.aten.full.default([1, 2], 3.0);"
                "r = torch.ops.aten._log_softmax.default(z, -1, False)",
                "float32[1, 2]: -0.693147 -0.693147");
    operatorRow("softmax of nothing visible",
                "z = torch.ops.aten.full.default([1, 2], -inf);"
                "r = torch.ops.aten._safe_softmax.default(z, 1)",
                "float32[1, 2]: 0 0");
    operatorRow("softmax for two readers",
                "r = torch.ops.prims.prepare_softmax_online.default(x, 1)",
                "float32[2, 1]: 2 5; float32[2, 1]: 1.50321 1.50321");
    operatorRow("layer norm",
                "r = torch.ops.aten.native_layer_norm.default(x, [3], None, None, 0.0)",
                "float32[2, 3]: -1.22474 0 1.22474 -1.22474 0 1.22474; float32[2, 1]: 1 4; "
                "float32[2, 1]: 1.22474 1.22474");
}

void tst_Reductions::operatorsGive()
{
    operatorGives();
}

void tst_Reductions::whatCannotRunIsNamed_data()
{
    operatorColumns();
    operatorRow("a dimension out of range", "r = torch.ops.aten.sum.dim_IntList(x, [2])",
                "node 'r' (aten.sum.dim_IntList): dimension 2 is out of range");
    operatorRow("a dimension twice", "r = torch.ops.aten.sum.dim_IntList(x, [0, -2])",
                "dimension 0 is given twice");
    operatorRow("the largest of nothing", "r = torch.ops.aten.amax.default(e, [0])",
                "node 'r' (aten.amax.default): there is nothing to reduce");
    operatorRow("a mean of integers", "r = torch.ops.aten.mean.default(i)",
                "node 'r' (aten.mean.default)");
}

void tst_Reductions::whatCannotRunIsNamed()
{
    operatorSays();
}

QTEST_APPLESS_MAIN(tst_Reductions)
#include "tst_reductions.moc"
