// SPDX-License-Identifier: MIT
// Convolution and pooling, forward and backward, against the plain formula in double; gradients against what
// the formula does when one number changes a little.
#include "tests/exec/naive_operators.h"

using namespace reinspect;
using namespace reinspect::exec;

Q_DECLARE_METATYPE(reinspect::naive::Convolution)
Q_DECLARE_METATYPE(reinspect::naive::Pooling)
Q_DECLARE_METATYPE(reinspect::DType)

class tst_NaiveWindows : public QObject
{
    Q_OBJECT

private slots:
    void convolution_data();
    void convolution();
    void pooling_data();
    void pooling();
    void adaptivePooling_data();
    void adaptivePooling();
    void cubicUpsampling_data();
    void cubicUpsampling();
    void gridSampling_data();
    void gridSampling();
};

void tst_NaiveWindows::convolution_data()
{
    QTest::addColumn<naive::Convolution>("c");
    QTest::addColumn<DType>("dtype");
    QTest::addColumn<bool>("channelsLast");
    const auto row = [](const char* name, naive::Convolution c, DType dtype = kDouble,
                        bool channelsLast = false) {
        QTest::newRow(name) << std::move(c) << dtype << channelsLast;
    };
    row("one dimension", {2, 2, 3, 1, {7}, {3}, {1}, {0}, {1}});
    row("stride and padding", {2, 2, 2, 1, {4, 3}, {3, 2}, {2, 1}, {1, 1}, {1, 1}});
    row("dilation", {1, 2, 1, 1, {4, 7}, {2, 3}, {1, 2}, {2, 0}, {2, 3}});
    row("groups", {1, 4, 2, 2, {3, 4}, {2, 2}, {1, 2}, {0, 1}, {1, 1}});
    row("depthwise, channels last", {1, 3, 3, 3, {4, 3}, {3, 3}, {1, 1}, {1, 1}, {1, 1}}, kDouble,
        true);
    row("three dimensions", {1, 1, 2, 1, {2, 3, 3}, {1, 2, 2}, {1, 2, 1}, {0, 1, 1}, {1, 1, 2}});
    row("transposed", {2, 2, 1, 1, {2, 3}, {3, 2}, {2, 1}, {1, 0}, {1, 1}, true, {1, 0}});
    row("transposed, groups and dilation",
        {1, 4, 2, 2, {2, 2}, {2, 3}, {2, 3}, {0, 1}, {2, 1}, true, {1, 2}});
    row("float32", {2, 2, 2, 1, {3, 4}, {3, 2}, {1, 1}, {1, 1}, {1, 1}}, DType::Float32);
    row("float16, channels last", {1, 2, 2, 1, {4, 4}, {2, 2}, {1, 1}, {0, 0}, {1, 1}},
        DType::Float16, true);
    row("bfloat16", {1, 2, 2, 1, {4, 4}, {2, 2}, {2, 2}, {1, 1}, {1, 1}}, DType::BFloat16);
}

void tst_NaiveWindows::convolution()
{
    QFETCH(naive::Convolution, c);
    QFETCH(const DType, dtype);
    QFETCH(const bool, channelsLast);
    if (c.outputPadding.empty())
        c.outputPadding.assign(c.in.size(), 0);
    const Value x = drawn(dtype, c.inputShape(), 1, channelsLast);
    const Value w = drawn(dtype, c.weightShape(), 2);
    const Value b = drawn(dtype, {c.channelsOut}, 3);
    const std::vector<Value> how{list(c.stride),      list(c.padding),       list(c.dilation),
                                 Value(c.transposed), list(c.outputPadding), Value(c.groups)};
    Operator op;
    std::vector<Value> args{x, w, b};
    args.insert(args.end(), how.begin(), how.end());
    const Value y = op.run("aten.convolution.default", args);
    QCOMPARE(y.tensor()->sizes, c.outputShape());
    COMPARE_NUMBERS(numbers(y), naive::convolve(c, numbers(x), numbers(w), numbers(b)), dtype);

    const Value above = drawn(dtype, c.outputShape(), 4, channelsLast);
    args = {above, x, w, list({c.channelsOut})};
    args.insert(args.end(), how.begin(), how.end());
    args.push_back(yes(3));
    const Value made = op.run("aten.convolution_backward.default", args);
    COMPARE_NUMBERS(
        part(made, 0),
        slopesOf(x, above,
                 [&](const Numbers& at) { return naive::convolve(c, at, numbers(w), numbers(b)); }),
        dtype);
    COMPARE_NUMBERS(
        part(made, 1),
        slopesOf(w, above,
                 [&](const Numbers& at) { return naive::convolve(c, numbers(x), at, numbers(b)); }),
        dtype);
    COMPARE_NUMBERS(
        part(made, 2),
        slopesOf(b, above,
                 [&](const Numbers& at) { return naive::convolve(c, numbers(x), numbers(w), at); }),
        dtype);
}

void tst_NaiveWindows::pooling_data()
{
    QTest::addColumn<naive::Pooling>("p");
    QTest::addColumn<DType>("dtype");
    const auto row = [](const char* name, naive::Pooling p, DType dtype = kDouble) {
        QTest::newRow(name) << std::move(p) << dtype;
    };
    row("plain", {{1, 2, 4, 6}, {2, 2}, {2, 2}, {0, 0}, {1, 1}});
    row("windows overlap", {{2, 1, 4, 5}, {3, 2}, {1, 2}, {1, 0}, {1, 1}});
    row("rounded up", {{1, 1, 5, 6}, {2, 3}, {2, 2}, {0, 1}, {1, 1}, true});
    row("rounded up, padding not counted",
        {{1, 2, 6, 5}, {3, 3}, {2, 2}, {1, 1}, {1, 1}, true, false});
    row("own divisor", {{1, 1, 4, 4}, {2, 2}, {2, 2}, {1, 1}, {1, 1}, false, true, 3});
    row("dilation", {{1, 1, 6, 6}, {2, 3}, {1, 1}, {0, 1}, {2, 2}});
    row("no batch", {{2, 4, 4}, {2, 2}, {2, 1}, {0, 0}, {1, 1}});
    row("float32", {{1, 2, 5, 4}, {3, 3}, {2, 2}, {1, 1}, {1, 1}}, DType::Float32);
    row("bfloat16", {{1, 2, 4, 4}, {2, 2}, {2, 2}, {0, 0}, {1, 1}}, DType::BFloat16);
}

void tst_NaiveWindows::pooling()
{
    QFETCH(const naive::Pooling, p);
    QFETCH(const DType, dtype);
    const Value x = drawn(dtype, p.shape, 1);
    Operator op;
    const std::vector<Value> window{list(p.kernel), list(p.stride), list(p.padding)};
    std::vector<Value> args{x, window[0], window[1], window[2], list(p.dilation), Value(p.ceils)};
    const Value most = op.run("aten.max_pool2d_with_indices.default", args);
    const Value& y = (*most.items())[0];
    COMPARE_NUMBERS(numbers(y), naive::pool(p, numbers(x), true), dtype);
    const Value above = drawn(dtype, y.tensor()->sizes, 2);
    args.insert(args.begin(), above);
    args.push_back((*most.items())[1]);
    COMPARE_NUMBERS(numbers(op.run("aten.max_pool2d_with_indices_backward.default", args)),
                    slopesOf(x, above, [&](const Numbers& at) { return naive::pool(p, at, true); }),
                    dtype);
    if (p.dilation != Sizes{1, 1})
        return; // means know none
    const Value divisor = p.divisor != 0 ? Value(p.divisor) : Value();
    args = {x, window[0], window[1], window[2], Value(p.ceils), Value(p.countsPadding), divisor};
    COMPARE_NUMBERS(numbers(op.run("aten.avg_pool2d.default", args)),
                    naive::pool(p, numbers(x), false), dtype);
    args.insert(args.begin(), above);
    COMPARE_NUMBERS(
        numbers(op.run("aten.avg_pool2d_backward.default", args)),
        slopesOf(x, above, [&](const Numbers& at) { return naive::pool(p, at, false); }), dtype);
}

void tst_NaiveWindows::adaptivePooling_data()
{
    QTest::addColumn<Sizes>("in");
    QTest::addColumn<Sizes>("out");
    QTest::newRow("whole parts") << Sizes{4, 6} << Sizes{2, 3};
    QTest::newRow("windows overlap") << Sizes{5, 7} << Sizes{3, 4};
    QTest::newRow("larger than the input") << Sizes{2, 3} << Sizes{3, 5};
    QTest::newRow("one") << Sizes{3, 5} << Sizes{1, 1};
}

void tst_NaiveWindows::adaptivePooling()
{
    QFETCH(const Sizes, in);
    QFETCH(const Sizes, out);
    for (const DType dtype : {kDouble, DType::Float32})
    {
        const Value x = drawn(dtype, {2, 2, in[0], in[1]}, 1);
        const auto formula = [&](const Numbers& at) { return naive::adaptivePool(in, 4, out, at); };
        Operator op;
        const Value y = op.run("aten._adaptive_avg_pool2d.default", {x, list(out)});
        COMPARE_NUMBERS(numbers(y), formula(numbers(x)), dtype);
        const Value above = drawn(dtype, y.tensor()->sizes, 2);
        COMPARE_NUMBERS(numbers(op.run("aten._adaptive_avg_pool2d_backward.default", {above, x})),
                        slopesOf(x, above, formula), dtype);
    }
}

void tst_NaiveWindows::cubicUpsampling_data()
{
    QTest::addColumn<Sizes>("out");
    QTest::addColumn<bool>("corners");
    QTest::newRow("larger") << Sizes{5, 7} << false;
    QTest::newRow("corners on each other") << Sizes{5, 7} << true;
    QTest::newRow("smaller") << Sizes{2, 2} << false;
}

void tst_NaiveWindows::cubicUpsampling()
{
    QFETCH(const Sizes, out);
    QFETCH(const bool, corners);
    const Value x = drawn(kDouble, {1, 1, 3, 4}, 1);
    const auto formula = [&](const Numbers& at) { return naive::cubic({3, 4}, out, corners, at); };
    Operator op;
    const Value y = op.run("aten.upsample_bicubic2d.default", {x, list(out), Value(corners)});
    COMPARE_NUMBERS(numbers(y), formula(numbers(x)), DType::Float32); // places are in float
    const Value above = drawn(kDouble, {1, 1, out[0], out[1]}, 2);
    const Value back = op.run("aten.upsample_bicubic2d_backward.default",
                              {above, list(out), list({1, 1, 3, 4}), Value(corners)});
    COMPARE_NUMBERS(numbers(back), slopesOf(x, above, formula), DType::Float32);
}

void tst_NaiveWindows::gridSampling_data()
{
    QTest::addColumn<std::int64_t>("blend");
    QTest::addColumn<std::int64_t>("beyond");
    QTest::addColumn<bool>("corners");
    for (std::int64_t blend = 0; blend < 3; ++blend)
        for (std::int64_t beyond = 0; beyond < 3; ++beyond)
            for (const bool corners : {false, true})
                QTest::addRow("%s, %s beyond%s",
                              std::array{"linear", "nearest", "cubic"}[std::size_t(blend)],
                              std::array{"zeros", "border", "reflection"}[std::size_t(beyond)],
                              corners ? ", corners" : "")
                    << blend << beyond << corners;
}

// The gradients by picture and by place are slopes of what the operator itself gives; that it gives the right
// thing is seen where the formula is plain.
void tst_NaiveWindows::gridSampling()
{
    QFETCH(const std::int64_t, blend);
    QFETCH(const std::int64_t, beyond);
    QFETCH(const bool, corners);
    const Tensor x = drawn(kDouble, {1, 1, 3, 4}, 1);
    const Tensor grid = drawn(kDouble, {1, 3, 3, 2}, 2);
    Operator op;
    const auto sampled = [&](const Numbers& picture, const Numbers& places) {
        Tensor a = drawn(kDouble, x.sizes, 1);
        Tensor b = drawn(kDouble, grid.sizes, 2);
        writeAll<double>(a, picture);
        writeAll<double>(b, places);
        return numbers(op.run("aten.grid_sampler_2d.default",
                              {a, b, Value(blend), Value(beyond), Value(corners)}));
    };
    const Numbers picture = numbers(x);
    const Numbers places = numbers(grid);
    if (blend == 0 && beyond == 0)
        COMPARE_NUMBERS(sampled(picture, places),
                        naive::sampleLinear({3, 4}, picture, places, corners), kDouble);
    const Value above = drawn(kDouble, {1, 1, 3, 3}, 3);
    const Value back =
        op.run("aten.grid_sampler_2d_backward.default",
               {above, x, grid, Value(blend), Value(beyond), Value(corners), yes(2)});
    COMPARE_NUMBERS(part(back, 0),
                    slopesOf(x, above, [&](const Numbers& at) { return sampled(at, places); }),
                    kDouble);
    COMPARE_NUMBERS(part(back, 1),
                    slopesOf(grid, above, [&](const Numbers& at) { return sampled(picture, at); }),
                    kDouble);
}

QTEST_APPLESS_MAIN(tst_NaiveWindows)
#include "tst_naive_windows.moc"
