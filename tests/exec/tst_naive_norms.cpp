// SPDX-License-Identifier: MIT
// Normalization and attention, forward and backward, against the plain formula in double; gradients against
// what the formula does when one number changes a little.
#include "tests/exec/naive_operators.h"

using namespace reinspect;
using namespace reinspect::exec;

Q_DECLARE_METATYPE(reinspect::naive::Attending)
Q_DECLARE_METATYPE(reinspect::DType)

class tst_NaiveNorms : public QObject
{
    Q_OBJECT

private slots:
    void layerNorm_data();
    void layerNorm();
    void groupNorm_data();
    void groupNorm();
    void batchNorm_data();
    void batchNorm();
    void attention_data();
    void attention();
    void attentionDropsTheSameBackAndForth();
};

static void normColumns()
{
    QTest::addColumn<DType>("dtype");
    QTest::addColumn<bool>("hasParameters");
    QTest::newRow("float64") << kDouble << true;
    QTest::newRow("float64, plain") << kDouble << false;
    QTest::newRow("float32") << DType::Float32 << true;
    QTest::newRow("float16") << DType::Float16 << true;
}

// The gradients by input, weight and bias against the formula's slopes.
template<typename Formula>
static QByteArray unlikeGradients(const Value& made, const Value& above, const Value& x,
                                  const Value& w, const Value& b, DType dtype, Formula&& formula)
{
    const Numbers none;
    const Numbers weight = w.isNone() ? none : numbers(w);
    const Numbers bias = b.isNone() ? none : numbers(b);
    QByteArray apart = unlike(
        part(made, 0),
        slopesOf(x, above, [&](const Numbers& at) { return formula(at, weight, bias); }), dtype);
    if (!apart.isEmpty() || w.isNone())
        return apart;
    apart =
        unlike(part(made, 1),
               slopesOf(w, above, [&](const Numbers& at) { return formula(numbers(x), at, bias); }),
               dtype);
    if (!apart.isEmpty() || b.isNone())
        return apart;
    return unlike(
        part(made, 2),
        slopesOf(b, above, [&](const Numbers& at) { return formula(numbers(x), weight, at); }),
        dtype);
}

void tst_NaiveNorms::layerNorm_data()
{
    normColumns();
}

void tst_NaiveNorms::layerNorm()
{
    QFETCH(const DType, dtype);
    QFETCH(const bool, hasParameters);
    const Value x = drawn(dtype, {3, 2, 5}, 1);
    const Value w = hasParameters ? Value(drawn(dtype, {2, 5}, 2)) : Value();
    const Value b = hasParameters ? Value(drawn(dtype, {2, 5}, 3)) : Value();
    const Value above = drawn(dtype, {3, 2, 5}, 4);
    const auto formula = [](const Numbers& at, const Numbers& weight, const Numbers& bias) {
        return naive::normalize(
            at, [](std::size_t i) { return i / 10; }, [](std::size_t i) { return i % 10; }, weight,
            bias, 1e-5);
    };
    Operator op;
    const Value y = op.run("aten.native_layer_norm.default", {x, list({2, 5}), w, b, Value(1e-5)});
    COMPARE_NUMBERS(part(y, 0),
                    formula(numbers(x), w.isNone() ? Numbers() : numbers(w),
                            b.isNone() ? Numbers() : numbers(b)),
                    dtype);
    const Value made =
        op.run("aten.native_layer_norm_backward.default",
               {above, x, list({2, 5}), (*y.items())[1], (*y.items())[2], w, b, yes(3)});
    const QByteArray apart = unlikeGradients(made, above, x, w, b, dtype, formula);
    QVERIFY2(apart.isEmpty(), apart.constData());
}

void tst_NaiveNorms::groupNorm_data()
{
    normColumns();
}

void tst_NaiveNorms::groupNorm()
{
    QFETCH(const DType, dtype);
    QFETCH(const bool, hasParameters);
    const Value x = drawn(dtype, {2, 4, 3}, 1); // two groups of two channels
    const Value w = hasParameters ? Value(drawn(dtype, {4}, 2)) : Value();
    const Value b = hasParameters ? Value(drawn(dtype, {4}, 3)) : Value();
    const Value above = drawn(dtype, {2, 4, 3}, 4);
    const auto formula = [](const Numbers& at, const Numbers& weight, const Numbers& bias) {
        return naive::normalize(
            at, [](std::size_t i) { return i / 6; }, [](std::size_t i) { return i / 3 % 4; },
            weight, bias, 1e-5);
    };
    const std::vector<Value> shape{Value(std::int64_t{2}), Value(std::int64_t{4}),
                                   Value(std::int64_t{3}), Value(std::int64_t{2})};
    Operator op;
    std::vector<Value> args{x, w, b};
    args.insert(args.end(), shape.begin(), shape.end());
    args.emplace_back(1e-5);
    const Value y = op.run("aten.native_group_norm.default", args);
    COMPARE_NUMBERS(part(y, 0),
                    formula(numbers(x), w.isNone() ? Numbers() : numbers(w),
                            b.isNone() ? Numbers() : numbers(b)),
                    dtype);
    args = {above, x, (*y.items())[1], (*y.items())[2], w};
    args.insert(args.end(), shape.begin(), shape.end());
    args.push_back(yes(3));
    const Value made = op.run("aten.native_group_norm_backward.default", args);
    const QByteArray apart = unlikeGradients(made, above, x, w, b, dtype, formula);
    QVERIFY2(apart.isEmpty(), apart.constData());
}

void tst_NaiveNorms::batchNorm_data()
{
    normColumns();
}

void tst_NaiveNorms::batchNorm()
{
    QFETCH(const DType, dtype);
    QFETCH(const bool, hasParameters);
    const Value x = drawn(dtype, {3, 2, 2, 2}, 1);
    const Value w = hasParameters ? Value(drawn(dtype, {2}, 2)) : Value();
    const Value b = hasParameters ? Value(drawn(dtype, {2}, 3)) : Value();
    const Value above = drawn(dtype, {3, 2, 2, 2}, 4);
    const auto channel = [](std::size_t i) { return i / 4 % 2; };
    const auto formula = [&](const Numbers& at, const Numbers& weight, const Numbers& bias) {
        return naive::normalize(at, channel, channel, weight, bias, 1e-5);
    };
    Operator op;
    const Value y = op.run("aten.native_batch_norm.default",
                           {x, w, b, Value(), Value(), Value(true), Value(0.1), Value(1e-5)});
    COMPARE_NUMBERS(part(y, 0),
                    formula(numbers(x), w.isNone() ? Numbers() : numbers(w),
                            b.isNone() ? Numbers() : numbers(b)),
                    dtype);
    const Value made = op.run("aten.native_batch_norm_backward.default",
                              {above, x, w, Value(), Value(), (*y.items())[1], (*y.items())[2],
                               Value(true), Value(1e-5), yes(3)});
    const QByteArray apart = unlikeGradients(made, above, x, w, b, dtype, formula);
    QVERIFY2(apart.isEmpty(), apart.constData());
}

void tst_NaiveNorms::attention_data()
{
    QTest::addColumn<naive::Attending>("a");
    QTest::addColumn<bool>("hasBias");
    QTest::addColumn<DType>("dtype");
    const auto row = [](const char* name, naive::Attending a, bool hasBias = false,
                        DType dtype = kDouble) {
        QTest::newRow(name) << std::move(a) << hasBias << dtype;
    };
    row("plain", {1, 2, 2, 3, 4, 2, 2, 0.7});
    row("causal", {2, 1, 1, 4, 4, 3, 3, 0.5, true});
    row("a bias", {1, 2, 2, 3, 5, 2, 2, 0.7}, true);
    row("values of another depth", {1, 1, 1, 2, 3, 2, 4, 1});
    row("heads that share keys", {1, 4, 2, 3, 3, 2, 2, 0.7});
    row("float32", {2, 2, 2, 4, 4, 4, 4, 0.5, true}, false, DType::Float32);
    row("bfloat16", {1, 2, 2, 3, 3, 4, 4, 0.5}, true, DType::BFloat16);
}

void tst_NaiveNorms::attention()
{
    QFETCH(const naive::Attending, a);
    QFETCH(const bool, hasBias);
    QFETCH(const DType, dtype);
    const Value q = drawn(dtype, {a.batch, a.heads, a.queries, a.depth}, 1);
    const Value k = drawn(dtype, {a.batch, a.keyHeads, a.keys, a.depth}, 2);
    const Value v = drawn(dtype, {a.batch, a.keyHeads, a.keys, a.valueDepth}, 3);
    const Value bias =
        hasBias ? Value(drawn(dtype, {a.batch, a.heads, a.queries, a.keys}, 4)) : Value();
    const Numbers none;
    const auto formula = [&](const Numbers& x, const Numbers& y, const Numbers& z,
                             const Numbers& w) { return naive::attend(a, x, y, z, w); };
    const Numbers given = hasBias ? numbers(bias) : none;
    Operator op;
    const Value made =
        op.run("aten._scaled_dot_product_efficient_attention.default",
               {q, k, v, bias, Value(true), Value(0.0), Value(a.causal), Value(a.scale)});
    COMPARE_NUMBERS(part(made, 0), formula(numbers(q), numbers(k), numbers(v), given), dtype);
    const Value above = drawn(dtype, {a.batch, a.heads, a.queries, a.valueDepth}, 5);
    const Value back = op.run(
        "aten._scaled_dot_product_efficient_attention_backward.default",
        {above, q, k, v, bias, (*made.items())[0], (*made.items())[1], Value(), Value(), Value(0.0),
         listOf(std::vector<Value>{Value(true), Value(true), Value(true), Value(hasBias)}),
         Value(a.causal), Value(a.scale)});
    COMPARE_NUMBERS(
        part(back, 0),
        slopesOf(q, above,
                 [&](const Numbers& at) { return formula(at, numbers(k), numbers(v), given); }),
        dtype);
    COMPARE_NUMBERS(
        part(back, 1),
        slopesOf(k, above,
                 [&](const Numbers& at) { return formula(numbers(q), at, numbers(v), given); }),
        dtype);
    COMPARE_NUMBERS(
        part(back, 2),
        slopesOf(v, above,
                 [&](const Numbers& at) { return formula(numbers(q), numbers(k), at, given); }),
        dtype);
    if (hasBias)
        COMPARE_NUMBERS(part(back, 3),
                        slopesOf(bias, above,
                                 [&](const Numbers& at) {
                                     return formula(numbers(q), numbers(k), numbers(v), at);
                                 }),
                        dtype);
}

// The gradient is told by "philox_seed" what was dropped.
void tst_NaiveNorms::attentionDropsTheSameBackAndForth()
{
    naive::Attending a{1, 2, 2, 3, 4, 2, 2, 0.7};
    const Philox random(0, Philox::streamOf("n") >> 1);
    for (std::size_t i = 0; i < 24; ++i)
        a.kept.push_back(random.uniform(i) < 0.4 ? 0 : 1 / 0.6);
    QVERIFY(std::ranges::count(a.kept, 0) > 3);
    const Value q = drawn(kDouble, {1, 2, 3, 2}, 1);
    const Value k = drawn(kDouble, {1, 2, 4, 2}, 2);
    const Value v = drawn(kDouble, {1, 2, 4, 2}, 3);
    const Value above = drawn(kDouble, {1, 2, 3, 2}, 4);
    Operator op;
    const Value made = op.run("aten._scaled_dot_product_flash_attention.default",
                              {q, k, v, Value(0.4), Value(false), Value(false), Value(0.7)});
    COMPARE_NUMBERS(part(made, 0), naive::attend(a, numbers(q), numbers(k), numbers(v), {}),
                    kDouble);
    const Value back = op.run("aten._scaled_dot_product_flash_attention_backward.default",
                              {above, q, k, v, (*made.items())[0], (*made.items())[1], Value(),
                               Value(), Value(std::int64_t{3}), Value(std::int64_t{4}), Value(0.4),
                               Value(false), (*made.items())[6], Value(), Value(0.7)});
    COMPARE_NUMBERS(part(back, 0),
                    slopesOf(q, above,
                             [&](const Numbers& at) {
                                 return naive::attend(a, at, numbers(k), numbers(v), {});
                             }),
                    kDouble);
    COMPARE_NUMBERS(part(back, 2),
                    slopesOf(v, above,
                             [&](const Numbers& at) {
                                 return naive::attend(a, numbers(q), numbers(k), at, {});
                             }),
                    kDouble);
}

QTEST_APPLESS_MAIN(tst_NaiveNorms)
#include "tst_naive_norms.moc"
