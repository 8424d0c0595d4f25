// SPDX-License-Identifier: MIT
// What reaches a device of a capture's own kernels, and operands that a graph on a device keeps on the host; on the
// device of host_api.h, which writes down launches and runs none.

#include "tests/exec/small_programs.h"
#include "tests/gpu/host_api.h"

#include "core/gpu/gpu_device.h"
#include "core/io/document.h"
#include "core/proof/equivalence.h"
#include "core/proof/triton_files.h"

#include <filesystem>
#include <fstream>

using namespace reinspect;
using namespace reinspect::exec;
using reinspect::gpu::HostApi;

namespace
{

// A lesson with one kernel, its files in `folder`.
struct Lesson
{
    std::shared_ptr<HostApi> api = std::make_shared<HostApi>();
    std::shared_ptr<const Document> document =
        *loadDocument(REINSPECT_SOURCE_DIR "/samples/triton_two_outputs.json");
    CaptureFacts facts = document->facts;

    GraphRun run()
    {
        proof::InputSource source;
        source.triton = proof::readTritonLibrary(document->facts);
        source.device = gpu::makeGpuDevice(api);
        return proof::runStage("before", document->graphs.front().graph, facts, document->shapes,
                               source)
            ->run;
    }
};

} // namespace

class GpuLaunchTest : public QObject
{
    Q_OBJECT

private slots:
    void kernelsAreLaunchedAsCaptured();
    void aMissingPtxIsSaid();
    void aPtxWithoutKernelIsSaid();
    void aLaunchThatFailsNamesNodeAndTarget();
    void numbersOnTheHostAreOperands();
    void tensorsOnTheHostAreRefused();
    void nodesWithoutCodeThereAreTimedAsTheHosts();
    void tf32IsUsedWhereItIsAllowed();
};

void GpuLaunchTest::kernelsAreLaunchedAsCaptured()
{
    Lesson lesson;
    GraphRun run = lesson.run();
    QVERIFY(!run.failure);
    QCOMPARE(lesson.api->launches, std::vector<std::string>{"sin_cos_kernel (1, 1, 1) x 128"});
    QVERIFY(run.hostRuns.empty());
    run = {};
    QCOMPARE(lesson.api->allocations(), std::size_t{0});
}

void GpuLaunchTest::aMissingPtxIsSaid()
{
    Lesson lesson;
    lesson.facts.folder = "/nowhere";
    const GraphRun run = lesson.run();
    QVERIFY(run.failure.has_value());
    QCOMPARE(run.failure->kind, ErrorKind::CannotRunHere);
    QVERIFY2(
        run.failure->message.ends_with("cannot run: the PTX of kernel sin_cos_kernel cannot be "
                                       "read: /nowhere/sin_cos_kernel_0_0.ptx"),
        run.failure->message.c_str());
}

void GpuLaunchTest::aPtxWithoutKernelIsSaid()
{
    const auto folder = std::filesystem::temp_directory_path() / "reinspect_tst_gpu_launch";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "sin_cos_kernel_0_0.ptx") << "no PTX at all";
    Lesson lesson;
    lesson.facts.folder = folder.string();
    const GraphRun run = lesson.run();
    std::filesystem::remove_all(folder);
    QVERIFY(run.failure.has_value());
    QVERIFY(run.failure->message.find("cannot be read: ") != std::string::npos);
}

void GpuLaunchTest::aLaunchThatFailsNamesNodeAndTarget()
{
    Lesson lesson;
    lesson.api->launchFailure = "no code for this device";
    const GraphRun run = lesson.run();
    QVERIFY(run.failure.has_value());
    QCOMPARE(run.failure->kind, ErrorKind::CannotRunHere);
    QCOMPARE(
        QString::fromStdString(run.failure->message),
        QString("node 'triton_kernel_wrapper_functional_proxy' "
                "(higher_order.triton_kernel_wrapper_functional): kernel sin_cos_kernel, "
                "compiled for sm_90a: a device in the host's memory: no code for this device"));
}

void GpuLaunchTest::numbersOnTheHostAreOperands()
{
    RunInputs given = smallInputs();
    Value number = tensorOf<std::int64_t>(DType::Int64, {}, {3});
    std::get<Tensor>(number.value).isOnHost = true;
    given.placeholders[2] = number;
    RunOptions options;
    options.device = gpu::makeGpuDevice(std::make_shared<HostApi>());
    const GraphRun run = runSmall("r = torch.ops.aten.mul.Tensor(x, i)", given, options);
    QVERIFY(!run.failure);
    QCOMPARE(QString::fromStdString(valueText(run.outputs[0])),
             QString("float32[2, 3]: 0 3 6 9 12 15"));
    QVERIFY(run.hostRuns.empty());
}

void GpuLaunchTest::tensorsOnTheHostAreRefused()
{
    RunInputs given = smallInputs();
    std::get<Tensor>(given.placeholders[4].value).isOnHost = true;
    RunOptions options;
    options.device = gpu::makeGpuDevice(std::make_shared<HostApi>());
    const GraphRun run = runSmall("r = torch.ops.aten.mul.Tensor(x, n)", given, options);
    QVERIFY(run.failure.has_value());
    QCOMPARE(QString::fromStdString(run.failure->message),
             QString("node 'r' (aten.mul.Tensor): a tensor on the host meets one on the device"));
}

void GpuLaunchTest::nodesWithoutCodeThereAreTimedAsTheHosts()
{
    RunInputs given = smallInputs();
    RunOptions options;
    options.device = gpu::makeGpuDevice(std::make_shared<HostApi>());
    options.timesNodes = true;
    const GraphRun run = runSmall("s = torch.ops.aten.neg.default(x); "
                                  "r = torch.ops.aten.logcumsumexp.default(s, 0)",
                                  given, options);
    QVERIFY(!run.failure);
    QVERIFY(!run.hostRuns.empty());
    QVERIFY(!run.nodeTimes[6].isOnHost);
    QVERIFY(run.nodeTimes[7].isOnHost);
}

// 1 + 2^-12 is one of float32's numbers, but none of TF32's.
void GpuLaunchTest::tf32IsUsedWhereItIsAllowed()
{
    const auto api = std::make_shared<HostApi>();
    RunOptions options;
    options.device = gpu::makeGpuDevice(api);
    for (const bool isAllowed : {false, true})
    {
        api->allowTf32(isAllowed);
        RunInputs given = smallInputs();
        const GraphRun run = runSmall("t = torch.ops.aten.full.default([1, 1], 1.000244140625); "
                                      "r = torch.ops.aten.mm.default(t, t)",
                                      given, options);
        QVERIFY(!run.failure);
        QCOMPARE(run.usesTf32, isAllowed);
        QCOMPARE(run.notes.contains("Products of float32 matrices were allowed to use TF32."),
                 isAllowed);
        QCOMPARE(QString::fromStdString(valueText(run.outputs.front())),
                 QString(isAllowed ? "float32[1, 1]: 1" : "float32[1, 1]: 1.00049"));
    }
}

QTEST_APPLESS_MAIN(GpuLaunchTest)
#include "tst_gpu_launch.moc"
