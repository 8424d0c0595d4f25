// SPDX-License-Identifier: MIT
#include "core/ir/tensor_meta.h"

#include <QTest>

using namespace reinspect;

class tst_TensorMeta : public QObject
{
    Q_OBJECT

private slots:
    void elementsAndBytesAreCounted();
    void anEmptyTensorHasNoElements();
    void stridesOfAContiguousTensor_data();
    void stridesOfAContiguousTensor();
    void contiguityFollowsTheStrides_data();
    void contiguityFollowsTheStrides();
    void anAnnotationIsWrittenAsPyTorchDoes();
    void everyKindOfValueHasAText();
    void sequencesAreEqualWhenTheirItemsAre();
};

using Numbers = std::vector<SymExpr>;

static SymExpr parsed(std::string_view text)
{
    return SymExpr::parse(text).value();
}

// "8, 4" as numbers; sympy's text where it is symbolic.
static Numbers numbers(const QByteArray& text)
{
    Numbers result;
    if (text.isEmpty())
        return result;
    for (const QByteArray& part : text.split(';'))
        result.push_back(parsed(part.trimmed().toStdString()));
    return result;
}

static TensorMeta tensor(Numbers sizes, std::optional<Numbers> strides = {})
{
    return {.dtype = DType::Float32,
            .storage = {},
            .device = "cuda:0",
            .sizes = std::move(sizes),
            .strides = std::move(strides),
            .offset = {},
            .storageBytes = {}};
}

static QByteArray printed(const MetaValue& meta)
{
    return QByteArray::fromStdString(toText(meta));
}

void tst_TensorMeta::elementsAndBytesAreCounted()
{
    QCOMPARE(elementCount(tensor({8, 4})).constant(), std::optional<std::int64_t>(32));
    QCOMPARE(byteCount(tensor({8, 4})).constant(), std::optional<std::int64_t>(128));
    QCOMPARE(elementCount(tensor({})).constant(), std::optional<std::int64_t>(1));
    const SymExpr bytes = byteCount(tensor({parsed("s77"), parsed("s27")}));
    QCOMPARE(QByteArray::fromStdString(toText(bytes)), QByteArray("4*s27*s77"));
}

void tst_TensorMeta::anEmptyTensorHasNoElements()
{
    const SymExpr huge = std::int64_t{1} << 62;
    QCOMPARE(elementCount(tensor({huge, huge, 0})).constant(), std::optional<std::int64_t>(0));
    QVERIFY(!elementCount(tensor({huge, huge})).constant()); // does not fit, and does not wrap
}

void tst_TensorMeta::stridesOfAContiguousTensor_data()
{
    QTest::addColumn<QByteArray>("sizes");
    QTest::addColumn<QByteArray>("strides");
    QTest::newRow("scalar") << QByteArray() << QByteArray();
    QTest::newRow("matrix") << QByteArray("8; 4") << QByteArray("4; 1");
    QTest::newRow("a size of 1") << QByteArray("8; 1; 4") << QByteArray("4; 4; 1");
    QTest::newRow("a size of 0") << QByteArray("3; 0; 4") << QByteArray("4; 4; 1");
    QTest::newRow("backed") << QByteArray("8; s77; s27") << QByteArray("s27*s77; s27; 1");
    QTest::newRow("unbacked") << QByteArray("8; u0; 4") << QByteArray("4*Max(1, u0); 4; 1");
}

void tst_TensorMeta::stridesOfAContiguousTensor()
{
    QFETCH(QByteArray, sizes);
    QFETCH(QByteArray, strides);
    QVERIFY(contiguousStrides(numbers(sizes)) == numbers(strides));
    QVERIFY(isContiguous(tensor(numbers(sizes), numbers(strides))));
}

void tst_TensorMeta::contiguityFollowsTheStrides_data()
{
    QTest::addColumn<QByteArray>("sizes");
    QTest::addColumn<QByteArray>("strides");
    QTest::addColumn<bool>("contiguous");
    QTest::newRow("transposed") << QByteArray("8; 4") << QByteArray("1; 8") << false;
    QTest::newRow("a column slice") << QByteArray("8; 2") << QByteArray("4; 1") << false;
    QTest::newRow("one row") << QByteArray("1; 4") << QByteArray("99; 1") << true;
    QTest::newRow("expanded") << QByteArray("8; 4") << QByteArray("0; 1") << false;
    QTest::newRow("empty") << QByteArray("0; 4") << QByteArray("1; 99") << true;
    QTest::newRow("symbolic") << QByteArray("s0; s1") << QByteArray("s1; 1") << true;
    QTest::newRow("symbolic slice") << QByteArray("s0; s1 - 1") << QByteArray("s1; 1") << false;
    QTest::newRow("unbacked, no guard") << QByteArray("4; u0") << QByteArray("u0; 1") << true;
    QTest::newRow("too few strides") << QByteArray("8; 4") << QByteArray("1") << false;
}

void tst_TensorMeta::contiguityFollowsTheStrides()
{
    QFETCH(QByteArray, sizes);
    QFETCH(QByteArray, strides);
    QFETCH(bool, contiguous);
    QCOMPARE(isContiguous(tensor(numbers(sizes), numbers(strides))), contiguous);
    QVERIFY(!isContiguous(tensor(numbers(sizes)))); // unknown strides promise nothing
}

void tst_TensorMeta::anAnnotationIsWrittenAsPyTorchDoes()
{
    QCOMPARE(printed({tensor({8, 4}, Numbers{4, 1})}), QByteArray("f32[8, 4][4, 1]cuda:0"));
    QCOMPARE(printed({tensor({}, Numbers{})}), QByteArray("f32[][]cuda:0"));
    QCOMPARE(printed({tensor({parsed("s77"), parsed("Max(1, s0)")})}),
             QByteArray("f32[s77, Max(1, s0)]cuda:0"));
    QCOMPARE(printed({TensorMeta{}}), QByteArray("?[]"));
}

void tst_TensorMeta::everyKindOfValueHasAText()
{
    QCOMPARE(printed({}), QByteArray());
    SymScalarMeta scalar;
    scalar.text = "s77 + 63";
    scalar.expr = parsed("s77 + 63");
    QCOMPARE(printed({scalar}), QByteArray("Sym(s77 + 63)"));
    QCOMPARE(printed({ScalarMeta{{0.5}}}), QByteArray("0.5"));
    QCOMPARE(printed({ScalarMeta{{None{}}}}), QByteArray("None"));
    QCOMPARE(printed({OpaqueMeta{"{'out': FakeTensor(...)}"}}),
             QByteArray("{'out': FakeTensor(...)}"));

    const auto sequence = [](bool isTuple, std::vector<MetaValue> items) {
        return MetaValue{
            std::make_shared<const SequenceMeta>(SequenceMeta{isTuple, std::move(items)})};
    };
    const MetaValue item{tensor({4})};
    QCOMPARE(printed(sequence(true, {item, {}})), QByteArray("(f32[4]cuda:0, ?)"));
    QCOMPARE(printed(sequence(true, {item})), QByteArray("(f32[4]cuda:0,)"));
    QCOMPARE(printed(sequence(false, {item})), QByteArray("[f32[4]cuda:0]"));
    QCOMPARE(printed(sequence(true, {sequence(true, {})})), QByteArray("((),)"));
}

void tst_TensorMeta::sequencesAreEqualWhenTheirItemsAre()
{
    const auto sequence = [](std::int64_t size) {
        const SequenceMeta items{true, {MetaValue{tensor({size})}}};
        return MetaValue{std::make_shared<const SequenceMeta>(items)};
    };
    QVERIFY(sequence(4) == sequence(4));
    QVERIFY(!(sequence(4) == sequence(5)));
    QVERIFY(!(sequence(4) == MetaValue{}));
    QVERIFY(MetaValue{tensor({parsed("s0 + s0")})} == MetaValue{tensor({parsed("2*s0")})});
    QVERIFY(!(MetaValue{tensor({4})} == MetaValue{tensor({4}, Numbers{1})}));
}

QTEST_APPLESS_MAIN(tst_TensorMeta)
#include "tst_tensor_meta.moc"
