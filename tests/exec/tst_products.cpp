// SPDX-License-Identifier: MIT
// Products of matrices, convolution, pooling and attention, worked out by hand.
#include "tests/exec/small_programs.h"

using namespace reinspect;
using namespace reinspect::exec;

class tst_Products : public QObject
{
    Q_OBJECT

private slots:
    void operatorsGive_data();
    void operatorsGive();
    void whatCannotRunIsNamed_data();
    void whatCannotRunIsNamed();
};

void tst_Products::operatorsGive_data()
{
    operatorColumns();
    operatorRow("mm of a transposed tensor",
                "t = torch.ops.aten.permute.default(x, [1, 0]);r = torch.ops.aten.mm.default(x, t)",
                "float32[2, 2]: 5 14 14 50");
    operatorRow("mm over nothing",
                "t = torch.ops.aten.permute.default(e, [1, 0]);r = torch.ops.aten.mm.default(t, e)",
                "float32[3, 3]: 0 0 0 0 0 0 0 0 0");
    operatorRow(
        "addmm with factors",
        "t = torch.ops.aten.permute.default(x, [1, 0]);z = torch.ops.aten.full.default([2], 10.0);"
        "r = torch.ops.aten.addmm.default(z, x, t, beta = 0.5, alpha = 2)",
        "float32[2, 2]: 15 33 33 105");
    operatorRow(
        "a beta of zero hides NaN",
        "t = torch.ops.aten.permute.default(x, [1, 0]);z = torch.ops.aten.full.default([2], nan);"
        "r = torch.ops.aten.addmm.default(z, x, t, beta = 0)",
        "float32[2, 2]: 5 14 14 50");
    operatorRow("mv",
                "z = torch.ops.aten.full.default([3], 2.0);r = torch.ops.aten.mv.default(x, z)",
                "float32[2]: 6 24");
    operatorRow("dot in float16", "r = torch.ops.aten.dot.default(h, h)", "float16[]: 7.3125");
    operatorRow(
        "bmm",
        "u = torch.ops.aten.unsqueeze.default(x, 2);v = torch.ops.aten.unsqueeze.default(x, 1);"
        "r = torch.ops.aten.bmm.default(v, u)",
        "float32[2, 1, 1]: 5 50");
    operatorRow("convolution",
                "u = torch.ops.aten.reshape.default(x, [1, 1, 6]);"
                "w = torch.ops.aten.full.default([1, 1, 2], 1.0);"
                "r = torch.ops.aten.convolution.default(u, w, None, [2], [1], [1], False, [0], 1)",
                "float32[1, 1, 4]: 0 3 7 5");
    operatorRow("convolution in groups",
                "u = torch.ops.aten.reshape.default(x, [1, 2, 3]);"
                "w = torch.ops.aten.full.default([2, 1, 3], 1.0);"
                "r = torch.ops.aten.convolution.default(u, w, None, [1], [0], [1], False, [0], 2)",
                "float32[1, 2, 1]: 3 12");
    operatorRow(
        "transposed convolution",
        "u = torch.ops.aten.reshape.default(x, [1, 1, 6]);"
        "s = torch.ops.aten.slice.Tensor(u, 2, 0, 3);w = torch.ops.aten.full.default([1, 1, 2], "
        "1.0);"
        "r = torch.ops.aten.convolution.default(s, w, None, [2], [0], [1], True, [0], 1)",
        "float32[1, 1, 6]: 0 0 1 1 2 2");
    operatorRow(
        "gradients of convolution",
        "u = torch.ops.aten.reshape.default(x, [1, 1, 6]);"
        "w = torch.ops.aten.full.default([1, 1, 2], 3.0);g = torch.ops.aten.full.default([1, 1, "
        "5], 1.0);"
        "r = torch.ops.aten.convolution_backward.default(g, u, w, [1], [1], [0], [1], False, [0], "
        "1, "
        "[True, True, True])",
        "float32[1, 1, 6]: 3 6 6 6 6 3; float32[1, 1, 2]: 10 15; float32[1]: 5");
    operatorRow("max_pool2d",
                "u = torch.ops.aten.reshape.default(x, [1, 1, 2, 3]);"
                "r = torch.ops.aten.max_pool2d_with_indices.default(u, [2, 2], [1, 1])",
                "float32[1, 1, 1, 2]: 4 5; int64[1, 1, 1, 2]: 4 5");
    operatorRow("avg_pool2d counts the padding",
                "u = torch.ops.aten.reshape.default(x, [1, 1, 2, 3]);"
                "r = torch.ops.aten.avg_pool2d.default(u, [2, 2], [2, 2], [1, 1])",
                "float32[1, 1, 2, 2]: 0 0.75 0.75 2.25");
    operatorRow("adaptive average",
                "u = torch.ops.aten.reshape.default(x, [1, 2, 3]);"
                "r = torch.ops.aten._adaptive_avg_pool2d.default(u, [1, 2])",
                "float32[1, 1, 2]: 2 3");
    operatorRow(
        "attention to equal keys averages",
        "q = torch.ops.aten.full.default([1, 1, 1, 3], 1.0);"
        "k = torch.ops.aten.full.default([1, 1, 2, 3], 1.0);"
        "v = torch.ops.aten.reshape.default(x, [1, 1, 2, 3]);"
        "r = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(q, k, v, scale = "
        "1.0)",
        "float32[1, 1, 1, 3]: 1.5 2.5 3.5; float32[1, 1, 1]: 3.69315");
    operatorRow(
        "causal attention sees what was before",
        "k = torch.ops.aten.full.default([1, 1, 2, 3], 1.0);"
        "v = torch.ops.aten.reshape.default(x, [1, 1, 2, 3]);"
        "a = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(k, k, v, 0.0, "
        "True);r = a[0]",
        "float32[1, 1, 2, 3]: 0 1 2 1.5 2.5 3.5");
    operatorRow("a product of scaled float8 matrices",
                "q = torch.ops.aten._to_copy.default(x, dtype = torch.float8_e4m3fn);"
                "t = torch.ops.aten.permute.default(q, [1, 0]);"
                "s = torch.ops.aten.full.default([], 0.5);"
                "r = torch.ops.aten._scaled_mm.default(q, t, s, s, out_dtype = torch.float32)",
                "float32[2, 2]: 1.25 3.5 3.5 12.5");
    operatorRow(
        "a scale for each row and each column",
        "q = torch.ops.aten._to_copy.default(x, dtype = torch.float8_e4m3fn);"
        "t = torch.ops.aten.permute.default(q, [1, 0]);"
        "m = torch.ops.aten.slice.Tensor(x, 1, 1, 2);"
        "s = torch.ops.aten.full.default([1, 2], 2.0);z = torch.ops.aten.full.default([2], 1.0);"
        "r = torch.ops.aten._scaled_mm.default(q, t, m, s, z, None, torch.float32)",
        "float32[2, 2]: 11 29 113 401");
    operatorRow(
        "products of groups of rows",
        "o = torch.ops.aten.arange.start(1, 3);w = torch.ops.aten.full.default([2, 3, 1], 1.0);"
        "r = torch.ops.aten._grouped_mm.default(x, w, o)",
        "float32[2, 1]: 3 12");
    operatorRow(
        "groups along the depth",
        "t = torch.ops.aten.permute.default(x, [1, 0]);o = torch.ops.aten.arange.start(1, 3);"
        "r = torch.ops.aten._grouped_mm.default(t, x, o)",
        "float32[2, 3, 3]: 0 0 0 0 1 2 0 2 4 9 12 15 12 16 20 15 20 25");
    operatorRow("weights of eight bits",
                "w = torch.ops.aten._to_copy.default(x, dtype = torch.int8);"
                "s = torch.ops.aten.full.default([2], 0.5);"
                "r = torch.ops.aten._weight_int8pack_mm.default(x, w, s)",
                "float32[2, 2]: 2.5 7 7 25");
}

void tst_Products::operatorsGive()
{
    operatorGives();
}

void tst_Products::whatCannotRunIsNamed_data()
{
    operatorColumns();
    operatorRow("matrices that do not fit", "r = torch.ops.aten.mm.default(x, x)",
                "node 'r' (aten.mm.default): matrices float32[2, 3] and float32[2, 3] do not fit");
    operatorRow("a kernel larger than the input",
                "u = torch.ops.aten.reshape.default(x, [1, 1, 6]);"
                "w = torch.ops.aten.full.default([1, 1, 9], 1.0);"
                "r = torch.ops.aten.convolution.default(u, w, None, [1], [0], [1], False, [0], 1)",
                "node 'r' (aten.convolution.default): the kernel [9] does not fit");
    operatorRow(
        "a gradient that is not told what was dropped",
        "k = torch.ops.aten.full.default([1, 1, 2, 3], 1.0);"
        "l = torch.ops.aten.full.default([1, 1, 2], 1.0);"
        "r = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward.default(k, "
        "k, k, k, k, l, 0.5, False)",
        "cannot run: a gradient of attention that is not told what was dropped");
    operatorRow("scales that fit no block",
                "q = torch.ops.aten._to_copy.default(x, dtype = torch.float8_e4m3fn);"
                "t = torch.ops.aten.permute.default(q, [1, 0]);"
                "s = torch.ops.aten.full.default([2, 2], 0.5);"
                "r = torch.ops.aten._scaled_mm.default(q, t, s, s)",
                "cannot run: scales float32[2, 2] of a matrix float8_e4m3fn[2, 3]");
    operatorRow(
        "groups that end beyond the rows",
        "o = torch.ops.aten.arange.start(2, 4);w = torch.ops.aten.full.default([2, 3, 1], 1.0);"
        "r = torch.ops.aten._grouped_mm.default(x, w, o)",
        "do not lie in order within 2");
}

void tst_Products::whatCannotRunIsNamed()
{
    operatorSays();
}

QTEST_APPLESS_MAIN(tst_Products)
#include "tst_products.moc"
