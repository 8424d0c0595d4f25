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
    operatorRow("sums of bags",
                "w = torch.ops.aten.permute.default(x, [1, 0]);"
                "o = torch.ops.aten.full.default([1], 0, dtype = torch.int64);"
                "r = torch.ops.aten._embedding_bag.default(w, i, o)",
                "float32[1, 2]: 2 8; int64[2]: 0 0; int64[1]: 2; int64[0]:");
    operatorRow(
        "means of bags, the last of them empty",
        "w = torch.ops.aten.permute.default(x, [1, 0]);o = torch.ops.aten.arange.start_step(0, "
        "3, 2);a = torch.ops.aten._embedding_bag_forward_only.default(w, i, o, False, 1);"
        "r = a[0]",
        "float32[2, 2]: 1 4 0 0");
    operatorRow("the largest of a bag",
                "w = torch.ops.aten.permute.default(x, [1, 0]);"
                "o = torch.ops.aten.full.default([1], 0, dtype = torch.int64);"
                "a = torch.ops.aten._embedding_bag.default(w, i, o, False, 2);r = a[3]",
                "int64[1, 2]: 2 2");
    operatorRow(
        "the gradient of a mean of bags",
        "g = torch.ops.aten.full.default([1, 2], 1.0);"
        "o = torch.ops.aten.full.default([2], 0, dtype = torch.int64);"
        "c = torch.ops.aten.full.default([1], 2, dtype = torch.int64);"
        "r = torch.ops.aten._embedding_bag_dense_backward.default(g, i, o, c, c, 3, False, 1, "
        "None)",
        "float32[3, 2]: 0.5 0.5 0 0 0.5 0.5");
    operatorRow("cubic upsampling to the same size",
                "u = torch.ops.aten.reshape.default(x, [1, 1, 2, 3]);"
                "r = torch.ops.aten.upsample_bicubic2d.default(u, [2, 3], True)",
                "float32[1, 1, 2, 3]: 0 1 2 3 4 5");
    operatorRow("mantissa and exponent", "r = torch.ops.aten.frexp.Tensor(x)",
                "float32[2, 3]: 0 0.5 0.5 0.75 0.5 0.625; int32[2, 3]: 0 1 2 2 3 3");
    operatorRow("a leaky rectifier that does not train",
                "m = torch.ops.aten.sub.Tensor(x, 3);"
                "r = torch.ops.aten.rrelu_with_noise.default(m, x, 0.25, 0.75)",
                "float32[2, 3]: -1.5 -1 -0.5 0 1 2");
    operatorRow("a rectifier's noise is a result of its own",
                "m = torch.ops.aten.add.Tensor(x, 1);"
                "r = torch.ops.aten.rrelu_with_noise_functional.default(m, x, 0.25, 0.75, True)",
                "float32[2, 3]: 1 2 3 4 5 6; float32[2, 3]: 1 1 1 1 1 1");
    operatorRow(
        "every number of a permutation",
        "p = torch.ops.aten.randperm.default(5);a = torch.ops.aten.sort.default(p);r = a[0]",
        "int64[5]: 0 1 2 3 4");
    operatorRow("samples have weight",
                "w = torch.ops.aten._to_copy.default(b, dtype = torch.float32);"
                "p = torch.ops.aten.multinomial.default(w, 2);a = torch.ops.aten.sort.default(p);"
                "r = a[0]",
                "int64[2]: 0 2");
    operatorRow("squares of complex numbers in the memory of reals",
                "u = torch.ops.aten.reshape.default(x, [3, 2]);"
                "c = torch.ops.aten.view_as_complex.default(u);m = torch.ops.aten.mul.Tensor(c, c);"
                "r = torch.ops.aten.view_as_real.default(m)",
                "float32[3, 2]: -1 0 -5 12 -9 40");
    operatorRow("a write through the imaginary part",
                "u = torch.ops.aten.reshape.default(x, [3, 2]);"
                "c = torch.ops.aten.view_as_complex.default(u);m = torch.ops.aten.imag.default(c);"
                "f = torch.ops.aten.fill_.Scalar(m, 9);r = torch.ops.aten.add.Tensor(x, 0)",
                "float32[2, 3]: 0 9 2 9 4 9");
    operatorRow("half of a real signal's transform",
                "f = torch.ops.aten.full.default([4], 1.0);"
                "c = torch.ops.aten._fft_r2c.default(f, [0], 0, True);"
                "r = torch.ops.aten.view_as_real.default(c)",
                "float32[3, 2]: 4 0 0 0 0 0");
    operatorRow("a transform there and back",
                "c = torch.ops.aten._fft_r2c.default(x, [0, 1], 0, True);"
                "k = torch.ops.aten._fft_c2r.default(c, [0, 1], 2, 3);"
                "m = torch.ops.aten.mul.Tensor(k, 1024);s = torch.ops.aten.round.default(m);"
                "r = torch.ops.aten.div.Tensor(s, 1024)",
                "float32[2, 3]: 0 1 2 3 4 5");
    operatorRow("distances of rows", "r = torch.ops.aten._cdist_forward.default(x, x, 1.0, None)",
                "float32[2, 2]: 0 9 9 0");
    operatorRow("bins", "r = torch.ops.aten.histc.default(x, 3, 0, 6)", "float32[3]: 2 2 2");
    operatorRow("as many places as asked for",
                "r = torch.ops.aten.nonzero_static.default(b, size = 3)", "int64[3, 1]: 0 2 -1");
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
