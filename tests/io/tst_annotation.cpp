// SPDX-License-Identifier: MIT
#include "core/io/annotation.h"

#include <QTest>

using namespace reinspect;

class tst_Annotation : public QObject
{
    Q_OBJECT

private slots:
    void readingAndPrintingAgree_data();
    void readingAndPrintingAgree();
    void strideAndDeviceAreIndependent();
    void symbolicValuesHaveAKind_data();
    void symbolicValuesHaveAKind();
    void typeHintsSayNothing();
    void anUnknownElementTypeIsAProblemOnce();
    void oddAnnotationsStayText_data();
    void oddAnnotationsStayText();
};

// Reads an annotation; the number of problems goes to `problemCount`.
static MetaValue readAnnotation(const std::string& text, std::size_t* problemCount = nullptr)
{
    const SourceText source("t", text);
    ProblemList problems(source);
    const MetaValue value = AnnotationReader(problems).read(source.text(), 0);
    if (problemCount)
        *problemCount = problems.take().size();
    return value;
}

void tst_Annotation::readingAndPrintingAgree_data()
{
    QTest::addColumn<std::string>("text");
    for (const char* text :
         {"f32[]", "f32[4]", "f32[][]cpu", "bf16[8, 4][4, 1]cuda:0", "i64[4]cuda:0",
          "b8[s77, s27][s27, 1]cuda:0", "f32[Max(1, s0), 4]", "f32[((s0 + 63)//64)]", "Sym(s77)",
          "Sym(((s77 + 63)//64))", "Sym(4)", "Sym(s0 > 2)"})
        QTest::newRow(text) << std::string(text);
}

void tst_Annotation::readingAndPrintingAgree()
{
    QFETCH(const std::string, text);

    QCOMPARE(toText(readAnnotation(text)), text);
}

void tst_Annotation::strideAndDeviceAreIndependent()
{
    const MetaValue onlyDevice = readAnnotation("f32[4]cuda:0");
    const MetaValue onlyStride = readAnnotation("f32[4][1]");

    QVERIFY(!onlyDevice.tensor()->strides);
    QCOMPARE(onlyDevice.tensor()->device, std::string("cuda:0"));
    QVERIFY(onlyStride.tensor()->strides.has_value());
    QVERIFY(onlyStride.tensor()->device.empty());
    // What no annotation prints stays unknown.
    QVERIFY(!onlyStride.tensor()->offset);
    QVERIFY(!onlyStride.tensor()->storage);
}

void tst_Annotation::symbolicValuesHaveAKind_data()
{
    QTest::addColumn<SymScalarMeta::Kind>("kind");
    QTest::newRow("Sym(s77 + 63)") << SymScalarMeta::Kind::Int;
    QTest::newRow("Sym(Eq(s0, 4))") << SymScalarMeta::Kind::Bool;
    QTest::newRow("Sym(u0 >= 2)") << SymScalarMeta::Kind::Bool;
    QTest::newRow("Sym(zuf0)") << SymScalarMeta::Kind::Float;
}

void tst_Annotation::symbolicValuesHaveAKind()
{
    QFETCH(const SymScalarMeta::Kind, kind);

    const MetaValue value = readAnnotation(QTest::currentDataTag());

    const auto* scalar = std::get_if<SymScalarMeta>(&value.value);
    QVERIFY(scalar);
    QVERIFY(scalar->kind == kind);
}

void tst_Annotation::typeHintsSayNothing()
{
    QVERIFY(!readAnnotation("torch.Tensor").isKnown());
    QVERIFY(!readAnnotation("typing.Optional[int]").isKnown());
    QVERIFY(!readAnnotation("").isKnown());
}

void tst_Annotation::anUnknownElementTypeIsAProblemOnce()
{
    const SourceText source("t", "q3[4]");
    ProblemList problems(source);
    AnnotationReader reader(problems);
    const MetaValue value = reader.read(source.text(), 0);
    reader.read(source.text(), 0);

    QCOMPARE(value.tensor()->dtype, DType::Unknown);
    QCOMPARE(value.tensor()->sizes.size(), std::size_t{1});
    const std::vector<Problem> told = problems.take();
    QCOMPARE(told.size(), std::size_t{1});
    QCOMPARE(told.front().text, std::string("unknown element type 'q3'"));
}

void tst_Annotation::oddAnnotationsStayText_data()
{
    QTest::addColumn<int>("problems");
    QTest::newRow("TwoTensor(f32[3][1]cpu)") << 0;
    QTest::newRow("DTensor(f32[8], S(0))") << 0;
    QTest::newRow("f32[4][1, 1]cuda:0") << 1; // two strides for one size
    QTest::newRow("f32[4") << 1;
    QTest::newRow("f32[4][1][2]") << 1;
}

void tst_Annotation::oddAnnotationsStayText()
{
    QFETCH(const int, problems);

    std::size_t told = 0;
    const MetaValue value = readAnnotation(QTest::currentDataTag(), &told);

    QVERIFY(std::holds_alternative<OpaqueMeta>(value.value));
    QCOMPARE(static_cast<int>(told), problems);
}

QTEST_APPLESS_MAIN(tst_Annotation)
#include "tst_annotation.moc"
