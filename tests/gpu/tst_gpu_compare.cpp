// SPDX-License-Identifier: MIT
// Two tensors against each other: what is counted of them, and that a device which holds one or both of them counts the
// same; proofs that leave their results on the device, and what becomes of those where it has no room or fails.

#include "tests/exec/small_programs.h"
#include "tests/gpu/host_api.h"

#include "core/exec/host_copies.h"
#include "core/gpu/gpu_device.h"
#include "core/io/document.h"
#include "core/proof/digest.h"
#include "core/proof/equivalence.h"
#include "core/proof/first_difference.h"

#include <limits>

using namespace reinspect;
using namespace reinspect::exec;
using namespace reinspect::proof;
using reinspect::gpu::HostApi;

namespace
{

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Numbers as one line: "2 differ, first [0, 1], absolute 0.5, relative 0.25, ulps 4, within".
QString textOf(const proof::Difference& difference)
{
    if (!difference.mismatch.empty())
        return QString::fromStdString(difference.mismatch);
    if (difference.isBitwise)
        return "same";
    return QString("%1 differ, first %2, absolute %3, relative %4, ulps %5, %6")
        .arg(difference.differing)
        .arg(QString::fromStdString(difference.firstIndex ? sizesText(*difference.firstIndex)
                                                          : "nowhere"))
        .arg(difference.maxAbsolute)
        .arg(difference.maxRelative)
        .arg(difference.maxUlps)
        .arg(difference.isWithin ? "within" : "beyond");
}

Tensor tensorOn(Device& device, const Tensor& tensor)
{
    return *HostCopies(device, tensor.storage->tracker().shared_from_this())
                .toDevice(tensor, StorageRole::Input);
}

struct Sample
{
    std::shared_ptr<const Document> document;
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const PassTrace> trace;

    explicit Sample(const char* name)
    {
        auto loaded = loadDocument(std::string(REINSPECT_SOURCE_DIR "/samples/") + name);
        if (!loaded.ok())
            return;
        document = std::move(*loaded);
        graph = document->graphs.front().graph;
        if (auto made = runReinplace({graph, document->facts, document->shapes}, {}); made.ok())
            trace = std::move(*made);
    }

    Result<Equivalence> prove(const std::shared_ptr<Device>& device) const
    {
        EquivalenceOptions options;
        options.inputs.device = device;
        return proveEquivalence(graph, document->facts, document->shapes, trace.get(), options);
    }
};

} // namespace

class GpuCompareTest : public QObject
{
    Q_OBJECT

private slots:
    void tensors_data();
    void tensors();
    void viewsAreCompared();
    void otherSizesAreNotMeasured();
    void numbers();
    void digestsAreThoseOfTheHost();
    void digestTellsApart();
    void resultsStayThere();
    void withoutRoomResultsComeHome();
    void repeatsLeaveResultsAlone_data();
    void repeatsLeaveResultsAlone();
    void aDeviceThatCannotCompare();
    void differingNodeIsFoundThere();
};

void GpuCompareTest::tensors_data()
{
    QTest::addColumn<int>("dtype");
    QTest::addColumn<QList<double>>("expected");
    QTest::addColumn<QList<double>>("found");
    QTest::addColumn<double>("ulps");
    QTest::addColumn<double>("relative");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* name, DType dtype, QList<double> expected, QList<double> found,
                        double ulps, double relative, const char* text) {
        QTest::newRow(name) << static_cast<int>(dtype) << expected << found << ulps << relative
                            << QString::fromLatin1(text);
    };
    constexpr double unit = 1.0 / (1 << 23); // of float32 at 1
    row("equal", DType::Float32, {1, 2, 3, 4}, {1, 2, 3, 4}, 0, 0, "same");
    row("NaN is NaN", DType::Float32, {kNan, 1}, {kNan, 1}, 0, 0, "same");
    row("zeros of other signs", DType::Float32, {0, 1}, {-0.0, 1}, 0, 0,
        "1 differ, first [0], absolute 0, relative 0, ulps 0, within");
    row("a unit", DType::Float32, {1, 1}, {1, 1 + unit}, 0, 0,
        "1 differ, first [1], absolute 1.19209e-07, relative 1.19209e-07, ulps 1, beyond");
    row("a unit that passes", DType::Float32, {1, 1}, {1, 1 + unit}, 1, 0,
        "1 differ, first [1], absolute 1.19209e-07, relative 1.19209e-07, ulps 1, within");
    row("against NaN", DType::Float32, {1, 2}, {kNan, 2}, 9, 9,
        "1 differ, first [0], absolute inf, relative inf, ulps inf, beyond");
    row("against infinity", DType::Float32, {kInfinite, 2}, {1, 2}, 9, 9,
        "1 differ, first [0], absolute inf, relative inf, ulps inf, beyond");
    row("infinities", DType::Float32, {kInfinite, -kInfinite}, {kInfinite, kInfinite}, 0, 0,
        "1 differ, first [1], absolute inf, relative inf, ulps inf, beyond");
    // The root of the mean square is 5: a thousandth of it passes, whatever 0 is a thousandth of.
    row("of the tensor's scale", DType::Float32, {0, 5, 5, 5, 5, 5, 5, 7.0710678118654755},
        {0.0048828125, 5, 5, 5, 5, 5, 5, 7.0710678118654755}, 0, 1e-3,
        "1 differ, first [0], absolute 0.00488281, relative 1, ulps 1.04858e+07, within");
    row("beyond the scale", DType::Float32, {0, 0.5}, {0.0048828125, 0.5}, 0, 1e-3,
        "1 differ, first [0], absolute 0.00488281, relative 1, ulps 1.04858e+07, beyond");
    row("float16", DType::Float16, {1, 2048}, {1.0009765625, 2050}, 1, 0,
        "2 differ, first [0], absolute 2, relative 0.00097561, ulps 1, within");
    row("bfloat16", DType::BFloat16, {1, 1}, {1, 1.015625}, 1, 0,
        "1 differ, first [1], absolute 0.015625, relative 0.0153846, ulps 2, beyond");
    row("float64", DType::Float64, {1, 1}, {1, 1 + 0x1p-52}, 1, 0,
        "1 differ, first [1], absolute 2.22045e-16, relative 2.22045e-16, ulps 1, within");
    row("whole numbers", DType::Int64, {4, -9, 5}, {4, -6, 1}, 9, 9,
        "2 differ, first [1], absolute 4, relative 0.8, ulps 0, beyond");
    row("truths", DType::Bool, {1, 0}, {1, 1}, 0, 0,
        "1 differ, first [1], absolute 1, relative 1, ulps 0, beyond");
    row("nothing", DType::Float32, {}, {}, 0, 0, "same");
}

void GpuCompareTest::tensors()
{
    QFETCH(int, dtype);
    QFETCH(QList<double>, expected);
    QFETCH(QList<double>, found);
    QFETCH(double, ulps);
    QFETCH(double, relative);
    QFETCH(QString, text);
    const auto made = [&](const QList<double>& values) {
        return *tensorOf<double>(static_cast<DType>(dtype), {values.size()},
                                 {values.begin(), values.end()})
                    .tensor();
    };
    const Tolerance tolerance{ulps, relative};
    const auto api = std::make_shared<HostApi>();
    const auto device = gpu::makeGpuDevice(api);
    const Tensor a = made(expected);
    const Tensor b = made(found);
    const Tensor aThere = tensorOn(*device, a);
    const Tensor bThere = tensorOn(*device, b);
    const proof::Difference here = compareTensors(a, b, tolerance);
    QCOMPARE(textOf(here), text);
    QVERIFY(!here.isFromDevice);
    for (const proof::Difference& there :
         {compareTensors(aThere, bThere, tolerance), compareTensors(a, bThere, tolerance),
          compareTensors(aThere, b, tolerance)})
    {
        QCOMPARE(textOf(there), text);
        QVERIFY(there.isFromDevice);
    }
    QCOMPARE(api->comparisons, 3);
    QCOMPARE(api->downloads, 0);
}

// [[0, 1, 2], [3, 4, 5]] turned, and complex numbers: places are those of the tensor.
void GpuCompareTest::viewsAreCompared()
{
    const auto device = gpu::makeGpuDevice(std::make_shared<HostApi>());
    const Tensor x = *tensorOf<double>(DType::Float32, {2, 3}, {0, 1, 2, 3, 4, 5}).tensor();
    const Tensor turned = *viewOf(x, {3, 2}, {1, 3}, 0);
    const Tensor other = *tensorOf<double>(DType::Float32, {3, 2}, {0, 3, 1, 4, 2, 6}).tensor();
    const QString text = "1 differ, first [2, 1], absolute 1, relative 0.166667, ulps 2.09715e+06, "
                         "beyond";
    QCOMPARE(textOf(compareTensors(turned, other)), text);
    QCOMPARE(textOf(compareTensors(tensorOn(*device, turned), other)), text);

    using Complex = std::complex<double>;
    const Tensor c = *tensorOf<Complex>(DType::Complex64, {2}, {{1, 2}, {3, 4}}).tensor();
    const Tensor d = *tensorOf<Complex>(DType::Complex64, {2}, {{1, 2}, {3, 5}}).tensor();
    const QString apart = "1 differ, first [1], absolute 1, relative 0.2, ulps 2.09715e+06, beyond";
    QCOMPARE(textOf(compareTensors(c, d)), apart);
    QCOMPARE(textOf(compareTensors(tensorOn(*device, c), tensorOn(*device, d))), apart);
}

void GpuCompareTest::otherSizesAreNotMeasured()
{
    const Value a = tensorOf<double>(DType::Float32, {2}, {1, 2});
    QCOMPARE(textOf(compareValues(a, tensorOf<double>(DType::Float32, {1, 2}, {1, 2}))),
             QString("float32[2] against float32[1, 2]"));
    QCOMPARE(textOf(compareValues(a, Value(1.0))), QString("a tensor against a float"));
}

void GpuCompareTest::numbers()
{
    QVERIFY(compareValues(Value(2.5), Value(2.5)).isBitwise);
    QVERIFY(compareValues(Value(kNan), Value(kNan)).isBitwise);
    QVERIFY(compareValues(Value(std::int64_t{2}), Value(2.0)).isBitwise);
    QVERIFY(compareValues(Value(), Value()).isBitwise);
    const proof::Difference apart = compareValues(Value(2.0), Value(3.0));
    QVERIFY(!apart.isBitwise && !apart.isWithin);
    QCOMPARE(apart.maxAbsolute, 1.0);
    QVERIFY(!compareValues(Value(), Value(0.0)).isBitwise);
}

void GpuCompareTest::digestsAreThoseOfTheHost()
{
    const auto api = std::make_shared<HostApi>();
    const auto device = gpu::makeGpuDevice(api);
    for (const DType dtype : {DType::Float64, DType::Float32, DType::BFloat16, DType::Float8E4M3FN,
                              DType::Bool, DType::Int64, DType::Complex64})
    {
        const Tensor here = *tensorOf<double>(dtype, {2, 3}, {0, 1, 1, 0, 1, 0}).tensor();
        const Tensor turned = *viewOf(here, {3, 2}, {1, 3}, 0);
        QCOMPARE(digestOf(tensorOn(*device, here)), digestOf(here));
        QCOMPARE(digestOf(tensorOn(*device, turned)), digestOf(turned));
        QVERIFY(digestOf(turned) != digestOf(here));
    }
    QCOMPARE(api->downloads, 0);
    // Elements of 16 bytes are worked out at home.
    const Tensor wide = *tensorOf<double>(DType::Complex128, {2}, {1, 2}).tensor();
    QCOMPARE(digestOf(tensorOn(*device, wide)), digestOf(wide));
    QVERIFY(api->downloads > 0);
}

void GpuCompareTest::digestTellsApart()
{
    const auto digest = [](DType dtype, Sizes sizes, const std::vector<double>& values) {
        return digestOf(tensorOf<double>(dtype, std::move(sizes), values));
    };
    const std::uint64_t one = digest(DType::Float32, {4}, {1, 2, 3, 4});
    QCOMPARE(digest(DType::Float32, {4}, {1, 2, 3, 4}), one);
    QVERIFY(digest(DType::Float32, {4}, {2, 1, 3, 4}) != one);
    QVERIFY(digest(DType::Float32, {2, 2}, {1, 2, 3, 4}) != one);
    QVERIFY(digest(DType::Float64, {4}, {1, 2, 3, 4}) != one);
    QVERIFY(digest(DType::Float32, {4}, {1, 2, 3, -4}) != one);
    QVERIFY(digest(DType::Float32, {2}, {0, 0}) != digest(DType::Float32, {2}, {0, -0.0}));
}

void GpuCompareTest::resultsStayThere()
{
    const Sample sample("kv_cache_2_layers.json");
    QVERIFY(sample.trace != nullptr);
    const auto api = std::make_shared<HostApi>();
    {
        const auto proven = sample.prove(gpu::makeGpuDevice(api));
        QVERIFY(proven.ok());
        QCOMPARE(proven->isEqual(), std::optional(true));
        QVERIFY(!proven->comparisons.empty());
        for (const StageComparison& comparison : proven->comparisons)
            for (const ResultComparison& result : comparison.results)
                QVERIFY2(result.difference.isFromDevice, result.name.c_str());
        QCOMPARE(api->downloads, 0);
    }
    QCOMPARE(api->allocations(), std::size_t{0});
}

void GpuCompareTest::withoutRoomResultsComeHome()
{
    const Sample sample("kv_cache_2_layers.json");
    const auto wide = sample.prove(gpu::makeGpuDevice(std::make_shared<HostApi>()));
    QVERIFY(wide.ok());
    const StageRun& before = wide->runs.front();
    std::int64_t inputs = 0;
    for (const Value& value : before.inputs)
        forEachTensor(value, [&](const Tensor& tensor) { inputs += tensor.storage->bytes(); });
    const auto api = std::make_shared<HostApi>();
    api->limit = 2 * (inputs + before.run.memory.peakBytes);
    const auto narrow = sample.prove(gpu::makeGpuDevice(api));
    QVERIFY(narrow.ok());
    QVERIFY(api->downloads > 0);
    QCOMPARE(narrow->isEqual(), std::optional(true));
    QCOMPARE(narrow->comparisons.size(), wide->comparisons.size());
}

void GpuCompareTest::repeatsLeaveResultsAlone_data()
{
    QTest::addColumn<qint64>("limit"); // bytes of the device; the inputs take 6 * 512
    QTest::addColumn<bool>("staysThere");
    QTest::newRow("room for copies") << qint64{1 << 20} << true;
    QTest::newRow("none") << qint64{9 * 512} << false;
}

// The input has 1 added to it once, not three times, and nobody had to fetch it first.
void GpuCompareTest::repeatsLeaveResultsAlone()
{
    QFETCH(qint64, limit);
    QFETCH(bool, staysThere);
    const auto api = std::make_shared<HostApi>();
    api->limit = limit;
    RunInputs given = smallInputs();
    RunOptions options;
    options.device = gpu::makeGpuDevice(api);
    options.staysOnDevice = true;
    options.timesNodes = true;
    options.repeats = 2;
    const GraphRun run = runSmall("r = torch.ops.aten.add_.Tensor(x, 1)", given, options);
    QVERIFY2(!run.failure, run.failure ? run.failure->message.c_str() : "");
    QCOMPARE(run.repeatSeconds.size(), std::size_t{2});
    QCOMPARE(run.inputs[0].tensor()->storage->isOnDevice(), staysThere);
    const auto here = broughtHome(run.inputs[0]);
    QVERIFY(here.ok());
    QCOMPARE(QString::fromStdString(valueText(*here)), QString("float32[2, 3]: 1 2 3 4 5 6"));
}

void GpuCompareTest::aDeviceThatCannotCompare()
{
    const auto api = std::make_shared<HostApi>();
    const auto device = gpu::makeGpuDevice(api);
    const Tensor a = *tensorOf<double>(DType::Float32, {2}, {1, 2}).tensor();
    const Tensor b = *tensorOf<double>(DType::Float32, {2}, {1, 3}).tensor();
    const Tensor aThere = tensorOn(*device, a);
    const Tensor bThere = tensorOn(*device, b);
    api->failure = "no more kernels"; // of the one comparison
    const proof::Difference difference = compareTensors(aThere, bThere);
    QVERIFY(!difference.isFromDevice);
    QCOMPARE(difference.differing, std::int64_t{1});
    QCOMPARE(difference.maxAbsolute, 1.0);
}

void GpuCompareTest::differingNodeIsFoundThere()
{
    const auto graph = [](const char* number) {
        return std::make_shared<const Graph>(smallGraph(
            "        p = torch.ops.aten.neg.default(x)\n        q = torch.ops.aten.add.Tensor(p, "
            + std::string(number) + ")\n        r = torch.ops.aten.mul.Tensor(q, 2)\n"));
    };
    const auto api = std::make_shared<HostApi>();
    InputSource source;
    source.device = gpu::makeGpuDevice(api);
    const auto first = graph("1");
    QCOMPARE(QString::fromStdString(firstDifferingNode(first, graph("2"), {}, {}, source, {})),
             QString("q"));
    QCOMPARE(firstDifferingNode(first, graph("1"), {}, {}, source, {}), std::string());
    QCOMPARE(api->downloads, 0);
}

QTEST_APPLESS_MAIN(GpuCompareTest)
#include "tst_gpu_compare.moc"
