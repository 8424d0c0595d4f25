// SPDX-License-Identifier: MIT
#include "core/exec/elements.h"
#include "core/exec/value_summary.h"

#include <QTest>

#include <limits>

using namespace reinspect;
using namespace reinspect::exec;

class tst_ValueSummary : public QObject
{
    Q_OBJECT

private slots:
    void numbersAreCounted();
    void nothingIsNothing();
};

static Tensor tensorOf(const std::vector<double>& values)
{
    auto tracker = std::make_shared<StorageTracker>(1 << 16);
    const auto count = static_cast<std::int64_t>(values.size());
    Tensor tensor{DType::Float32, {count}, {1}, 0, *tracker->allocate(count * 4, DType::Float32),
                  false};
    writeAll<double>(tensor, values);
    return tensor;
}

void tst_ValueSummary::numbersAreCounted()
{
    const double inf = std::numeric_limits<double>::infinity();
    const ValueSummary summary =
        summaryOf(tensorOf({-2, 2, 0, 1, std::numeric_limits<double>::quiet_NaN(), inf, -inf}), 4);
    QCOMPARE(summary.count, std::int64_t{7});
    QCOMPARE(summary.nans, std::int64_t{1});
    QCOMPARE(summary.infinities, std::int64_t{2});
    QCOMPARE(summary.least, -2.0);
    QCOMPARE(summary.greatest, 2.0);
    QCOMPARE(summary.mean, 0.25);
    QCOMPARE(summary.histogram, (std::vector<std::int64_t>{1, 0, 1, 2}));
}

void tst_ValueSummary::nothingIsNothing()
{
    const ValueSummary summary = summaryOf(tensorOf({}));
    QCOMPARE(summary.count, std::int64_t{0});
    QCOMPARE(summary.mean, 0.0);
    QCOMPARE(summary.histogram.size(), std::size_t{32});
}

QTEST_APPLESS_MAIN(tst_ValueSummary)
#include "tst_value_summary.moc"
