// SPDX-License-Identifier: MIT
// Whole kernels as Triton compiled them, against the same computed here.
#include "tests/support/triton_kernels.h"

#include <QTest>

#include <cmath>

using namespace reinspect;
using namespace reinspect::triton;
using Numbers = std::vector<double>;

namespace
{

// 0.25, 1.5, -0.75, ...: exact in every format.
Numbers someNumbers(std::size_t count)
{
    Numbers numbers;
    for (std::size_t i = 0; i < count; ++i)
        numbers.push_back(static_cast<double>((i * 5) % 13) * 0.25 - 1);
    return numbers;
}

Result<RunReport> run(const char* file, std::vector<LaunchArgument> arguments, Grid grid = {})
{
    REINSPECT_TRY(const Kernel kernel, readTtir(kernelFile(file)));
    return runKernel(kernel, arguments, grid);
}

} // namespace

class tst_TtirKernels : public QObject
{
    Q_OBJECT

private slots:
    void addWithAMask();
    void softmaxOfRows();
    void matrixProduct();
    void histogramByAtomics();
    void loopsAndBranches();
    void aCallThatWrites_data();
    void aCallThatWrites();
    void blockPointers_data();
    void blockPointers();
};

// 100 elements in two programs of 64: 28 lanes are masked off.
void tst_TtirKernels::addWithAMask()
{
    Memory a("f32", someNumbers(100));
    Memory b("f32", someNumbers(100));
    Memory out("f32", Numbers(100, 77));
    const Result<RunReport> report =
        run("add", {a.argument(), b.argument(), out.argument(), std::int64_t(100)}, {2, 1, 1});
    QVERIFY2(report.ok(), report.ok() ? "" : report.error().message.c_str());
    for (std::size_t i = 0; i < 100; ++i)
        QCOMPARE(out.at(i), 2 * a.at(i));
    QCOMPARE(report->programs, std::int64_t(2));
    QCOMPARE(report->touched[0].loads, std::int64_t(100));
    QCOMPARE(report->touched[2].stores, std::int64_t(100));
}

void tst_TtirKernels::softmaxOfRows()
{
    Memory x("f32", someNumbers(60));
    Memory out("f32", Numbers(60, 77));
    const Result<RunReport> report = run(
        "softmax", {x.argument(), out.argument(), std::int64_t(20), std::int64_t(20)}, {3, 1, 1});
    QVERIFY2(report.ok(), report.ok() ? "" : report.error().message.c_str());
    for (std::size_t row = 0; row < 3; ++row)
    {
        double sum = 0;
        for (std::size_t i = 0; i < 20; ++i)
            sum += std::exp(x.at(row * 20 + i));
        for (std::size_t i = 0; i < 20; ++i)
            QVERIFY(std::abs(out.at(row * 20 + i) - std::exp(x.at(row * 20 + i)) / sum) < 1e-6);
    }
}

void tst_TtirKernels::matrixProduct()
{
    constexpr std::size_t m = 20, n = 18, k = 35; // none a multiple of the block's 16
    Memory a("f32", someNumbers(m * k));
    Memory b("f32", someNumbers(k * n));
    Memory c("f32", Numbers(m * n, 77));
    const auto number = [](std::size_t value) { return static_cast<std::int64_t>(value); };
    const Result<RunReport> report = run("matmul",
                                         {a.argument(), b.argument(), c.argument(), number(m),
                                          number(n), number(k), number(k), number(n), number(n)},
                                         {2, 2, 1});
    QVERIFY2(report.ok(), report.ok() ? "" : report.error().message.c_str());
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j)
        {
            double sum = 0;
            for (std::size_t l = 0; l < k; ++l)
                sum += a.at(i * k + l) * b.at(l * n + j);
            QCOMPARE(c.at(i * n + j), sum); // every number here is exact in TF32
        }
}

void tst_TtirKernels::histogramByAtomics()
{
    Memory index("i64", {0, 3, 3, 1, 3});
    Memory bins("f32", {0, 0, 0, 0});
    const Result<RunReport> report =
        run("atomic_hist", {index.argument(), bins.argument(), std::int64_t(5)});
    QVERIFY2(report.ok(), report.ok() ? "" : report.error().message.c_str());
    QCOMPARE(bins.numbers(), (Numbers{1, 1, 0, 3}));
}

// Sums blocks of 16 while i < n, doubles where n > 10 and else adds one.
void tst_TtirKernels::loopsAndBranches()
{
    for (const std::int64_t n : {5, 32})
    {
        Memory x("f32", someNumbers(32));
        Memory out("f32", Numbers(16, 77));
        const Result<RunReport> report = run("loops", {x.argument(), out.argument(), n});
        QVERIFY2(report.ok(), report.ok() ? "" : report.error().message.c_str());
        for (std::size_t i = 0; i < 16; ++i)
            QCOMPARE(out.at(i), n == 5 ? x.at(i) + 1 : 2 * (x.at(i) + x.at(16 + i)));
    }
}

void tst_TtirKernels::aCallThatWrites_data()
{
    QTest::addColumn<std::string>("file");
    QTest::newRow("3.6") << std::string("calls.raw");
    QTest::newRow("2.1") << std::string("triton21_calls.raw");
}

// The helper stores n into 16 elements; behind, from the second on, x + 2n is added.
void tst_TtirKernels::aCallThatWrites()
{
    QFETCH(const std::string, file);
    Memory x("f32", someNumbers(16));
    Memory out("f32", Numbers(17, 0));
    const Result<RunReport> report =
        run(file.c_str(), {x.argument(), out.argument(), std::int64_t(16)});
    QVERIFY2(report.ok(), report.ok() ? "" : report.error().message.c_str());
    QCOMPARE(out.at(0), 16.0);
    for (std::size_t i = 1; i < 17; ++i)
        QCOMPARE(out.at(i), (i < 16 ? 16 : 0) + x.at(i - 1) + 32);
}

void tst_TtirKernels::blockPointers_data()
{
    QTest::addColumn<std::string>("file");
    QTest::newRow("3.6") << std::string("blockptr.raw");
    QTest::newRow("2.1") << std::string("triton21_blockptr.raw");
}

// Blocks of 8 by 16 over 5 by 20, checked at both edges.
void tst_TtirKernels::blockPointers()
{
    QFETCH(const std::string, file);
    Memory a("f16", someNumbers(100));
    Memory out("f32", Numbers(100, 77));
    const Result<RunReport> report =
        run(file.c_str(), {a.argument(), out.argument(), std::int64_t(5), std::int64_t(20)});
    QVERIFY2(report.ok(), report.ok() ? "" : report.error().message.c_str());
    for (std::size_t i = 0; i < 100; ++i)
        QCOMPARE(out.at(i), 2 * a.at(i));
}

QTEST_APPLESS_MAIN(tst_TtirKernels)
#include "tst_ttir_kernels.moc"
