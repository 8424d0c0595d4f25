// SPDX-License-Identifier: MIT
#include "core/exec/elements.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace reinspect;
using namespace reinspect::exec;

class tst_Tensor : public QObject
{
    Q_OBJECT

private slots:
    void aViewOutsideOfTheStorageIsRefused_data();
    void aViewOutsideOfTheStorageIsRefused();
    void copiesConvertAndBroadcast();
    void overlappingCopiesReadWhatWasThere();
    void shortFloatsRoundToNearestEven_data();
    void shortFloatsRoundToNearestEven();
    void everyHalfSurvivesFloat();
    void liveBytesAreRoundedAndDropped();
    void beyondTheLimitIsAnError();
};

static Tensor
tensorOf(DType dtype, Sizes sizes,
         std::shared_ptr<StorageTracker> tracker = std::make_shared<StorageTracker>(1 << 20))
{
    Tensor tensor{dtype, sizes, contiguousStrides(sizes), 0, nullptr, false};
    tensor.storage = *tracker->allocate(tensor.count() * tensor.elementBytes(), dtype);
    return tensor;
}

void tst_Tensor::aViewOutsideOfTheStorageIsRefused_data()
{
    QTest::addColumn<Sizes>("sizes");
    QTest::addColumn<Sizes>("strides");
    QTest::addColumn<int>("offset");
    QTest::addColumn<bool>("exists");
    QTest::newRow("all") << Sizes{12} << Sizes{1} << 0 << true;
    QTest::newRow("one more") << Sizes{13} << Sizes{1} << 0 << false;
    QTest::newRow("behind the end") << Sizes{2, 2} << Sizes{4, 1} << 8 << false;
    QTest::newRow("the last") << Sizes{2, 2} << Sizes{4, 1} << 6 << true;
    QTest::newRow("empty behind the end") << Sizes{0} << Sizes{1} << 40 << true;
    QTest::newRow("before the beginning") << Sizes{1} << Sizes{1} << -1 << false;
    QTest::newRow("backwards") << Sizes{2} << Sizes{-1} << 2 << false;
    QTest::newRow("overflow") << Sizes{std::int64_t{1} << 40, std::int64_t{1} << 40} << Sizes{0, 0}
                              << 0 << false;
}

void tst_Tensor::aViewOutsideOfTheStorageIsRefused()
{
    QFETCH(Sizes, sizes);
    QFETCH(Sizes, strides);
    QFETCH(int, offset);
    QFETCH(bool, exists);
    const Tensor base = tensorOf(DType::Float32, {3, 4});
    QCOMPARE(viewOf(base, sizes, strides, offset).ok(), exists);
}

void tst_Tensor::copiesConvertAndBroadcast()
{
    const Tensor row = tensorOf(DType::Float32, {3});
    writeAll<float>(row, std::vector<float>{1.5f, -2.5f, 0.0f});
    const Tensor whole = tensorOf(DType::Int32, {2, 3});
    QVERIFY(copyElements(whole, row).ok());
    QCOMPARE(readAll<std::int64_t>(whole), (std::vector<std::int64_t>{1, -2, 0, 1, -2, 0}));
    const Tensor flags = tensorOf(DType::Bool, {3});
    QVERIFY(copyElements(flags, row).ok());
    QCOMPARE(readAll<float>(flags), (std::vector<float>{1, 1, 0}));
    QVERIFY(!copyElements(row, whole).ok());
}

void tst_Tensor::overlappingCopiesReadWhatWasThere()
{
    const Tensor base = tensorOf(DType::Int64, {4});
    writeAll<std::int64_t>(base, std::vector<std::int64_t>{1, 2, 3, 4});
    const Tensor low = *viewOf(base, {3}, {1}, 0);
    const Tensor high = *viewOf(base, {3}, {1}, 1);
    QVERIFY(copyElements(high, low).ok());
    QCOMPARE(readAll<std::int64_t>(base), (std::vector<std::int64_t>{1, 1, 2, 3}));
}

void tst_Tensor::shortFloatsRoundToNearestEven_data()
{
    QTest::addColumn<int>("dtype");
    QTest::addColumn<float>("value");
    QTest::addColumn<float>("kept");
    const float inf = std::numeric_limits<float>::infinity();
    const auto row = [](const char* name, DType dtype, float value, float kept) {
        QTest::newRow(name) << static_cast<int>(dtype) << value << kept;
    };
    row("half tie down", DType::Float16, 2049.0f, 2048.0f);
    row("half tie up", DType::Float16, 2051.0f, 2052.0f);
    row("half overflow", DType::Float16, 65520.0f, inf);
    row("half largest", DType::Float16, 65519.0f, 65504.0f);
    row("half subnormal", DType::Float16, 5.9604645e-8f, 5.9604645e-8f);
    row("half too small", DType::Float16, 2.9802322e-8f, 0.0f);
    row("bfloat tie", DType::BFloat16, 257.0f, 256.0f);
    row("bfloat up", DType::BFloat16, 259.0f, 260.0f);
    row("e4m3 largest", DType::Float8E4M3FN, 448.0f, 448.0f);
    row("e4m3 top", DType::Float8E4M3FN, 300.0f, 288.0f);
    row("e4m3 small", DType::Float8E4M3FN, 0.001953125f, 0.001953125f);
    row("e5m2 overflow", DType::Float8E5M2, 65536.0f, inf);
    row("e5m2", DType::Float8E5M2, 1.1f, 1.0f);
}

void tst_Tensor::shortFloatsRoundToNearestEven()
{
    QFETCH(int, dtype);
    QFETCH(float, value);
    QFETCH(float, kept);
    const Tensor tensor = tensorOf(static_cast<DType>(dtype), {1});
    writeAll<float>(tensor, std::vector<float>{value});
    QCOMPARE(readAll<float>(tensor).front(), kept);
}

void tst_Tensor::everyHalfSurvivesFloat()
{
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits)
    {
        const Half half{static_cast<std::uint16_t>(bits)};
        const float wide = toFloat(half);
        if (!std::isnan(wide))
            QCOMPARE(halfFrom(wide).bits, half.bits);
        const BFloat16 brain{static_cast<std::uint16_t>(bits)};
        if (!std::isnan(toFloat(brain)))
            QCOMPARE(bfloat16From(toFloat(brain)).bits, brain.bits);
    }
}

void tst_Tensor::liveBytesAreRoundedAndDropped()
{
    auto tracker = std::make_shared<StorageTracker>(1 << 20);
    {
        const Tensor a = tensorOf(DType::Float32, {129}, tracker);
        const Tensor view = *viewOf(a, {2}, {1}, 0);
        const Tensor empty = tensorOf(DType::Float32, {0}, tracker);
        QCOMPARE(tracker->liveBytes(), std::int64_t{1024});
        QVERIFY(std::isnan(readAll<float>(a).front()));
    }
    QCOMPARE(tracker->liveBytes(), std::int64_t{0});
    QCOMPARE(tracker->peakBytes(), std::int64_t{1024});
    QCOMPARE(tracker->allocations(), std::size_t{1});
}

void tst_Tensor::beyondTheLimitIsAnError()
{
    auto tracker = std::make_shared<StorageTracker>(1 << 20);
    const auto asked = tracker->allocate(std::int64_t{100} << 30, DType::Float32);
    QVERIFY(!asked.ok());
    QVERIFY(asked.error().kind == ErrorKind::CannotRunHere);
}

QTEST_APPLESS_MAIN(tst_Tensor)
#include "tst_tensor.moc"
