// SPDX-License-Identifier: MIT
#include "core/ir/dtype.h"

#include <QTest>

#include <set>
#include <string>

using namespace reinspect;

class tst_DType : public QObject
{
    Q_OBJECT

private slots:
    void theCommonOnesAreSpelledAsPyTorchDoes_data();
    void theCommonOnesAreSpelledAsPyTorchDoes();
    void everySpellingLeadsBack();
    void anotherSpellingIsUnknown();
};

constexpr int kDTypeCount = static_cast<int>(DType::Bits1x8) + 1;

static QByteArray text(std::string_view view)
{
    return QByteArray(view.data(), static_cast<qsizetype>(view.size()));
}

void tst_DType::theCommonOnesAreSpelledAsPyTorchDoes_data()
{
    QTest::addColumn<int>("dtype");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("abbreviation");
    QTest::addColumn<int>("bytes");
    const auto row = [](DType dtype, const char* name, const char* abbreviation, int bytes) {
        QTest::newRow(name) << static_cast<int>(dtype) << QByteArray(name)
                            << QByteArray(abbreviation) << bytes;
    };
    row(DType::Float32, "float32", "f32", 4);
    row(DType::BFloat16, "bfloat16", "bf16", 2);
    row(DType::Bool, "bool", "b8", 1); // not eight bits of anything: one byte
    row(DType::Bits16, "bits16", "b16", 2);
    row(DType::Int64, "int64", "i64", 8);
    row(DType::Complex64, "complex64", "c64", 8);
    row(DType::Float8E4M3FN, "float8_e4m3fn", "f8e4m3fn", 1);
    row(DType::Float4E2M1FNx2, "float4_e2m1fn_x2", "f4e2m1fnx2", 1); // two values a byte
    row(DType::Unknown, "unknown", "?", 0);
}

void tst_DType::theCommonOnesAreSpelledAsPyTorchDoes()
{
    QFETCH(int, dtype);
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, abbreviation);
    QFETCH(int, bytes);
    QCOMPARE(text(dtypeName(static_cast<DType>(dtype))), name);
    QCOMPARE(text(dtypeAbbreviation(static_cast<DType>(dtype))), abbreviation);
    QCOMPARE(dtypeBytes(static_cast<DType>(dtype)), std::int64_t{bytes});
}

void tst_DType::everySpellingLeadsBack()
{
    std::set<std::string_view> spellings;
    for (int i = 0; i < kDTypeCount; ++i)
    {
        const auto dtype = static_cast<DType>(i);
        QCOMPARE(dtypeFromName(dtypeName(dtype)), dtype);
        QCOMPARE(dtypeFromAbbreviation(dtypeAbbreviation(dtype)), dtype);
        spellings.insert(dtypeName(dtype));
        spellings.insert(dtypeAbbreviation(dtype));
    }
    QCOMPARE(spellings.size(), std::size_t{2 * kDTypeCount});
}

void tst_DType::anotherSpellingIsUnknown()
{
    QCOMPARE(dtypeFromName("float33"), DType::Unknown);
    QCOMPARE(dtypeFromName(""), DType::Unknown);
    QCOMPARE(dtypeFromName("f32"), DType::Unknown);
    QCOMPARE(dtypeFromAbbreviation("float32"), DType::Unknown);
    QCOMPARE(dtypeFromAbbreviation("f8e8m0fnu_x4"), DType::Unknown);
}

QTEST_APPLESS_MAIN(tst_DType)
#include "tst_dtype.moc"
