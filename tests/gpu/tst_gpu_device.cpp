// SPDX-License-Identifier: MIT
// What a device makes of operators, on one that works in the host's memory (host_api.h): its own rows, functions,
// copies and the host beside it give what the host alone gives; memory is counted and given back; what goes wrong is
// said with the node.

#include "tests/exec/small_programs.h"
#include "tests/gpu/host_api.h"

#include "core/gpu/gpu_device.h"
#include "core/gpu/gpu_module.h"
#include "core/io/document.h"
#include "core/proof/equivalence.h"

#include <cstdlib>

using namespace reinspect;
using namespace reinspect::exec;
using reinspect::gpu::HostApi;

namespace
{

struct OnDevice
{
    std::shared_ptr<HostApi> api = std::make_shared<HostApi>();
    std::shared_ptr<Device> device = gpu::makeGpuDevice(api);

    GraphRun run(const std::string& body, RunInputs& given)
    {
        RunOptions options;
        options.device = device;
        return runSmall(body, given, options);
    }
    GraphRun run(const std::string& body)
    {
        RunInputs given = smallInputs();
        return run(body, given);
    }
};

std::string outputText(const GraphRun& run)
{
    if (run.failure)
        return run.failure->message;
    std::string text;
    for (const Value& output : run.outputs)
        text += (text.empty() ? "" : "; ") + valueText(output);
    return text;
}

} // namespace

class GpuDeviceTest : public QObject
{
    Q_OBJECT

private slots:
    void sameAsOnTheHost_data();
    void sameAsOnTheHost();
    void runsThereAlone_data();
    void runsThereAlone();
    void hostRunsAreCounted();
    void inputsComeBackWritten();
    void aliasesStay();
    void memoryIsCountedAndReleased();
    void unwrittenMemoryIsPoisoned();
    void nodesAreTimed();
    void observersSeeTheHost();
    void badIndexNamesItsNode();
    void failureNamesTheDevice();
    void noMemoryIsAnError();
    void withoutModuleItSaysSo();
    void proofsAreThoseOfTheHost_data();
    void proofsAreThoseOfTheHost();
};

// Programs of tests/exec/small_programs.h; each kind of row, layout and dtype once.
void GpuDeviceTest::sameAsOnTheHost_data()
{
    QTest::addColumn<QString>("body");
    const auto row = [](const char* body) { QTest::newRow(body) << QString::fromLatin1(body); };
    row("r = torch.ops.aten.add.Tensor(x, 1.5)");
    row("r = torch.ops.aten.add.Tensor(x, b, alpha = 2)");
    row("r = torch.ops.aten.add.Tensor(i, i, alpha = 3)");
    row("r = torch.ops.aten.mul.Tensor(h, 0.1)");
    row("r = torch.ops.aten.div.Tensor(i, 4)");
    row("r = torch.ops.aten.sin.default(i)");
    row("r = torch.ops.aten.relu.default(n)");
    row("r = torch.ops.aten.clamp.default(n, 0.5)");
    row("r = torch.ops.aten.clamp.default(x, 1, 3)");
    row("r = torch.ops.aten.where.self(b, x, n)");
    row("r = torch.ops.aten.where.ScalarOther(b, x, -1)");
    row("r = torch.ops.aten.gelu.default(x)");
    row("r = torch.ops.aten.leaky_relu.default(x, 0.25)");
    row("r = torch.ops.aten.addcmul.default(x, x, x, value = 0.5)");
    row("r = torch.ops.aten.pow.Tensor_Scalar(x, 3)");
    row("r = torch.ops.aten.eq.Scalar(x, 3)");
    row("r = torch.ops.aten.bitwise_not.default(b)");
    row("t = torch.ops.aten.permute.default(x, [1, 0]); r = torch.ops.aten.neg.default(t)");
    row("t = torch.ops.aten.select.int(x, 0, 1); r = torch.ops.aten.mul.Tensor(t, x)");
    row("r = torch.ops.aten._to_copy.default(x, dtype = torch.bfloat16)");
    row("r = torch.ops.aten._to_copy.default(n, dtype = torch.int32)");
    row("r = torch.ops.aten.cat.default([x, n], 1)");
    row("r = torch.ops.aten.full.default([2, 2], 7)");
    row("r = torch.ops.aten.arange.start_step(1, 9, 3)");
    row("r = torch.ops.aten.linspace.default(0, 1, 5)");
    row("s = torch.ops.aten.select.int(n, 0, 0); r = torch.ops.aten.select_scatter.default(x, s, "
        "0, 1)");
    row("s = torch.ops.aten.slice.Tensor(x, 1, 1, 3); t = torch.ops.aten.slice.Tensor(n, 1, 0, 2); "
        "r = torch.ops.aten.copy_.default(s, t)");
    row("s = torch.ops.aten.slice.Tensor(x, 1, 1, 3); t = torch.ops.aten.slice.Tensor(x, 1, 0, 2); "
        "r = torch.ops.aten.copy_.default(s, t)"); // source and target overlap
    row("r = torch.ops.aten.add_.Tensor(x, n)");
    row("r = torch.ops.aten._foreach_add.Scalar([x, n], 2)");
    row("r = torch.ops.aten.sum.default(x)");
    row("r = torch.ops.aten.sum.dim_IntList(x, [0], True)");
    row("r = torch.ops.aten.sum.dim_IntList(b, [0])");
    row("r = torch.ops.aten.sum.default(e)");
    row("r = torch.ops.aten.mean.dim(h, [0])");
    row("r = torch.ops.aten.prod.dim_int(x, 1)");
    row("r = torch.ops.aten.any.dim(x, 1)");
    row("r = torch.ops.aten.all.dim(x, 1, True)");
    row("r = torch.ops.aten.var_mean.correction(x, [1], correction = 0, keepdim = True)");
    row("r = torch.ops.aten.std.correction(x, [0])");
    row("r = torch.ops.aten.amax.default(n, [1])");
    row("r = torch.ops.aten.max.dim(n, 1)");
    row("r = torch.ops.aten.argmin.default(n, 1, True)");
    row("r = torch.ops.aten.argmax.default(x)");
    row("r = torch.ops.aten.logsumexp.default(x, [1])");
    row("r = torch.ops.aten._softmax.default(x, 1, False)");
    row("r = torch.ops.aten._log_softmax.default(x, 0, False)");
    row("s = torch.ops.aten._softmax.default(x, 1, False); "
        "r = torch.ops.aten._softmax_backward_data.default(n, s, 1, torch.float32)");
    row("r = torch.ops.aten.cumsum.default(x, 0)");
    row("r = torch.ops.aten.cumsum.default(b, 0)");
    row("t = torch.ops.aten.permute.default(x, [1, 0]); r = torch.ops.aten.mm.default(x, t)");
    row("t = torch.ops.aten.permute.default(x, [1, 0]); r = torch.ops.aten.mm.default(t, x)");
    row("t = torch.ops.aten.slice.Tensor(x, 1, 0, 2); r = torch.ops.aten.mm.default(t, x)");
    row("t = torch.ops.aten.permute.default(x, [1, 0]); "
        "r = torch.ops.aten.addmm.default(h, x, t, beta = 0.5, alpha = 2)");
    row("u = torch.ops.aten.unsqueeze.default(x, 0); t = torch.ops.aten.permute.default(u, [0, 2, "
        "1]); "
        "r = torch.ops.aten.bmm.default(u, t)");
    row("t = torch.ops.aten.permute.default(e, [1, 0]); r = torch.ops.aten.mm.default(t, e)");
    row("r = torch.ops.aten.index.Tensor(x, [None, i])");
    row("r = torch.ops.aten.index.Tensor(x, [None, b])"); // a mask
    row("j = torch.ops.aten.sub.Tensor(i, 3); r = torch.ops.aten.index.Tensor(x, [None, j])");
    row("j = torch.ops.aten.floor_divide.default(i, 2); r = torch.ops.aten.index.Tensor(x, [j, "
        "i])");
    row("s = torch.ops.aten.select.int(x, 1, 0); r = torch.ops.aten.index_put.default(x, [None, "
        "i], n)");
    row("v = torch.ops.aten.slice.Tensor(n, 1, 0, 2); "
        "r = torch.ops.aten.index_put.default(x, [None, i], v)");
    row("z = torch.ops.aten.mul.Tensor(i, 0); v = torch.ops.aten.slice.Tensor(x, 1, 1, 3); "
        "r = torch.ops.aten.index_put.default(x, [None, z], v)"); // twice the same place
    row("z = torch.ops.aten.mul.Tensor(i, 0); v = torch.ops.aten.slice.Tensor(x, 1, 1, 3); "
        "r = torch.ops.aten.index_put_.default(x, [None, z], v, True)");
    row("g = torch.ops.aten.unsqueeze.default(i, 0); r = torch.ops.aten.gather.default(x, 1, g)");
    row("g = torch.ops.aten.unsqueeze.default(i, 0); r = torch.ops.aten.scatter_add.default(x, 1, "
        "g, n)");
    row("r = torch.ops.aten.embedding.default(x, b)");
    row("r = torch.ops.aten.sort.default(n, 1, True)");
    row("r = torch.ops.aten.topk.default(x, 2, 1)");
    row("r = torch.ops.aten.argsort.default(x, 0)");
    row("r = torch.ops.aten.rand.default([3])");
    row("r = torch.ops.aten.randn_like.default(x)");
    row("r = torch.ops.aten.randint.low(3, 9, [4])");
    row("r = torch.ops.aten.nan_to_num.default(n)"); // the host's
    row("r = torch.ops.aten.flip.default(x, [1])");
    row("r = torch.ops.aten.native_layer_norm.default(x, [3], None, None, 1e-05)");
    row("c = torch.ops.aten._to_copy.default(x, dtype = torch.complex64); "
        "r = torch.ops.aten.mul.Tensor(c, c)");
    row("t = torch.ops.aten.sum.default(i); r = torch.ops.aten.item.default(t)");
    row("r = torch.ops.aten.add.Tensor(x, i)"); // sizes that do not fit
    row("r = torch.ops.aten.amax.default(e, [0])");
}

void GpuDeviceTest::sameAsOnTheHost()
{
    QFETCH(QString, body);
    OnDevice gpu;
    const std::string expected = resultOf(body.toStdString());
    QCOMPARE(QString::fromStdString(outputText(gpu.run(body.toStdString()))),
             QString::fromStdString(expected));
    QCOMPARE(gpu.api->allocations(), std::size_t{0});
}

// Nothing of these is done on the host.
void GpuDeviceTest::runsThereAlone_data()
{
    QTest::addColumn<QString>("body");
    for (const char* body :
         {"r = torch.ops.aten.add.Tensor(x, n)", "r = torch.ops.aten.sum.default(x)",
          "r = torch.ops.aten._softmax.default(x, 1, False)",
          "t = torch.ops.aten.permute.default(x, [1, 0]); r = torch.ops.aten.mm.default(x, t)",
          "r = torch.ops.aten.index.Tensor(x, [None, i])",
          "v = torch.ops.aten.slice.Tensor(n, 1, 0, 2); "
          "r = torch.ops.aten.index_put.default(x, [None, i], v)",
          "r = torch.ops.aten.arange.start_step(1, 9, 3)", "r = torch.ops.aten.sort.default(x)",
          "r = torch.ops.aten.clone.default(x)", "r = torch.ops.aten.rand.default([3])",
          "r = torch.ops.aten.empty.memory_format([3])"})
        QTest::newRow(body) << QString::fromLatin1(body);
}

void GpuDeviceTest::runsThereAlone()
{
    QFETCH(QString, body);
    OnDevice gpu;
    const GraphRun run = gpu.run(body.toStdString());
    QVERIFY(!run.failure);
    QVERIFY(run.hostRuns.empty());
}

void GpuDeviceTest::hostRunsAreCounted()
{
    OnDevice gpu;
    const GraphRun run = gpu.run("t = torch.ops.aten.logcumsumexp.default(x, 1); r = "
                                 "torch.ops.aten.logcumsumexp.default(t, 0)");
    QVERIFY(!run.failure);
    QCOMPARE(run.hostRuns.size(), std::size_t{1});
    QCOMPARE(run.hostRuns.at("aten.logcumsumexp.default").calls, std::size_t{2});
    QCOMPARE(run.hostRuns.at("aten.logcumsumexp.default").copiedBytes, std::int64_t{4 * 24});
    QVERIFY(run.notes.contains(
        "aten.logcumsumexp.default has no code for the device: it ran on the host, "
        "2 calls and 96 bytes copied."));
}

void GpuDeviceTest::inputsComeBackWritten()
{
    OnDevice gpu;
    RunInputs given = smallInputs();
    const GraphRun run = gpu.run("r = torch.ops.aten.mul_.Tensor(x, 2)", given);
    QVERIFY(!run.failure);
    QCOMPARE(QString::fromStdString(valueText(given.placeholders[0])),
             QString("float32[2, 3]: 0 2 4 6 8 10"));
}

void GpuDeviceTest::aliasesStay()
{
    OnDevice gpu;
    RunInputs given = smallInputs();
    const GraphRun run = gpu.run("r = torch.ops.aten.select.int(x, 0, 1)", given);
    QVERIFY(!run.failure);
    QCOMPARE(run.outputs[0].tensor()->storage, given.placeholders[0].tensor()->storage);
}

void GpuDeviceTest::memoryIsCountedAndReleased()
{
    OnDevice gpu;
    const GraphRun run = gpu.run("t = torch.ops.aten.neg.default(x); "
                                 "u = torch.ops.aten.neg.default(t); "
                                 "r = torch.ops.aten.logcumsumexp.default(u, 0)");
    QVERIFY(!run.failure);
    QCOMPARE(run.memory.devicePeakBytes, std::optional<std::int64_t>(1024));
    QCOMPARE(run.memory.peakBytes, std::int64_t{1024}); // by the tracker
    QCOMPARE(run.memory.allocations, std::size_t{3});
    QCOMPARE(gpu.api->allocations(), std::size_t{0});
}

void GpuDeviceTest::unwrittenMemoryIsPoisoned()
{
    OnDevice gpu;
    const GraphRun run = gpu.run("r = torch.ops.aten.empty.memory_format([2])");
    QCOMPARE(QString::fromStdString(outputText(run)), QString("float32[2]: nan nan"));
}

void GpuDeviceTest::nodesAreTimed()
{
    OnDevice gpu;
    RunInputs given = smallInputs();
    RunOptions options;
    options.device = gpu.device;
    options.timesNodes = true;
    options.repeats = 2;
    const GraphRun run = runSmall("r = torch.ops.aten.neg.default(x)", given, options);
    QVERIFY(!run.failure);
    QCOMPARE(run.nodeTimes.size(), std::size_t{8}); // six inputs, the node, the output
    QCOMPARE(run.nodeTimes[6].bytes, std::int64_t{48});
    QCOMPARE(run.nodeTimes[6].seconds, 1e-6);
    QCOMPARE(run.repeatSeconds.size(), std::size_t{2});
}

void GpuDeviceTest::observersSeeTheHost()
{
    OnDevice gpu;
    RunInputs given = smallInputs();
    std::string seen;
    RunOptions options;
    options.device = gpu.device;
    options.observe = [&](NodeId, const Value& value) {
        seen = value.tensor() ? valueText(value) : seen;
    };
    QVERIFY(!runSmall("r = torch.ops.aten.neg.default(h)", given, options).failure);
    QCOMPARE(QString::fromStdString(seen), QString("float16[2]: -1.5 -2.25"));
}

void GpuDeviceTest::badIndexNamesItsNode()
{
    OnDevice gpu;
    const GraphRun run = gpu.run("j = torch.ops.aten.add.Tensor(i, 2); "
                                 "r = torch.ops.aten.index.Tensor(x, [None, j])");
    QVERIFY(run.failure.has_value());
    QCOMPARE(QString::fromStdString(run.failure->message),
             QString("node 'r': index 4 is out of range for dimension 1 of size 3"));
}

void GpuDeviceTest::failureNamesTheDevice()
{
    OnDevice gpu;
    RunInputs given = smallInputs();
    RunOptions options;
    options.device = gpu.device;
    options.observe = [&](NodeId, const Value&) { gpu.api->failure = "the card fell out"; };
    const GraphRun run = runSmall("r = torch.ops.aten.neg.default(x)", given, options);
    QVERIFY(run.failure.has_value());
    QVERIFY(run.failure->message.ends_with("a device in the host's memory: the card fell out"));
    QCOMPARE(run.failure->kind, ErrorKind::CannotRunHere);
    gpu.api->failure = nullptr;
    QVERIFY(!gpu.run("r = torch.ops.aten.neg.default(x)").failure); // the next run is a new one
}

void GpuDeviceTest::noMemoryIsAnError()
{
    OnDevice gpu;
    gpu.api->limit = 8 * 512;
    const GraphRun run = gpu.run("r = torch.ops.aten.full.default([4096], 1.0)");
    QVERIFY(run.failure.has_value());
    QVERIFY(run.failure->message.starts_with("node 'r' (aten.full.default): "));
    QVERIFY(run.failure->message.ends_with("the device has not so much memory"));
    QCOMPARE(gpu.api->allocations(), std::size_t{0});
}

void GpuDeviceTest::withoutModuleItSaysSo()
{
    setenv("REINSPECT_CUDA_MODULE", "/nowhere/reinspect-cuda.so", 1);
    const auto opened = gpu::openGpu(77);
    unsetenv("REINSPECT_CUDA_MODULE");
    QVERIFY(!opened.ok());
    QCOMPARE(opened.error().kind, ErrorKind::CannotRunHere);
    QCOMPARE(QString::fromStdString(opened.error().message),
             QString("the module for CUDA, reinspect-cuda, is not there"));
}

// Lessons without kernels of a capture, which this device cannot launch.
void GpuDeviceTest::proofsAreThoseOfTheHost_data()
{
    QTest::addColumn<QString>("sample");
    for (const char* name :
         {"index_put_input", "index_put_value_needed", "kv_cache_2_layers", "slice_scatter_nested"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

// Before and after the pass, and the device against the host.
void GpuDeviceTest::proofsAreThoseOfTheHost()
{
    QFETCH(QString, sample);
    const auto document =
        loadDocument(REINSPECT_SOURCE_DIR "/samples/" + sample.toStdString() + ".json");
    QVERIFY(document.ok());
    const auto graph = (*document)->graphs.front().graph;
    const auto trace = runReinplace({graph, (*document)->facts, (*document)->shapes}, {});
    QVERIFY(trace.ok());
    OnDevice gpu;
    proof::EquivalenceOptions options;
    options.inputs.device = gpu.device;
    options.comparesHost = true;
    auto proven = proof::proveEquivalence(graph, (*document)->facts, (*document)->shapes,
                                          trace->get(), options);
    QVERIFY(proven.ok());
    QCOMPARE(proven->isEqual(), std::optional(true));
    QVERIFY(proven->host.isThere);
    QVERIFY(!proven->host.results.empty());
    for (const proof::ReferenceResult& result : proven->host.results)
        QVERIFY2(result.difference.isWithin, result.name.c_str());
    for (const proof::StageRun& run : proven->runs)
        QCOMPARE(run.run.memory.devicePeakBytes, std::optional(run.run.memory.peakBytes));
    proven->runs.clear();
    QCOMPARE(gpu.api->allocations(), std::size_t{0});
}

QTEST_APPLESS_MAIN(GpuDeviceTest)
#include "tst_gpu_device.moc"
