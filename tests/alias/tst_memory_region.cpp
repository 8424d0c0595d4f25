// SPDX-License-Identifier: MIT
// What strided tensors touch, checked against listing every byte.
#include "core/alias/memory_region.h"

#include <QTest>

#include <random>
#include <set>

using namespace reinspect;

namespace
{

TensorMeta tensor(std::vector<SymExpr> sizes, std::vector<SymExpr> strides, SymExpr offset,
                  DType dtype = DType::Float32)
{
    TensorMeta meta;
    meta.dtype = dtype;
    meta.sizes = std::move(sizes);
    meta.strides = std::move(strides);
    meta.offset = std::move(offset);
    return meta;
}

// Every byte, index by index; `repeats` when two indices share one.
std::set<std::int64_t> bytesOf(const TensorMeta& meta, bool* repeats = nullptr)
{
    std::vector<std::int64_t> elements{*meta.offset->constant()};
    for (std::size_t i = 0; i < meta.sizes.size(); ++i)
    {
        std::vector<std::int64_t> next;
        for (const std::int64_t element : elements)
            for (std::int64_t k = 0; k < *meta.sizes[i].constant(); ++k)
                next.push_back(element + k * *(*meta.strides)[i].constant());
        elements = std::move(next);
    }
    std::set<std::int64_t> bytes;
    for (const std::int64_t element : elements)
        for (std::int64_t k = 0; k < dtypeBytes(meta.dtype); ++k)
            if (!bytes.insert(element * dtypeBytes(meta.dtype) + k).second && repeats)
                *repeats = true;
    return bytes;
}

TensorMeta randomTensor(std::mt19937& random, bool mixedWidths)
{
    const auto below = [&random](unsigned n) { return static_cast<std::int64_t>(random() % n); };
    std::vector<SymExpr> sizes;
    std::vector<SymExpr> strides;
    const std::int64_t rank = below(4);
    for (std::int64_t i = 0; i < rank; ++i)
    {
        sizes.push_back(below(16) == 0 ? 0 : 1 + below(5));
        strides.push_back(below(24) == 0 ? -1 - below(4) : below(random() % 3 == 0 ? 30 : 7));
    }
    const DType dtypes[] = {DType::Float32, DType::Float16, DType::Int64, DType::Int8};
    return tensor(sizes, strides, below(24), mixedWidths ? dtypes[below(4)] : DType::Float32);
}

QByteArray describe(const TensorMeta& a, const TensorMeta& b)
{
    return QByteArray::fromStdString(toText(a) + "@" + std::to_string(*a.offset->constant()) + "  "
                                     + toText(b) + "@" + std::to_string(*b.offset->constant()));
}

RegionKind kindOf(bool meets)
{
    return meets ? RegionKind::Meet : RegionKind::Disjoint;
}

Known knownOf(bool yes)
{
    return yes ? Known::Yes : Known::No;
}

} // namespace

class tst_MemoryRegion : public QObject
{
    Q_OBJECT

private slots:
    void numbersAreAnsweredExactly();
    void namedPairs_data();
    void namedPairs();
    void symbolsAnswerWhatHoldsForEveryValue_data();
    void symbolsAnswerWhatHoldsForEveryValue();
    void hugeNumbersAnswerWithoutOverflow();
    void twoLongStridesAreSolvedNotListed();
};

void tst_MemoryRegion::numbersAreAnsweredExactly()
{
    std::mt19937 random(20231111);
    int meets = 0;
    int covers = 0;
    for (int i = 0; i < 6000; ++i)
    {
        const TensorMeta a = randomTensor(random, i % 3 == 0);
        const TensorMeta b = randomTensor(random, i % 3 == 0);
        bool repeats = false;
        const std::set<std::int64_t> first = bytesOf(a, &repeats);
        const std::set<std::int64_t> second = bytesOf(b);
        const bool shared = std::ranges::any_of(
            first, [&second](std::int64_t byte) { return second.contains(byte); });
        const bool included = std::ranges::includes(first, second);
        const QByteArray pair = describe(a, b);
        QVERIFY2(regionsMeet(a, b, {}).kind == kindOf(shared), pair);
        QVERIFY2(regionsMeet(b, a, {}).kind == kindOf(shared), pair);
        QVERIFY2(regionCovers(a, b, {}) == knownOf(included), pair);
        QVERIFY2(regionMeetsItself(a, {}) == knownOf(repeats), pair);
        meets += shared ? 1 : 0;
        covers += included && !second.empty() ? 1 : 0;
    }
    // The draw has both answers in plenty.
    QVERIFY(meets > 1000 && meets < 5000);
    QVERIFY2(covers > 150, QByteArray::number(covers));
}

void tst_MemoryRegion::namedPairs_data()
{
    QTest::addColumn<TensorMeta>("a");
    QTest::addColumn<TensorMeta>("b");
    QTest::addColumn<RegionKind>("meet");
    QTest::addColumn<Known>("covers");
    const auto row = [](const char* name, const TensorMeta& a, const TensorMeta& b, RegionKind meet,
                        Known covers) { QTest::newRow(name) << a << b << meet << covers; };
    row("column blocks that upstream takes for disjoint", tensor({4, 4}, {9, 1}, 0),
        tensor({2, 4}, {9, 1}, 20), RegionKind::Meet, Known::No);
    row("even and odd columns", tensor({8, 4}, {8, 2}, 0), tensor({8, 4}, {8, 2}, 1),
        RegionKind::Disjoint, Known::No);
    row("rows of a transposed matrix", tensor({8, 2}, {1, 8}, 0), tensor({8, 2}, {1, 8}, 16),
        RegionKind::Disjoint, Known::No);
    row("the diagonal and the place right of it", tensor({8}, {9}, 0), tensor({7}, {9}, 1),
        RegionKind::Disjoint, Known::No);
    row("a block of a block of columns", tensor({1000, 500}, {2000, 1}, 0),
        tensor({10, 20}, {4000, 1}, 6300), RegionKind::Meet, Known::Yes);
    row("the low half of each pair of bytes", tensor({8}, {2}, 0, DType::Float16),
        tensor({8}, {4}, 2, DType::Float16), RegionKind::Meet, Known::No);
    row("bytes of a double", tensor({2}, {1}, 0, DType::Float64), tensor({16}, {1}, 0, DType::Int8),
        RegionKind::Meet, Known::Yes);
    row("the imaginary parts lie between the real ones", tensor({4}, {2}, 0), tensor({4}, {2}, 1),
        RegionKind::Disjoint, Known::No);
    row("empty", tensor({4, 0}, {1, 1}, 0), tensor({4}, {1}, 0), RegionKind::Disjoint, Known::No);
    TensorMeta noStrides = tensor({4}, {1}, 0);
    noStrides.strides.reset();
    row("no strides", noStrides, tensor({4}, {1}, 0), RegionKind::Unknown, Known::Unknown);
    row("unknown widths", tensor({4}, {1}, 0, DType::Unknown), tensor({4}, {1}, 8),
        RegionKind::Unknown, Known::Unknown);
}

void tst_MemoryRegion::namedPairs()
{
    QFETCH(TensorMeta, a);
    QFETCH(TensorMeta, b);
    QTEST(regionsMeet(a, b, {}).kind, "meet");
    QTEST(regionCovers(a, b, {}), "covers");
}

void tst_MemoryRegion::symbolsAnswerWhatHoldsForEveryValue_data()
{
    QTest::addColumn<TensorMeta>("a");
    QTest::addColumn<TensorMeta>("b");
    QTest::addColumn<RegionKind>("meet");
    QTest::addColumn<Known>("covers");
    const SymExpr s = SymExpr::symbol("s0");
    const SymExpr u = SymExpr::symbol("u0");
    const auto row = [](const char* name, const TensorMeta& a, const TensorMeta& b, RegionKind meet,
                        Known covers) { QTest::newRow(name) << a << b << meet << covers; };
    row("columns of s0 rows", tensor({s, 64}, {128, 1}, 0), tensor({s, 64}, {128, 1}, 64),
        RegionKind::Disjoint, Known::Unknown);
    row("columns that meet", tensor({s, 65}, {128, 1}, 0), tensor({s, 64}, {128, 1}, 64),
        RegionKind::Meet, Known::Unknown);
    row("rows of s0 columns", tensor({2, s}, {s, 1}, 0), tensor({2, s}, {s, 1}, s * 2),
        RegionKind::Disjoint, Known::Unknown);
    row("middle index", tensor({8, s}, {s * 4, 1}, 0), tensor({8, s}, {s * 4, 1}, s),
        RegionKind::Disjoint, Known::Unknown);
    row("the same", tensor({2, s}, {s, 1}, 0), tensor({2, s}, {s, 1}, 0), RegionKind::Meet,
        Known::Yes);
    row("the same, empty perhaps", tensor({2, u}, {u, 1}, 0), tensor({2, u}, {u, 1}, 0),
        RegionKind::Unknown, Known::Yes);
    row("two sizes", tensor({s}, {1}, 0), tensor({s}, {1}, u), RegionKind::Unknown, Known::Unknown);
}

void tst_MemoryRegion::symbolsAnswerWhatHoldsForEveryValue()
{
    namedPairs();
}

void tst_MemoryRegion::hugeNumbersAnswerWithoutOverflow()
{
    const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
    const TensorMeta vast = tensor({huge, huge}, {huge, huge}, huge);
    const TensorMeta small = tensor({4}, {1}, 0);
    QCOMPARE(regionsMeet(vast, small, {}).kind, RegionKind::Unknown);
    QCOMPARE(regionCovers(vast, small, {}), Known::Unknown);
    QCOMPARE(regionMeetsItself(vast, {}), Known::Unknown);
    const TensorMeta below = tensor({4}, {std::numeric_limits<std::int64_t>::min()}, 0);
    QCOMPARE(regionsMeet(below, small, {}).kind, RegionKind::Unknown);
    QCOMPARE(regionsMeet(tensor({2}, {std::int64_t{1} << 40}, 0), small, {}).kind,
             RegionKind::Meet);
}

void tst_MemoryRegion::twoLongStridesAreSolvedNotListed()
{
    // 999983 i = 1000003 j + 1 has its first solution far out.
    const TensorMeta a = tensor({900000}, {999983}, 0);
    const TensorMeta b = tensor({900000}, {1000003}, 1);
    QCOMPARE(regionsMeet(a, b, {}).kind, RegionKind::Meet);
    QCOMPARE(regionsMeet(tensor({1000}, {999983}, 0), tensor({1000}, {1000003}, 1), {}).kind,
             RegionKind::Disjoint);
}

Q_DECLARE_METATYPE(reinspect::TensorMeta)
Q_DECLARE_METATYPE(reinspect::RegionKind)
Q_DECLARE_METATYPE(reinspect::Known)

QTEST_APPLESS_MAIN(tst_MemoryRegion)
#include "tst_memory_region.moc"
