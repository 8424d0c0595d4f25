// SPDX-License-Identifier: MIT
#include "core/triton/float_formats.h"

#include <QTest>

#include <cmath>

using namespace reinspect;
using namespace reinspect::triton;

class tst_FloatFormats : public QObject
{
    Q_OBJECT

private slots:
    void everyBitPatternSurvives_data();
    void everyBitPatternSurvives();
    void theQuickRoundingIsTheExactOne_data();
    void theQuickRoundingIsTheExactOne();
};

void tst_FloatFormats::everyBitPatternSurvives_data()
{
    QTest::addColumn<int>("format");
    QTest::addColumn<int>("bits");
    const auto row = [](const char* name, Scalar format, int bits) {
        QTest::newRow(name) << static_cast<int>(format) << bits;
    };
    row("e4m3fn", Scalar::Float8E4M3FN, 8);
    row("e5m2", Scalar::Float8E5M2, 8);
    row("e4m3fnuz", Scalar::Float8E4M3FNUZ, 8);
    row("e5m2fnuz", Scalar::Float8E5M2FNUZ, 8);
    row("e4m3b11fnuz", Scalar::Float8E4M3B11FNUZ, 8);
    row("f16", Scalar::Float16, 16);
    row("bf16", Scalar::BFloat16, 16);
}

// Decoded and encoded again: the same bits; infinities of 8 bits saturate, a NaN stays one.
void tst_FloatFormats::everyBitPatternSurvives()
{
    QFETCH(const int, format);
    QFETCH(const int, bits);
    const auto scalar = static_cast<Scalar>(format);
    for (std::uint64_t pattern = 0; pattern < (1ull << bits); ++pattern)
    {
        const double value = decodeFloat(scalar, pattern);
        if (std::isnan(value))
            QVERIFY(std::isnan(decodeFloat(scalar, encodeFloat(scalar, value))));
        else if (!(std::isinf(value) && bits == 8))
            QCOMPARE(encodeFloat(scalar, value), pattern);
        if (scalar == Scalar::Float16 && !std::isnan(value))
        {
            QCOMPARE(static_cast<double>(float16FromBits(static_cast<std::uint16_t>(pattern))),
                     value);
            QCOMPARE(std::uint64_t(bitsOfFloat16(static_cast<float>(value))), pattern);
        }
    }
}

void tst_FloatFormats::theQuickRoundingIsTheExactOne_data()
{
    QTest::addColumn<int>("format");
    QTest::newRow("f16") << static_cast<int>(Scalar::Float16);
    QTest::newRow("bf16") << static_cast<int>(Scalar::BFloat16);
}

// Floats all over the range, and those halfway between two numbers of the format.
void tst_FloatFormats::theQuickRoundingIsTheExactOne()
{
    QFETCH(const int, format);
    const auto scalar = static_cast<Scalar>(format);
    for (std::uint32_t bits = 0; bits < 0x7F800000u; bits += 0xFFFu)
        for (const std::uint32_t pattern :
             {bits, bits | 0x80000000u, bits & 0xFFFFF000u, bits & 0xFFFF8000u})
        {
            const auto value = std::bit_cast<float>(pattern);
            const double exact =
                decodeFloat(scalar, encodeFloat(scalar, static_cast<double>(value)));
            const auto quick = static_cast<double>(roundedTo(scalar, value));
            if (exact != quick || std::signbit(exact) != std::signbit(quick))
                QFAIL(("of bits " + std::to_string(pattern)).c_str());
        }
}

QTEST_APPLESS_MAIN(tst_FloatFormats)
#include "tst_float_formats.moc"
